import type { JsonObject } from '../../json.ts';
import { parsePatch } from '../apply-patch.ts';
import { assemble } from '../assemble.ts';
import { defined, objectOf, plainId, textOf } from '../fields.ts';
import { isServerTool } from '../server-tool.ts';
import type { Captured } from '../session.ts';
import type { Call, Step } from '../tale.ts';
import { parseAnswer } from './answers.ts';
import { patchChanges } from './changes.ts';
import { pathOf } from './paths.ts';
import { typedText } from './prompts.ts';

/** What one call of one of our hooks tells; `at` is when the hook was called. Which model it is, only the transcript can tell for certain. */
export function decodeHook(payload: unknown, fact: { readonly at: number }): Captured {
  const fields = objectOf(payload) ?? {};
  const event = textOf(fields.hook_event_name);
  const steps = stepsOf(fields, event, fact.at);
  const session = plainId(fields.session_id);
  // a sub-agent is a session of its own, and says whose it is
  const agent = plainId(fields.agent_id);
  return assemble(
    defined({
      session: agent ?? session ?? '',
      parentSession: agent === undefined ? undefined : session,
      tool: { name: 'codex' },
      cwd: pathOf(fields.cwd),
      transcript: textOf(fields.agent_transcript_path) ?? textOf(fields.transcript_path),
      endedAt: fact.at,
      ended: event === 'SessionEnd' || undefined,
      steps: steps ?? [],
      skipped: steps ? {} : { [event === undefined ? 'payload' : `hook ${event.slice(0, 40)}`]: 1 },
    }),
  );
}

function stepsOf(fields: JsonObject, event: string | undefined, at: number): Step[] | undefined {
  switch (event) {
    case 'UserPromptSubmit': {
      const [text, id] = [typedText(textOf(fields.prompt) ?? ''), plainId(fields.turn_id) ?? `prompt-${at}`];
      return text.trim() === '' ? [] : [{ kind: 'prompt', id, at, text }];
    }
    case 'PreToolUse':
    case 'PostToolUse': {
      const call = callOf(fields, at);
      return call && (event === 'PreToolUse' ? before(call) : after(call, fields.tool_response));
    }
    case 'SessionStart':
    case 'SessionEnd':
    case 'SubagentStart':
    case 'SubagentStop':
    case 'Stop':
      return [];
    default:
      return undefined;
  }
}

function callOf(fields: JsonObject, at: number): Call | undefined {
  const [id, name] = [plainId(fields.tool_use_id), textOf(fields.tool_name)];
  if (id === undefined || !name) return undefined;
  return defined({
    kind: 'call' as const,
    id,
    at,
    name,
    input: objectOf(fields.tool_input) ?? {},
    cwd: pathOf(fields.cwd),
  });
}

/** A patch that comes through the shell is not run by it, and no second hook tells of its end: the transcript does. */
function before(call: Call): Step[] {
  if (isServerTool(call.name)) return [call];
  const text = textOf(call.input.command);
  return call.name !== 'Bash' || text === undefined || parsePatch(text) ? [] : [{ ...call, command: { text } }];
}

/** A failed patch has no such hook; a failed command has, without its exit code. */
function after(call: Call, response: unknown): Step[] {
  const text = textOf(call.input.command);
  const { output, exitCode } = parseAnswer(textOf(response) ?? '');
  const end = { at: call.at, outcome: 'done' as const, text: output };
  if (call.name === 'Bash') return text === undefined ? [] : [{ ...call, command: { text }, end }];
  if (isServerTool(call.name)) return [{ ...call, end }];
  if (call.name !== 'apply_patch') return [];
  if ((exitCode ?? 0) !== 0) return [{ ...call, end: { ...end, outcome: 'failed' } }];
  return [{ ...call, end, edits: patchChanges((text === undefined ? undefined : parsePatch(text)) ?? [], call.cwd) }];
}
