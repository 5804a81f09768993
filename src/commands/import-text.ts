import { plain } from '../terminal/plain.ts';
import type { Imported } from './import-carry-out.ts';

/** What was taken in: one line, and one below it for each kind of thing that was not. */
export function printImported(name: string, what: string, done: Imported & { readonly dryRun: boolean }): string {
  const { sessions, records, commits, known, joined, moved, redacted } = done;
  const parts = [
    ...(sessions > 0 ? [count(sessions, 'session')] : []),
    ...(records > 0 ? [`${count(records, 'record')} for ${count(commits, 'commit')}`] : []),
    ...(joined === undefined ? [] : [`${count(joined, 'commit')} joined`]),
    ...(known > 0 ? [`${known} known already`] : []),
  ];
  const told = parts.length > 0 ? parts.join(', ') : 'nothing was taken in';
  const lines = [
    `${name}: ${what}: ${told}${done.dryRun ? ' (nothing was written)' : ''}`,
    ...(moved.length > 0
      ? [`  ${count(moved.length, 'record')} named another revision, and went where the lines are: ${homes(moved)}`]
      : []),
    ...(redacted > 0 ? [`  secrets were taken out of ${count(redacted, 'record')}`] : []),
    ...done.remarks.map((remark) => `  ${plain(remark)}`),
    ...[...tally(done.left)].map(([reason, times]) => `  left out: ${times} (${plain(reason)})`),
  ];
  return `${lines.join('\n')}\n`;
}

/** Nobody reads more. */
const MAX_HOMES = 10;

function homes(commits: readonly string[]): string {
  const all = [...new Set(commits)].map((commit) => commit.slice(0, 10));
  const more = all.length > MAX_HOMES ? `, and ${all.length - MAX_HOMES} more` : '';
  return all.slice(0, MAX_HOMES).join(', ') + more;
}

export function count(number: number, word: string): string {
  return `${number} ${number === 1 ? word : `${word}s`}`;
}

/** Strangers' words may differ in every part; nobody reads more. */
const MAX_REASONS = 20;

function tally(reasons: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const reason of reasons) {
    const key = counts.has(reason) || counts.size < MAX_REASONS ? reason : 'other reasons';
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
