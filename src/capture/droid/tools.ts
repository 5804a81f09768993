import { type JsonObject, parseJson } from '../../json.ts';
import { countOf, defined, listOf, objectOf, textOf } from '../fields.ts';
import { patchEdits } from '../patch-edits.ts';
import { isServerTool, serverCommand } from '../server-tool.ts';
import type { Change, Hunk, Replacement } from '../session.ts';
import type { Call, CallEnd, ToldEdit } from '../tale.ts';

export const EDIT_TOOLS: ReadonlySet<string> = new Set(['Create', 'Edit', 'MultiEdit', 'Write', 'ApplyPatch']);

export interface Result {
  readonly at: number;
  /** Undefined: older versions do not say. */
  readonly error: boolean | undefined;
  readonly text: string;
}

/** A call as it is told, with what its tool did to files. */
export function callOf(call: Pick<Call, 'id' | 'at' | 'name' | 'input' | 'cwd' | 'model'>, result?: Result): Call {
  const { name, input } = call;
  const command = name === 'Execute' ? textOf(input.command) : undefined;
  return defined({
    kind: 'call' as const,
    ...call,
    end: result && endOf(name, result),
    edits: EDIT_TOOLS.has(name) ? editsOf(name, input, answerOf(result?.text ?? '')) : undefined,
    command: command === undefined ? undefined : { text: command, background: input.fireAndForget === true },
    server: isForeign(name) ? serverCommand(`mcp__${name}`, input) : undefined,
    does: LOOKS[name],
  });
}

/** `SERVER___TOOL`: of an MCP server; its own lists call it `mcp_SERVER_TOOL`. */
export function isForeign(name: string): boolean {
  return name.includes('___') || isServerTool(name);
}

const LOOKS: Readonly<Record<string, NonNullable<Call['does']>>> = {
  Read: 'read',
  Grep: 'search',
  Glob: 'search',
  WebSearch: 'fetch',
  FetchUrl: 'fetch',
};

function endOf(name: string, { at, error, text }: Result): CallEnd {
  const failed = error ?? /^Error\b/.test(text);
  if (name === 'Execute') return commandEnd({ at, error: failed, text });
  // an edit that succeeded says so
  const done = EDIT_TOOLS.has(name) ? !failed && (answerOf(text).success ?? error === false) === true : !failed;
  return { at, outcome: done ? 'done' : 'failed', text };
}

function commandEnd({ at, error, text }: Result): CallEnd {
  const code =
    /\[Process exited with code (\d{1,9})\]\s*$/.exec(text)?.[1] ??
    /^Error: Command failed \(exit code: (\d{1,9})\)/.exec(text)?.[1];
  return defined({
    at,
    outcome: error && code === undefined ? ('failed' as const) : ('done' as const),
    text,
    exitCode: code === undefined ? undefined : Number(code),
  });
}

const MAX_ANSWER = 64 << 20;

/** Edits answer with an object in words. */
function answerOf(text: string): JsonObject {
  const parsed = text.startsWith('{') ? parseJson(text, MAX_ANSWER) : undefined;
  return (parsed && 'value' in parsed ? objectOf(parsed.value) : undefined) ?? {};
}

function editsOf(name: string, input: JsonObject, answer: JsonObject): ToldEdit[] {
  if (name === 'ApplyPatch') return patchEdits(textOf(input.input) ?? textOf(input.patch));
  const path = textOf(input.file_path) ?? textOf(answer.file_path);
  const change = changeOf(name, input, answer);
  return path && change ? [{ path, change }] : [];
}

function changeOf(name: string, input: JsonObject, answer: JsonObject): Change | undefined {
  if (name === 'Create' || name === 'Write') {
    const after = textOf(input.content);
    return after === undefined ? undefined : { kind: 'write', after };
  }
  const hunks = hunksOf(answer.diffLines);
  if (hunks) return { kind: 'hunks', hunks };
  const several = input.changes ?? input.edits;
  const edits = several === undefined ? [input] : listOf(several);
  const pairs = edits.flatMap((edit) => pairOf(objectOf(edit) ?? {}) ?? []);
  return pairs.length > 0 && pairs.length === edits.length ? { kind: 'replace', pairs } : undefined;
}

function pairOf(edit: JsonObject): Replacement | undefined {
  const old = textOf(edit.old_str) ?? textOf(edit.old_string);
  const text = textOf(edit.new_str) ?? textOf(edit.new_string);
  if (old === undefined || text === undefined) return undefined;
  return { old, new: text, all: edit.change_all === true || edit.replace_all === true };
}

interface OpenHunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: string[];
  older: number;
  newer: number;
}

const SIGNS: Readonly<Record<string, string>> = { unchanged: ' ', context: ' ', added: '+', removed: '-' };

/** Lines with their numbers, three around each change; where the numbers leap, another hunk begins. */
function hunksOf(value: unknown): Hunk[] | undefined {
  const hunks: OpenHunk[] = [];
  let [older, newer] = [1, 1]; // the numbers that the next line would have
  for (const item of listOf(value)) {
    const line = objectOf(item) ?? {};
    const [sign, text] = [SIGNS[textOf(line.type) ?? ''], textOf(line.content)];
    const number = objectOf(line.lineNumber) ?? {};
    const at = sign === '+' ? countOf(number.new) : countOf(number.old);
    if (sign === undefined || text === undefined || at === undefined || at === 0) return undefined;
    const leap = at - (sign === '+' ? newer : older);
    if (leap < 0) return undefined;
    [older, newer] = [older + leap, newer + leap];
    if (leap > 0 || hunks.length === 0) hunks.push({ oldStart: older, newStart: newer, lines: [], older: 0, newer: 0 });
    const hunk = hunks.at(-1);
    if (!hunk) return undefined;
    hunk.lines.push(sign + text);
    if (sign !== '+') [older, hunk.older] = [older + 1, hunk.older + 1];
    if (sign !== '-') [newer, hunk.newer] = [newer + 1, hunk.newer + 1];
  }
  const changed = hunks.filter(({ lines }) => lines.some((line) => !line.startsWith(' ')));
  return changed.length > 0 ? changed.map(closed) : undefined;
}

/** An empty side is counted from the line before it. */
function closed({ oldStart, newStart, lines, older, newer }: OpenHunk): Hunk {
  return {
    oldStart: older === 0 ? oldStart - 1 : oldStart,
    oldLines: older,
    newStart: newer === 0 ? newStart - 1 : newStart,
    newLines: newer,
    lines,
  };
}
