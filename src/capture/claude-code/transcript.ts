import type { AgentLogEvent, TokenUsage } from '../../agentlog/document.ts';
import { countOf, defined, objectOf, plainId, textOf } from '../fields.ts';
import type { Captured, Edit } from '../session.ts';
import { commandOf, outcomeOf, type ToolCall } from './calls.ts';
import { type Draft, emptyDraft } from './draft.ts';
import { editorOutcome } from './editor-tools.ts';
import { editOf } from './edits.ts';
import { callEvents } from './events.ts';
import { type Line, parseLines, skip } from './lines.ts';
import { modelId } from './model.ts';
import { readAssistant, readAttachment, readSystem, readUser } from './read.ts';

/** What one transcript tells: a session's, or one of its sub-agents'. Whatever is not understood is counted, nothing is fatal. */
export function decodeTranscript(lines: Iterable<string>): Captured {
  const draft = emptyDraft();
  for (const line of parseLines(lines, draft.skipped)) {
    // resumed and forked sessions repeat lines
    if (line.id !== undefined && draft.seen.has(line.id)) continue;
    if (line.id !== undefined) draft.seen.add(line.id);
    readPlace(draft, line);
    readLine(draft, line);
  }
  return captured(draft);
}

/** Lines that say nothing of who wrote what. */
const IGNORED = new Set(
  (
    'summary ai-title custom-title agent-name agent-setting tag file-history-snapshot file-history-delta queue-operation worktree-state ' +
    'cost-state progress last-prompt permission-mode mode relocated bridge-session frame-link started result atis-latch'
  ).split(' '),
);

const READERS: ReadonlyMap<string, (draft: Draft, line: Line) => void> = new Map([
  ['user', readUser],
  ['assistant', readAssistant],
  ['attachment', readAttachment],
  ['system', readSystem],
  ['pr-link', readPullRequest],
]);

function readLine(draft: Draft, line: Line): void {
  const reader = READERS.get(line.type);
  if (reader) reader(draft, line);
  else if (!IGNORED.has(line.type)) skip(draft.skipped, `line type ${line.type.slice(0, 40)}`);
}

/** Where and when; the first folder and branch are those the session began with. */
function readPlace(draft: Draft, { fields, session, at }: Line): void {
  const { place } = draft;
  place.firstSession ??= session;
  place.session = session ?? place.session;
  place.cwd ??= textOf(fields.cwd);
  const branch = textOf(fields.gitBranch);
  if (branch && branch !== 'HEAD') place.branch ??= branch;
  place.version = textOf(fields.version) ?? place.version;
  place.forkedFrom ??= plainId(fields.forkedFrom) ?? plainId(objectOf(fields.forkedFrom)?.sessionId);
  if (at === undefined) return;
  place.startedAt = Math.min(place.startedAt ?? at, at);
  place.endedAt = Math.max(place.endedAt ?? at, at);
  place.now = at;
}

function readPullRequest(draft: Draft, { fields }: Line): void {
  const number = countOf(fields.prNumber);
  if (number === undefined) return;
  const pull = defined({ number, url: textOf(fields.prUrl), repository: textOf(fields.prRepository) });
  draft.pullRequests.set(`${pull.repository ?? ''}#${number}`, pull);
}

function captured(draft: Draft): Captured {
  const { place } = draft;
  const calls = [...draft.calls.values()].map((call) => complete(draft, call));
  const whole = new Map(calls.map((call) => [call.id, call]));
  const paid = new Map([...draft.payers].map(([message, step]) => [step, draft.usage.get(message)]));
  const events = draft.steps.flatMap((step, i): AgentLogEvent[] => {
    const call = typeof step === 'string' ? whole.get(step) : undefined;
    const [first, ...others] = typeof step !== 'string' ? [step] : call ? callEvents(call) : [];
    const tokenUsage = paid.get(i);
    return first ? [tokenUsage && first.type !== 'opaque' ? { ...first, tokenUsage } : first, ...others] : [];
  });
  const [only, ...others] = draft.models;
  // older versions copied lines of the session they went on from, with its id
  const before = place.firstSession !== place.session ? place.firstSession : undefined;
  return defined({
    session: place.session ?? '',
    tool: defined({ name: 'claude-code', version: place.version }),
    cwd: place.cwd,
    branch: place.branch,
    startedAt: place.startedAt,
    endedAt: place.endedAt,
    model: others.length === 0 ? modelId(only) : undefined,
    modelName: others.length === 0 ? only?.slice(0, 200) : undefined,
    forkedFrom: place.forkedFrom ?? before,
    pullRequests: draft.pullRequests.size > 0 ? [...draft.pullRequests.values()] : undefined,
    tokens: totalUsage(draft),
    events: inOrder(events),
    edits: calls.map(editOf).filter((edit): edit is Edit => edit !== undefined),
    commands: calls.map(commandOf).filter((command) => command !== undefined),
    models: new Map(calls.flatMap((call) => (call.model ? [[call.id, call.model]] : []))),
    skipped: draft.skipped,
  });
}

function complete(draft: Draft, call: ToolCall): ToolCall {
  const answer = draft.answers.get(call.id);
  if (!answer) return call;
  const text = answer.text || (textOf(answer.data) ?? '');
  const told = outcomeOf(call.name, answer);
  const outcome = told === 'done' && call.byEditor ? editorOutcome(call.name, text) : told;
  return { ...call, result: { at: Math.max(answer.at, call.at), outcome, text, data: objectOf(answer.data) ?? {} } };
}

/** By time; what came at the same moment stays as it stood. */
function inOrder(events: readonly AgentLogEvent[]): AgentLogEvent[] {
  return [...events].sort((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0));
}

/** Every line of one message repeats its usage, and early versions wrote placeholders: the largest number per message counts, once. */
function totalUsage(draft: Draft): TokenUsage | undefined {
  if (draft.usage.size === 0) return undefined;
  const total = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  for (const usage of draft.usage.values()) {
    for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += usage[key];
  }
  return total;
}
