import type { Replacement } from './session.ts';

/** What a patch in the language of the tool `apply_patch` does to one file. Several agents give it to OpenAI's models. */
export interface PatchedFile {
  readonly path: string;
  readonly kind: 'add' | 'delete' | 'update';
  /** `add`: the whole new text. A file that was there before is overwritten: `add` does not say that it was new. */
  readonly text?: string;
  /** `update`: where the file is afterwards. */
  readonly movedTo?: string;
  /** `update`: the old and the new block of each change, in whole lines; no old block: added at the end of the file. */
  readonly pairs?: readonly Replacement[];
}

/** Larger patches are not looked at. */
const MAX_PATCH = 16 << 20;

/**
 * The files of a patch, also of one inside a shell's heredoc; undefined where the text is none. The language has no line numbers:
 *
 *     *** Begin Patch
 *     *** Update File: src/app.ts
 *     @@ where it is
 *      a line that stays
 *     -a line that goes
 *     +a line that comes
 *     *** End Patch
 */
export function parsePatch(text: string): PatchedFile[] | undefined {
  if (text.length > MAX_PATCH || !text.includes('*** Begin Patch')) return undefined;
  const { folder, patch } = unwrap(text);
  const lines = patch.trim().split(/\r?\n/);
  if (lines[0]?.trim() !== '*** Begin Patch') return undefined;
  const end = lines.findIndex((line, i) => /^\*\*\* End Patch\s*$/.test(i === lines.length - 1 ? line.trim() : line));
  const files = parseFiles(lines.slice(1, end < 0 ? undefined : end));
  return files?.map((file) => below(folder, file));
}

/** `apply_patch <<'EOF'`, perhaps in another folder; the models also send the heredoc without the command. */
const HEREDOC =
  /^\s*(?:cd\s+(?:'([^'\n]{1,4096})'|"([^"\n]{1,4096})"|([^\s'"&|;<>]{1,4096}))\s*&&\s*)?(?:apply_?patch\s*)?<<-?\s*(["']?)(\w+)\4[ \t]*\r?\n([\s\S]*?)\r?\n[ \t]*\5\s*$/;

function unwrap(text: string): { readonly folder: string; readonly patch: string } {
  const [, single, double, bare, , , patch] = HEREDOC.exec(text) ?? [];
  return patch === undefined ? { folder: '', patch: text } : { folder: single ?? double ?? bare ?? '', patch };
}

function below(folder: string, file: PatchedFile): PatchedFile {
  if (folder === '') return file;
  const start = folder.endsWith('/') ? folder : `${folder}/`;
  const join = (path: string) => (/^(?:[\\/]|[A-Za-z]:[\\/])/.test(path) ? path : start + path);
  return {
    ...file,
    path: join(file.path),
    ...(file.movedTo !== undefined && { movedTo: join(file.movedTo) }),
  };
}

const HEADER = /^\*\*\* (Add|Delete|Update) File: *(.+)$/;

function parseFiles(lines: readonly string[]): PatchedFile[] | undefined {
  const files: PatchedFile[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at++]?.trim() ?? '';
    if (line === '' || (files.length === 0 && line.startsWith('*** Environment ID:'))) continue;
    const [, kind, path = ''] = HEADER.exec(line) ?? [];
    if (kind === undefined) return undefined;
    const end = bodyEnd(lines, at, kind);
    const file = parseFile(kind, path, lines.slice(at, end));
    if (!file) return undefined;
    files.push(file);
    at = end;
  }
  return files.length > 0 ? files : undefined;
}

/** Blanks may stand before a header, but not in an update: there a line that begins with one is a line of the file. */
function bodyEnd(lines: readonly string[], from: number, kind: string): number {
  const header = kind === 'Update' ? /^\*\*\* (?:Add|Delete|Update) File: / : /^\s*\*\*\* (?:Add|Delete|Update) File: /;
  let end = from;
  while (end < lines.length && !header.test(lines[end] ?? '')) end++;
  return end;
}

function parseFile(kind: string, path: string, body: readonly string[]): PatchedFile | undefined {
  const said = body.filter((line) => line.trim() !== '');
  switch (kind) {
    case 'Add': {
      const whole = said.every((line) => line.startsWith('+'));
      return whole ? { path, kind: 'add', text: said.map((line) => `${line.slice(1)}\n`).join('') } : undefined;
    }
    case 'Delete':
      return said.length === 0 ? { path, kind: 'delete' } : undefined;
    default:
      return parseUpdate(path, body);
  }
}

function parseUpdate(path: string, body: readonly string[]): PatchedFile | undefined {
  const movedTo = /^\*\*\* Move to: *(.+)$/.exec((body[0] ?? '').trim())?.[1];
  const all = parseChanges(movedTo === undefined ? body : body.slice(1));
  if (!all || (all.length === 0 && movedTo === undefined)) return undefined;
  // one that changes nothing says where the next is; a whole patch may change nothing too
  const changed = all.filter((pair) => pair.old !== pair.new);
  const pairs = changed.length > 0 ? changed : all;
  return { path, kind: 'update', ...(movedTo !== undefined && { movedTo }), pairs };
}

function parseChanges(lines: readonly string[]): Replacement[] | undefined {
  const pairs: Replacement[] = [];
  let change = openChange();
  for (const line of lines) {
    if (/^@@/.test(line) || /^\*\*\* End of File\s*$/.test(line)) {
      pairs.push(...closeChange(change));
      change = openChange();
    } else if (line === '') change.empty++;
    else if (!takeLine(change, line)) return undefined;
  }
  return [...pairs, ...closeChange(change)];
}

interface OpenChange {
  readonly older: string[];
  readonly newer: string[];
  /** Lines without a sign: empty lines of the file when others follow, else only what separates changes. */
  empty: number;
}

const openChange = (): OpenChange => ({ older: [], newer: [], empty: 0 });

function takeLine(change: OpenChange, line: string): boolean {
  const sign = line[0];
  if (sign !== ' ' && sign !== '-' && sign !== '+') return false;
  for (; change.empty > 0; change.empty--) {
    change.older.push('');
    change.newer.push('');
  }
  if (sign !== '+') change.older.push(line.slice(1));
  if (sign !== '-') change.newer.push(line.slice(1));
  return true;
}

function closeChange({ older, newer }: OpenChange): Replacement[] {
  const whole = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
  return older.length + newer.length === 0 ? [] : [{ old: whole(older), new: whole(newer), all: false }];
}
