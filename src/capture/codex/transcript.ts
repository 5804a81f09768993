import type { TokenUsage } from '../../agentlog/document.ts';
import type { JsonObject } from '../../json.ts';
import type { TranscriptFile } from '../adapter.ts';
import { assemble } from '../assemble.ts';
import { countOf, defined, listOf, objectOf, plainId, textOf, timeOf } from '../fields.ts';
import { parseJsonLines, skip } from '../json-lines.ts';
import type { Captured } from '../session.ts';
import type { Step } from '../tale.ts';
import { stepOf } from './calls.ts';
import { type Draft, emptyDraft, type Line } from './draft.ts';
import { readEvent } from './events.ts';
import { readItem } from './items.ts';
import { concerns } from './locate.ts';
import { pathOf } from './paths.ts';
import { usageOf } from './usage.ts';

/** What one rollout tells: a conversation's, or one of its sub-agents'. None: it is about other folders, or nobody says whose it is. */
export function decodeTranscript({ lines, worktrees }: Pick<TranscriptFile, 'lines' | 'worktrees'>): Captured[] {
  const draft = emptyDraft();
  let [number, own] = [0, 0];
  for (const fields of parseJsonLines(lines(), draft.skipped)) {
    number++;
    const line = lineOf(draft, fields, number);
    if (!line) continue;
    if (line.type === 'session_meta') {
      // the first one names the session: a fork goes on with the one it comes from
      if (draft.session !== undefined) continue;
      if (!foldersOf(line.payload).some((folder) => concerns(folder, worktrees))) return [];
      readMeta(draft, line);
      own = countOf(line.payload.subagent_history_start_ordinal) ?? 0;
    } else if (!isInherited(fields, own)) readLine(draft, line);
  }
  return draft.session === undefined ? [] : [captured(draft)];
}

function lineOf(draft: Draft, fields: JsonObject, number: number): Line | undefined {
  const [type, payload] = [textOf(fields.type), objectOf(fields.payload)];
  if (type === undefined || !payload) {
    skip(draft.skipped, 'line without type or payload');
    return undefined;
  }
  const at = timeOf(fields.timestamp) ?? draft.now;
  draft.now = at;
  return { type, payload, at, number };
}

/** A fork begins with what it was told of the conversation before it, at the time of the fork. */
function isInherited({ ordinal, metadata }: JsonObject, own: number): boolean {
  const at = countOf(ordinal);
  return (at !== undefined && at < own) || objectOf(metadata)?.inherited_user_message === true;
}

function foldersOf({ cwd, runtime_workspace_roots: roots }: JsonObject): string[] {
  return [cwd, ...listOf(roots)].flatMap((folder) => pathOf(folder) ?? []);
}

function readMeta(draft: Draft, { payload, at }: Line): void {
  const id = plainId(payload.id) ?? plainId(payload.session_id);
  if (id === undefined) {
    skip(draft.skipped, 'session without id');
    return;
  }
  const spawned = objectOf(objectOf(objectOf(payload.source)?.subagent)?.thread_spawn);
  draft.session = id;
  draft.cwd = pathOf(payload.cwd);
  draft.branch = textOf(objectOf(payload.git)?.branch);
  draft.version = textOf(payload.cli_version);
  draft.parent = plainId(payload.parent_thread_id) ?? plainId(spawned?.parent_thread_id);
  draft.forkedFrom = plainId(payload.forked_from_id);
  draft.paginated = payload.history_mode === 'paginated';
  draft.startedAt = timeOf(payload.timestamp) ?? at;
  draft.turn.provider = textOf(payload.model_provider);
}

/** Records that say nothing of who wrote what. */
const IGNORED = new Set([
  'compacted',
  'world_state',
  'inter_agent_communication_metadata',
  'inter_agent_communication',
  'security_risk_score',
]);

function readLine(draft: Draft, line: Line): void {
  const { type, payload } = line;
  if (type === 'response_item') readItem(draft, line);
  else if (type === 'event_msg') readEvent(draft, line);
  else if (type === 'turn_context') readTurn(draft, payload);
  else if (type === 'token_usage_record') readUsage(draft, payload);
  else if (!IGNORED.has(type)) skip(draft.skipped, `record ${type}`);
}

function readTurn({ turn }: Draft, payload: JsonObject): void {
  turn.id = plainId(payload.turn_id) ?? turn.id;
  turn.cwd = pathOf(payload.cwd) ?? turn.cwd;
  turn.model = textOf(payload.model) ?? turn.model;
}

function readUsage(draft: Draft, payload: JsonObject): void {
  const usage = usageOf(payload.usage);
  if (usage) draft.usage.set(plainId(payload.response_id) ?? `record-${draft.usage.size}`, usage);
}

function captured(draft: Draft): Captured {
  const steps = draft.steps.flatMap((step): Step | readonly Step[] =>
    typeof step === 'string' ? (stepOf(draft, step) ?? []) : [step],
  );
  const isPrompted = steps.some(({ kind }) => kind === 'prompt');
  return assemble(
    defined({
      session: draft.session ?? '',
      tool: defined({ name: 'codex', version: draft.version }),
      cwd: draft.cwd,
      branch: draft.branch,
      startedAt: draft.startedAt,
      endedAt: draft.now > 0 ? draft.now : undefined,
      parentSession: draft.parent,
      forkedFrom: draft.forkedFrom,
      childSessions: draft.children.size > 0 ? [...draft.children] : undefined,
      // of each answer, or of the whole: never both
      tokens: draft.usage.size > 0 ? [...draft.usage.values()].reduce(sum) : draft.total,
      steps: isPrompted ? steps : [...draft.maybePrompts, ...steps],
      skipped: draft.skipped,
    }),
  );
}

function sum(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: (a.cacheReadTokens ?? 0) + (b.cacheReadTokens ?? 0),
    cacheWriteTokens: (a.cacheWriteTokens ?? 0) + (b.cacheWriteTokens ?? 0),
    reasoningTokens: (a.reasoningTokens ?? 0) + (b.reasoningTokens ?? 0),
  };
}
