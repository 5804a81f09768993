import { howMany } from '../report/figures.ts';
import { code, nameOf, pathOf } from '../report/names.ts';
import type { Finding } from './finding.ts';
import { asksForRecords, ruleOf } from './rules.ts';
import type { Verdict } from './verdict.ts';

/** Of one rule: the job's log has the rest. */
const MAX_FINDINGS = 10;
const SHORT_ID = 10;

/** What the policy says, for a comment: a sentence, and a list under the title of each rule that finds something. */
export function printVerdictMarkdown({ findings, blocked, counts }: Verdict): string {
  const warned = counts.warn > 0 ? `, ${howMany(counts.warn, 'warning')}` : '';
  const says = blocked
    ? `**The policy says no**: ${howMany(counts.block, 'finding')}${warned}.`
    : `The policy is kept${warned}.`;
  const rules = [...new Set(findings.map(({ rule, level }) => `${level} ${rule}`))];
  const groups = rules.map((name) => printGroup(findings.filter(({ rule, level }) => `${level} ${rule}` === name)));
  return `${[says, ...groups].join('\n\n')}\n`;
}

function printGroup(findings: readonly Finding[]): string {
  const [first] = findings;
  if (!first) return '';
  const left = findings.length - MAX_FINDINGS;
  const { title, next } = ruleOf(first.rule);
  const send = asksForRecords(first.rule) ? `; then ${code('git agent push')} sends the records` : '';
  const steps = next.map(({ command, does }) => (command ? `${code(command)} ${does}` : does)).join('; ');
  return [
    `**${title}** (${first.level === 'block' ? 'blocks' : 'warns'})\n`,
    ...findings.slice(0, MAX_FINDINGS).map(printFinding),
    ...(left > 0 ? [`- and ${left} more`] : []),
    ...(steps === '' ? [] : [`\nWhat to do: ${steps}${send}.`]),
  ].join('\n');
}

/** Names of tools, models and paths in a message are strangers' words: all of it is in one code span. */
function printFinding({ commit, message, places }: Finding): string {
  const [place] = places;
  const where = place ? ` in ${code(`${pathOf(place.path)}:${place.ranges[0]?.start ?? 1}`)}` : '';
  const more = places.length > 1 ? ` and ${howMany(places.length - 1, 'more file')}` : '';
  const which = commit === undefined ? '' : `${code(commit.slice(0, SHORT_ID))} `;
  return `- ${which}${code(nameOf(message))}${where}${more}`;
}
