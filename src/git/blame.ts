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

/** Reads `--porcelain` (headers once per commit) and `--line-porcelain` (headers at every line) alike. */
export function parseBlame(bytes: Buffer): BlamedLine[] {
  // slices of one long string: several times as fast as decoding line by line
  const text = bytes.toString('latin1');
  const lines: BlamedLine[] = [];
  const commits = new Map<string, BlamedCommit>();
  let group: string[] | undefined;
  let headers: string[] = [];
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf('\n', at);
    const end = found < 0 ? text.length : found;
    if (text[at] === '\t') {
      const content = text.slice(at + 1, end > at + 1 && text[end - 1] === '\r' ? end - 1 : end);
      if (group) lines.push(readLine(group, content, commitOf(group[0] ?? '', headers, commits)));
      group = undefined;
    } else if (!group) {
      group = splitGroup(text.slice(at, end));
      headers = [];
    } else headers.push(text.slice(at, end));
    at = end + 1;
  }
  return lines;
}

/** `ID ORIGINAL FINAL [COUNT]` */
function splitGroup(line: string): string[] | undefined {
  const words = line.split(' ');
  return words.length >= 3 && /^[0-9a-f]+$/.test(words[0] ?? '') ? words : undefined;
}

type Open<T> = { -readonly [K in keyof T]: T[K] };

function readLine([, originalLine, line]: readonly string[], text: string, commit: BlamedCommit): BlamedLine {
  // every field by name: a spread costs twenty times as much, for each line
  const blamed: Open<BlamedLine> = {
    line: Number(line),
    originalLine: Number(originalLine),
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

function commitOf(id: string, headers: readonly string[], commits: Map<string, BlamedCommit>): BlamedCommit {
  const known = commits.get(id);
  if (known && headers.length === 0) return known;
  // a commit with lines of several files repeats only `previous` and `filename`
  const commit = readHeaders(known ?? emptyCommit(id), headers);
  commits.set(id, commit);
  return commit;
}

function emptyCommit(id: string): BlamedCommit {
  const empty = { originalFile: '', author: '', authorMail: '', authorTime: 0, authorZone: '+0000', summary: '' };
  return { commit: id, ...empty, boundary: false, uncommitted: /^0+$/.test(id) };
}

function readHeaders(known: BlamedCommit, headers: readonly string[]): BlamedCommit {
  const { previous: _, ...rest } = known;
  // headers of other tools among git's say nothing about it
  const commit: Open<BlamedCommit> = headers.some((header) => header.startsWith('filename ')) ? rest : { ...known };
  for (const header of headers) {
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
        commit.previous = { commit: value.split(' ', 1)[0] ?? '', file: unquote(value.slice(value.indexOf(' ') + 1)) };
        break;
      case 'filename':
        commit.originalFile = unquote(value);
        break;
    }
  }
  return commit;
}

function utf8(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8');
}
