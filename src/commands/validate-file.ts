import { isUtf8 } from 'node:buffer';
import { validateDocument } from '../agentlog/validate.ts';
import type { Format } from '../foreign/recognise.ts';
import { parseJson } from '../json.ts';
import { type JsonNode, locateJson } from '../json-text.ts';
import type { Problem } from '../shape.ts';
import { validateRecord } from '../trace/validate.ts';
import { lineAt, MAX_TEXT, type Part, partsOf } from './import-parts.ts';
import { textOf } from './import-read.ts';
import type { Source } from './import-source.ts';
import { type FileVerdict, isBroken, type PlacedProblem } from './validate-verdict.ts';

export type Judged = Omit<FileVerdict, 'file' | 'format'>;

export interface JudgeOptions {
  readonly profile: 'default' | 'core';
}

/** Holds a source against the rules of its format. */
export async function judgeSource(source: Source, format: Format | 'otlp', options: JudgeOptions): Promise<Judged> {
  if (format !== 'vac-cbor' && format !== 'vac-signed' && !isUtf8(source.bytes)) {
    const problem: Problem = { rule: 'JSON (RFC 8259) 8.1', path: '', message: 'must be UTF-8', kind: 'shape' };
    return verdict('UTF-8 text', 1, { problems: [problem] });
  }
  switch (format) {
    case 'otlp':
      return judgeParts(source, 'OTLP/JSON 1.x traces', (await import('./validate-otlp.ts')).validateTraces);
    case 'agentlog':
      return judgeParts(source, 'AgentLog 0.2.0', validateDocument);
    case 'agent-trace':
      return judgeParts(source, 'Agent Trace 0.1.0', validateRecord);
    case 'agent-activity':
      return judgeActivity(source, options);
    case 'vac-json': {
      const { validateVac } = await import('../vac/validate.ts');
      return judgeParts(source, VAC, (value) => validateVac(value, 'verifiable-agent-record'));
    }
    case 'vac-cbor':
    case 'vac-signed':
      return judgeCbor(source, format);
    case 'git-ai-note': {
      const { problemsOfGitAi } = await import('./validate-git-ai.ts');
      return verdict(GIT_AI, 1, { problems: problemsOfGitAi(textOf(source)) });
    }
    case 'agentblame-note': {
      const { parseAgentblameNote } = await import('../foreign/agentblame.ts');
      const all = partsOf(textOf(source)).map(({ raw }) => judgeNote('agentblame 1 and 2', parseAgentblameNote(raw)));
      return verdict('agentblame 1 and 2', all.length, { problems: all.flatMap(({ problems }) => problems) });
    }
  }
}

const GIT_AI = 'git-ai authorship/3.0.0';
const VAC = 'draft-birkholz-verifiable-agent-conversations 3.0.0';

function verdict(
  rules: string,
  parts: number,
  { problems = [], remarks = [] }: { problems?: readonly PlacedProblem[]; remarks?: readonly string[] },
): Judged {
  return { rules, parts, conforms: parts > 0 && !problems.some(isBroken), problems, remarks };
}

/** Nobody reads more. */
const MAX_PROBLEMS = 10_000;

function judgeParts(source: Source, rules: string, validate: (value: unknown) => readonly Problem[]): Judged {
  const text = textOf(source);
  const parts = partsOf(text);
  const problems: PlacedProblem[] = [];
  let conforms = parts.length > 0;
  for (const part of parts) {
    const json = parseJson(part.raw, MAX_TEXT);
    const found = 'value' in json ? validate(json.value) : [unread(rules, json.problem)];
    conforms &&= !found.some(isBroken);
    if (problems.length < MAX_PROBLEMS) problems.push(...placed(text, part, { found, alone: parts.length === 1 }));
  }
  const remarks = problems.length < MAX_PROBLEMS ? [] : ['There may be more: only the first ones were looked for.'];
  return { ...verdict(rules, parts.length, { problems, remarks }), conforms };
}

function unread(rules: string, problem: string): Problem {
  return { rule: `${rules} form`, path: '', message: `must be JSON: ${problem}`, kind: 'shape' };
}

interface FoundIn {
  readonly found: readonly Problem[];
  /** The file is this one document. */
  readonly alone: boolean;
}

/** In a file of one document the line of the value; else that of the document. */
function placed(text: string, { line, index }: Part, { found, alone }: FoundIn): PlacedProblem[] {
  if (found.length === 0) return [];
  const root = alone && index === undefined ? locateJson(text) : undefined;
  return found.map((problem) => ({
    ...problem,
    path: index === undefined ? problem.path : `/${index}${problem.path}`,
    line: root ? lineAt(text, offsetOf(root, problem.path)) : line,
  }));
}

/** Where a JSON pointer leads, or as near to it as there is something. */
function offsetOf(root: JsonNode, pointer: string): number {
  let [node, at] = [root, root.start];
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    const member = node.kind === 'object' ? node.members.find(({ key }) => key === name) : undefined;
    const next = member?.value ?? (node.kind === 'array' ? node.items[Number(name)] : undefined);
    if (!next) break;
    [node, at] = [next, member?.start ?? next.start];
  }
  return at;
}

async function judgeActivity(source: Source, { profile }: JudgeOptions): Promise<Judged> {
  const [{ validateStream }, { replaceKnown }] = await Promise.all([
    import('../activity/validate.ts'),
    import('../sessions/secrets.ts'),
  ]);
  const lines = partsOf(textOf(source));
  const stream = lines.map(({ raw }) => raw).join('\n');
  const report = validateStream(stream, profile, { scrub: replaceKnown });
  const lineOf = (line: number) => lines[line - 1]?.line ?? line;
  const missing = report.missing.map(
    (type): PlacedProblem => ({
      rule: 'agent_activity.v1 core profile',
      path: '',
      message: `no sound event of the type ${type}`,
      kind: profile === 'core' ? 'value' : 'note',
    }),
  );
  const problems = report.problems.map((problem) => ({ ...problem, line: lineOf(problem.line) }));
  return {
    rules: `agent_activity.v1 (${profile} profile)`,
    parts: report.events,
    conforms: report.conforms,
    problems: [...problems, ...(profile === 'core' ? missing : [])],
    remarks: [report.source],
  };
}

async function judgeCbor({ bytes }: Source, format: 'vac-cbor' | 'vac-signed'): Promise<Judged> {
  const [{ decodeCbor }, { validateVac }, { parseVac, unwrapped }] = await Promise.all([
    import('../vac/cbor.ts'),
    import('../vac/validate.ts'),
    import('../vac/parse.ts'),
  ]);
  const decoded = decodeCbor(bytes);
  if ('problem' in decoded) {
    const problem: Problem = {
      rule: `${VAC} form`,
      path: '',
      message: `must be CBOR: ${decoded.problem}`,
      kind: 'shape',
    };
    return verdict(VAC, 1, { problems: [problem] });
  }
  const parsed = parseVac(bytes);
  if (format === 'vac-cbor' || parsed.kind !== 'signed')
    return verdict(VAC, 1, { problems: validateVac(unwrapped(decoded.value), RULE_OF[format]) });
  const { payload } = parsed;
  const inside = payload?.kind === 'record' ? validateVac(payload.value, 'verifiable-agent-record') : [];
  const problems = [
    ...validateVac(parsed.value, RULE_OF[format]),
    ...inside.map((problem) => ({ ...problem, path: `/2${problem.path}` })),
  ];
  const kept = payload === undefined ? 'The record is not in it.' : 'The payload is no record of the draft.';
  const remarks = ['Whether the signature holds, git agent verify tells.'];
  return verdict(VAC, 1, { problems, remarks: payload?.kind === 'record' ? remarks : [kept, ...remarks] });
}

const RULE_OF = { 'vac-cbor': 'verifiable-agent-record', 'vac-signed': 'signed-agent-record' } as const;

type ParsedNote =
  | { readonly kind: 'note'; readonly note: { readonly skipped: number } }
  | { readonly kind: 'foreign'; readonly problem: string };

/** Their makers publish no schema: what their notes are made of is asked for, and where in a note it is not cannot be said. */
function judgeNote(rules: string, parsed: ParsedNote): Judged {
  const broken = (message: string): Problem => ({ rule: rules, path: '', message, kind: 'shape' });
  if (parsed.kind === 'foreign') return verdict(rules, 1, { problems: [broken(`must be a note: ${parsed.problem}`)] });
  const { skipped } = parsed.note;
  return verdict(rules, 1, { problems: skipped > 0 ? [broken(`${skipped} entries make no sense`)] : [] });
}
