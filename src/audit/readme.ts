import { howMany } from '../report/figures.ts';
import type { Audit } from './audit.ts';
import { DIVERGENCES, type DivergenceKind } from './divergence.ts';

/** What lies beside it, in plain words. */
const FILES: readonly (readonly [name: string, what: string])[] = [
  ['audit.json', 'the table below, for programs'],
  ['records.jsonl', 'Agent Trace records as they stand in the notes, byte for byte: who wrote which lines'],
  ['links.jsonl', 'AgentLog documents without events that tie sessions to commits, as they stand in the notes'],
  ['seals.jsonl', 'for each record whether it is sealed, by whom, and why not; with the seals themselves'],
  ['sessions/', 'the conversations that the records refer to, as far as they are kept here; secrets taken out'],
  ['report.json', 'coverage: every added line of the commits, by who wrote it and how that is known'],
  ['approvals.jsonl', 'who let what happen: decisions in sessions, committers, reviews, declarations'],
  ['divergence.json', 'where what sessions say of themselves and what was seen do not agree'],
  ['SHA256SUMS', 'of all other files; check with sha256sum -c SHA256SUMS'],
];

/** The first page of an evidence pack. */
export function printReadme(audit: Audit, version: string): string {
  const until = audit.until === null ? '' : `, the last of them made at ${audit.until}`;
  const rows = audit.categories.map(
    ({ number, name, asks, state, figure }) => `| ${number} | ${name} | ${asks} | ${state} | ${cell(figure)} |`,
  );
  const kinds = Object.keys(DIVERGENCES) as DivergenceKind[];
  return [
    '# Evidence pack',
    '',
    `Range: \`${code(audit.range)}\`, ${howMany(audit.commits, 'commit')}${until}. Made by git-agent-blame ${cell(version)}.`,
    '',
    'The table has the eleven categories of requirements of draft-birkholz-verifiable-agent-conversations. `met` means that all of what is',
    'counted is so, `not met` that none of it is, `partly` what lies between, `no data` that there is nothing to count. These are figures of',
    'one repository, not a legal assessment.',
    '',
    '| | category | the draft asks for | state | figure |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    '## Divergence',
    '',
    'Facts, not verdicts: there may be good reasons for each.',
    '',
    ...kinds.map((kind) => `- ${DIVERGENCES[kind]}: ${audit.divergence[kind]}`),
    '',
    '## Files',
    '',
    ...FILES.map(([name, what]) => `- \`${name}\`: ${what}`),
    '',
  ].join('\n');
}

/** What stands in a cell ends no cell and no line, and is no markup. */
function cell(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').replace(/[\\|<>`*_[\]]/g, '\\$&');
}

function code(text: string): string {
  return text.replace(/[`\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ');
}
