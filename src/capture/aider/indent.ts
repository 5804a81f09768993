import type { Replacement } from '../session.ts';

/**
 * Models forget how far lines are indented, and aider then puts in what is missing. It does not say so; the file does, as long as nobody
 * has changed it: where the new lines stand in it, all further in by the same, that is what was written.
 */
export function reindent(pair: Replacement, text: string): Replacement {
  if (pair.old.trim() === '' || pair.new.trim() === '' || `\n${text}`.includes(`\n${pair.new}`)) return pair;
  const [older, newer] = [split(pair.old), split(pair.new)];
  const least = Math.min(...[...older, ...newer].filter((line) => line.trim() !== '').map(indentOf));
  const out = (lines: readonly string[]) => lines.map((line) => (line.trim() === '' ? line : line.slice(least)));
  const indent = findIndent(out(newer), split(text));
  if (indent === undefined) return pair;
  const print = (lines: readonly string[]) =>
    out(lines)
      .map((line) => `${line.trim() === '' ? line : indent + line}\n`)
      .join('');
  return { ...pair, old: print(older), new: print(newer) };
}

/** So many comparisons of lines are made at most. */
const MAX_WORK = 2e7;

function findIndent(lines: readonly string[], text: readonly string[]): string | undefined {
  if (lines.length * text.length > MAX_WORK) return undefined;
  const lead = lines.findIndex((line) => line.trim() !== '');
  const first = lines[lead] ?? '';
  for (let at = 0; at + lines.length <= text.length; at++) {
    const found = text[at + lead] ?? '';
    if (!found.endsWith(first)) continue;
    const indent = found.slice(0, found.length - first.length);
    if (indent.trim() !== '') continue;
    const stands = lines.every((line, i) => text[at + i] === (line.trim() === '' ? line : indent + line));
    if (stands) return indent;
  }
  return undefined;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function split(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}
