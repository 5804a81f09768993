import type { JsonObject } from '../../json.ts';
import { assemble } from '../assemble.ts';
import { defined, listOf, objectOf, plainId, textOf } from '../fields.ts';
import { looseEditId, looseId, printOf } from '../print.ts';
import type { Captured, Change } from '../session.ts';
import type { Step } from '../tale.ts';

/**
 * What Cascade tells its hooks, by its documentation: `{agent_action_name, trajectory_id, execution_id, timestamp, tool_info}`. A trajectory
 * is a conversation, an execution one turn of it; calls have no ids. No transcript tells them again: the events are told here.
 */
export function decodeHook(payload: unknown, { at }: { readonly at: number }): Captured {
  const fields = objectOf(payload) ?? {};
  const action = textOf(fields.agent_action_name) ?? 'none';
  const info = objectOf(fields.tool_info) ?? {};
  const steps = stepsOf(action, info, { turn: textOf(fields.execution_id) ?? '', at });
  const captured = assemble(
    defined({
      session: plainId(fields.trajectory_id) ?? '',
      tool: { name: 'windsurf' },
      cwd: textOf(info.cwd),
      endedAt: at,
      steps: steps ?? [],
      skipped: steps ? {} : { [`hook ${action.slice(0, 40)}`]: 1 },
    }),
  );
  return { ...captured, events: eventsOf(action, captured.events, at) };
}

/** A command's beginning is told, under the id that its run will have. */
function eventsOf(action: string, events: Captured['events'], at: number): Captured['events'] {
  if (action === 'post_run_command') return [];
  return action === 'pre_run_command' ? events.map((event) => ({ ...event, id: `${event.id}-${at}` })) : events;
}

interface About {
  readonly turn: string;
  readonly at: number;
}

function stepsOf(action: string, info: JsonObject, about: About): Step[] | undefined {
  switch (action) {
    case 'pre_user_prompt':
      return saidStep('prompt', textOf(info.user_prompt), about);
    case 'post_cascade_response':
      return saidStep('message', textOf(info.response), about);
    case 'post_write_code':
      return editStep(info, about);
    case 'pre_run_command':
    case 'post_run_command':
      return commandStep(info, { ...about, ended: action === 'post_run_command' });
    default:
      return undefined;
  }
}

function saidStep(kind: 'prompt' | 'message', text: string | undefined, { turn, at }: About): Step[] {
  return text?.trim() ? [{ kind, id: `${kind}-${printOf(turn, text)}`, at, text }] : [];
}

/** It is called after an edit that was made. */
function editStep(info: JsonObject, { at }: About): Step[] | undefined {
  const path = textOf(info.file_path);
  if (!path) return undefined;
  const [name, input] = ['write_code', { file_path: path, edits: listOf(info.edits) }];
  const change = changeOf(input.edits) ?? { kind: 'replace' as const, pairs: [] };
  const id = looseEditId(name, input, at);
  return [{ kind: 'call', id, at, name, input, end: { at, outcome: 'done' }, edits: [{ path, change }] }];
}

/** Nothing replaced by something is the text of a file: a new one, or one written over. */
function changeOf(edits: readonly unknown[]): Change | undefined {
  const pairs = edits.flatMap((value) => {
    const [old, fresh] = [textOf(objectOf(value)?.old_string), textOf(objectOf(value)?.new_string)];
    return old === undefined || fresh === undefined ? [] : [{ old, new: fresh, all: false }];
  });
  if (pairs.length === 0 || pairs.length < edits.length) return undefined;
  if (pairs.every(({ old }) => old !== '')) return { kind: 'replace', pairs };
  return pairs.length === 1 ? { kind: 'write', after: pairs[0]?.new ?? '' } : undefined;
}

function commandStep(info: JsonObject, { turn, at, ended }: About & { readonly ended: boolean }): Step[] | undefined {
  const text = textOf(info.command_line);
  if (text === undefined) return undefined;
  const [name, input] = ['run_command', { command_line: text, turn }];
  const end = ended ? { at, outcome: 'done' as const } : undefined;
  return [
    defined({
      kind: 'call' as const,
      id: looseId(name, input),
      at,
      name,
      input,
      cwd: textOf(info.cwd),
      end,
      command: { text },
    }),
  ];
}
