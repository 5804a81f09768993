import type { AnnotatedLine } from '../blame/annotate.ts';
import type { ContributorType } from '../lines/origin.ts';
import type { Place } from './model.ts';

/** What a key does to a cursor, where it moves one. */
export type Step = (at: number, page: number, count: number) => number;

const STEPS: ReadonlyMap<string, Step> = new Map<string, Step>([
  ['j', (at) => at + 1],
  ['down', (at) => at + 1],
  ['k', (at) => at - 1],
  ['up', (at) => at - 1],
  [' ', (at, page) => at + page],
  ['pagedown', (at, page) => at + page],
  ['ctrl-f', (at, page) => at + page],
  ['b', (at, page) => at - page],
  ['pageup', (at, page) => at - page],
  ['ctrl-b', (at, page) => at - page],
  ['ctrl-d', (at, page) => at + Math.ceil(page / 2)],
  ['ctrl-u', (at, page) => at - Math.ceil(page / 2)],
  ['g', () => 0],
  ['home', () => 0],
  ['G', (_, __, count) => count - 1],
  ['end', (_, __, count) => count - 1],
]);

export function findStep(key: string): Step | undefined {
  return STEPS.get(key);
}

export interface Room {
  /** How many there are. */
  readonly count: number;
  /** How many fit on the screen. */
  readonly page: number;
}

/** The cursor on something that is there, and on the screen; the screen not further down than it needs to be. */
export function settle({ at, top }: Place, { count, page }: Room): Place {
  const on = Math.min(Math.max(0, at), Math.max(0, count - 1));
  const lowest = Math.max(0, count - page);
  return { at: on, top: Math.max(0, Math.min(Math.max(Math.min(top, on), on - page + 1), lowest)) };
}

/** The same with the cursor in the middle where it was not on the screen: after a jump one wants to see what is around. */
export function settleAround(place: Place, room: Room): Place {
  const seen = place.at >= place.top && place.at < place.top + room.page;
  return settle(seen ? place : { at: place.at, top: place.at - Math.floor(room.page / 2) }, room);
}

/** Lines that follow each other and have this in common were written by one hand. */
export function handOf({ origin, blamed }: AnnotatedLine): string {
  const { agent } = origin;
  const by = agent ? [agent.tool.name, agent.model, agent.session] : origin.type === 'human' ? [blamed.author] : [];
  return JSON.stringify([origin.type, ...by]);
}

export interface Search {
  readonly lines: readonly AnnotatedLine[];
  readonly from: number;
  readonly way: 1 | -1;
  /** Only runs of this kind. */
  readonly kind?: ContributorType;
}

/** Where the next run of lines by one hand begins (or, upwards, the one before this run). */
export function findRun({ lines, from, way, kind }: Search): number | undefined {
  const hands = (i: number) => {
    const line = lines[i];
    return line ? handOf(line) : undefined;
  };
  const begins = (i: number) => i >= 0 && i < lines.length && hands(i) !== hands(i - 1);
  for (let i = from + way; i >= 0 && i < lines.length; i += way) {
    if (begins(i) && (kind === undefined || lines[i]?.origin.type === kind)) return i;
  }
  return undefined;
}

/** The next text that has `sought` in it, around the end; capitals count only where some were typed. */
export function findText(
  texts: { readonly count: number; at(i: number): string },
  sought: string,
  { from, way }: Pick<Search, 'from' | 'way'>,
): number | undefined {
  const exact = sought !== sought.toLowerCase();
  for (let i = 1; i <= texts.count; i++) {
    const at = (((from + way * i) % texts.count) + texts.count) % texts.count;
    const text = texts.at(at);
    if ((exact ? text : text.toLowerCase()).includes(sought)) return at;
  }
  return undefined;
}
