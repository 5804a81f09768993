import type { Change } from '../capture/session.ts';
import { diffLines } from '../lines/diff.ts';
import { splitString } from '../lines/text.ts';
import type { StatedText } from './diff.ts';

/** A file before a call and after it, as the disk had it, and what the protocol says of it. */
export interface Observed {
  /** Undefined: nobody looked in time. */
  readonly before: string | null | undefined;
  readonly after: string | null;
  readonly stated: readonly StatedText[];
}

export interface Told {
  readonly change?: Change;
  /** There is more on disk than the agent spoke of: a person may have typed, or a formatter run. */
  readonly rest: boolean;
}

/**
 * What was changed, by whom. Where all new lines are lines that the agent spoke of, or where it spoke of none, the disk tells: then
 * before and after were both seen. Else only what the agent spoke of is its own.
 */
export function changeOf({ before, after, stated }: Observed): Told {
  if (before === undefined) return statedChange(after, stated);
  if (before === after) return { rest: false };
  const spoken = new Set(stated.flatMap((one) => [...splitString(one.new)]));
  const [older, newer] = [splitString(before ?? ''), splitString(after ?? '')];
  const fresh = diffLines(older, newer).flatMap((from, i) => (from < 0 ? [newer[i] ?? ''] : []));
  if (stated.length === 0 || fresh.every((line) => spoken.has(line)))
    return { change: { kind: 'full', before, after }, rest: false };
  const whole = stated.find((one) => one.whole || (before === null && one.old === undefined));
  if (whole) return { change: { kind: 'full', before, after: whole.new }, rest: true };
  const pairs = stated.map((one) => ({ old: one.old ?? '', new: one.new, all: false }));
  return { change: { kind: 'replace', pairs }, rest: true };
}

/** Only what the agent says, as far as it is true: what it says it wrote must stand there. */
function statedChange(after: string | null, stated: readonly StatedText[]): Told {
  if (after === null) return { rest: false };
  const there = new Set(splitString(after));
  const honest = stated.filter((one) => splitString(one.new).every((line) => there.has(line)));
  const spoken = new Set(honest.flatMap((one) => [...splitString(one.new)]));
  if (honest.length > 0 && [...there].every((line) => spoken.has(line)))
    return { change: { kind: 'write', after }, rest: false };
  const pairs = honest.map((one) => ({ old: one.old ?? '', new: one.new, all: false }));
  return { ...(pairs.length > 0 && { change: { kind: 'replace', pairs } }), rest: true };
}
