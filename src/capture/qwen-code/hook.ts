import type { JsonObject } from '../../json.ts';
import { assemble } from '../assemble.ts';
import { countOf, defined, objectOf, plainId, textOf } from '../fields.ts';
import { callId, callOf, isBackground, isRun, partsOf, type Ran } from '../gemini-family.ts';
import { looseEditId, looseId } from '../print.ts';
import type { Captured } from '../session.ts';
import type { Call } from '../tale.ts';

/** What one call of one of our hooks tells; `at` is when the hook was called. Prompts are in the transcript, under ids of their own. */
export function decodeHook(payload: unknown, { at }: { readonly at: number }): Captured {
  const fields = objectOf(payload) ?? {};
  const event = textOf(fields.hook_event_name);
  switch (event) {
    case 'PreToolUse':
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return decodeCall(fields, ranAs(fields, event, at), at);
    case 'SessionEnd':
      return { ...capturedBy(fields, at, []), ended: true };
    case 'SessionStart':
    case 'UserPromptSubmit':
    case 'Stop':
    case 'SubagentStop':
      return capturedBy(fields, at, []);
    default:
      return skippedBy(fields, at, event === undefined ? 'payload' : `hook ${event.slice(0, 40)}`);
  }
}

function capturedBy(fields: JsonObject, at: number, steps: readonly Call[]): Captured {
  return assemble(
    defined({
      session: plainId(fields.session_id) ?? '',
      tool: { name: 'qwen-code' },
      cwd: textOf(fields.cwd),
      // a sub-agent's own, when it is done
      transcript: textOf(fields.agent_transcript_path) ?? textOf(fields.transcript_path),
      endedAt: at,
      steps,
      skipped: {},
    }),
  );
}

function skippedBy(fields: JsonObject, at: number, kind: string): Captured {
  return { ...capturedBy(fields, at, []), skipped: { [kind]: 1 } };
}

function decodeCall(fields: JsonObject, ran: Ran | undefined, at: number): Captured {
  const [name, input] = [textOf(fields.tool_name), objectOf(fields.tool_input)];
  if (!name || !input) return skippedBy(fields, at, 'call without name or input');
  const id = callId(fields.tool_call_id, plainId(fields.session_id));
  const begun = defined({ at: at - (countOf(fields.duration_ms) ?? 0), name, input, cwd: textOf(fields.cwd) });
  if (id !== undefined) return capturedBy(fields, at, [callOf({ ...begun, id }, ran)]);
  // the id that the model gave is not always there, and no other is in the transcript
  if (isRun(name) ? ran && isBackground(input, ran) : !ran) return capturedBy(fields, at, []);
  const loose = isRun(name) ? looseId(name, input) : looseEditId(name, input, at);
  return { ...capturedBy(fields, at, [callOf({ ...begun, id: loose }, ran)]), events: [] };
}

function ranAs(fields: JsonObject, event: string, at: number): Ran | undefined {
  if (event === 'PreToolUse') return undefined;
  const response = objectOf(fields.tool_response) ?? {};
  if (event === 'PostToolUseFailure')
    return { end: defined({ at, outcome: 'failed' as const, text: textOf(fields.error) }), display: undefined };
  const text = partsOf(response.llmContent)
    .flatMap((part) => textOf(part.text) ?? [])
    .join('\n');
  return { end: { at, outcome: 'done', text }, display: response.returnDisplay };
}
