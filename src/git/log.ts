import { Fault } from '../fault.ts';
import { type RepoPath, typedWord } from './paths.ts';
import { parseRawLine } from './raw.ts';
import { ended, type GitPlace, offline, runGit, signalOf, startGit } from './run.ts';
import { saidFault } from './said.ts';

/** A commit as `git log` tells of it, one after the other. */
export interface LoggedCommit {
  readonly id: string;
  /** As short as git shows it. */
  readonly short: string;
  readonly author: string;
  readonly mail: string;
  /** In the format that was asked for. */
  readonly date: string;
  /** RFC 3339. */
  readonly time: string;
  /** `HEAD -> main, tag: v1`; empty for most. */
  readonly refs: string;
  readonly subject: string;
  /** Git's drawing beside it, where it was asked for. */
  readonly graph?: Graph;
}

export interface Graph {
  /** Lines of the drawing alone, before the commit. */
  readonly before: readonly string[];
  /** What stands before the commit's own lines: the first, the second ... */
  readonly rows: readonly string[];
}

const FIELDS = ['%H', '%h', '%aN', '%aE', '%ad', '%aI', '%D', '%s'];
// a file's former names are not the paths that were asked for
const ARGS = ['-c', 'log.follow=false', 'log', '--no-patch', '--no-color', '--no-show-signature', '--no-notes'];
const LIST = ['-z', `--format=tformat:${FIELDS.join('%x00')}`];
/** Git draws beside every line of a format, but none behind a NUL. So many lines have room for any of its curves. */
const ROWS = 9;
const DRAWN = ['--graph', `--format=tformat:%x01${FIELDS.join('%x01')}${'%n%x02'.repeat(ROWS - 1)}`];

export interface LogQuestion {
  /** Options of git log, each in one piece. */
  readonly options: readonly string[];
  readonly revisions: readonly string[];
  /** From the current folder, as a person types them. */
  readonly paths: readonly string[];
  readonly graph?: boolean;
}

/** Commits as git finds them: the first ones are told before the last ones are looked for. */
export async function* readLog(
  place: GitPlace,
  { options, revisions, paths, graph = false }: LogQuestion,
): AsyncGenerator<LoggedCommit> {
  // git log has no --end-of-options before 2.43
  const odd = revisions.find((revision) => revision.startsWith('-'));
  if (odd !== undefined) throw new Fault('usage', `${odd} is not a revision.`);
  const args = [
    ...ARGS,
    '--encoding=UTF-8',
    ...(graph ? DRAWN : LIST),
    ...options,
    ...revisions,
    '--',
    ...paths.map(typedWord),
  ];
  const child = startGit(offline(place), args, 'ignore');
  const end = ended(child);
  // it is waited for below, unless nobody wants the rest
  end.catch(() => {});
  let err = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    if (err.length < MOST_SAID) err += chunk.toString('utf8');
  });
  const decode = graph ? graphDecoder() : logDecoder();
  try {
    for await (const chunk of child.stdout ?? []) yield* decode(chunk);
    const code = await end;
    if (code !== 0) throw saidFault({ code, err, ...signalOf(child) }, 'git log', 'usage');
  } finally {
    child.kill();
  }
}

const MOST_SAID = 10_000;

/** Takes bytes as they come and gives the commits that are complete. */
export function logDecoder(): (chunk: Uint8Array) => LoggedCommit[] {
  let held = Buffer.alloc(0);
  let fields: string[] = [];
  return (chunk) => {
    const bytes = Buffer.concat([held, chunk]);
    const commits: LoggedCommit[] = [];
    let start = 0;
    for (let at = bytes.indexOf(0); at !== -1; at = bytes.indexOf(0, start)) {
      fields.push(bytes.toString('utf8', start, at));
      start = at + 1;
      if (fields.length < FIELDS.length) continue;
      commits.push(commitOf(fields));
      fields = [];
    }
    held = bytes.subarray(start);
    return commits;
  };
}

function commitOf(fields: readonly string[]): LoggedCommit {
  const [id = '', short = '', author = '', mail = '', date = '', time = '', refs = '', subject = ''] = fields;
  return { id, short, author, mail, date, time, refs, subject };
}

/** The same beside a graph: a line of a commit has a mark behind the drawing, others are drawings alone. */
export function graphDecoder(): (chunk: Uint8Array) => LoggedCommit[] {
  let held = Buffer.alloc(0);
  let open: { readonly commit: LoggedCommit; readonly before: readonly string[]; readonly rows: string[] } | undefined;
  let before: string[] = [];
  return (chunk) => {
    const bytes = Buffer.concat([held, chunk]);
    const end = bytes.lastIndexOf('\n') + 1;
    held = bytes.subarray(end);
    const commits: LoggedCommit[] = [];
    for (const line of bytes.toString('utf8', 0, end).split('\n').slice(0, -1)) {
      const [, drawn = line, mark, rest = ''] = /^([^\x01\x02]*)([\x01\x02])(.*)$/s.exec(line) ?? [];
      if (mark === '\x01') {
        open = { commit: commitOf(rest.split('\x01')), before, rows: [drawn] };
        before = [];
      } else if (mark === '\x02') open?.rows.push(drawn);
      else before.push(drawn);
      if (open?.rows.length !== ROWS) continue;
      const { commit, ...graph } = open;
      commits.push({ ...commit, graph });
      open = undefined;
    }
    return commits;
  };
}

/** Which of the files that each commit changes are among the paths, with one process. */
export async function readTouched(
  place: GitPlace,
  commits: readonly string[],
  paths: readonly string[],
): Promise<Map<string, Set<RepoPath>>> {
  const args = [
    ...['-c', 'core.quotePath=true', 'diff-tree', '--stdin', '-r', '--root', '--always', '-c', '--combined-all-paths'],
    ...['--raw', '--no-abbrev', '--no-renames', '--no-color', '--no-relative', '--format=tformat:commit %H', '--'],
    ...paths.map(typedWord),
  ];
  return parseTouched(await runGit(offline(place), args, `${commits.join('\n')}\n`));
}

/** Raw lines begin with a colon, whatever a file is called. */
export function parseTouched(out: Buffer): Map<string, Set<RepoPath>> {
  const touched = new Map<string, Set<RepoPath>>();
  let open: Set<RepoPath> | undefined;
  for (const line of out.toString('latin1').split('\n')) {
    if (line.startsWith('commit ')) {
      open = new Set();
      touched.set(line.slice('commit '.length), open);
    } else if (line.startsWith(':')) {
      const entry = parseRawLine(line);
      if (entry) open?.add(entry.path);
    }
  }
  return touched;
}
