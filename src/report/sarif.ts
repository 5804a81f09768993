import { encodePath, type RepoPath } from '../git/paths.ts';
import { plain } from '../terminal/plain.ts';
import { grouped, howMany } from './figures.ts';
import { figures, jsonRun } from './json.ts';
import type { Report } from './report.ts';
import { linesIn, type Run } from './run.ts';
import { RULES, type RuleId } from './sarif-rules.ts';

export interface ReportSarifOptions {
  /** Of this program. */
  readonly version: string;
  /** Results at most. */
  readonly limit?: number;
}

/** GitHub ignores what is beyond. */
const LIMIT = 5000;

const RULE_OF: Readonly<Record<Run['origin']['type'], RuleId | undefined>> = {
  ai: 'ai-lines',
  mixed: 'mixed-lines',
  unknown: 'unknown-lines',
  human: undefined,
};

/** SARIF 2.1.0, one result per run of lines that are not a person's, largest first; in pieces, as the JSON is. */
export function* reportSarif(report: Report, options: ReportSarifOptions): Generator<string> {
  const all = report.files.flatMap(({ runs }) => runs).filter(({ origin }) => RULE_OF[origin.type]);
  all.sort(largestFirst);
  const shown = all.slice(0, options.limit ?? LIMIT);
  const head = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
  };
  const driver = { name: 'git-agent-blame', version: options.version, rules: RULES };
  const about = {
    tool: { driver },
    invocations: [invocation(shown.length, all.length)],
    properties: properties(report, all.length - shown.length),
  };
  yield `${JSON.stringify(head).slice(0, -1)},"runs":[${JSON.stringify(about).slice(0, -1)},"results":[`;
  for (const [i, run] of shown.entries()) yield `${i === 0 ? '' : ','}${JSON.stringify(resultOf(run))}`;
  yield ']}]}\n';
}

function largestFirst(a: Run, b: Run): number {
  if (linesIn(a) !== linesIn(b)) return linesIn(b) - linesIn(a);
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.start - b.start || (a.commit < b.commit ? -1 : 1);
}

/** Leaving something out is said where SARIF has its place for it. */
function invocation(shown: number, all: number) {
  const text = `Only the ${grouped(shown)} largest of ${howMany(all, 'result')} are here.`;
  const notes = shown === all ? [] : [{ level: 'warning', message: { text } }];
  return { executionSuccessful: true, toolExecutionNotifications: notes };
}

function properties(report: Report, resultsLeftOut: number) {
  const { scope, counts, unrecorded, excluded, skipped, unread } = report;
  const missing = { unrecorded: unrecorded.length, excluded: excluded.length, skipped, unread, resultsLeftOut };
  return { schema: report.schema, scope, ...figures(counts), ...missing };
}

function resultOf(run: Run) {
  const ruleIndex = RULES.findIndex(({ id }) => id === RULE_OF[run.origin.type]);
  const rule = RULES[ruleIndex];
  const { start, end, ...about } = jsonRun(run);
  return {
    ruleId: rule?.id,
    ruleIndex,
    level: rule?.defaultConfiguration.level,
    message: { text: messageOf(run) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(run.path), uriBaseId: '%SRCROOT%' },
          region: { startLine: start, endLine: end },
        },
      },
    ],
    properties: { lines: linesIn(run), ...about },
  };
}

/** `12 lines by claude-code 2.1.197, model anthropic/claude-opus-4-5, session s1 (observed, commit 1a2b3c4d5e)` */
function messageOf({ commit, start, end, origin }: Run): string {
  const { agent } = origin;
  const lines = howMany(linesIn({ start, end }), 'line');
  const inCommit = /^0*$/.test(commit) ? 'not committed' : `commit ${word(commit.slice(0, 10))}`;
  if (origin.type === 'unknown') {
    return `${lines} of unknown origin: ${word(origin.reason ?? '') || 'no reason given'} (${inCommit}).`;
  }
  const who = [
    [agent?.tool.name, agent?.tool.version]
      .map((part) => word(part ?? ''))
      .join(' ')
      .trim() || 'an agent',
    agent?.model ? `model ${word(agent.model)}` : 'model not known',
    ...(agent?.session ? [`session ${word(agent.session)}`] : []),
  ];
  const hand = origin.type === 'mixed' ? 'by a person and ' : 'by ';
  return `${lines} ${hand}${who.join(', ')} (${origin.evidence ?? 'no evidence'}, ${inCommit}).`;
}

const WORD_LENGTH = 200;

/** In a message brackets make links and braces make placeholders, and forges look for mentions. The exact value is in `properties`. */
function word(text: string): string {
  return plain(text.slice(0, WORD_LENGTH)).replace(/[^\p{L}\p{M}\p{N} .,:;/+~_-]/gu, '_');
}

/** RFC 3986: all bytes but the unreserved ones are encoded; a colon too, which would else make a scheme of what is before it. */
export function uriOf(path: RepoPath): string {
  let uri = '';
  for (const byte of encodePath(path)) {
    const character = String.fromCharCode(byte);
    uri += /[A-Za-z0-9._~/-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return uri;
}
