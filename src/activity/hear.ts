import { callNameOf, withTool } from '../agentlog/call-name.ts';
import type { EventBase, FileOperationEvent, KnownEvent, ToolCallEvent } from '../agentlog/document.ts';
import { attributesOf } from './attributes.ts';
import type { ActivityEvent } from './event.ts';
import { ACTIVITY_PROPERTY } from './from-session.ts';
import { countOf, isoOf, numberOf, saidOf } from './said.ts';

export interface Placed {
  readonly event: ActivityEvent;
  readonly at: number;
}

/** The mark says which events it was made of: they are told by themselves when the session is exported. */
function baseOf({ event, at }: Placed, id: string, made: readonly ActivityEvent[] = [event]): EventBase {
  const model = saidOf(event, 'model');
  return {
    id,
    timestamp: isoOf(at),
    ...(model ? { model } : {}),
    properties: { [ACTIVITY_PROPERTY]: [...new Set(made.map((one) => one.event_id))] },
  };
}

/** A tool call from its start and its end; a change that the same call made is told by its `file_change`. */
export function callOf(start: Placed, end: Placed | undefined, changed: ReadonlySet<string | undefined>): KnownEvent[] {
  const said = end?.event ?? start.event;
  const call = saidOf(said, 'tool_call_id');
  const type = saidOf(said, 'agentlog_type');
  const path = saidOf(said, 'file_preview');
  const command = saidOf(said, 'command_preview');
  const name = saidOf(said, 'tool_name') ?? saidOf(start.event, 'tool_name') ?? 'unknown';
  const duration = countOf(said, 'duration_ms') ?? (end && end.at > start.at ? end.at - start.at : undefined);
  const base = {
    ...baseOf(start, call ?? start.event.event_id, end ? [start.event, end.event] : [start.event]),
    ...(duration === undefined ? {} : { durationMs: duration }),
  };
  // streams of older versions have the operation for the tool's name
  const operation = saidOf(said, 'operation') ?? name;
  if (type === 'fileOperation' && operation !== 'read' && changed.has(call)) return [];
  if (type === 'fileOperation' && operation === 'read' && path)
    return [called({ ...base, type: 'fileOperation', operation: 'read', path }, name)];
  if (type === 'terminalCommand' && command !== undefined) {
    const exitCode = countOf(said, 'exit_code');
    return [
      called({ ...base, type: 'terminalCommand', command, ...(exitCode === undefined ? {} : { exitCode }) }, name),
    ];
  }
  const input = attributesOf({ command_preview: command, file_preview: path });
  return [{ ...base, type: 'toolCall', name, input, status: end ? callStatus(said) : 'cancelled' }];
}

/** With the agent's own name of the tool; the one that we give to a call of its type is nobody's. */
function called(event: KnownEvent, tool: string | undefined): KnownEvent {
  return tool === undefined || tool === callNameOf(event) ? event : withTool(event, tool);
}

function callStatus(event: ActivityEvent): ToolCallEvent['status'] {
  const status = saidOf(event, 'status')?.toLowerCase() ?? '';
  if (/^(?:fail|error)/.test(status)) return 'error';
  return /^(?:cancel|abort|denied|blocked|refused)/.test(status) ? 'cancelled' : 'success';
}

/** What the model said is not in the event: a message without words, with what it cost. */
export function modelOf(one: Placed): KnownEvent[] {
  const { event } = one;
  const [inputTokens, outputTokens] = [countOf(event, 'input_tokens'), countOf(event, 'output_tokens')];
  const tokens = attributesOf({
    cacheReadTokens: countOf(event, 'cache_read_tokens'),
    cacheWriteTokens: countOf(event, 'cache_write_tokens'),
  });
  const cost = numberOf(event, 'cost_usd');
  return [
    {
      ...baseOf(one, event.event_id),
      type: 'message',
      role: 'assistant',
      content: '',
      ...(inputTokens === undefined && outputTokens === undefined
        ? {}
        : { tokenUsage: { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0, ...tokens } }),
      ...(cost === undefined ? {} : { estimatedCostUsd: cost }),
    },
  ];
}

export function decisionOf(one: Placed): KnownEvent[] {
  const { event } = one;
  const blocked = event.event_type === 'hook.blocked';
  const tool = saidOf(event, 'tool_name');
  const approver = (['user', 'policy', 'system'] as const).find((each) => each === saidOf(event, 'approver'));
  const decision = (['approved', 'denied', 'modified'] as const).find((each) => each === saidOf(event, 'decision'));
  // a request that nobody is known to have granted was not granted
  return [
    {
      ...baseOf(one, saidOf(event, 'agentlog_id') ?? event.event_id),
      type: 'approval',
      action: saidOf(event, 'action_preview') ?? saidOf(event, 'command_preview') ?? tool ?? 'unknown',
      approver: blocked ? 'policy' : (approver ?? 'system'),
      decision: blocked ? 'denied' : (decision ?? 'denied'),
      ...(tool ? { toolName: tool } : {}),
    },
  ];
}

const OPERATIONS: Readonly<Record<string, FileOperationEvent['operation']>> = {
  create: 'create',
  created: 'create',
  add: 'create',
  added: 'create',
  delete: 'delete',
  deleted: 'delete',
  remove: 'delete',
  removed: 'delete',
};

export function changeOf(one: Placed): KnownEvent[] {
  const { event } = one;
  const path = saidOf(event, 'path') ?? saidOf(event, 'file_preview');
  if (path === undefined) return [];
  const said = saidOf(event, 'operation')?.toLowerCase() ?? '';
  const parent = saidOf(event, 'tool_call_id');
  const own = saidOf(event, 'agentlog_id');
  const id = own ?? event.event_id;
  // in others' streams the call is told beside its change: the change is not one more
  const tool = own === undefined ? undefined : saidOf(event, 'tool_name');
  const change: FileOperationEvent = {
    ...baseOf(one, id),
    ...(parent && parent !== id ? { parentId: parent } : {}),
    type: 'fileOperation',
    operation: (Object.hasOwn(OPERATIONS, said) && OPERATIONS[said]) || 'edit',
    path,
    ...attributesOf({
      durationMs: countOf(event, 'duration_ms'),
      linesAdded: countOf(event, 'lines_added'),
      linesRemoved: countOf(event, 'lines_removed'),
      beforeHash: saidOf(event, 'before_hash'),
      afterHash: saidOf(event, 'after_hash'),
    }),
  };
  return [called(change, tool)];
}

export function snapshotOf(one: Placed): KnownEvent[] {
  const { event } = one;
  const reference = saidOf(event, 'revision');
  return [
    {
      ...baseOf(one, saidOf(event, 'agentlog_id') ?? event.event_id),
      type: 'checkpoint',
      checkpointType: saidOf(event, 'snapshot') === 'git_commit' ? 'git_commit' : 'snapshot',
      ...(reference ? { reference } : {}),
      restorable: false,
    },
  ];
}
