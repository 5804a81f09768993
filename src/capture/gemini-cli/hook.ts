import type { JsonObject } from '../../json.ts';
import { assemble } from '../assemble.ts';
import { defined, objectOf, plainId, textOf } from '../fields.ts';
import { callOf, isBackground, isRun, partsOf, type Ran } from '../gemini-family.ts';
import { looseEditId, looseId } from '../print.ts';
import type { Captured } from '../session.ts';
import type { Call } from '../tale.ts';

/**
 * What one call of one of our hooks tells; `at` is when the hook was called. Gemini names neither the call nor the model: the transcript
 * does, and tells the conversation.
 */
export function decodeHook(payload: unknown, { at }: { readonly at: number }): Captured {
  const fields = objectOf(payload) ?? {};
  const event = textOf(fields.hook_event_name);
  switch (event) {
    case 'BeforeTool':
    case 'AfterTool': {
      const call = toldCall(fields, event, at);
      return call ? capturedBy(fields, at, call) : skippedBy(fields, at, 'call without name or input');
    }
    case 'SessionEnd':
      return { ...capturedBy(fields, at, []), ended: true };
    case 'SessionStart':
    case 'BeforeAgent':
    case 'AfterAgent':
      return capturedBy(fields, at, []);
    default:
      return skippedBy(fields, at, event === undefined ? 'payload' : `hook ${event.slice(0, 40)}`);
  }
}

function capturedBy(fields: JsonObject, at: number, steps: readonly Call[]): Captured {
  const whole = assemble(
    defined({
      session: plainId(fields.session_id) ?? '',
      tool: { name: 'gemini-cli' },
      cwd: textOf(fields.cwd),
      transcript: textOf(fields.transcript_path),
      endedAt: at,
      steps,
      skipped: {},
    }),
  );
  return { ...whole, events: [] };
}

function skippedBy(fields: JsonObject, at: number, kind: string): Captured {
  return { ...capturedBy(fields, at, []), skipped: { [kind]: 1 } };
}

function toldCall(fields: JsonObject, event: string, at: number): Call[] | undefined {
  const [name, input, cwd] = [textOf(fields.tool_name), objectOf(fields.tool_input), textOf(fields.cwd)];
  if (!name || !input) return undefined;
  const begun = { at, name, input, ...(cwd !== undefined && { cwd }) };
  const ran = event === 'AfterTool' ? ranAs(objectOf(fields.tool_response) ?? {}, at) : undefined;
  if (!isRun(name)) return ran ? [callOf({ ...begun, id: looseEditId(name, input, at) }, ran)] : [];
  // its beginning was told; when it ends nobody will
  if (ran && isBackground(input, ran)) return [];
  return [callOf({ ...begun, id: looseId(name, input) }, ran)];
}

/** The hook is called for calls that ran; `error` says that they did not do what they were to do. */
function ranAs({ llmContent, returnDisplay, error }: JsonObject, at: number): Ran {
  const text = partsOf(llmContent)
    .flatMap((part) => textOf(part.text) ?? [])
    .join('\n');
  return {
    end: { at, outcome: error === undefined || error === null ? 'done' : 'failed', text },
    display: returnDisplay,
  };
}
