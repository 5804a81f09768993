import type { JsonObject } from '../../json.ts';
import { assemble } from '../assemble.ts';
import { defined, objectOf, plainId, textOf } from '../fields.ts';
import { looseEditId, looseId } from '../print.ts';
import { isServerTool } from '../server-tool.ts';
import type { Captured } from '../session.ts';
import type { Call, CallEnd, Tale } from '../tale.ts';
import { callOf } from './calls.ts';
import { callId, inputOf, nameBehind } from './names.ts';

/** A hook's call as both programs tell it. */
interface Told {
  readonly session: string;
  readonly name: string;
  readonly input: JsonObject;
  /** VS Code's hooks tell it. */
  readonly id: string | undefined;
  readonly at: number;
  readonly cwd: string | undefined;
  /** Absent: the tool is about to run. */
  readonly end: CallEnd | undefined;
}

/** What one call of one of our hooks tells. The words of a conversation, and their ids, are in the transcript. */
export function decodeHook(payload: unknown, { at }: { readonly at: number }): Captured {
  const fields = objectOf(payload) ?? {};
  const event = textOf(fields.hook_event_name);
  const session = plainId(fields.session_id) ?? plainId(fields.sessionId) ?? '';
  const parent = plainId(fields.parentAgentId);
  const tale: Tale = defined({
    session,
    tool: { name: 'copilot' },
    cwd: textOf(fields.cwd),
    transcript: textOf(fields.transcript_path) ?? textOf(fields.transcriptPath),
    parentSession: parent === session ? undefined : parent,
    endedAt: at,
    // neither a tool nor a turn's end, which has its own word for the reason
    ended:
      event === 'SessionEnd' || (event === undefined && 'reason' in fields && !('toolName' in fields)) || undefined,
    steps: [],
    skipped: {},
  });
  const told = toldOf(fields, session, at);
  if (told === undefined) return assemble(tale);
  const steps = stepsOf(told);
  const { events, ...captured } = assemble({ ...tale, steps });
  // without ids of calls the transcript alone tells the conversation
  return { ...captured, events: told.id === undefined ? [] : events };
}

function toldOf(fields: JsonObject, session: string, at: number): Told | undefined {
  const given = inputOf(fields.tool_input ?? fields.toolArgs);
  const name = textOf(fields.tool_name) ?? textOf(fields.toolName);
  if (!name) return undefined;
  return {
    session,
    name: nameBehind(name, given),
    input: given,
    id: callId(fields.tool_use_id),
    at,
    cwd: textOf(fields.cwd),
    end: endOf(fields, at),
  };
}

function endOf(fields: JsonObject, at: number): CallEnd | undefined {
  const event = textOf(fields.hook_event_name);
  const result = objectOf(fields.toolResult) ?? objectOf(fields.tool_result);
  const error = textOf(fields.error);
  if (event === 'PreToolUse') return undefined;
  if (event === undefined && !result && !('error' in fields)) return undefined;
  const type = textOf(result?.resultType) ?? textOf(result?.result_type);
  const text =
    textOf(result?.textResultForLlm) ?? textOf(result?.text_result_for_llm) ?? textOf(fields.tool_response) ?? error;
  const failed = 'error' in fields || event === 'PostToolUseFailure' || (type !== undefined && type !== 'success');
  const outcome = type === 'denied' || type === 'rejected' ? 'refused' : failed ? 'failed' : 'done';
  return defined({ at, outcome, text });
}

/** Only what changes files. */
function stepsOf({ id, name, input, at, cwd, end }: Told): Call[] {
  const call = callOf({ id: id ?? '', name, input, at, cwd, model: undefined, end }, undefined);
  if (call.command || call.server !== undefined || isServerTool(name))
    return [{ ...call, id: id ?? looseId(name, input) }];
  if (!call.edits || call.end?.outcome !== 'done') return [];
  return [{ ...call, id: id ?? looseEditId(name, input, at) }];
}
