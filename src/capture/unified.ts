import type { Hunk } from './session.ts';

const HEADER = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;

/** The hunks of the first file in a unified diff, whatever stands around them; undefined where there are none, or one is cut short. */
export function parseUnified(text: string): Hunk[] | undefined {
  const lines = text.split('\n');
  const hunks: Hunk[] = [];
  let at = lines.findIndex((line) => HEADER.test(line));
  while (at >= 0 && at < lines.length) {
    const header = HEADER.exec(lines[at] ?? '');
    if (!header) break;
    const hunk = hunkAt(lines, at + 1, header);
    if (!hunk) return undefined;
    hunks.push(hunk);
    at += 1 + hunk.lines.length;
  }
  return hunks.length > 0 ? hunks : undefined;
}

/** Its length is what its header says: lines of the file may look like headers. */
function hunkAt(lines: readonly string[], from: number, header: readonly (string | undefined)[]): Hunk | undefined {
  const count = (group: number, absent: number) => (header[group] === undefined ? absent : Number(header[group]));
  const [oldLines, newLines] = [count(2, 1), count(4, 1)];
  let [older, newer] = [oldLines, newLines];
  const body: string[] = [];
  const more = () => older > 0 || newer > 0 || (lines[from + body.length] ?? '').startsWith('\\');
  while (more()) {
    const line = lines[from + body.length];
    // an empty line that lost its sign on the way
    const whole = line === '' && from + body.length < lines.length - 1 ? ' ' : line;
    const sign = whole?.[0];
    if (whole === undefined || sign === undefined || !' -+\\'.includes(sign)) return undefined;
    if (sign === ' ' || sign === '-') older--;
    if (sign === ' ' || sign === '+') newer--;
    if (older < 0 || newer < 0) return undefined;
    body.push(whole);
  }
  return { oldStart: count(1, 0), oldLines, newStart: count(3, 0), newLines, lines: body };
}
