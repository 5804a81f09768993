import { diffLines } from '../lines/diff.ts';
import { isDistinct, isInformative, isOpening, type Lines } from '../lines/text.ts';

/** A file as a commit had it that is no longer in the history, upon what it is compared with now. */
export interface LeftFile {
  readonly left: Lines;
  readonly base: Lines;
  readonly text: Lines;
  /** The lines (from 1) that are new in the text. */
  readonly added: readonly number[];
  /** What was seen of the file since. */
  readonly seen: readonly Lines[];
  /** Nobody has saved the file since. */
  readonly kept: boolean;
}

/** Where a line stood, from 1. */
export interface Standing {
  readonly line: number;
  /** `most`: so does most of what was taken back. `run`: so many in a row that nobody types them again. `none`: anybody may have. */
  readonly proof: 'most' | 'run' | 'none';
}

const MOSTLY = 0.6;
/** So many lines that say much two people do not write alike. */
const SURE = 3;

/**
 * The new lines of a text that a commit had brought, and that stand where they stood in it. Whether git has thrown them away when it left that
 * commit (`reset --hard`), no reflog tells: that most of them stand does, or that nobody has saved the file since.
 */
export function stillStanding({ left, base, text, added, seen, kept }: LeftFile): Map<number, Standing> {
  const [from, to] = [diffLines(base, left), diffLines(left, text)];
  const isOwn = (old: number) => old >= 0 && (from[old] ?? -1) < 0;
  const places = new Map(added.flatMap((line) => (isOwn(to[line - 1] ?? -1) ? [[line, to[line - 1] ?? 0]] : [])));
  const own = [...left.keys()].filter(isOwn);
  const stands = telling([...places.keys()].map((line) => text[line - 1] ?? ''));
  const brought = telling(own.map((old) => left[old] ?? ''));
  const isMost = stands.much >= (kept ? 1 : SURE) && stands.lines >= brought.lines * MOSTLY;
  const gone = goneFrom(seen);
  const found = new Map<number, Standing>();
  for (const run of runsOf(places)) {
    const says = telling(run.map((line) => text[line - 1] ?? ''));
    // what everybody writes stands in many places
    if (says.lines === 0 && places.size < own.length) continue;
    const proof = isMost ? 'most' : says.much >= SURE ? 'run' : 'none';
    for (const line of run) {
      const wentAway = gone(text[line - 1] ?? '');
      found.set(line, { line: (places.get(line) ?? 0) + 1, proof: wentAway ? 'none' : proof });
    }
  }
  return found;
}

/** How many lines say something, and how many of them more than everybody writes. */
function telling(lines: Lines): { readonly lines: number; readonly much: number } {
  const much = lines.filter((line) => isDistinct(line) && !isOpening(line)).length;
  return { lines: lines.filter(isInformative).length, much };
}

/** Whether a line was once seen not to be there. */
function goneFrom(seen: readonly Lines[]): (line: string) => boolean {
  const texts = seen.map((lines) => new Set(lines));
  return (line) => texts.some((there) => !there.has(line));
}

/** Lines that follow each other, here as there. */
function runsOf(places: ReadonlyMap<number, number>): number[][] {
  const runs: number[][] = [];
  for (const [line, old] of places) {
    const last = runs.at(-1);
    const before = last?.at(-1) ?? Number.NaN;
    if (last && before === line - 1 && places.get(before) === old - 1) last.push(line);
    else runs.push([line]);
  }
  return runs;
}
