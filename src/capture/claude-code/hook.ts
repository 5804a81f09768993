import type { AgentLogEvent } from '../../agentlog/document.ts';
import type { JsonObject } from '../../json.ts';
import { countOf, defined, isoOf, objectOf, plainId, textOf } from '../fields.ts';
import type { Captured } from '../session.ts';
import { commandOf, isEditTool, outcomeOf, type ToolCall } from './calls.ts';
import { editOf } from './edits.ts';
import { callEvents } from './events.ts';
import { isPrompt } from './prompts.ts';

/** What one call of one of our hooks tells; `at` is when the hook was called. */
export function decodeHook(payload: unknown, fact: { readonly at: number }): Captured {
  const fields = objectOf(payload) ?? {};
  const event = textOf(fields.hook_event_name);
  switch (event) {
    case 'UserPromptSubmit':
      return capturedBy(fields, fact.at, { events: promptEvents(fields, fact.at) });
    case 'PreToolUse':
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return decodeCall(fields, event, fact.at);
    case 'SessionEnd':
      return capturedBy(fields, fact.at, { ended: true });
    case 'SessionStart':
    // the transcript has the last words of a turn, under the id they keep
    case 'Stop':
    case 'SubagentStop':
    // repeats what the calls' own hooks said, as texts
    case 'PostToolBatch':
      return capturedBy(fields, fact.at, {});
    default:
      return capturedBy(fields, fact.at, {
        skipped: { [event === undefined ? 'payload' : `hook ${event.slice(0, 40)}`]: 1 },
      });
  }
}

function capturedBy(fields: JsonObject, at: number, more: Partial<Captured>): Captured {
  return defined({
    session: plainId(fields.session_id) ?? '',
    tool: { name: 'claude-code' },
    cwd: textOf(fields.cwd),
    transcript: textOf(fields.transcript_path),
    endedAt: at,
    events: [],
    edits: [],
    commands: [],
    models: new Map<string, string>(),
    skipped: {},
    ...more,
  });
}

function promptEvents(fields: JsonObject, at: number): AgentLogEvent[] {
  const prompt = textOf(fields.prompt);
  if (prompt === undefined || !isPrompt(prompt)) return [];
  const id = plainId(fields.prompt_id) ?? `prompt-${at}`;
  return [{ type: 'message', id, timestamp: isoOf(at), role: 'user', content: prompt }];
}

function decodeCall(fields: JsonObject, event: string, at: number): Captured {
  const id = plainId(fields.tool_use_id);
  const name = textOf(fields.tool_name);
  if (id === undefined || !name) return capturedBy(fields, at, { skipped: { 'call without id or name': 1 } });
  const call = callOf(fields, { id, name, event, at });
  const edit = editOf(call);
  // an edit that cannot be told, for want of a path or a text, is something that happened all the same
  const untold = isEditTool(name) && event === 'PostToolUse' && !edit;
  const command = untold ? { event: id, command: '', startedAt: at, endedAt: at, background: false } : commandOf(call);
  return {
    ...capturedBy(fields, at, { edits: edit ? [edit] : [], commands: command ? [command] : [] }),
    // whoever only asks who wrote what needs none, and to work out a diff takes longer than all the rest
    get events() {
      return callEvents(call);
    },
  };
}

/** Before the tool runs there is no result yet; after it the time that it took tells when it began. */
function callOf(
  fields: JsonObject,
  { id, name, event, at }: { id: string; name: string; event: string; at: number },
): ToolCall {
  const agentId = plainId(fields.agent_id);
  const failed = event === 'PostToolUseFailure';
  const data = fields.tool_response;
  const text = failed ? (textOf(fields.error) ?? '') : (textOf(data) ?? '');
  // this hook is called for calls that did what they were to do, whatever their answer looks like
  const outcome = failed ? outcomeOf(name, { error: true, text, data }) : 'done';
  return defined({
    id,
    name,
    input: objectOf(fields.tool_input) ?? {},
    at: at - (countOf(fields.duration_ms) ?? 0),
    cwd: textOf(fields.cwd),
    properties: agentId ? { 'claude-code:agentId': agentId } : {},
    result: event === 'PreToolUse' ? undefined : { at, outcome, text, data: objectOf(data) ?? {} },
  });
}
