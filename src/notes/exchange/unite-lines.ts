import { noteLines } from '../lines.ts';

/**
 * One note with the lines of all: our bytes stay as they are, and the lines that only they have come after them. Where they have all of
 * ours, theirs stay as they are, unless they are behind us: so that two who exchange notes end with the same bytes, whatever the order
 * of their lines.
 */
export function uniteBlobs(
  ours: readonly Buffer[],
  theirs: readonly Buffer[],
  { behind = false }: { readonly behind?: boolean } = {},
): Buffer {
  const known = new Set(theirs.flatMap(noteLines));
  const covered = !behind && ours.flatMap(noteLines).every((line) => known.has(line));
  const [first = Buffer.alloc(0), ...others] = covered ? theirs : [...ours, ...theirs];
  const had = new Set(noteLines(first));
  const fresh = new Set(others.flatMap(noteLines).filter((line) => !had.has(line)));
  if (fresh.size === 0) return first;
  const gap = first.length > 0 && first.at(-1) !== 10 ? '\n' : '';
  return Buffer.concat([first, Buffer.from(`${gap}${[...fresh].join('\n')}\n`, 'latin1')]);
}
