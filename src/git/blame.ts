import { Fault } from '../fault.ts';
import { type GitWord, pathWord, type RepoPath, unquote } from './paths.ts';

/** One line of the file as `git blame` sees it. Lines of one commit share their strings. */
export interface BlamedLine extends BlamedCommit {
  readonly line: number;
  readonly originalLine: number;
  /** latin1, ending stripped: one character per byte. */
  readonly text: string;
}

/** What lines of one commit and one file have in common. */
export interface BlamedCommit {
  readonly commit: string;
  /** Name of the file in that commit. */
  readonly originalFile: RepoPath;
  readonly author: string;
  readonly authorMail: string;
  /** Seconds since 1970. */
  readonly authorTime: number;
  readonly authorZone: string;
  readonly summary: string;
  /** The history was cut here: the line is this old or older. */
  readonly boundary: boolean;
  readonly previous?: { readonly commit: string; readonly file: RepoPath };
  /** The line is only in the work tree. */
  readonly uncommitted: boolean;
}

/** Lines in a row that one commit wrote in a row; their texts are elsewhere. */
export interface BlamedSpan {
  readonly by: BlamedCommit;
  readonly originalStart: number;
  readonly start: number;
  readonly count: number;
}

export interface BlameQuestion {
  /** The user's own options for `git blame`, each in one piece. */
  readonly options: readonly string[];
  readonly revision?: string;
  /** Relative to the folder git runs in. */
  readonly file: RepoPath;
}

/** Every line with its text, in order, or who wrote which lines, as git finds out. */
type Form = '--porcelain' | '--incremental';

export function blameArguments({ options, revision, file }: BlameQuestion, form: Form = '--porcelain'): GitWord[] {
  // git blame does not know --end-of-options (2.39 takes it for a usage error)
  if (revision?.startsWith('-')) throw new Fault('usage', `${revision} is not a revision.`);
  // records speak of the file's own lines, and a repository names no program that we start
  const fixed = [form, '--encoding=UTF-8', '--no-textconv'];
  return ['blame', ...fixed, ...options, ...(revision ? [revision] : []), '--', pathWord(file)];
}

/** Git's output as one long string, latin1, and where in it each line's text begins: at its TAB. */
export interface PrintedBlame {
  readonly text: string;
  readonly places: readonly number[];
}

export function parseBlame(bytes: Buffer): BlamedLine[] {
  return readBlame(bytes).lines;
}

export interface ReadBlame extends PrintedBlame {
  readonly lines: BlamedLine[];
}

export function readBlame(bytes: Buffer): ReadBlame {
  return blameReader()(bytes);
}

/**
 * Reads `--porcelain` (headers once per commit) and `--line-porcelain` (headers at every line) alike, in pieces of whole lines: what one
 * says of a commit holds in the next. Everything is a slice of one long string, looked at once: somebody waits.
 */
export function blameReader(): (bytes: Buffer) => ReadBlame {
  const commits = new Map<string, BlamedCommit>();
  let group: Group | undefined;
  return (bytes) => {
    const text = bytes.toString('latin1');
    const [lines, places]: [BlamedLine[], number[]] = [[], []];
    for (let at = 0; at < text.length; ) {
      const found = text.indexOf('\n', at);
      const end = found < 0 ? text.length : found;
      if (text.charCodeAt(at) === TAB) {
        if (group) {
          lines.push(blamedLine(closeGroup(group, commits), group, withoutEnd(text, at + 1, end)));
          places.push(at);
        }
        group = undefined;
      } else if (!group) group = openGroup(text, at, end);
      else readHeader(group, commits, text.slice(at, end));
      at = end + 1;
    }
    return { text, places, lines };
  };
}

const [TAB, CR] = [9, 13];

/** A line of a long text, up to its LF: a CR before it belongs to the ending. */
export function withoutEnd(text: string, start: number, end: number): string {
  return text.slice(start, end > start && text.charCodeAt(end - 1) === CR ? end - 1 : end);
}

/** `git blame --incremental`: the same words, each entry ended by its `filename`; the spans in the order of their lines. */
export function parseIncremental(bytes: Buffer): BlamedSpan[] {
  const spans: BlamedSpan[] = [];
  const commits = new Map<string, BlamedCommit>();
  const known = new Map<string, BlamedCommit>();
  let open: { readonly group: Group; readonly count: number } | undefined;
  for (const line of bytes.toString('latin1').split('\n')) {
    if (!open) {
      const group = openGroup(line, 0, line.length);
      open = group && { group, count: Number(line.slice(line.lastIndexOf(' ') + 1)) };
      continue;
    }
    const { group, count } = open;
    readHeader(group, commits, line);
    if (!group.named) continue;
    const said = closeGroup(group, commits);
    const key = `${said.commit} ${said.originalFile}`;
    const by = known.get(key) ?? said;
    known.set(key, by);
    spans.push({ by, originalStart: group.originalLine, start: group.line, count });
    open = undefined;
  }
  return spans.sort((a, b) => a.start - b.start);
}

type Open<T> = { -readonly [K in keyof T]: T[K] };

interface Group {
  readonly commit: string;
  readonly originalLine: number;
  readonly line: number;
  /** What headers say of the commit; undefined while there are none. */
  said: Open<BlamedCommit> | undefined;
  previous: BlamedCommit['previous'];
  named: boolean;
}

/** `ID ORIGINAL FINAL [COUNT]` */
function openGroup(text: string, start: number, end: number): Group | undefined {
  const first = text.indexOf(' ', start);
  const second = text.indexOf(' ', first + 1);
  if (first < 0 || second < 0 || second > end) return undefined;
  const commit = text.slice(start, first);
  if (!/^[0-9a-f]+$/.test(commit)) return undefined;
  const third = text.indexOf(' ', second + 1);
  const line = Number(text.slice(second + 1, third < 0 || third > end ? end : third));
  const originalLine = Number(text.slice(first + 1, second));
  return { commit, originalLine, line, said: undefined, previous: undefined, named: false };
}

export function blamedLine(
  commit: BlamedCommit,
  { line, originalLine }: Pick<BlamedLine, 'line' | 'originalLine'>,
  text: string,
): BlamedLine {
  // every field by name: a spread costs twenty times as much, for each line
  const blamed: Open<BlamedLine> = {
    line,
    originalLine,
    text,
    commit: commit.commit,
    originalFile: commit.originalFile,
    author: commit.author,
    authorMail: commit.authorMail,
    authorTime: commit.authorTime,
    authorZone: commit.authorZone,
    summary: commit.summary,
    boundary: commit.boundary,
    uncommitted: commit.uncommitted,
  };
  if (commit.previous) blamed.previous = commit.previous;
  return blamed;
}

/** A commit with lines of several files repeats only `previous` and `filename`; headers of other tools among git's say nothing about it. */
function closeGroup({ commit: id, said, previous, named }: Group, commits: Map<string, BlamedCommit>): BlamedCommit {
  const known = commits.get(id);
  if (known && !said) return known;
  const commit = said ?? emptyCommit(id);
  if (previous) commit.previous = previous;
  else if (known?.previous && !named) commit.previous = known.previous;
  commits.set(id, commit);
  return commit;
}

function emptyCommit(id: string): Open<BlamedCommit> {
  return {
    commit: id,
    originalFile: '',
    author: '',
    authorMail: '',
    authorTime: 0,
    authorZone: '+0000',
    summary: '',
    boundary: false,
    uncommitted: /^0+$/.test(id),
  };
}

/** What is known of it, without the file that it had before. */
function copyCommit({ previous: _, ...known }: BlamedCommit): Open<BlamedCommit> {
  return known;
}

function readHeader(group: Group, commits: ReadonlyMap<string, BlamedCommit>, header: string): void {
  const known = group.said ? undefined : commits.get(group.commit);
  group.said ??= known ? copyCommit(known) : emptyCommit(group.commit);
  const commit = group.said;
  const space = header.indexOf(' ');
  const value = space < 0 ? '' : header.slice(space + 1);
  switch (space < 0 ? header : header.slice(0, space)) {
    case 'author':
      commit.author = utf8(value);
      break;
    case 'author-mail':
      commit.authorMail = utf8(value).replace(/^<(.*)>$/, '$1');
      break;
    case 'author-time':
      commit.authorTime = Number(value) || 0;
      break;
    case 'author-tz':
      commit.authorZone = value;
      break;
    case 'summary':
      commit.summary = utf8(value);
      break;
    case 'boundary':
      commit.boundary = true;
      break;
    case 'previous':
      group.previous = { commit: value.split(' ', 1)[0] ?? '', file: unquote(value.slice(value.indexOf(' ') + 1)) };
      break;
    case 'filename':
      commit.originalFile = unquote(value);
      group.named = true;
      break;
  }
}

function utf8(latin1: string): string {
  return /^[\x00-\x7f]*$/.test(latin1) ? latin1 : Buffer.from(latin1, 'latin1').toString('utf8');
}
