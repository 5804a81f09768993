import { withTool } from '../agentlog/call-name.ts';
import type { AgentLogEvent, EventBase, KnownEvent, ToolCallEvent } from '../agentlog/document.ts';
import { openCall } from '../agentlog/open-call.ts';
import { cut, defined, isoOf, shortInput, textOf } from './fields.ts';
import { editEvent, projectPath } from './file-events.ts';
import { printOf } from './print.ts';
import { isServerTool, serverCommand } from './server-tool.ts';
import type { Captured, Change, Command, Edit } from './session.ts';
import type { Call, Said, Step, Tale } from './tale.ts';

/** Outputs and inputs are kept to this many characters. */
const MAX_TEXT = 32 * 1024;
/** So much is more than anybody says. */
const MAX_SAID = 256 * 1024;

/** What a tale comes to: its conversation, its edits, its commands. */
export function assemble({ steps, ...rest }: Tale): Captured {
  const calls = steps.filter((step): step is Call => step.kind === 'call');
  const times = steps.flatMap((step) => (step.kind === 'call' && step.end ? [step.at, step.end.at] : [step.at]));
  const [startedAt, endedAt] = [rest.startedAt ?? min(times), rest.endedAt ?? max(times)];
  return defined({
    ...rest,
    startedAt,
    endedAt,
    model: rest.model ?? onlyModel(steps),
    events: inOrder(steps.flatMap(eventsOf)),
    edits: calls.flatMap(editsOf),
    commands: calls.flatMap((call) => commandOf(call) ?? untoldOf(call) ?? []),
    models: new Map(calls.flatMap((call) => (call.model ? [[call.id, call.model] as const] : []))),
  });
}

function min(times: readonly number[]): number | undefined {
  return times.length > 0 ? times.reduce((a, b) => Math.min(a, b)) : undefined;
}

function max(times: readonly number[]): number | undefined {
  return times.length > 0 ? times.reduce((a, b) => Math.max(a, b)) : undefined;
}

function onlyModel(steps: readonly Step[]): string | undefined {
  const models = new Set(steps.flatMap(({ model }) => model ?? []));
  return models.size === 1 ? [...models][0] : undefined;
}

function inOrder(events: readonly AgentLogEvent[]): AgentLogEvent[] {
  return [...events].sort((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0));
}

function editsOf(call: Call): Edit[] {
  if (call.end?.outcome !== 'done') return [];
  const { end } = call;
  return (call.edits ?? []).map(({ path, change, userModified }) =>
    defined({
      event: call.id,
      at: end.at,
      path,
      change,
      model: call.model,
      lossy: isLossy(change) || undefined,
      userModified: userModified || undefined,
      print: printOf(call.name, call.input),
    }),
  );
}

/** Bytes that were no text when the agent read them. */
function isLossy(change: Change): boolean {
  return change.kind === 'full' && `${change.before ?? ''}${change.after ?? ''}`.includes('\uFFFD');
}

function commandOf({ id, at, cwd, model, name, input, command, server, end }: Call): Command | undefined {
  const text = command?.text ?? server ?? (isServerTool(name) ? serverCommand(name, input) : undefined);
  if (text === undefined) return undefined;
  const background = command?.background === true;
  const refused = end?.outcome === 'invalid' || end?.outcome === 'refused';
  return defined({
    event: id,
    command: text,
    cwd,
    startedAt: at,
    // the call returned, the command may go on
    endedAt: background ? undefined : end?.at,
    background,
    model,
    refused: refused || undefined,
    exitCode: end?.exitCode,
  });
}

/** A call that changed something and does not say what: a command without words. */
function untoldOf({ id, edits, end }: Call): Command | undefined {
  if (edits === undefined || edits.length > 0 || end?.outcome !== 'done') return undefined;
  return { event: id, command: '', startedAt: end.at, endedAt: end.at, background: false };
}

function eventsOf(step: Step): AgentLogEvent[] {
  return step.kind === 'call' ? callEvents(step).map((event) => withTool(event, step.name)) : [saidEvent(step)];
}

function saidEvent({ kind, id, at, text: all, model }: Said): KnownEvent {
  const base: EventBase = defined({ id, timestamp: isoOf(at), model });
  const text = cut(all, MAX_SAID);
  // the format wants both; one text serves for what was meant and why
  if (kind === 'thought') return { ...base, type: 'reasoning', intent: firstLine(text), rationale: text };
  return { ...base, type: 'message', role: kind === 'prompt' ? 'user' : 'assistant', content: text };
}

function firstLine(text: string): string {
  return text.trimStart().split('\n', 1)[0]?.slice(0, 200) ?? '';
}

function baseOf({ id, at, end, model, tokens }: Call): EventBase {
  const durationMs = end && end.at >= at ? end.at - at : undefined;
  return defined({ id, timestamp: isoOf(at), durationMs, model, tokenUsage: tokens });
}

/** The first event of a call carries its id; those beside it are `ID/1` and so on. */
function callEvents(call: Call): AgentLogEvent[] {
  const base = baseOf(call);
  if (call.command && call.end?.outcome !== 'refused' && call.end?.outcome !== 'invalid')
    return [shellEvent(call, base)];
  if (!call.end) return [openCall(toolEvent(call, base))];
  const edits = call.end.outcome === 'done' ? (call.edits ?? []) : [];
  if (edits.length > 0)
    return edits.map((edit, i) => editEvent(edit, i === 0 ? base : { ...base, id: `${call.id}/${i}` }, call.cwd));
  if (call.end.outcome === 'refused') return [toolEvent(call, base), deniedEvent(call, base)];
  return [(call.end.outcome === 'done' && plainEvent(call, base)) || toolEvent(call, base)];
}

function shellEvent({ command, cwd, end }: Call, base: EventBase): KnownEvent {
  const text = command?.text ?? '';
  return defined({
    ...base,
    type: 'terminalCommand' as const,
    command: cut(text, MAX_TEXT),
    cwd,
    stdout: end?.text === undefined ? undefined : cut(end.text, MAX_TEXT),
    exitCode: end?.exitCode,
    truncated: Math.max(text.length, end?.text?.length ?? 0) > MAX_TEXT || undefined,
    properties: command?.background ? { 'git-agent-blame:background': true } : undefined,
  });
}

/** Tools that all agents have, by what they do. */
function plainEvent({ does, name, input, cwd }: Call, base: EventBase): KnownEvent | undefined {
  const path = textOf(input.file_path) ?? textOf(input.filePath) ?? textOf(input.filepath) ?? textOf(input.path);
  const query = textOf(input.pattern) ?? textOf(input.query) ?? textOf(input.url) ?? '';
  switch (does) {
    case 'read':
      return path ? { ...base, type: 'fileOperation', operation: 'read', path: projectPath(path, cwd) } : undefined;
    case 'search':
      return { ...base, type: 'search', tool: name, query: cut(query, MAX_TEXT) };
    case 'fetch':
      return { ...base, type: 'contextLoad', source: 'web', query: cut(query, MAX_TEXT) };
    default:
      return undefined;
  }
}

function toolEvent(call: Call, base: EventBase): ToolCallEvent {
  const outcome = call.end?.outcome;
  return defined({
    ...base,
    type: 'toolCall' as const,
    name: call.name,
    input: shortInput(call.input, MAX_TEXT),
    output: call.end?.text === undefined ? undefined : cut(call.end.text, MAX_TEXT),
    status:
      outcome === 'done' ? ('success' as const) : outcome === 'refused' ? ('cancelled' as const) : ('error' as const),
  });
}

function deniedEvent(call: Call, base: EventBase): KnownEvent {
  const action = call.command?.text ?? textOf(call.input.file_path) ?? textOf(call.input.path) ?? call.name;
  return {
    ...base,
    id: `${call.id}/1`,
    parentId: call.id,
    type: 'approval',
    action: cut(action, MAX_TEXT),
    approver: 'user',
    decision: 'denied',
    toolName: call.name,
  };
}
