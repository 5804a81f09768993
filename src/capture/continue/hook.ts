import { assemble } from '../assemble.ts';
import { defined, objectOf, plainId, textOf } from '../fields.ts';
import { looseEditId, looseId } from '../print.ts';
import type { Captured } from '../session.ts';
import type { Call } from '../tale.ts';
import { callOf, kindOf, type Result } from './tools.ts';

const ENDS: Readonly<Record<string, Result['status']>> = { PostToolUse: 'done', PostToolUseFailure: 'errored' };

/**
 * Hooks that another agent has in its settings, in case that Continue runs them: it speaks Claude Code's language. Of the conversation
 * nothing is told, which the document has.
 */
export function decodeHook(payload: unknown, fact: { readonly at: number }): Captured {
  const fields = objectOf(payload) ?? {};
  const event = textOf(fields.hook_event_name) ?? 'none';
  const [name, input] = [textOf(fields.tool_name), objectOf(fields.tool_input)];
  const status = Object.hasOwn(ENDS, event) ? ENDS[event] : undefined;
  const about = status !== undefined || event === 'PreToolUse';
  const text = textOf(fields.tool_response) ?? textOf(fields.error) ?? '';
  const steps: Call[] = [];
  if (about && name && input) {
    const loose = kindOf(name) === 'shell' ? looseId(name, input) : looseEditId(name, input, fact.at);
    const call = { id: plainId(fields.tool_use_id) ?? loose, at: fact.at, name, input, cwd: textOf(fields.cwd) };
    steps.push(callOf(defined(call), status && { at: fact.at, status, text }));
  }
  const captured = assemble(
    defined({
      session: plainId(fields.session_id) ?? '',
      tool: { name: 'continue' },
      cwd: textOf(fields.cwd),
      transcript: textOf(fields.transcript_path),
      endedAt: fact.at,
      steps,
      skipped: (about && steps.length === 0) || event === 'none' ? { [`hook ${event}`]: 1 } : {},
    }),
  );
  return { ...captured, events: [] };
}
