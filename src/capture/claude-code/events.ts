import { withTool } from '../../agentlog/call-name.ts';
import type { AgentLogEvent, EventBase, KnownEvent, PlanStep, ToolCallEvent } from '../../agentlog/document.ts';
import { openCall } from '../../agentlog/open-call.ts';
import { countOf, cut, defined, isoOf, listOf, objectOf, shortInput, textOf } from '../fields.ts';
import { editEvent, projectPath } from '../file-events.ts';
import { exitCodeOf, isBackground, isDelegation, isShellTool, type Outcome, type ToolCall } from './calls.ts';
import { editOf } from './edits.ts';

/** Outputs and inputs are kept to this many characters. */
const MAX_TEXT = 32 * 1024;

/** What every event of a call shares. Only the first event of a call carries its id; those beside it are `ID/1` and so on. */
export function eventBase(call: ToolCall): EventBase {
  const { result } = call;
  return defined({
    id: call.id,
    timestamp: isoOf(call.at),
    durationMs: result && result.at >= call.at ? result.at - call.at : undefined,
    model: call.model,
    properties: Object.keys(call.properties).length > 0 ? call.properties : undefined,
  });
}

/** The events that a tool call becomes: the first one is the call itself. */
export function callEvents(call: ToolCall): AgentLogEvent[] {
  // still at work, or cut off: what became of it is told by its result, or by nobody
  if (!call.result && !isShellTool(call.name) && !isDelegation(call.name)) return [openCall(toolCallEvent(call))];
  const outcome = call.result?.outcome;
  if (outcome === 'user' || outcome === 'policy' || outcome === 'system')
    return [toolCallEvent(call), approvalEvent(call, outcome)];
  if (outcome === 'invalid') return [toolCallEvent(call)];
  return [withTool(shellEvent(call) ?? doneEvent(call) ?? toolCallEvent(call), call.name)];
}

function shellEvent(call: ToolCall): KnownEvent | undefined {
  const command = textOf(call.input.command);
  if (!isShellTool(call.name) || command === undefined) return undefined;
  const { result } = call;
  const failed = result?.outcome === 'failed';
  const stdout = textOf(result?.data.stdout) ?? (failed ? undefined : result?.text);
  const stderr = textOf(result?.data.stderr) ?? (failed ? result?.text : undefined);
  const base = eventBase(call);
  return defined({
    ...base,
    type: 'terminalCommand' as const,
    command: cut(command, MAX_TEXT),
    cwd: call.cwd,
    stdout: stdout && cut(stdout, MAX_TEXT),
    stderr: stderr && cut(stderr, MAX_TEXT),
    exitCode: exitCodeOf(call),
    truncated: Math.max(command.length, stdout?.length ?? 0, stderr?.length ?? 0) > MAX_TEXT || undefined,
    properties: isBackground(call) ? { ...base.properties, 'claude-code:background': true } : base.properties,
  });
}

/** Events of calls that did what they were to do; a failed one is a plain tool call. */
function doneEvent(call: ToolCall): KnownEvent | undefined {
  if (isDelegation(call.name)) return handoffEvent(call);
  if (call.result?.outcome !== 'done') return undefined;
  const edit = editOf(call);
  if (edit) return editEvent(edit, eventBase(call), call.cwd);
  switch (call.name) {
    case 'Read':
      return readEvent(call);
    case 'Grep':
    case 'Glob':
    case 'WebSearch':
      return searchEvent(call);
    case 'WebFetch':
      return defined({
        ...eventBase(call),
        type: 'contextLoad' as const,
        source: 'web' as const,
        query: textOf(call.input.url),
      });
    case 'TodoWrite':
    case 'ExitPlanMode':
      return planEvent(call);
    default:
      return undefined;
  }
}

function toolCallEvent(call: ToolCall): ToolCallEvent {
  const { result } = call;
  const output = result && cut(result.text, MAX_TEXT);
  return defined({
    ...eventBase(call),
    type: 'toolCall' as const,
    name: call.name,
    input: shortInput(call.input, MAX_TEXT),
    output,
    status: statusOf(result?.outcome),
  });
}

function statusOf(outcome: Outcome | undefined): 'success' | 'error' | 'cancelled' {
  if (outcome === 'done') return 'success';
  return outcome === 'failed' || outcome === 'invalid' ? 'error' : 'cancelled';
}

function approvalEvent(call: ToolCall, approver: 'user' | 'policy' | 'system'): KnownEvent {
  const { input, result } = call;
  const action = textOf(input.command) ?? textOf(input.file_path) ?? textOf(input.notebook_path) ?? call.name;
  return {
    ...eventBase(call),
    id: `${call.id}/1`,
    parentId: call.id,
    timestamp: isoOf(result?.at ?? call.at),
    type: 'approval',
    action: cut(action, MAX_TEXT),
    approver,
    decision: 'denied',
    toolName: call.name,
  };
}

function readEvent(call: ToolCall): KnownEvent | undefined {
  const path = textOf(call.input.file_path);
  return path
    ? { ...eventBase(call), type: 'fileOperation', operation: 'read', path: projectPath(path, call.cwd) }
    : undefined;
}

function searchEvent(call: ToolCall): KnownEvent {
  const data = call.result?.data ?? {};
  const found = listOf(data.filenames).filter((name): name is string => typeof name === 'string');
  return defined({
    ...eventBase(call),
    type: 'search' as const,
    tool: call.name,
    query: cut(textOf(call.input.pattern) ?? textOf(call.input.query) ?? '', MAX_TEXT),
    resultCount: countOf(data.numFiles) ?? countOf(data.numMatches),
    topResults: found.length > 0 ? found.slice(0, 20) : undefined,
  });
}

function handoffEvent(call: ToolCall): KnownEvent {
  const { input, result } = call;
  const agentId = textOf(result?.data.agentId);
  const waiting = !result || result.data.isAsync === true || result.data.status === 'async_launched';
  const base = eventBase(call);
  return defined({
    ...base,
    type: 'handoff' as const,
    fromAgent: 'claude-code',
    toAgent: textOf(input.subagent_type) ?? 'general-purpose',
    reason: textOf(input.description),
    contextTransferred: input.prompt === undefined ? undefined : cut(textOf(input.prompt) ?? '', MAX_TEXT),
    result: result && !waiting ? cut(result.text, MAX_TEXT) : undefined,
    status:
      result?.outcome === 'failed' ? ('failed' as const) : waiting ? ('initiated' as const) : ('completed' as const),
    properties: agentId ? { ...base.properties, 'claude-code:agentId': agentId } : base.properties,
  });
}

const STEP_STATUS: ReadonlyMap<unknown, PlanStep['status']> = new Map([
  ['completed', 'completed'],
  ['in_progress', 'in_progress'],
]);

function planEvent(call: ToolCall): KnownEvent {
  const steps = listOf(call.input.todos).map((todo, i): PlanStep => {
    const { content, status } = objectOf(todo) ?? {};
    return {
      id: String(i + 1),
      description: cut(textOf(content) ?? '', MAX_TEXT),
      status: STEP_STATUS.get(status) ?? 'pending',
    };
  });
  const plan = textOf(call.input.plan);
  const done = steps.length > 0 && steps.every((step) => step.status === 'completed');
  const title = plan === undefined ? 'Tasks' : cut(plan, MAX_TEXT);
  return {
    ...eventBase(call),
    type: 'plan',
    title,
    ...(steps.length > 0 ? { steps } : {}),
    status: done ? 'completed' : 'active',
  };
}
