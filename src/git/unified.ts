import { END_OF_ANSWER, type Parser } from './patch.ts';
import { type RepoPath, typedWord, unquote } from './paths.ts';
import { type GitPlace, offline, runGit } from './run.ts';

/** A line of a unified diff as git prints it, and what it is. */
export interface DiffLine {
  readonly kind: 'meta' | 'frag' | 'context' | 'removed' | 'added';
  /** latin1, with its sign, ending stripped: one character per byte. */
  readonly text: string;
  /** Of an added line: the file it is added to, and its number there. */
  readonly file?: RepoPath;
  readonly line?: number;
}

export interface DiffQuestion {
  /** Commits, or none; with `staged`, the index is the new side. */
  readonly revisions: readonly string[];
  readonly staged: boolean;
  /** From the current folder, as a person types them. */
  readonly paths: readonly string[];
  /** Further options, each in one piece. */
  readonly options: readonly string[];
}

// Lines of the files themselves, names that can be read, and the differences that git blame sees.
const ARGS = [
  ...['diff', '-p', '--no-color', '--no-ext-diff', '--no-textconv', '--no-relative', '--src-prefix=a/'],
  ...['--dst-prefix=b/', '--submodule=short', '--word-diff=none', '--diff-algorithm=myers', '--indent-heuristic'],
];

export async function readUnified(place: GitPlace, question: DiffQuestion): Promise<DiffLine[]> {
  const { revisions, staged, paths, options } = question;
  const args = [...ARGS, ...options, ...(staged ? ['--cached'] : []), ...revisions, '--', ...paths.map(typedWord)];
  return parseUnified(await runGit(offline(place), args));
}

/** Hunks are taken by their counts, so that no content can be mistaken for structure. What is no plain hunk is `meta`. */
export function parseUnified(bytes: Buffer): DiffLine[] {
  const lines = bytes.toString('latin1').split('\n');
  if (lines.at(-1) === '') lines.pop();
  const read: DiffLine[] = [];
  let file: RepoPath | undefined;
  let hunk = { old: 0, fresh: 0, line: 0 };
  for (const text of lines) {
    if (hunk.old > 0 || hunk.fresh > 0) {
      read.push(readHunkLine(text.endsWith('\r') ? text.slice(0, -1) : text, hunk, file));
      continue;
    }
    const started = parseHunk(text);
    if (started) hunk = started;
    else if (text.startsWith('diff ')) file = undefined;
    else if (text.startsWith('+++ ')) file = parseName(text.slice('+++ '.length));
    // the end of a file without a line end is told behind the hunk too
    read.push({ kind: started ? 'frag' : text.startsWith('\\') ? 'context' : 'meta', text });
  }
  return read;
}

interface OpenHunk {
  old: number;
  fresh: number;
  /** Number of the next line of the new side. */
  line: number;
}

/** `@@ -1,2 +3,4 @@`: a count that is not told is 1. */
function parseHunk(text: string): OpenHunk | undefined {
  const [, old, line, fresh] = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text) ?? [];
  return line === undefined ? undefined : { old: Number(old ?? 1), fresh: Number(fresh ?? 1), line: Number(line) };
}

function readHunkLine(text: string, hunk: OpenHunk, file: RepoPath | undefined): DiffLine {
  switch (text[0]) {
    case '+':
      hunk.fresh--;
      return { kind: 'added', text, ...(file !== undefined && { file }), line: hunk.line++ };
    case '-':
      hunk.old--;
      return { kind: 'removed', text };
    case '\\':
      return { kind: 'context', text };
    default:
      // an empty line stands for a blank of context (diff.suppressBlankEmpty)
      hunk.old--;
      hunk.fresh--;
      hunk.line++;
      return { kind: 'context', text };
  }
}

/** `b/name`, quoted if it is odd, with a TAB behind it if it has blanks. */
function parseName(printed: string): RepoPath | undefined {
  const name = printed.endsWith('\t') ? printed.slice(0, -1) : printed;
  if (name.startsWith('"b/')) return unquote(`"${name.slice('"b/'.length)}`);
  return name.startsWith('b/') ? unquote(name.slice('b/'.length)) : undefined;
}

/** What a commit changes, as a person reads it. */
export interface CommitPatch {
  readonly id: string;
  readonly files: readonly FilePatch[];
}

export interface FilePatch {
  readonly file: RepoPath;
  readonly lines: DiffLine[];
}

/** Output of `diff-tree --stdin` with `commit ID` headers and patches. */
export function patchParser(): Parser<CommitPatch> {
  let open: { readonly id: string; readonly files: FilePatch[] } | undefined;
  return (piece) => {
    const answers: (CommitPatch | undefined)[] = [];
    for (const line of parseUnified(piece)) {
      const { kind, text } = line;
      if (kind === 'meta' && text === END_OF_ANSWER) {
        answers.push(open);
        open = undefined;
      } else if (kind === 'meta' && text.startsWith('commit ')) open = { id: text.slice('commit '.length), files: [] };
      else if (kind === 'meta' && text.startsWith('diff ')) open?.files.push({ file: nameIn(text), lines: [line] });
      else if (open?.files.length) addTo(open.files, line);
    }
    return answers;
  };
}

function addTo(files: FilePatch[], line: DiffLine): void {
  const last = files.at(-1);
  if (!last) return;
  last.lines.push(line);
  if (line.kind === 'meta' && line.text.startsWith(RENAMED))
    files[files.length - 1] = { ...last, file: unquote(line.text.slice(RENAMED.length)) };
}

const RENAMED = 'rename to ';

/** `diff --git a/NAME b/NAME`: both are the same, unless `rename to` follows. */
function nameIn(header: string): RepoPath {
  const [, plain, quoted] = /^diff --git (?:a\/(.*) b\/\1|"a\/(.*)" "b\/\2")$/s.exec(header) ?? [];
  return quoted === undefined ? unquote(plain ?? '') : unquote(`"${quoted}"`);
}
