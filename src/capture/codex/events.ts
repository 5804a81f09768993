import { countOf, objectOf, plainId, textOf } from '../fields.ts';
import { skip } from '../json-lines.ts';
import { callAt } from './calls.ts';
import type { Draft, Line, ToldCall } from './draft.ts';
import { contentText } from './items.ts';
import { pathOf } from './paths.ts';
import { typedText } from './prompts.ts';
import { usageOf } from './usage.ts';

/** What happened, in Codex's own words; most of it is for its screen only. */
export function readEvent(draft: Draft, line: Line): void {
  const { payload, at } = line;
  switch (payload.type) {
    case 'task_started':
      draft.turn.id = plainId(payload.turn_id) ?? draft.turn.id;
      return;
    case 'thread_settings_applied':
      readSettings(draft, line);
      return;
    case 'user_message':
      addPrompt(draft, line, { text: textOf(payload.message) ?? '', id: undefined });
      return;
    case 'token_count':
      draft.total = usageOf(objectOf(payload.info)?.total_token_usage) ?? draft.total;
      return;
    case 'patch_apply_end':
      addItem(draft, plainId(payload.call_id), { kind: 'patch', fields: payload, from: at, to: at });
      return;
    case 'exec_command_end':
      readRun(draft, plainId(payload.call_id), { kind: 'command', fields: payload, from: at, to: at });
      return;
    case 'sub_agent_activity':
      addChild(draft, payload.agent_thread_id);
      return;
    case 'collab_agent_spawn_end':
      addChild(draft, payload.new_thread_id);
      return;
    case 'item_completed':
      readCompleted(draft, line);
  }
}

/** Kept by a newer Codex in place of the events above. */
const IGNORED = new Set(
  (
    'AgentMessage Reasoning Plan McpToolCall DynamicToolCall CollabAgentToolCall WebSearch ImageView ImageGeneration Extension Sleep ' +
    'HookPrompt EnteredReviewMode ExitedReviewMode ContextCompaction'
  ).split(' '),
);

function readCompleted(draft: Draft, line: Line): void {
  const { payload, at } = line;
  const item = objectOf(payload.item) ?? {};
  const to = countOf(payload.completed_at_ms) || at;
  const time = { from: countOf(payload.started_at_ms) || to, to };
  switch (item.type) {
    case 'UserMessage':
      addPrompt(draft, line, { text: contentText(item.content), id: plainId(item.id) });
      return;
    case 'FileChange':
      addItem(draft, plainId(item.id), { kind: 'patch', fields: item, ...time });
      return;
    case 'CommandExecution':
      readRun(draft, plainId(item.id), { kind: 'command', fields: item, ...time });
      return;
    case 'SubAgentActivity':
      addChild(draft, item.agent_thread_id);
      return;
    default:
      if (typeof item.type !== 'string' || !IGNORED.has(item.type)) skip(draft.skipped, `item ${item.type}`);
  }
}

/** A resumed session may go on with another provider. */
function readSettings({ turn }: Draft, { payload }: Line): void {
  const settings = objectOf(payload.thread_settings);
  turn.provider = textOf(settings?.model_provider_id) ?? turn.provider;
  turn.model = textOf(settings?.model) ?? turn.model;
  turn.cwd = pathOf(settings?.cwd) ?? turn.cwd;
}

/** A prompt's id is that of its turn: the hook that saw it knows no other. Some come later in a turn. */
function addPrompt(draft: Draft, { at, number }: Line, said: { text: string; id: string | undefined }): void {
  const { turn, prompts } = draft;
  const text = typedText(said.text);
  if (text.trim() === '') return;
  const fresh = turn.id !== undefined && !prompts.has(turn.id) ? turn.id : undefined;
  if (fresh !== undefined) prompts.add(fresh);
  draft.steps.push({ kind: 'prompt', id: fresh ?? said.id ?? `line-${number}`, at, text });
}

function addItem(draft: Draft, id: string | undefined, item: NonNullable<ToldCall['item']>): void {
  if (id === undefined) skip(draft.skipped, `${item.kind} without id`);
  else callAt(draft, id).item ??= item;
}

/** What the user typed into the shell behind `!` is not the agent's; what is typed into a running command is part of that one. */
function readRun(draft: Draft, id: string | undefined, item: NonNullable<ToldCall['item']>): void {
  const source = textOf(item.fields.source) ?? '';
  if (/^user_?shell$/i.test(source) || /interaction$/i.test(source)) return;
  addItem(draft, id, item);
}

function addChild(draft: Draft, value: unknown): void {
  const id = plainId(value);
  if (id !== undefined && id !== draft.session) draft.children.add(id);
}
