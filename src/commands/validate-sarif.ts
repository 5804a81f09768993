import { uriOf } from '../report/sarif.ts';
import { plain } from '../terminal/plain.ts';
import { type FileVerdict, isBroken, type PlacedProblem } from './validate-verdict.ts';

/** GitHub shows no more. */
const LIMIT = 5000;

interface Result {
  readonly file: string;
  readonly problem: PlacedProblem;
}

/** SARIF 2.1.0: a result for every broken rule, a rule of it for each rule of a document. */
export function printVerdictsSarif(files: readonly FileVerdict[], version: string): string {
  const all = files.flatMap(({ file, problems, ...verdict }) => {
    const found = problems.map((problem): Result => ({ file, problem }));
    return found.some((one) => isBroken(one.problem)) || verdict.conforms
      ? found
      : [...found, unreadable(file, verdict)];
  });
  const shown = all.slice(0, LIMIT);
  const rules = [...new Set(shown.map(({ problem }) => problem.rule))];
  const left = all.length - shown.length;
  const note = { level: 'warning', message: { text: `${left} results are left out.` } };
  const run = {
    tool: { driver: { name: 'git-agent-blame', version, rules: rules.map(descriptorOf) } },
    invocations: [{ executionSuccessful: true, toolExecutionNotifications: left > 0 ? [note] : [] }],
    results: shown.map((one) => resultOf(one, rules)),
  };
  const $schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
  return `${JSON.stringify({ $schema, version: '2.1.0', runs: [run] })}\n`;
}

function unreadable(file: string, { remarks }: Pick<FileVerdict, 'remarks'>): Result {
  const message = remarks[0] ?? 'holds nothing';
  return { file, problem: { rule: 'format', path: '', message, kind: 'shape' } };
}

function descriptorOf(rule: string) {
  return { id: plain(rule), shortDescription: { text: `${word(rule)}.` } };
}

function resultOf({ file, problem }: Result, rules: readonly string[]) {
  const { rule, path, message, line = 1, kind } = problem;
  return {
    ruleId: plain(rule),
    ruleIndex: rules.indexOf(rule),
    level: kind === 'note' ? 'note' : 'error',
    message: { text: `${word(path) || '/'} ${word(message)}.` },
    locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(file) }, region: { startLine: line } } }],
    properties: { path, kind },
  };
}

/** Brackets make links in a message and braces placeholders. The exact value is in `properties`. */
function word(text: string): string {
  return plain(text)
    .slice(0, 300)
    .replace(/[[\]{}<>`@#]/g, '_');
}
