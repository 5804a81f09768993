import type { JsonObject } from '../../json.ts';
import { countOf, defined, listOf, objectOf, textOf } from '../fields.ts';
import { parseJsonFile } from '../json-lines.ts';
import { patchEdits } from '../patch-edits.ts';
import type { Change, Replacement } from '../session.ts';
import type { Call, CallEnd, ToldEdit } from '../tale.ts';
import type { Ask } from './asks.ts';

/** What became of a call, in words, and what the person was shown of it. */
export interface Result {
  readonly at: number;
  readonly text: string;
  readonly ask?: Ask | undefined;
}

const UNTOLD: Change = { kind: 'replace', pairs: [] };
const EDITORS = new Set(
  'write_to_file apply_diff insert_content search_and_replace search_replace edit_file edit apply_patch'.split(' '),
);
const LOOKS: Readonly<Record<string, NonNullable<Call['does']>>> = {
  read_file: 'read',
  search_files: 'search',
  codebase_search: 'search',
};

/** The file that a call edits. */
export function editedPath(name: string, input: JsonObject): string | undefined {
  return EDITORS.has(name) ? (textOf(input.path) ?? textOf(input.file_path)) : undefined;
}

export function callOf(call: Pick<Call, 'id' | 'at' | 'name' | 'input' | 'cwd'>, result?: Result): Call {
  const { name, input } = call;
  const command = name === 'execute_command' ? textOf(input.command) : undefined;
  const background = /^Command is still running/.test(result?.text ?? '');
  return defined({
    kind: 'call' as const,
    ...call,
    cwd: (command === undefined ? undefined : textOf(input.cwd)) ?? call.cwd,
    end: result && endOf(name, result),
    edits: EDITORS.has(name) ? editsOf(name, input, result) : undefined,
    command: command === undefined ? undefined : { text: command, background },
    does: LOOKS[name],
  });
}

/** Roo's words for a file that was saved; before that the words of Cline, whose descendant it is. */
const SAVED =
  /"operation":"(?:created|modified)"|<operation>(?:created|modified)<\/operation>|^Successfully deleted |\bsuccessfully (?:saved to|applied)\b/m;
const REFUSED =
  /^(?:\{"status":"denied"|The user denied this operation|Changes were rejected by the user|Delete operation was rejected)/;

function endOf(name: string, { at, text }: Result): CallEnd {
  if (REFUSED.test(text)) return { at, outcome: 'refused', text };
  if (EDITORS.has(name)) return { at, outcome: SAVED.test(text) ? 'done' : 'failed', text };
  if (name !== 'execute_command')
    return { at, outcome: text.startsWith('{"status":"error"') ? 'failed' : 'done', text };
  const code = /^(?:.*\n)?.*\bExit code: (\d{1,9})$/m.exec(text.slice(0, 2000))?.[1];
  return defined({ at, outcome: 'done' as const, text, exitCode: code === undefined ? undefined : Number(code) });
}

function editsOf(name: string, input: JsonObject, result: Result | undefined): ToldEdit[] {
  const told = result?.text ?? '';
  if (name === 'apply_patch') return patched(textOf(input.patch) ?? textOf(input.input), told);
  const path = editedPath(name, input);
  if (!path) return severalFiles(input);
  const created = /"operation":"created"|<operation>created</.test(told);
  // a person changed the proposal before it was saved
  const userModified = /"user_edits":|<user_edits>|The user made the following updates/.test(told) || undefined;
  // some blocks fitted, and which is not told
  const partly = told.startsWith('But unable to apply all diff parts');
  const change = partly ? undefined : (changeOf(input, created) ?? undefined);
  const shown = partly || created ? undefined : result?.ask?.hunks;
  return [
    defined({ path, change: shown ? { kind: 'hunks' as const, hunks: shown } : (change ?? UNTOLD), userModified }),
  ];
}

/** Only what became of the first file is told. */
function patched(patch: string | undefined, told: string): ToldEdit[] {
  const first = textOf(objectOf(parseJsonFile(told))?.path);
  const edits = patchEdits(patch);
  return edits.map((edit, i) =>
    i === 0 && (edits.length === 1 || edit.path === first) ? edit : { ...edit, change: UNTOLD },
  );
}

/** One call for several files, in tags of its own. */
function severalFiles({ args }: JsonObject): ToldEdit[] {
  return [...(textOf(args) ?? '').matchAll(/<path>\s*([^<\n]+?)\s*<\/path>/g)].map(([, path = '']) => ({
    path,
    change: UNTOLD,
  }));
}

function changeOf(input: JsonObject, created: boolean): Change | undefined {
  const [content, diff, line] = [textOf(input.content), textOf(input.diff), countOf(Number(input.line ?? NaN))];
  if (diff !== undefined) return replaced(pairsOf(diff));
  if (content !== undefined && input.line !== undefined) return line ? inserted(line, content) : undefined;
  if (content !== undefined) return written(content, created);
  const [old, fresh] = [
    textOf(input.old_string) ?? textOf(input.search),
    textOf(input.new_string) ?? textOf(input.replace),
  ];
  if (old === '' && fresh !== undefined) return created ? { kind: 'full', before: null, after: fresh } : undefined;
  if (old !== undefined && fresh !== undefined && !isPattern(input)) {
    const all = input.replace_all === true || (countOf(input.expected_replacements) ?? 1) > 1;
    return replaced([{ old, new: fresh, all }]);
  }
  return replaced(listOf(input.operations).flatMap((value) => pairOf(objectOf(value) ?? {})));
}

function isPattern({ use_regex: pattern, search }: JsonObject): boolean {
  return search !== undefined && (pattern === true || pattern === 'true');
}

function pairOf({ search, replace }: JsonObject): Replacement[] {
  const [old, fresh] = [textOf(search), textOf(replace)];
  return old && fresh !== undefined ? [{ old, new: fresh, all: false }] : [];
}

function replaced(pairs: readonly Replacement[]): Change | undefined {
  return pairs.length > 0 ? { kind: 'replace', pairs } : undefined;
}

/** Roo takes fences off, and turns codes of HTML into signs for some models: then what was written is not this. */
function written(content: string, created: boolean): Change | undefined {
  if (/^```|```$|&(?:lt|gt|amp|quot|apos|#\d+);/.test(content)) return undefined;
  return created ? { kind: 'full', before: null, after: content } : { kind: 'write', after: content };
}

const BLOCK =
  /^<{5,9} ?SEARCH>?\r?\n(?::start_line:.*\r?\n)?(?::end_line:.*\r?\n)?(?:-{5,}\r?\n)?([\s\S]*?)^={5,9}\r?\n([\s\S]*?)^>{5,9} ?REPLACE[ \t]*$/gm;

/** Larger ones are not taken apart: then nobody tells what was changed. */
const MAX_DIFF = 1 << 20;

function pairsOf(diff: string): Replacement[] {
  if (diff.length > MAX_DIFF) return [];
  return [...diff.matchAll(BLOCK)].map(([, old = '', text = '']) => ({ old, new: text, all: false }));
}

/** Whole lines in front of that line. */
function inserted(line: number, content: string): Change {
  const lines = content.replace(/\n$/, '').split(/\r?\n/);
  const place = { oldStart: line - 1, oldLines: 0, newStart: line, newLines: lines.length };
  return { kind: 'hunks', hunks: [{ ...place, lines: lines.map((one) => `+${one}`) }] };
}
