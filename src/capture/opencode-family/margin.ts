import type { Hunk } from '../session.ts';

/**
 * These agents take off a diff whatever white space all its lines begin with. What the call was to put there still has it:
 *
 *     "        r = 5\n"    the words of the call
 *     +r = 5               the diff: a margin of eight
 *
 * The hunks with their margin; undefined where the words do not tell it, as they may begin in the middle of a line.
 */
export function withMargin(hunks: readonly Hunk[], words: string): Hunk[] | undefined {
  const shown = hunks.flatMap(({ lines }) => lines.filter((line) => /^[+ ]/.test(line)).map((line) => line.slice(1)));
  let margins: Set<string> | undefined;
  for (const said of knownLines(words)) {
    const found = new Set(shown.flatMap((line) => marginOf(said, line) ?? []));
    // a formatter may have written the line otherwise
    if (found.size > 0) margins = margins ? new Set([...margins].filter((one) => found.has(one))) : found;
  }
  const [margin, ...others] = margins ?? [];
  return margin === undefined || others.length > 0 ? undefined : hunks.map((hunk) => shifted(hunk, margin));
}

interface KnownLine {
  readonly space: string;
  readonly text: string;
  /** The line may go on behind it. */
  readonly open: boolean;
}

/** Lines of which the beginning is known: those after the first, and the first where it begins with white space. */
function knownLines(words: string): KnownLine[] {
  const lines = words.split('\n');
  return lines.flatMap((line, i) => {
    const text = line.trim();
    const space = line.slice(0, line.length - line.trimStart().length);
    return text === '' || (i === 0 && space === '') ? [] : [{ space, text, open: i === lines.length - 1 }];
  });
}

function marginOf({ space, text, open }: KnownLine, shown: string): string | undefined {
  const rest = shown.trim();
  if (open ? !rest.startsWith(text) : rest !== text) return undefined;
  const left = shown.slice(0, shown.length - shown.trimStart().length);
  return space.endsWith(left) ? space.slice(0, space.length - left.length) : undefined;
}

/** Empty lines had none. */
function shifted(hunk: Hunk, margin: string): Hunk {
  const shift = (line: string) => (line.length > 1 && line[0] !== '\\' ? line[0] + margin + line.slice(1) : line);
  return { ...hunk, lines: hunk.lines.map(shift) };
}
