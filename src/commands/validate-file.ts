import { isUtf8 } from 'node:buffer';
import { validateDocument } from '../agentlog/validate.ts';
import type { ParsedAgentblame } from '../foreign/agentblame.ts';
import type { Format } from '../foreign/recognise.ts';
import type { Problem } from '../shape.ts';
import { validateRecord } from '../trace/validate.ts';
import { partsOf } from './import-parts.ts';
import { textOf } from './import-read.ts';
import type { Source } from './import-source.ts';
import { type Judged, judgeParts, MAX_PROBLEMS, unread, verdict } from './validate-parts.ts';
import type { PlacedProblem } from './validate-verdict.ts';

export interface JudgeOptions {
  readonly profile: 'default' | 'core';
}

/** Holds a source against the rules of its format. */
export async function judgeSource(source: Source, format: Format | 'otlp', options: JudgeOptions): Promise<Judged> {
  if (format !== 'vac-cbor' && format !== 'vac-signed' && !isUtf8(source.bytes)) {
    const problem = { rule: 'JSON (RFC 8259) 8.1', path: '', message: 'must be UTF-8', kind: 'shape' } as const;
    return verdict('UTF-8 text', 1, { problems: [{ ...problem, line: oddLine(source.bytes) }] });
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
      const { agentblameIn } = await import('../foreign/agentblame.ts');
      return judgeParts(source, AGENTBLAME, (value) => agentblameProblems(agentblameIn(value)));
    }
  }
}

/** The first line whose bytes are no UTF-8, counted from 1. */
function oddLine(bytes: Buffer): number {
  let [line, start] = [1, 0];
  for (let end = bytes.indexOf(10); end >= 0 && isUtf8(bytes.subarray(start, end)); end = bytes.indexOf(10, start)) {
    start = end + 1;
    line++;
  }
  return line;
}

const AGENTBLAME = 'agentblame 1 and 2';

/** Its makers publish no schema: what its notes are made of is asked for. */
function agentblameProblems(parsed: ParsedAgentblame): Problem[] {
  const broken = (path: string, message: string): Problem => ({ rule: AGENTBLAME, path, message, kind: 'shape' });
  if (parsed.kind === 'foreign') return [broken('', `must be a note: ${parsed.problem}`)];
  const { broken: entries } = parsed.note;
  return entries
    .slice(0, MAX_PROBLEMS)
    .map((i) => broken(`/attributions/${i}`, 'must be a path in here, and its lines'));
}

const GIT_AI = 'git-ai authorship/3.0.0';
const VAC = 'draft-birkholz-verifiable-agent-conversations 3.0.0';

async function judgeActivity(source: Source, { profile }: JudgeOptions): Promise<Judged> {
  const [{ RULES_SOURCE, validateStream }, { replaceKnown }] = await Promise.all([
    import('../activity/validate.ts'),
    import('../redact/secrets.ts'),
  ]);
  const lines = partsOf(textOf(source));
  const rules = `agent_activity.v1 (${profile} profile)`;
  const [first] = lines;
  if (first?.raw.includes('\n'))
    return verdict(rules, 1, { problems: [unread(rules, first)], remarks: [RULES_SOURCE] });
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
    rules,
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
