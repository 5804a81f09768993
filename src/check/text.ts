import { grouped as digits, howMany } from '../report/figures.ts';
import type { ReportedCommit } from '../report/run.ts';
import type { Paint } from '../terminal/colour.ts';
import { plain } from '../terminal/plain.ts';
import { type Finding, nextSteps, type Place } from './finding.ts';
import { asksForRecords, ruleOf } from './rules.ts';
import type { Verdict } from './verdict.ts';

export interface VerdictPrinting {
  readonly paint: Paint;
  /** For authors and subjects: those of the survey. */
  readonly commits: ReadonlyMap<string, ReportedCommit>;
  /** Whether a push is held up, here or on the server: how to get through is said then. */
  readonly hook?: 'pre-push' | 'pre-receive';
}

/** Of one rule; nobody reads more, and --format json has all. */
const MAX_FINDINGS = 10;
const MAX_PLACES = 3;
const MAX_RANGES = 3;
const MAX_WORDS = 100;
const SHORT_ID = 10;

/** What is wrong, where, and what to do next: short, however much there is. */
export function printVerdict(verdict: Verdict, printing: VerdictPrinting): string {
  const groups = grouped(verdict.findings).map((findings) => printGroup(findings, printing).join('\n'));
  return `${[headline(verdict, printing), ...groups, summary(verdict, printing)].join('\n\n')}\n`;
}

function headline({ blocked, counts: { block, warn } }: Verdict, { paint, hook }: VerdictPrinting): string {
  const warnings = warn > 0 ? ` and ${howMany(warn, 'warning')}` : '';
  if (!blocked) return paint('bold', `The policy is kept${warnings.replace(' and', ', with')}.`);
  const stopped = hook ? 'The push is stopped' : 'The policy says no';
  return paint('bold', `${stopped}: ${block === 1 ? 'one thing' : `${digits(block)} things`} in the way${warnings}.`);
}

/** Findings come sorted by level and rule. */
function grouped(findings: readonly Finding[]): Finding[][] {
  const groups: Finding[][] = [];
  for (const finding of findings) {
    const last = groups.at(-1);
    if (last?.[0]?.rule === finding.rule && last[0].level === finding.level) last.push(finding);
    else groups.push([finding]);
  }
  return groups;
}

function printGroup(findings: readonly Finding[], printing: VerdictPrinting): string[] {
  const [first] = findings;
  if (!first) return [];
  const { paint } = printing;
  const { title } = ruleOf(first.rule);
  const mark = first.level === 'block' ? paint('magenta', 'BLOCK') : paint('yellow', 'WARN');
  const left = findings.length - MAX_FINDINGS;
  return [
    `${mark} ${paint('bold', title)} ${paint('dim', `(${first.rule})`)}`,
    ...findings.slice(0, MAX_FINDINGS).flatMap((finding) => printFinding(finding, printing)),
    ...(left > 0 ? [`  and ${digits(left)} more`] : []),
    ...nextSteps(findings).map(({ command, does }) =>
      command ? `  -> ${paint('cyan', command)}  ${does}` : `  -> ${does}`,
    ),
  ];
}

function printFinding({ commit, message, places }: Finding, printing: VerdictPrinting): string[] {
  const said = words(message);
  const about = commit === undefined ? said : `${nameOf(commit, printing)}: ${said}`;
  const shown = places.slice(0, MAX_PLACES).map((place) => printPlace(place, commit === undefined));
  const left = places.length - MAX_PLACES;
  const more = left > 0 ? [`and ${howMany(left, 'more file')}`] : [];
  const where = [...shown, ...more].map((line) => `      ${printing.paint('dim', line)}`);
  return [`  ${about}`, ...where];
}

function nameOf(id: string, { commits, paint }: VerdictPrinting): string {
  const commit = commits.get(id);
  const short = paint('yellow', plain(id).slice(0, SHORT_ID));
  return commit ? `${short} ${words(commit.subject, 60)} (${words(commit.author, 30)})` : short;
}

/** `src/a.ts:1-3,7`; with the commit where the finding itself names none. */
function printPlace({ commit, path, ranges }: Place, withCommit: boolean): string {
  const shown = ranges.slice(0, MAX_RANGES).map(({ start, end }) => (start === end ? `${start}` : `${start}-${end}`));
  const lines = [...shown, ...(ranges.length > MAX_RANGES ? ['...'] : [])].join(',');
  const place = `${words(path)}:${lines}`;
  return withCommit ? `${plain(commit).slice(0, SHORT_ID)} ${place}` : place;
}

function summary(verdict: Verdict, { paint, hook }: VerdictPrinting): string {
  const { counts, exempt, excluded, skipped, lacking } = verdict;
  const { ai, mixed, human, unknown, total } = counts.lines;
  const kinds = `ai ${ai}, mixed ${mixed}, human ${human}, unknown ${unknown}`;
  const parts = [
    `${howMany(counts.commits, 'commit')} and ${howMany(total, 'line')} judged (${kinds})`,
    ...(exempt.length > 0 ? [`${howMany(exempt.length, 'commit')} exempt`] : []),
    ...(excluded.files > 0 ? [`${howMany(excluded.files, 'file')} left out`] : []),
    ...(lacking > 0 ? [`${howMany(lacking, 'commit')} not here`] : []),
    ...(skipped > 0 ? [`${howMany(skipped, 'note')} not read`] : []),
  ];
  const through = verdict.blocked && hook === 'pre-push';
  const how = 'To push all the same: git push --no-verify, or AGENT_CHECK=off in the environment.';
  const send = verdict.blocked && hook === 'pre-receive' && verdict.findings.some(({ rule }) => asksForRecords(rule));
  const first = 'Records that you make have to be sent before you push again: git agent push';
  return [paint('dim', `${parts.join('; ')}.`), ...(through ? [how] : []), ...(send ? [first] : [])].join('\n');
}

/** Somebody else's words: without escapes, and not too many of them. */
function words(text: string, most = MAX_WORDS): string {
  const characters = [...plain(text)];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : characters.join('');
}
