import path from 'node:path';
import type { JsonObject } from '../json.ts';
import { countOf, defined, listOf, objectOf, plainId, textOf } from './fields.ts';
import { isServerTool } from './server-tool.ts';
import type { Change } from './session.ts';
import type { Call, CallEnd, ToldEdit } from './tale.ts';

/** What Gemini CLI and Qwen Code, which grew out of it, write alike: parts of messages, tools, what tools show of their work. */

/** How a call ended, in the words the model was told and as the user was shown it. */
export interface Ran {
  readonly end: CallEnd;
  readonly display: unknown;
}

const SHELL = 'run_shell_command';
const EDITS = new Set(['write_file', 'replace', 'edit', 'notebook_edit']);
const LOOKS: Readonly<Record<string, NonNullable<Call['does']>>> = {
  read_file: 'read',
  glob: 'search',
  grep_search: 'search',
  search_file_content: 'search',
  google_web_search: 'fetch',
  web_fetch: 'fetch',
  web_search: 'fetch',
};

export const isShell = (name: string) => name === SHELL;
/** What may write any file: hooks tell of its beginning and of its end. */
export const isRun = (name: string) => isShell(name) || isServerTool(name);

type Begun = Pick<Call, 'id' | 'at' | 'name' | 'input' | 'cwd' | 'model'>;

/** A call as it is told, with what its tool did to files. */
export function callOf(call: Begun, ran?: Ran): Call {
  const { name, input } = call;
  const text = isShell(name) ? textOf(input.command) : undefined;
  return defined({
    kind: 'call' as const,
    ...call,
    cwd: isShell(name) ? folderOf(call) : call.cwd,
    end: ran && endOf(name, ran),
    edits: EDITS.has(name) ? editsOf(call, ran) : undefined,
    command: text === undefined ? undefined : { text, background: isBackground(input, ran) },
    does: Object.hasOwn(LOOKS, name) ? LOOKS[name] : undefined,
  });
}

/** Where the command ran: Gemini names a folder below its own, Qwen an absolute one. */
function folderOf({ input, cwd }: Begun): string | undefined {
  const folder = textOf(input.dir_path) ?? textOf(input.directory);
  if (!folder) return cwd;
  if (path.isAbsolute(folder)) return folder;
  return cwd === undefined ? undefined : path.join(cwd, folder);
}

function endOf(name: string, { end }: Ran): CallEnd {
  const exitCode = isShell(name) ? (end.exitCode ?? exitCodeIn(end.text ?? '')) : undefined;
  return defined({ ...end, exitCode });
}

/** It was asked to, or the user sent it there while it ran. */
export function isBackground(input: JsonObject, ran: Ran | undefined): boolean {
  return (
    input.is_background === true || /^(?:Command moved to background|Background shell started)/m.test(wordsOf(ran))
  );
}

function wordsOf(ran: Ran | undefined): string {
  return (ran?.end.text ?? '').slice(0, 200);
}

/** Its last lines are the tool's own, above them is what the command printed. Gemini leaves a 0 out. */
export function exitCodeIn(text: string): number | undefined {
  const tail = text.split('\n').slice(-6);
  const told = tail.findLast((line) => line.startsWith('Exit Code: '))?.slice('Exit Code: '.length);
  if (told !== undefined) return /^\d{1,9}$/.test(told) ? Number(told) : undefined;
  const ended = tail.some((line) => line.startsWith('Process Group PGID: '));
  return ended && !tail.some((line) => line.startsWith('Signal: ')) ? 0 : undefined;
}

function editsOf({ input }: Begun, ran: Ran | undefined): ToldEdit[] {
  const display = objectOf(ran?.display) ?? {};
  const file = textOf(input.file_path) ?? textOf(input.notebook_path) ?? textOf(display.filePath);
  const change = ran && changeOf(input, display, ran.end.text ?? '');
  if (!file || !change) return [];
  return [defined({ path: file, change, userModified: isUserModified(input, display) || undefined })];
}

/** A person changed the proposal before it was written. */
function isUserModified(input: JsonObject, { diffStat }: JsonObject): boolean {
  const stat = objectOf(diffStat) ?? {};
  const lines = (countOf(stat.user_added_lines) ?? 0) + (countOf(stat.user_removed_lines) ?? 0);
  return input.modified_by_user === true || lines > 0;
}

/** Best both texts; Qwen cuts large ones in its transcripts, and says so. Line ends are always shown as `\n`. */
function changeOf(input: JsonObject, display: JsonObject, said: string): Change | undefined {
  const after = afterOf(input, display);
  const before = beforeOf(display, said);
  if (after !== undefined && before !== undefined) return { kind: 'full', before, after };
  const pair = pairOf(input);
  if (pair) return { kind: 'replace', pairs: fits(pair, display) ? [pair] : [] };
  if (after !== undefined) return { kind: 'write', after };
  return display.newContent === undefined ? undefined : { kind: 'replace', pairs: [] };
}

function beforeOf(display: JsonObject, said: string): string | null | undefined {
  const created = display.isNewFile === true || display.originalContent === null;
  if (created || /^(?:Successfully created and wrote to|Created) new file\b/.test(said)) return null;
  return display.originalContentTruncated === true ? undefined : textOf(display.originalContent);
}

function afterOf(input: JsonObject, display: JsonObject): string | undefined {
  const shown = textOf(display.newContent);
  if (shown !== undefined && display.newContentTruncated !== true) return shown;
  // a new file made by an edit of nothing
  const given = textOf(input.content) ?? (input.old_string === '' ? textOf(input.new_string) : undefined);
  const length = countOf(display.newContentLength);
  return length === undefined || length === given?.length ? given : undefined;
}

function pairOf(input: JsonObject): { old: string; new: string; all: boolean } | undefined {
  const [old, text] = [textOf(input.old_string), textOf(input.new_string)];
  if (!old || text === undefined) return undefined;
  const all =
    input.allow_multiple === true || input.replace_all === true || (countOf(input.expected_replacements) ?? 1) > 1;
  return { old, new: text, all };
}

/** Where the lengths of the texts are told, they say whether the pair is what was done. */
function fits(pair: { old: string; new: string; all: boolean }, display: JsonObject): boolean {
  const [before, after] = [countOf(display.originalContentLength), countOf(display.newContentLength)];
  if (before === undefined || after === undefined) return true;
  const [grown, each] = [after - before, pair.new.length - pair.old.length];
  return pair.all ? (each === 0 ? grown === 0 : grown % each === 0) : grown === each;
}

/** Parts of a message: a text, one part, or a list of both. */
export function partsOf(content: unknown): JsonObject[] {
  const list = Array.isArray(content) ? listOf(content) : [content];
  return list.flatMap((part): JsonObject[] => {
    const fields = typeof part === 'string' ? { text: part } : objectOf(part);
    return fields ? [fields] : [];
  });
}

export function isThought(part: JsonObject): boolean {
  return part.thought === true;
}

/** Texts that stand where a prompt would, and that no person typed. */
const NOT_TYPED = [
  '<session_context>',
  '<state_snapshot>',
  '<hook_context>',
  '<task-notification>',
  '<system-reminder>',
  'System: Please continue.',
];

/** The prompt as it was typed: without the files that it names, which follow it; undefined where nobody typed. */
export function typedText(parts: readonly JsonObject[]): string | undefined {
  const texts = parts.flatMap((part) => (isThought(part) ? [] : (textOf(part.text) ?? [])));
  const files = texts.findIndex((text) => /^\s*--- Content from referenced files ---/.test(text));
  const typed = texts
    .slice(0, files < 0 ? texts.length : files)
    .filter((text) => !NOT_TYPED.some((mark) => text.trimStart().startsWith(mark)))
    .join('');
  return typed.trim() === '' ? undefined : typed;
}

/** Ids that count calls, as some models' do, are the same in every session: those are told apart by the session's own. */
export function callId(id: unknown, session: string | undefined): string | undefined {
  const plain = plainId(id);
  if (plain === undefined || /(?=[a-z0-9]*\d[a-z])[a-z0-9]{8}|\d{10}/i.test(plain)) return plain;
  return plainId(`${session ?? ''}:${plain}`);
}
