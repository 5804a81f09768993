/** Lines `start` to `end` of a file, counted from 1, both included. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** Groups ascending line numbers into runs: 1 2 3 7 8 -> 1-3, 7-8. */
export function rangesOf(lines: Iterable<number>): LineRange[] {
  const ranges: { start: number; end: number }[] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last && last.end + 1 === line) last.end = line;
    else ranges.push({ start: line, end: line });
  }
  return ranges;
}

/** Every line number in the ranges, in their order. */
export function* linesOf(ranges: Iterable<LineRange>): Generator<number> {
  for (const { start, end } of ranges) for (let line = start; line <= end; line++) yield line;
}

export function countLines(ranges: Iterable<LineRange>): number {
  let count = 0;
  for (const { start, end } of ranges) count += end - start + 1;
  return count;
}
