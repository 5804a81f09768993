import { type JsonObject, parseJson } from '../../json.ts';
import { assemble } from '../assemble.ts';
import { countOf, defined, listOf, objectOf, plainId, textOf } from '../fields.ts';
import { looseEditId } from '../print.ts';
import type { Captured, Change } from '../session.ts';
import type { Call, CallEnd, Step, Tale } from '../tale.ts';
import { promptId } from './prompts.ts';

/** What one call of one of our hooks tells. */
export function decodeHook(payload: unknown, { at }: { readonly at: number }): Captured {
  const fields = objectOf(payload) ?? {};
  const event = textOf(fields.hook_event_name);
  switch (event) {
    case 'beforeSubmitPrompt':
      return told(fields, at, { steps: promptOf(fields, at) });
    case 'preToolUse':
    case 'postToolUse':
    case 'postToolUseFailure':
      return toldCall(fields, { event, at });
    case 'afterFileEdit':
      return withoutEvents(told(fields, at, { steps: fileEdit(fields, at) }));
    case 'sessionEnd':
      return { ...told(fields, at), ended: true };
    default:
      return told(fields, at);
  }
}

function told(
  fields: JsonObject,
  at: number,
  { steps = [], skipped = {} }: Partial<Pick<Tale, 'steps' | 'skipped'>> = {},
): Captured {
  const tale: Tale = defined({
    session: plainId(fields.conversation_id) ?? plainId(fields.session_id) ?? '',
    tool: defined({ name: 'cursor', version: textOf(fields.cursor_version) }),
    cwd: plainPath(listOf(fields.workspace_roots)[0]),
    transcript: textOf(fields.transcript_path),
    endedAt: at,
    steps,
    skipped,
  });
  return assemble(tale);
}

function withoutEvents(captured: Captured): Captured {
  return { ...captured, events: [] };
}

/** On Windows paths look like `/c:/...`. */
function plainPath(value: unknown): string | undefined {
  return textOf(value)?.replace(/^\/([A-Za-z]:[\\/])/, '$1') || undefined;
}

function promptOf({ prompt }: JsonObject, at: number): Step[] {
  const text = textOf(prompt);
  return text?.trim() ? [{ kind: 'prompt', id: promptId(text, at), at, text }] : [];
}

/** models.dev has the models that Cursor offers under its ids for them. `model` alone may be `default`, or a name with its settings. */
function modelOf({ model_id: id }: JsonObject): string | undefined {
  const name = textOf(id);
  return name !== undefined && name !== 'default' && /^[a-z][a-z0-9.-]{1,60}$/.test(name)
    ? `cursor/${name}`
    : undefined;
}

/** Of the tools that Cursor reads with on the way to an edit, under the edit's own id, nothing is to be told. */
function toldCall(fields: JsonObject, { event, at }: { event: string; at: number }): Captured {
  const name = textOf(fields.tool_name);
  if (name !== 'Shell' && name !== 'Write' && name !== 'Delete') return told(fields, at);
  // of two parts, on two lines
  const id = plainId(textOf(fields.tool_use_id)?.replace(/\s+/g, ':'));
  if (id === undefined) return told(fields, at, { skipped: { 'call without id': 1 } });
  const input = objectOf(fields.tool_input) ?? {};
  const end = event === 'preToolUse' ? undefined : endOf(fields, { failed: event === 'postToolUseFailure', at });
  const cwd = plainPath(input.cwd) ?? plainPath(fields.cwd) ?? plainPath(listOf(fields.workspace_roots)[0]);
  const base = defined({ kind: 'call' as const, id, name, at, input, cwd, model: modelOf(fields), end });
  if (name === 'Shell') return told(fields, at, { steps: [shellCall(base, fields)] });
  // an edit is told when it is done; what was asked for before that is not
  return told(fields, at, end?.outcome === 'done' ? { steps: [editCall(base)] } : {});
}

function endOf(fields: JsonObject, { failed, at }: { failed: boolean; at: number }): CallEnd {
  const answer = answerOf(fields);
  const text = textOf(fields.error_message) ?? textOf(answer.output);
  const refused = textOf(fields.failure_type) === 'permission_denied';
  const bad = failed || answer.success === false || answer.deleted === false;
  const said = /^Command failed with exit code (\d{1,9})$/.exec(textOf(fields.error_message) ?? '')?.[1];
  const exitCode = countOf(answer.exitCode) ?? (said === undefined ? undefined : Number(said));
  return defined({ at, outcome: refused ? 'refused' : bad ? 'failed' : 'done', text, exitCode });
}

const MAX_ANSWER = 16 << 20;

/** A tool's answer is JSON in a string. */
function answerOf(fields: JsonObject): JsonObject {
  const parsed = parseJson(textOf(fields.tool_output) ?? '', MAX_ANSWER);
  return ('value' in parsed && objectOf(parsed.value)) || {};
}

/** In the background the answer is a process, and has no exit code. */
function shellCall(base: Call, fields: JsonObject): Call {
  const answer = answerOf(fields);
  const background = base.end?.outcome === 'done' && answer.exitCode === undefined && 'shell_id' in answer;
  return { ...base, command: { text: textOf(base.input.command) ?? '', background } };
}

/** Every edit is told as a Write of the whole new text, without what stood there before. */
function editCall(base: Call): Call {
  const path = plainPath(base.input.file_path);
  const after = base.name === 'Delete' ? '' : textOf(base.input.content);
  if (path === undefined || after === undefined) return { ...base, edits: [] };
  return { ...base, ...sameCall(path), edits: [{ path, change: { kind: 'write', after } }] };
}

/** The call as the hook after it and the one after the edit both know it: that is their print. */
function sameCall(path: string): Pick<Call, 'name' | 'input'> {
  return { name: 'Write', input: { file_path: path } };
}

/** What was replaced, from the hook that does not know the call. It comes just before the one that does. */
function fileEdit(fields: JsonObject, at: number): Call[] {
  const path = plainPath(fields.file_path);
  if (path === undefined) return [];
  const { name, input } = sameCall(path);
  const base = { kind: 'call' as const, id: looseEditId(name, input, at), at, name, input };
  const change = changeOf(listOf(fields.edits));
  const edits = change ? [{ path, change }] : [];
  return [defined({ ...base, model: modelOf(fields), end: { at, outcome: 'done' as const }, edits })];
}

/** Nothing replaced by something: the text of a new file, perhaps of one written over. */
function changeOf(edits: readonly unknown[]): Change | undefined {
  const pairs = edits.map((value) => {
    const { old_string: old, new_string: fresh } = objectOf(value) ?? {};
    return typeof old === 'string' && typeof fresh === 'string' ? { old, new: fresh, all: false } : undefined;
  });
  const whole = pairs.filter((pair) => pair !== undefined);
  if (whole.length === 0 || whole.length < pairs.length) return undefined;
  if (whole.every(({ old }) => old !== '')) return { kind: 'replace', pairs: whole };
  return whole.length === 1 ? { kind: 'write', after: whole[0]?.new ?? '' } : undefined;
}
