import { diffLines } from '../lines/diff.ts';
import type { SourceFile, SourceLine } from './source.ts';
import type { TargetFile, TargetLine } from './target.ts';

/** A run of lines that stand together in the source and in the target, line by line. */
export interface Run {
  readonly source: SourceFile;
  readonly pairs: readonly Pair[];
  /** How many of its lines say something. */
  readonly informative: number;
}

export interface Pair {
  readonly from: SourceLine;
  readonly to: TargetLine;
}

/** People write the same line twice: not two in a row, nor a long one. */
export function isTelling({ pairs, informative }: Run): boolean {
  return informative >= 2 || pairs.some(({ to }) => to.distinct);
}

/** Where only hashes are left: the two sequences of line hashes are aligned, and cut into runs that hang together on both sides. */
export function alignRuns(source: SourceFile, target: TargetFile): Run[] {
  const known = source.lines.filter((line) => line.hash !== undefined);
  const map = diffLines(
    known.map((line) => line.hash ?? ''),
    target.lines.map((line) => line.hash),
  );
  const runs: Run[] = [];
  let pairs: Pair[] = [];
  const close = () => {
    if (pairs.length > 0) runs.push({ source, pairs, informative: pairs.filter(({ to }) => to.informative).length });
    pairs = [];
  };
  for (const [i, old] of map.entries()) {
    const [from, to, last] = [known[old], target.lines[i], pairs.at(-1)];
    const apart = last && from && to && (last.from.line + 1 !== from.line || last.to.line + 1 !== to.line);
    if (!from || !to || apart) close();
    if (from && to) pairs.push({ from, to });
  }
  close();
  return runs;
}

/** Whether source and target have the same lines from first to last: then nothing has to be recognised. */
export function isWhole(source: SourceFile, target: TargetFile): boolean {
  return (
    source.lines.length === target.lines.length &&
    source.lines.every((line, i) => line.hash !== undefined && line.hash === target.lines[i]?.hash)
  );
}
