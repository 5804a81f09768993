import { diffLines, hunksOf } from '../lines/diff.ts';
import { readable, splitString } from '../lines/text.ts';
import { countOf, listOf, objectOf } from './fields.ts';
import type { Hunk } from './session.ts';

/** How a source writes a line in its hunks. */
export type Shown = (line: string) => string;

/**
 * Hunks as the npm package `diff` makes them. It counts an empty side from the line after it, unified diffs from the line before it:
 * ours are as unified diffs have them.
 */
export function parseHunks(value: unknown): Hunk[] | undefined {
  const hunks: Hunk[] = [];
  for (const item of listOf(value)) {
    const hunk = parseHunk(item);
    if (!hunk) return undefined;
    hunks.push(hunk);
  }
  return hunks.length > 0 ? hunks : undefined;
}

function parseHunk(value: unknown): Hunk | undefined {
  const item = objectOf(value);
  const [oldStart, oldLines, newStart, newLines] = [item?.oldStart, item?.oldLines, item?.newStart, item?.newLines].map(
    countOf,
  );
  if (oldStart === undefined || oldLines === undefined || newStart === undefined || newLines === undefined)
    return undefined;
  const lines = listOf(item?.lines).filter((line): line is string => typeof line === 'string' && /^[-+ \\]/.test(line));
  const count = (prefixes: string) => lines.filter((line) => prefixes.includes(line[0] ?? '')).length;
  if (count(' -') !== oldLines || count(' +') !== newLines) return undefined;
  const first = (start: number, length: number) => (length === 0 && start > 0 ? start - 1 : start);
  return { oldStart: first(oldStart, oldLines), oldLines, newStart: first(newStart, newLines), newLines, lines };
}

/** Index of a side's first line. */
function begin(start: number, length: number): number {
  return length === 0 ? start : start - 1;
}

/** Whether the hunks lead from one text to the other, and nothing else changed. Final newlines are not looked at. */
export function agree(
  before: string,
  after: string,
  { hunks, shown }: { hunks: readonly Hunk[]; shown: Shown },
): boolean {
  const older = split(before);
  const newer = split(after);
  let o = 0;
  let n = 0;
  const same = (end: number) => {
    while (o < end && n < newer.length && older[o] === newer[n]) [o, n] = [o + 1, n + 1];
    return o === end;
  };
  for (const hunk of hunks) {
    if (!same(begin(hunk.oldStart, hunk.oldLines)) || n !== begin(hunk.newStart, hunk.newLines)) return false;
    for (const line of hunk.lines) {
      const [kind, text] = [line[0], bare(line.slice(1))];
      if ((kind === ' ' || kind === '-') && shown(older[o++] ?? '') !== text) return false;
      if ((kind === ' ' || kind === '+') && shown(newer[n++] ?? '') !== text) return false;
    }
  }
  return same(older.length) && n === newer.length;
}

/** The text that the hunks were applied to, given what they left; undefined where they do not fit it. */
export function undo(after: string, { hunks, shown }: { hunks: readonly Hunk[]; shown: Shown }): string | undefined {
  const newer = split(after);
  const older: string[] = [];
  let n = 0;
  for (const hunk of hunks) {
    const start = begin(hunk.newStart, hunk.newLines);
    if (start < n || start > newer.length) return undefined;
    while (n < start) older.push(newer[n++] ?? '');
    if (older.length !== begin(hunk.oldStart, hunk.oldLines)) return undefined;
    for (const line of hunk.lines) {
      const [kind, text] = [line[0], bare(line.slice(1))];
      if (kind === '-') older.push(text);
      if (kind !== ' ' && kind !== '+') continue;
      if (n >= newer.length || shown(newer[n] ?? '') !== text) return undefined;
      if (kind === ' ') older.push(newer[n] ?? '');
      n++;
    }
  }
  older.push(...newer.slice(n));
  return older.join('\n') + (older.length > 0 && endedWithNewline(after, hunks) ? '\n' : '');
}

function endedWithNewline(after: string, hunks: readonly Hunk[]): boolean {
  const lines = hunks.at(-1)?.lines ?? [];
  const marks = lines.flatMap((line, i) => (line.startsWith('\\') ? [lines[i - 1]?.[0]] : []));
  return marks.length > 0 ? !marks.some((kind) => kind === '-' || kind === ' ') : after === '' || after.endsWith('\n');
}

function split(text: string): string[] {
  const lines = text.split('\n').map(bare);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function bare(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

const CONTEXT = 3;

/** Hunks with three lines of context, as `diff -u` has them. */
export function hunksBetween(before: string, after: string): Hunk[] {
  const older = splitString(before);
  const newer = splitString(after);
  const hunks: Hunk[] = [];
  let open: { o: number; n: number; oEnd: number; nEnd: number; lines: string[] } | undefined;
  const close = () => {
    if (!open) return;
    const oEnd = Math.min(open.oEnd + CONTEXT, older.length);
    const lines = [...open.lines, ...older.slice(open.oEnd, oEnd).map((line) => ` ${readable(line)}`)];
    const [oldLines, newLines] = [oEnd - open.o, open.nEnd + oEnd - open.oEnd - open.n];
    hunks.push({
      oldStart: open.o + (oldLines > 0 ? 1 : 0),
      oldLines,
      newStart: open.n + (newLines > 0 ? 1 : 0),
      newLines,
      lines,
    });
  };
  for (const part of hunksOf(diffLines(older, newer), older.length)) {
    if (!open || part.oldStart - open.oEnd > 2 * CONTEXT) {
      close();
      const lead = Math.min(CONTEXT, part.oldStart);
      open = {
        o: part.oldStart - lead,
        n: part.newStart - lead,
        oEnd: part.oldStart - lead,
        nEnd: part.newStart,
        lines: [],
      };
    }
    // one by one: a file may have more lines than a call can have arguments
    for (let i = open.oEnd; i < part.oldStart; i++) open.lines.push(` ${readable(older[i] ?? '')}`);
    for (let i = part.oldStart; i < part.oldEnd; i++) open.lines.push(`-${readable(older[i] ?? '')}`);
    for (let i = part.newStart; i < part.newEnd; i++) open.lines.push(`+${readable(newer[i] ?? '')}`);
    [open.oEnd, open.nEnd] = [part.oldEnd, part.newEnd];
  }
  close();
  return hunks;
}

/** A unified diff of one file. */
export function printUnified(path: string, hunks: readonly Hunk[], created: boolean): string {
  const name = path.replace(/[\r\n]/g, '?');
  const parts = hunks.map((hunk) => {
    const { oldStart, oldLines, newStart, newLines, lines } = hunk;
    return [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines].join('\n');
  });
  return `${[created ? '--- /dev/null' : `--- a/${name}`, `+++ b/${name}`, ...parts].join('\n')}\n`;
}
