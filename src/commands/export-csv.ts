import type { Run } from '../report/run.ts';
import { linesIn } from '../report/run.ts';
import { visible } from '../terminal/plain.ts';

const COLUMNS = [
  ...['commit', 'path', 'start', 'end', 'lines', 'type', 'evidence', 'via', 'tool', 'tool_version', 'model'],
  ...['session', 'event', 'conversation', 'trace', 'reason'],
] as const;

/** RFC 4180, one row for each run of lines by one hand. Line ends are LF, as git's are. */
export function* runsCsv(runs: readonly Run[]): Generator<string> {
  yield `${COLUMNS.join(',')}\n`;
  for (const run of runs) yield `${rowOf(run).map(cell).join(',')}\n`;
}

function rowOf(run: Run): readonly (string | number | undefined)[] {
  const { commit, path, start, end, origin, via, trace, conversation } = run;
  const { type, evidence, agent, reason } = origin;
  return [
    ...[commit, path, start, end, linesIn(run), type, evidence, via, agent?.tool.name, agent?.tool.version],
    ...[agent?.model, agent?.session, agent?.event, conversation, trace, reason],
  ];
}

/** A spreadsheet takes a text that begins like this for a formula, and a stranger's would be run: a quote keeps it a text. */
const FORMULA = /^[=+\-@\t\r]/;

function cell(value: string | number | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return `${value}`;
  // it may be printed on a terminal: escapes in names are shown as letters
  const shown = visible(value);
  const safe = FORMULA.test(value) ? `'${shown}` : shown;
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
