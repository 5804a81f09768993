import type { JsonObject } from '../../json.ts';
import { defined, listOf, objectOf, textOf } from '../fields.ts';
import { undo } from '../hunks.ts';
import type { Change } from '../session.ts';
import type { Call, CallEnd, ToldEdit } from '../tale.ts';
import { parseUnified } from '../unified.ts';
import { pathOf } from './locate.ts';

export interface Result {
  readonly at: number;
  readonly status: 'done' | 'errored' | 'canceled';
  readonly text: string;
}

type Kind = 'write' | 'replace' | 'untold' | 'shell' | NonNullable<Call['does']>;

/** Tools of the CLI, and those of the editor's extension, which some versions call `builtin_NAME`. */
const KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['Write', 'write'],
  ['Edit', 'replace'],
  ['MultiEdit', 'replace'],
  ['Bash', 'shell'],
  ['Read', 'read'],
  ['Search', 'search'],
  ['Fetch', 'fetch'],
  ['create_new_file', 'write'],
  ['single_find_and_replace', 'replace'],
  ['multi_edit', 'replace'],
  ['edit_existing_file', 'untold'],
  ['run_terminal_command', 'shell'],
  ['read_file', 'read'],
  ['grep_search', 'search'],
  ['fetch_url_content', 'fetch'],
]);

export function kindOf(name: string): Kind | undefined {
  return KINDS.get(name.replace(/^builtin_/, ''));
}

/** A call as it is told, with what its tool did to files. */
export function callOf(call: Pick<Call, 'id' | 'at' | 'name' | 'input' | 'cwd' | 'model'>, result?: Result): Call {
  const { name, input } = call;
  const kind = kindOf(name);
  const isEdit = kind === 'write' || kind === 'replace' || kind === 'untold';
  const command = kind === 'shell' ? textOf(input.command) : undefined;
  return defined({
    kind: 'call' as const,
    ...call,
    end: result && endOf(command !== undefined, result),
    edits: isEdit ? editsOf(kind, input, result?.text ?? '') : undefined,
    command: command === undefined ? undefined : { text: command },
    does: kind === 'read' || kind === 'search' || kind === 'fetch' ? kind : undefined,
  });
}

/** A command that failed and was silent is `done` like any other: only a code that is told is known. */
function endOf(isCommand: boolean, { at, status, text }: Result): CallEnd {
  const code = isCommand ? /\bError \(exit code (\d{1,9})\)/.exec(text)?.[1] : undefined;
  if (status === 'canceled') return { at, outcome: 'refused', text };
  const outcome = status === 'done' || code !== undefined ? 'done' : 'failed';
  return defined({ at, outcome, text, exitCode: code === undefined ? undefined : Number(code) });
}

function editsOf(kind: 'write' | 'replace' | 'untold', input: JsonObject, told: string): ToldEdit[] {
  const path = pathOf(input.filepath) ?? pathOf(input.file_path);
  const change = kind === 'write' ? writeOf(input, told) : kind === 'replace' ? replaceOf(input, told) : undefined;
  return path && change ? [{ path, change }] : [];
}

/** What was written over is in the diff that the tool answers with. */
function writeOf(input: JsonObject, told: string): Change | undefined {
  const after = textOf(input.content) ?? textOf(input.contents);
  if (after === undefined) return undefined;
  if (/^Successfully created file\b/.test(told)) return { kind: 'full', before: null, after };
  const hunks = parseUnified(told);
  const before = hunks && undo(after, { hunks, shown: (line) => line });
  return before === undefined ? { kind: 'write', after } : { kind: 'full', before, after };
}

function replaceOf(input: JsonObject, told: string): Change | undefined {
  const hunks = parseUnified(told);
  if (hunks) return { kind: 'hunks', hunks };
  const edits = input.edits === undefined ? [input] : listOf(input.edits);
  const pairs = edits.flatMap((value) => {
    const edit = objectOf(value);
    const [old, text] = [textOf(edit?.old_string), textOf(edit?.new_string)];
    return old === undefined || text === undefined ? [] : [{ old, new: text, all: edit?.replace_all === true }];
  });
  return pairs.length > 0 && pairs.length === edits.length ? { kind: 'replace', pairs } : undefined;
}
