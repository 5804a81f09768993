import { listOf, objectOf, plainId, textOf } from '../capture/fields.ts';
import { isObject, type JsonObject } from '../json.ts';
import { parseDiffs, type StatedDiff, type StatedText } from './diff.ts';

/** A tool call as far as messages have told: each adds to it, or says better. */
export interface AcpCall extends StatedDiff {
  readonly id: string;
  readonly at: number;
  readonly name?: string;
  readonly title?: string;
  readonly kind?: string;
  readonly status?: string;
  readonly paths: readonly string[];
  readonly input: JsonObject;
  readonly output?: unknown;
  /** When the client gave it leave: before that it has done nothing. */
  readonly allowed?: number;
  /** Its first sight was already its end: after a load that is history. */
  readonly born: boolean;
}

/** A call with what a `tool_call`, a `tool_call_update` or a request for permission adds to it. */
export function withUpdate(had: AcpCall | undefined, update: JsonObject, at: number): AcpCall | undefined {
  const id = plainId(update.toolCallId);
  if (id === undefined) return undefined;
  const status = textOf(update.status);
  const before: AcpCall = had ?? {
    id,
    at,
    stated: [],
    changed: [],
    moves: false,
    paths: [],
    input: {},
    born: status === 'completed' || status === 'failed',
  };
  const contents = diffIn(before, update);
  const paths = listOf(update.locations).flatMap((one) => textOf(objectOf(one)?.path) ?? []);
  const input = objectOf(update.rawInput);
  return {
    ...before,
    ...present('name', textOf(update.name)),
    ...present('title', textOf(update.title)),
    ...present('kind', textOf(update.kind)),
    ...present('status', status),
    ...contents,
    ...(paths.length > 0 && { paths }),
    ...(input && Object.keys(input).length > 0 && { input }),
    ...(update.rawOutput !== undefined && update.rawOutput !== null && { output: update.rawOutput }),
  };
}

function present<K extends string>(key: K, value: string | undefined): { [P in K]?: string } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: string };
}

/** A list that is sent replaces the one before, a piece is added to it; an empty first report is filled later. */
function diffIn(before: StatedDiff, update: JsonObject): StatedDiff | undefined {
  const piece = update.sessionUpdate === 'tool_call_content_chunk';
  const now = parseDiffs(piece ? [update.content] : listOf(update.content));
  if (now.stated.length === 0 && now.changed.length === 0 && !now.moves) return undefined;
  if (!piece) return now;
  return {
    stated: [...before.stated, ...now.stated],
    changed: [...before.changed, ...now.changed],
    moves: before.moves || now.moves,
  };
}

const EDITS = new Set(['edit', 'delete', 'move']);

export function isEdit({ kind, stated, changed, name, id }: AcpCall): boolean {
  if (kind !== undefined && kind !== 'other') return EDITS.has(kind);
  return stated.length > 0 || changed.length > 0 || /write|edit|replace|patch/i.test(name ?? id);
}

export function isExecution({ kind, input }: AcpCall): boolean {
  return kind === 'execute' || (kind === undefined && commandIn(input) !== undefined);
}

/** The command as the agent gave it: a text, or words. Some agents only show it as the title. */
export function commandOf({ input, title }: AcpCall): string {
  return commandIn(input) ?? title?.replace(/^`|`$/g, '') ?? '';
}

function commandIn(input: JsonObject): string | undefined {
  const { command } = input;
  if (typeof command === 'string') return command;
  if (!Array.isArray(command)) return undefined;
  const words = command.filter((word) => typeof word === 'string');
  // a shell that is given the command as one text
  return (/^-\w*c$/.test(words[1] ?? '') ? words.slice(2) : words).join(' ');
}

/** Every file that the call is said to touch. */
export function filesOf({ stated, changed, paths, input, kind }: AcpCall): string[] {
  const named = [input.file_path, input.filePath, input.path, input.abs_path].flatMap((value) => textOf(value) ?? []);
  const changes = isObject(input.changes) ? Object.keys(input.changes) : [];
  const told = [
    ...stated.map(({ path }) => path),
    ...changed,
    ...changes,
    ...(kind === 'read' ? [] : [...paths, ...named]),
  ];
  // a bare name is told in replayed history only
  return [...new Set(told)].filter((path) => /^(?:\/|[A-Za-z]:[\\/])/.test(path));
}

/** The files that an edit is said to touch. */
export function editedFiles(call: AcpCall): string[] {
  return isEdit(call) ? filesOf(call) : [];
}

/** What a message adds to a call: files that it is now known to edit, and whether it is now known to run a command. */
export function newsOf(had: AcpCall | undefined, call: AcpCall): { readonly paths: string[]; readonly runs: boolean } {
  const known = new Set(had && editedFiles(had));
  const runs = isExecution(call) && !(had && isExecution(had));
  return { paths: editedFiles(call).filter((path) => !known.has(path)), runs };
}

/** What the call says it gave a file, in whatever way it says it. */
export function textsFor(call: AcpCall, path: string): StatedText[] {
  const { input } = call;
  const whole = textOf(input.content) ?? textOf(input.file_text);
  const [older, newer] = [
    textOf(input.old_string) ?? textOf(input.oldString),
    textOf(input.new_string) ?? textOf(input.newString),
  ];
  return [
    ...call.stated.filter((one) => one.path === path),
    ...(whole === undefined ? [] : [{ path, new: whole, whole: true }]),
    ...(newer === undefined ? [] : [{ path, new: newer, ...(older !== undefined && { old: older }) }]),
  ];
}
