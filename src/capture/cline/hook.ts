import type { JsonObject } from '../../json.ts';
import { assemble } from '../assemble.ts';
import { defined, listOf, objectOf, plainId, textOf, timeOf } from '../fields.ts';
import type { Captured } from '../session.ts';
import type { Step } from '../tale.ts';
import { callOf, isForeign, type Result } from './tools.ts';

/** Names in payloads, not those of the files: these are what Cline's own code calls them. */
const IGNORED = new Set(
  'agent_start agent_resume agent_end agent_abort agent_error prompt_submit session_shutdown'.split(' '),
);

/** What one call of one of our hooks tells; `at` is when the hook was called. */
export function decodeHook(payload: unknown, fact: { readonly at: number }): Captured {
  const fields = objectOf(payload) ?? {};
  const event = textOf(fields.hookName) ?? 'none';
  const steps = stepsOf(fields, event, fact.at) ?? (IGNORED.has(event) ? [] : undefined);
  return assemble(
    defined({
      // `taskId` is another name of the conversation, which no file has
      session: plainId(objectOf(fields.sessionContext)?.rootSessionId) ?? plainId(fields.taskId) ?? '',
      tool: { name: 'cline' },
      cwd: folderOf(fields),
      endedAt: fact.at,
      steps: steps ?? [],
      skipped: steps ? {} : { [`hook ${event.slice(0, 40)}`]: 1 },
    }),
  );
}

function folderOf(fields: JsonObject): string | undefined {
  return textOf(listOf(fields.workspaceRoots)[0]);
}

function stepsOf(fields: JsonObject, event: string, at: number): Step[] | undefined {
  const told = objectOf(
    event === 'tool_call' ? fields.tool_call : event === 'tool_result' ? fields.tool_result : undefined,
  );
  const [id, name, input] = [plainId(told?.id), textOf(told?.name), objectOf(told?.input)];
  if (!told || id === undefined || !name || !input) return undefined;
  const call = defined({ id, name, input, cwd: folderOf(fields) });
  if (event === 'tool_call') return [callOf({ ...call, at })];
  const [began, ended] = [notAfter(timeOf(told.startedAt), at), notAfter(timeOf(told.endedAt), at)];
  const error = textOf(told.error) !== undefined;
  // a command's end is when the snapshot was taken
  const result: Result = { at: name === 'run_commands' || isForeign(name) ? at : ended, output: told.output, error };
  return [callOf({ ...call, at: Math.min(began, result.at) }, result)];
}

function notAfter(time: number | undefined, at: number): number {
  return time !== undefined && time <= at && at - time < 24 * 3600_000 ? time : at;
}
