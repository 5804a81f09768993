import { TOOL_PROPERTY } from '../agentlog/call-name.ts';
import { isOpen } from '../agentlog/open-call.ts';
import { isObject, type JsonObject } from '../json.ts';
import { printCanonical } from './as-json.ts';
import { pick, textOf } from './patch.ts';
import { AGENTLOG_FIELD } from './shared-fields.ts';

/** An AgentLog event that is the call of a tool: which fields are the call's input, and which came of it. */
interface ToolForm {
  /** The tool's name where nobody says what its agent calls it, or the field that has it. */
  readonly name: { readonly field: string } | { readonly always: string };
  readonly input: readonly string[];
  readonly output: readonly string[];
}

export const TOOL_FORMS: Readonly<Record<string, ToolForm>> = {
  fileOperation: {
    name: { field: 'operation' },
    input: ['path', 'diff', 'diffFormat'],
    output: ['beforeHash', 'afterHash', 'linesAdded', 'linesRemoved', 'truncated'],
  },
  terminalCommand: {
    name: { always: 'terminal' },
    input: ['command', 'cwd', 'shell'],
    output: ['stdout', 'stderr', 'exitCode', 'truncated'],
  },
  search: { name: { field: 'tool' }, input: ['query'], output: ['resultCount', 'topResults'] },
};

/** The call, its result within it; undefined where the event has no tool's name. */
export function toolEntry(event: JsonObject, type: string, shared: JsonObject): JsonObject | undefined {
  const form = Object.hasOwn(TOOL_FORMS, type) ? TOOL_FORMS[type] : undefined;
  const name = nameIn(event, form);
  if (name === undefined) return undefined;
  const callId = typeof shared.id === 'string' ? { 'call-id': shared.id } : {};
  const result = form ? formResult(event, form) : isOpen(event) ? undefined : callResult(event);
  return {
    type: 'tool-call',
    name,
    input: form ? pick(event, form.input) : (event.input ?? null),
    ...callId,
    ...shared,
    ...(result && { children: [{ type: 'tool-result', ...callId, ...result }] }),
    ...(form && { [AGENTLOG_FIELD]: { type } }),
  };
}

function nameIn(event: JsonObject, form: ToolForm | undefined): string | undefined {
  if (!form) return textOf(event.name);
  const plain = 'always' in form.name ? form.name.always : textOf(event[form.name.field]);
  // what it then does not say of the event, the entry's difference says
  const called = isObject(event.properties) ? textOf(event.properties[TOOL_PROPERTY]) : undefined;
  return plain === undefined || event.type === 'search' ? plain : (called ?? plain);
}

function formResult(event: JsonObject, form: ToolForm): JsonObject | undefined {
  const output = pick(event, form.output);
  if (Object.keys(output).length === 0) return undefined;
  const failed = typeof output.exitCode === 'number' && output.exitCode !== 0;
  return {
    output,
    ...(typeof output.exitCode === 'number' && { status: failed ? 'error' : 'success', 'is-error': failed }),
  };
}

function callResult({ output, status }: JsonObject): JsonObject {
  return { output: output ?? null, ...(typeof status === 'string' && { status, 'is-error': status === 'error' }) };
}

/** The event of a call; `hint` is the AgentLog type that our own entries name. */
export function toolEvent(entry: JsonObject, hint: string | undefined, shared: JsonObject): JsonObject {
  const form = hint !== undefined && Object.hasOwn(TOOL_FORMS, hint) ? TOOL_FORMS[hint] : undefined;
  const result = resultIn(entry);
  const name = textOf(entry.name) ?? 'unknown';
  if (!form) {
    const input = isObject(entry.input) ? entry.input : { input: entry.input ?? null };
    // AgentLog has no word for a call of which nobody knows how it ended
    return { type: 'toolCall', name, input, ...(result ? resultOf(result) : { status: 'cancelled' }), ...shared };
  }
  const named = 'field' in form.name ? { [form.name.field]: name } : {};
  return { type: hint, ...named, ...pick(entry.input, form.input), ...pick(result?.output, form.output), ...shared };
}

/** The result that an entry carries as its first child. */
export function resultIn(entry: JsonObject): JsonObject | undefined {
  const first: unknown = Array.isArray(entry.children) ? entry.children[0] : undefined;
  if (!isObject(first) || first.type !== 'tool-result') return undefined;
  return first['call-id'] === undefined || first['call-id'] === entry['call-id'] ? first : undefined;
}

const FAILED = ['error', 'failed', 'failure'];

export function resultOf(result: JsonObject): JsonObject {
  const { output, status } = result;
  const failed = result['is-error'] === true || (typeof status === 'string' && FAILED.includes(status));
  return {
    output: typeof output === 'string' || output === null ? output : printCanonical(output),
    status: failed ? 'error' : status === 'cancelled' ? 'cancelled' : 'success',
  };
}
