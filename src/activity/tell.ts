import { calledToolOf, callNameOf } from '../agentlog/call-name.ts';
import type { AgentLogDocument, KnownEvent } from '../agentlog/document.ts';
import { isOpen } from '../agentlog/open-call.ts';
import type { JsonObject } from '../json.ts';
import { timeOf } from '../shape.ts';
import { attributesOf, preview, statusOf } from './attributes.ts';
import type { EventType } from './event.ts';

/** An event before it has its envelope. */
export interface Told {
  /** Of the event in the session, and what of it is told: ids follow from it. */
  readonly id: string;
  readonly type: EventType;
  readonly at: string;
  readonly status?: string;
  readonly attributes: JsonObject;
}

/** How the events of one session are told: each in none, one or several events of the nine types. */
export function teller({ agent, events }: AgentLogDocument): (event: KnownEvent) => Told[] {
  const ids = new Set(events.map((event) => event.id));
  // a file that a call changed is told by its change; the second one of a call has the call's id and a number
  const isPart = ({ type, id, parentId }: KnownEvent) =>
    type === 'fileOperation' &&
    ((parentId != null && ids.has(parentId)) || (/.\/\d+$/.test(id) && ids.has(id.slice(0, id.lastIndexOf('/')))));
  return (event) => [
    ...tellModel(event, agent.model),
    ...(isPart(event) ? [] : tellCall(event)),
    ...tellChange(event),
    ...tellDecision(event),
  ];
}

function tellModel(event: KnownEvent, usual: string | null | undefined): Told[] {
  const { id, timestamp: at, tokenUsage: tokens } = event;
  // a message of anybody else is no call of a model, whatever its count of tokens
  if (event.type === 'message' ? event.role !== 'assistant' : !tokens) return [];
  const attributes = attributesOf({
    agentlog_id: id,
    model: event.model ?? usual,
    input_tokens: tokens?.inputTokens,
    output_tokens: tokens?.outputTokens,
    cache_read_tokens: tokens?.cacheReadTokens,
    cache_write_tokens: tokens?.cacheWriteTokens,
    cost_usd: event.estimatedCostUsd,
  });
  return [{ id: `${id}/model`, type: 'model.completed', at, attributes }];
}

function tellCall(event: KnownEvent): Told[] {
  const tool = calledToolOf(event) ?? callNameOf(event);
  if (tool === undefined) return [];
  const { id, timestamp: at, durationMs } = event;
  const operation = event.type === 'fileOperation' ? event.operation : undefined;
  const call = attributesOf({ tool_call_id: id, tool_name: tool, agentlog_type: event.type, operation });
  const started: Told = { id: `${id}/started`, type: 'tool.started', at, attributes: call };
  if (isOpen(event)) return [started];
  const end = later(at, durationMs ?? 0);
  const attributes = attributesOf({
    ...call,
    status: statusOf(event),
    duration_ms: durationMs,
    command_preview: event.type === 'terminalCommand' ? preview(event.command) : undefined,
    file_preview: event.type === 'fileOperation' ? event.path : undefined,
    exit_code: event.type === 'terminalCommand' ? event.exitCode : undefined,
    cost_usd: event.estimatedCostUsd,
  });
  return [started, { id: `${id}/finished`, type: 'tool.finished', at: end, attributes }];
}

function tellChange(event: KnownEvent): Told[] {
  const { id, timestamp: at } = event;
  if (event.type === 'checkpoint' && event.reference) {
    const attributes = attributesOf({ agentlog_id: id, revision: event.reference, snapshot: event.checkpointType });
    return [{ id: `${id}/snapshot`, type: 'agent_run_audit.source_snapshot', at, attributes }];
  }
  if (event.type !== 'fileOperation' || event.operation === 'read') return [];
  const attributes = attributesOf({
    agentlog_id: id,
    tool_call_id: event.parentId ?? id,
    tool_name: calledToolOf(event),
    operation: event.operation,
    path: event.path,
    lines_added: event.linesAdded,
    lines_removed: event.linesRemoved,
    before_hash: event.beforeHash,
    after_hash: event.afterHash,
    duration_ms: event.durationMs,
    model: event.model,
  });
  return [{ id: `${id}/change`, type: 'agent_run_audit.file_change', at, attributes }];
}

/** What a policy denied was blocked; everything else was asked for. */
function tellDecision(event: KnownEvent): Told[] {
  if (event.type !== 'approval') return [];
  const { id, timestamp: at, action, approver, decision, toolName, parentId } = event;
  const blocked = approver === 'policy' && decision === 'denied';
  const attributes = attributesOf({
    agentlog_id: id,
    tool_call_id: parentId,
    tool_name: toolName,
    action_preview: preview(action),
    approver,
    decision,
  });
  return [{ id: `${id}/decision`, type: blocked ? 'hook.blocked' : 'approval.requested', at, attributes }];
}

/** A moment later, where both are such that there is one. */
function later(at: string, milliseconds: number): string {
  const time = timeOf(at);
  const end = (time ?? Number.NaN) + milliseconds;
  return Math.abs(end) < 8.64e15 ? new Date(end).toISOString() : at;
}
