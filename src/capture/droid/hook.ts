import type { JsonObject } from '../../json.ts';
import { assemble } from '../assemble.ts';
import { defined, objectOf, plainId, textOf } from '../fields.ts';
import { looseEditId, looseId } from '../print.ts';
import type { Captured, Command } from '../session.ts';
import type { Call } from '../tale.ts';
import { callOf, EDIT_TOOLS, isForeign } from './tools.ts';

/** Events that tell nothing which the transcript does not tell better. */
const IGNORED = new Set('SessionStart UserPromptSubmit SubagentStop Notification PreCompact'.split(' '));

/** What one call of one of our hooks tells; `at` is when the hook was called. It has no ids: the transcript has the conversation. */
export function decodeHook(payload: unknown, fact: { readonly at: number }): Captured {
  const fields = objectOf(payload) ?? {};
  const event = textOf(fields.hook_event_name) ?? 'none';
  const isCall = event === 'PreToolUse' || event === 'PostToolUse';
  const call = isCall ? toldCall(fields, event, fact.at) : undefined;
  const known = call !== undefined || event === 'Stop' || event === 'SessionEnd' || IGNORED.has(event);
  const captured = assemble(
    defined({
      session: plainId(fields.session_id) ?? '',
      tool: { name: 'droid' },
      cwd: textOf(fields.cwd),
      transcript: textOf(fields.transcript_path),
      endedAt: fact.at,
      ended: event === 'SessionEnd' || undefined,
      steps: call ?? [],
      skipped: known ? {} : { [`hook ${event.slice(0, 40)}`]: 1 },
    }),
  );
  return {
    ...captured,
    events: [],
    commands: event === 'Stop' ? [pause(fact.at)] : captured.commands,
  };
}

/** The end of a turn runs nothing; the snapshot that is taken then is of the end of a command that failed. */
function pause(at: number): Command {
  return { event: looseId('Stop', {}), command: 'true', startedAt: at, endedAt: at, background: false };
}

/** Undefined: not understood. After a tool the hook is called only where it succeeded. */
function toldCall(fields: JsonObject, event: string, at: number): Call[] | undefined {
  const [name, input] = [textOf(fields.tool_name), objectOf(fields.tool_input)];
  if (!name || !input) return undefined;
  const isEdit = EDIT_TOOLS.has(name);
  if (!isEdit && name !== 'Execute' && !isForeign(name)) return [];
  const ended = event === 'PostToolUse';
  if (isEdit && !ended) return [];
  const id = isEdit ? looseEditId(name, input, at) : looseId(name, input);
  const result = ended ? { at, error: false, text: textOf(fields.tool_response) ?? '' } : undefined;
  return [callOf(defined({ id, at, name, input, cwd: textOf(fields.cwd) }), result)];
}
