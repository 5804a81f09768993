import type { JsonObject } from '../../json.ts';
import { defined, objectOf, textOf } from '../fields.ts';
import type { CapturedText, Change } from '../session.ts';
import type { Call, CallEnd, ToldEdit } from '../tale.ts';
import type { AskedCall } from './messages.ts';

/** When a thread was at work: between these, and nothing says when what was. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

interface About {
  readonly span: Span;
  /** The folders of the project. */
  readonly roots: readonly string[];
}

const LOOKS: Readonly<Record<string, NonNullable<Call['does']>>> = {
  read_file: 'read',
  grep: 'search',
  find_path: 'search',
  fetch: 'fetch',
  web_search: 'fetch',
};
/** They change files, and do not show how. */
const MOVERS = new Set(
  'copy_path move_path delete_path rename_symbol rename apply_code_action code_actions restore_file_from_disk save_file'.split(
    ' ',
  ),
);

export function callOf({ id, at, name, input, answer }: AskedCall & { readonly at: number }, about: About): Call {
  const root = about.roots[0];
  const shell = name === 'terminal' || MOVERS.has(name);
  return defined({
    kind: 'call' as const,
    id,
    // a command may have run at any time
    at: shell ? about.span.from : at,
    name,
    input,
    cwd: (name === 'terminal' && placeIn(textOf(input.cd), about.roots)) || root,
    end: answer && endOf(answer, shell ? about.span.to + 1 : at),
    edits: name === 'edit_file' || name === 'write_file' ? editsOf(input, answer ?? {}, about.roots) : undefined,
    command: shell ? { text: commandOf(name, input) } : undefined,
    does: LOOKS[name],
  });
}

function commandOf(name: string, input: JsonObject): string {
  if (name === 'terminal') return textOf(input.command) ?? '';
  return [name, ...Object.values(input).filter((value) => typeof value === 'string')].join(' ');
}

/** What does not say that it went well did not. But an edit that broke off leaves what it had done, and shows that. */
function endOf({ is_error: isError, content, output }: JsonObject, at: number): CallEnd {
  const partly = Boolean(textOf(objectOf(output)?.diff)) && objectOf(output)?.error !== undefined;
  return { at, outcome: isError === false || partly ? 'done' : 'failed', text: textIn(content) };
}

/** One content or several, each a text or `{Text}`. */
function textIn(content: unknown): string {
  const parts = Array.isArray(content) ? content : [content];
  return parts
    .flatMap((part) => textOf(part) ?? textOf(objectOf(part)?.Text) ?? textOf(objectOf(part)?.text) ?? [])
    .join('\n');
}

/** The whole file before and after, as it was saved and formatted. */
function editsOf(input: JsonObject, answer: JsonObject, roots: readonly string[]): ToldEdit[] | undefined {
  const output = objectOf(answer.output);
  const named = textOf(output?.input_path) ?? textOf(output?.original_path) ?? textOf(input.path);
  const path = placeIn(named, roots);
  if (path === undefined) return [];
  const [before, after] = [textOf(output?.old_text), textOf(output?.new_text)];
  if (before === undefined || after === undefined) return [{ path, change: { kind: 'replace', pairs: [] } }];
  return before === after ? undefined : [{ path, change: full(before, after) }];
}

/** A file that Zed makes was empty before. */
function full(before: string, after: string): Change {
  const had: CapturedText = before === '' ? null : before;
  return { kind: 'full', before: had, after };
}

/** Paths begin with the name of one of the project's folders; where there is only one, it may be left out. */
function placeIn(path: string | undefined, roots: readonly string[]): string | undefined {
  if (!path || /^(?:[\\/]|[A-Za-z]:[\\/]|~)/.test(path)) return path || undefined;
  const [first, ...rest] = path.split(/[\\/]/);
  const root = roots.find((folder) => folder.split(/[\\/]/).at(-1) === first);
  if (root !== undefined) return [root, ...rest].join('/');
  return roots.length === 1 ? `${roots[0]}/${path}` : undefined;
}
