import { diffLines } from '../lines/diff.ts';
import { type Origin, sameVoice, unknown } from '../lines/origin.ts';
import { isDistinct, isInformative, isOpening, type Lines } from '../lines/text.ts';
import { saidLines } from './carried.ts';
import { linesSaid } from './carrying.ts';
import { movesContents } from './shell.ts';
import { copiedLines } from './taken.ts';
import type { TimelineEdit } from './timeline.ts';

/** What an agent left in a file, and which of its lines it wrote there. */
export interface Written {
  readonly path: string;
  readonly at: number;
  readonly text: Lines;
  /** Counted from 0. */
  readonly fresh: ReadonlySet<number>;
  readonly origin: Origin;
}

/** Lines that stand just so, one after the other, in what an agent left elsewhere: from `start` up to but not including `end`. */
export interface Likeness {
  readonly start: number;
  readonly end: number;
  /** Those among them that it wrote. */
  readonly fresh: ReadonlySet<number>;
  readonly path: string;
  readonly at: number;
  readonly origin: Origin;
}

export const ELSEWHERE = 'an agent wrote the same in another file, where it is gone';
/** So many lines that say much two people do not write alike. */
const SURE = 3;
/** Of a line that was written over and over, so many places are looked at. */
const MAX_PLACES = 20;

/**
 * Undefined where the edit does not show its text, or only takes away, or brings what stood elsewhere. What a command wrote, and does not say
 * itself, may as well be what a person saved then.
 */
export function writtenIn(path: string, edit: TimelineEdit): Written | undefined {
  const { agent, at, change, shell, userModified } = edit;
  if ((change.kind !== 'full' && change.kind !== 'write') || !change.after) return undefined;
  const { after: text } = change;
  const before = (change.kind === 'full' && change.before) || [];
  const [map, had, copied] = [diffLines(before, text), new Set(before.filter(isInformative)), copiedLines(edit)];
  // what git brings, the command has not written
  const said = shell && movesContents(shell.command) ? saidLines(shell.command, text, path) : undefined;
  const isFresh = (i: number) =>
    (map[i] ?? -1) < 0 && !copied.has(i) && !had.has(text[i] ?? '') && (said?.has(i) ?? true);
  const fresh = new Set([...map.keys()].filter(isFresh));
  const type = userModified ? 'mixed' : 'ai';
  const isSaid = shell ? linesSaid(shell.command) : () => true;
  const isOwn = [...fresh].every((i) => !isInformative(text[i] ?? '') || isSaid(text[i] ?? ''));
  const origin: Origin = isOwn ? { type, evidence: 'matched', agent } : unknown(ELSEWHERE);
  return fresh.size > 0 ? { path, at, text, fresh, origin } : undefined;
}

interface Place {
  readonly written: Written;
  readonly at: number;
}

/** By the lines that say something: where agents wrote them. */
export type Writings = ReadonlyMap<string, readonly Place[]>;

export function writingsOf(all: readonly Written[]): Writings {
  const places = new Map<string, Place[]>();
  for (const written of all) {
    for (const at of written.fresh) {
      const line = written.text[at] ?? '';
      if (!isInformative(line)) continue;
      const known = places.get(line);
      if (!known) places.set(line, [{ written, at }]);
      else if (known.length < MAX_PLACES) known.push({ written, at });
    }
  }
  return places;
}

/**
 * Moving is not writing: the runs of these lines that an agent left in another file, with some of its own among them. One line in common says
 * nothing, nor does the same one twice, nor what files begin with; runs with less than three that say much may have been typed anew, and are nobody's.
 */
export function likenesses(lines: Lines, writings: Writings): Likeness[] {
  const found: Likeness[] = [];
  const known = new Set<number>();
  for (let i = 0; i < lines.length; i++) {
    if (known.has(i)) continue;
    const likeness = likenessAt(lines, i, { writings, known });
    if (!likeness) continue;
    found.push(likeness);
    for (const at of likeness.fresh) known.add(at);
  }
  return [...found, ...along(lines, writings, { found, known })];
}

interface Look {
  readonly writings: Writings;
  /** Lines that are told already. */
  readonly known: ReadonlySet<number>;
}

function likenessAt(lines: Lines, i: number, { writings, known }: Look): Likeness | undefined {
  const runs = (writings.get(lines[i] ?? '') ?? []).map((place) => growRun(lines, i, place));
  const most = Math.max(0, ...runs.map(({ start, end }) => end - start));
  const [first, ...others] = runs.filter(({ start, end }) => end - start === most);
  const own = first && lines.slice(first.start, first.end).filter((line) => isInformative(line) && !isOpening(line));
  if (!first || new Set(own).size < 2) return undefined;
  const { start, end, written } = first;
  const fresh = new Set([...first.fresh].filter((at) => !known.has(at)));
  const sure = (own ?? []).filter(isDistinct).length >= SURE;
  const agreed = others.every((other) => sameVoice(other.written.origin, written.origin));
  const { path, at } = written;
  return { start, end, fresh, path, at, origin: sure && agreed ? written.origin : unknown(ELSEWHERE) };
}

/** A line that says much goes along with others of the same edit: somebody has put a line of his own between. */
function along(
  lines: Lines,
  writings: Writings,
  { found, known }: { readonly found: readonly Likeness[]; readonly known: ReadonlySet<number> },
): Likeness[] {
  return [...lines.entries()].flatMap(([i, line]): Likeness[] => {
    if (known.has(i) || !isDistinct(line) || isOpening(line)) return [];
    const places = writings.get(line) ?? [];
    const other = found.find(({ path, at }) =>
      places.some(({ written }) => written.path === path && written.at === at),
    );
    return other ? [{ ...other, start: i, end: i + 1, fresh: new Set([i]) }] : [];
  });
}

/** As far as the lines before and after agree too: weak lines ride along. */
function growRun(lines: Lines, i: number, { written, at }: Place) {
  const equal = (k: number) => k + i in lines && lines[k + i] === written.text[at + k];
  let [start, end] = [0, 1];
  while (equal(start - 1)) start--;
  while (equal(end)) end++;
  const offsets = Array.from({ length: end - start }, (_, k) => start + k);
  const fresh = new Set(offsets.filter((k) => written.fresh.has(at + k)).map((k) => i + k));
  return { start: i + start, end: i + end, fresh, written };
}
