import { Fault } from '../fault.ts';
import { type GitWord, pathWord, type RepoPath, unquote } from './paths.ts';

/** One line of the file as `git blame` sees it. Lines of one commit share their strings. */
export interface BlamedLine extends BlamedCommit {
  readonly line: number;
  readonly originalLine: number;
  /** latin1, ending stripped: one character per byte. */
  readonly text: string;
}

interface BlamedCommit {
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

export interface BlameQuestion {
  /** The user's own options for `git blame`, each in one piece. */
  readonly options: readonly string[];
  readonly revision?: string;
  /** Relative to the folder git runs in. */
  readonly file: RepoPath;
}

export function blameArguments({ options, revision, file }: BlameQuestion): GitWord[] {
  // git blame does not know --end-of-options (2.39 takes it for a usage error)
  if (revision?.startsWith('-')) throw new Fault('usage', `${revision} is not a revision.`);
  // records speak of the file's own lines, and a repository names no program that we start
  const fixed = ['--porcelain', '--encoding=UTF-8', '--no-textconv'];
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

/**
 * Reads `--porcelain` (headers once per commit) and `--line-porcelain` (headers at every line) alike. Everything is a slice of one long
 * string, looked at once: git is done by now, and somebody waits.
 */
export function readBlame(bytes: Buffer): PrintedBlame & { readonly lines: BlamedLine[] } {
  const text = bytes.toString('latin1');
  const [lines, places]: [BlamedLine[], number[]] = [[], []];
  const commits = new Map<string, BlamedCommit>();
  let group: Group | undefined;
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf('\n', at);
    const end = found < 0 ? text.length : found;
    if (text.charCodeAt(at) === TAB) {
      if (group) {
        const content = text.slice(at + 1, end > at + 1 && text.charCodeAt(end - 1) === CR ? end - 1 : end);
        lines.push(readLine(group, content, closeGroup(group, commits)));
        places.push(at);
      }
      group = undefined;
    } else if (!group) group = openGroup(text, at, end);
    else readHeader(group, commits, text.slice(at, end));
    at = end + 1;
  }
  return { text, places, lines };
}

const [TAB, CR] = [9, 13];

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

function readLine({ line, originalLine }: Group, text: string, commit: BlamedCommit): BlamedLine {
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
