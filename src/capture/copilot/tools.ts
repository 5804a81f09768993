import type { JsonObject } from '../../json.ts';
import { parsePatch } from '../apply-patch.ts';
import { countOf, listOf, objectOf, textOf } from '../fields.ts';
import type { Replacement } from '../session.ts';
import type { Call, ToldEdit } from '../tale.ts';
import { type ShownDiff, shownDiffs } from './diff.ts';

/** A call of a tool that is done. */
export interface Asked {
  readonly name: string;
  readonly input: JsonObject;
  readonly cwd?: string;
  /** The diff that the transcript shows of it. */
  readonly shown?: string;
}

/**
 * What an edit tool has done; undefined: it is none. The tools that replace a string want it to stand there once, so that the strings
 * themselves are told: they are found again where a person has changed lines around them, which the diff's hunks are not.
 */
export function editsOf(asked: Asked): ToldEdit[] | undefined {
  const { name, input } = asked;
  switch (name) {
    case 'create':
      return created(asked, input.path, input.file_text);
    case 'create_file':
      return created(asked, input.filePath, input.content);
    case 'edit':
    case 'str_replace':
      return replaced(asked, [{ path: input.path, old: input.old_str, new: input.new_str }]);
    case 'replace_string_in_file':
      return replaced(asked, [{ path: input.filePath, old: input.oldString, new: input.newString }]);
    case 'multi_replace_string_in_file':
      return replaced(asked, listOf(input.replacements).map(pairOf));
    case 'str_replace_editor':
      return byEditor(asked);
    case 'apply_patch':
      return patched(asked);
    // a sketch of the code, and cells: nobody tells what became of the file
    case 'insert_edit_into_file':
    case 'edit_notebook_file':
      return [];
    default:
      return undefined;
  }
}

/** Both makers of files refuse to write over one that is there (measured in the CLI, read in VS Code's source). */
function created(asked: Asked, path: unknown, text: unknown): ToldEdit[] {
  const [at, after] = [placeOf(asked, path), textOf(text)];
  return at === undefined || after === undefined ? [] : [{ path: at, change: { kind: 'full', before: null, after } }];
}

interface Pair {
  readonly path: unknown;
  readonly old: unknown;
  readonly new: unknown;
}

function pairOf(value: unknown): Pair {
  const { filePath, oldString, newString } = objectOf(value) ?? {};
  return { path: filePath, old: oldString, new: newString };
}

/** One edit per file; a pair that cannot be read makes the whole of it untold. */
function replaced(asked: Asked, pairs: readonly Pair[]): ToldEdit[] {
  const files = new Map<string, Replacement[]>();
  for (const pair of pairs) {
    const [path, old, fresh] = [placeOf(asked, pair.path), textOf(pair.old), textOf(pair.new)];
    if (path === undefined || old === undefined || fresh === undefined) return [];
    const list = files.get(path) ?? [];
    list.push({ old, new: fresh, all: false });
    files.set(path, list);
  }
  return [...files].map(([path, all]) => ({ path, change: { kind: 'replace', pairs: all } }));
}

function byEditor(asked: Asked): ToldEdit[] | undefined {
  const { input } = asked;
  switch (input.command) {
    case 'view':
      return undefined;
    case 'create':
      return written(asked);
    case 'str_replace':
      return replaced(asked, [{ path: input.path, old: input.old_str, new: input.new_str ?? '' }]);
    case 'insert':
      return inserted(asked);
    default:
      return [];
  }
}

/** Whether this one, too, refuses to write over a file is not known. */
function written(asked: Asked): ToldEdit[] {
  const [path, after] = [placeOf(asked, asked.input.path), textOf(asked.input.file_text)];
  if (path === undefined || after === undefined) return [];
  const isNew = shownDiffs(asked.shown).some((diff) => diff.newPath === path && diff.oldPath === undefined);
  return [{ path, change: isNew ? { kind: 'full', before: null, after } : { kind: 'write', after } }];
}

/** Whole lines behind the line of that number. */
function inserted(asked: Asked): ToldEdit[] {
  const { input } = asked;
  const [path, line, text] = [placeOf(asked, input.path), countOf(input.insert_line), textOf(input.new_str)];
  if (path === undefined || line === undefined || text === undefined) return [];
  const lines = text.replace(/\n$/, '').split('\n');
  const place = { oldStart: line, oldLines: 0, newStart: line + 1, newLines: lines.length };
  return [{ path, change: { kind: 'hunks', hunks: [{ ...place, lines: lines.map((one) => `+${one}`) }] } }];
}

/** A patch has no line numbers, and may change the first of several places that look alike: the diff knows which. */
function patched(asked: Asked): ToldEdit[] {
  const text = textOf(asked.input.input) ?? textOf(asked.input.patch);
  const files = text === undefined ? undefined : parsePatch(text);
  const shown = shownDiffs(asked.shown);
  return (files ?? []).flatMap((file): ToldEdit[] => {
    const path = placeOf(asked, file.path) ?? file.path;
    const diff = shown.find(({ oldPath, newPath }) => (oldPath ?? newPath) === path);
    if (file.kind === 'add') return [{ path, change: { kind: 'full', before: null, after: file.text ?? '' } }];
    if (file.kind === 'delete') return [removal(path, diff)];
    const told = diff?.hunks ? { kind: 'hunks' as const, hunks: diff.hunks } : undefined;
    const change = told ?? { kind: 'replace' as const, pairs: file.pairs ?? [] };
    if (file.movedTo === undefined) return [{ path, change }];
    // lines that only moved are found again by the join
    return [{ path: placeOf(asked, file.movedTo) ?? file.movedTo, change }, removal(path, undefined)];
  });
}

function removal(path: string, diff: ShownDiff | undefined): ToldEdit {
  const before = diff?.removed;
  return { path, change: before === undefined ? { kind: 'write', after: '' } : { kind: 'full', before, after: null } };
}

/** Absolute where the folder is known; on Windows VS Code writes `/c:/...` in places. */
export function placeOf({ cwd }: Pick<Asked, 'cwd'>, value: unknown): string | undefined {
  const path = textOf(value)?.replace(/^\/([A-Za-z]:[\\/])/, '$1');
  if (!path) return undefined;
  return cwd === undefined || /^(?:[\\/]|[A-Za-z]:[\\/])/.test(path)
    ? path
    : `${cwd.replace(/(?<![\\/])[\\/]+$/, '')}/${path}`;
}

const SHELLS = new Set([
  'bash',
  'powershell',
  'shell',
  'local_shell',
  'run_in_terminal',
  'run_task',
  'create_and_run_task',
]);

/** A shell's command, as it was asked for. */
export function commandOf(name: string, input: JsonObject): Call['command'] {
  if (!SHELLS.has(name)) return undefined;
  const text = textOf(input.command) ?? textOf(objectOf(input.task)?.command) ?? textOf(input.id) ?? name;
  return { text, background: input.mode === 'async' || input.isBackground === true || input.detach === true };
}

/** What a shell says last: `<exited with exit code 0>`, later `<shellId: 1 completed with exit code 0>`. */
export function exitCodeIn(text: string | undefined): number | undefined {
  const code = /\bexit(?:ed with)? code:? (\d{1,10})\D{0,3}$/.exec((text ?? '').slice(-200))?.[1];
  return code === undefined ? undefined : Number(code);
}

const DOES: ReadonlyMap<string, Call['does']> = new Map([
  ...['view', 'read_file'].map((name) => [name, 'read'] as const),
  ...['grep', 'glob', 'rg', 'grep_search', 'file_search', 'semantic_search'].map((name) => [name, 'search'] as const),
  ...['web_fetch', 'web_search', 'fetch_webpage'].map((name) => [name, 'fetch'] as const),
]);

export function doesOf(name: string): Call['does'] {
  return DOES.get(name);
}
