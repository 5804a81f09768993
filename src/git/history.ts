import type { Person } from './commits.ts';
import { encodePath, type RepoPath } from './paths.ts';
import { parseRawLine } from './raw.ts';
import { listRefs } from './refs.ts';
import { askGit, type GitPlace, offline } from './run.ts';
import type { Worktree } from './worktrees.ts';

/** What the local branches and the work trees stand at: by full name of the branch, or `HEAD@` and the work tree's name. */
export async function readTips(place: GitPlace, worktrees: readonly Worktree[]): Promise<Map<string, string>> {
  const tips = await listRefs(place, ['refs/heads']);
  for (const { name, head } of worktrees) if (head) tips.set(`HEAD@${name}`, head);
  return tips;
}

export interface NewCommits {
  readonly tips: Iterable<string>;
  /** Commits known already; they may have been pruned since. */
  readonly seen: Iterable<string>;
  /** At most so many, the newest. */
  readonly limit: number;
  /** Whether also those that remote-tracking branches have. */
  readonly remotes?: boolean;
}

/** Commits that the tips reach and the seen ones do not; oldest first. */
export async function newCommits(place: GitPlace, { tips, seen, limit, remotes }: NewCommits): Promise<string[]> {
  const input = [...[...tips].filter(isId), ...[...seen].filter(isId).map((id) => `^${id}`)];
  const walk = ['--topo-order', '--reverse', `--max-count=${limit}`];
  const args = ['rev-list', '--ignore-missing', ...walk, '--stdin', ...(remotes ? [] : ['--not', '--remotes'])];
  const { out } = await askGit(offline(place), args, `${input.join('\n')}\n`);
  return out.toString('latin1').split('\n').filter(isId);
}

/** The commits that branches, tags and HEADs reach, which say the same of who wrote them and when: picking a commit leaves that alone. */
export async function writtenWith(place: GitPlace, { mail, time }: Pick<Person, 'mail' | 'time'>): Promise<string[]> {
  const refs = ['--exclude=refs/notes/*', '--exclude=refs/agent/*', '--all', '--no-merges', `--max-age=${time}`];
  const { out } = await askGit(offline(place), ['rev-list', ...refs, '--format=tformat:%at %ae']);
  const lines = out.toString('utf8').split('\n');
  return lines.flatMap((line, i) => {
    const [, id] = /^commit ([0-9a-f]{40,64})$/.exec(line) ?? [];
    return id && lines[i + 1] === `${time} ${mail}` ? [id] : [];
  });
}

function isId(text: string): boolean {
  return /^[0-9a-f]{40,64}$/.test(text);
}

export interface PathHistory {
  readonly from: string;
  /** Seconds since 1970. */
  readonly since: number;
  readonly paths: readonly RepoPath[];
  /** When a commit was made, in milliseconds, where that is known better than by git's clock. */
  madeAt?(commit: string): number | undefined;
}

/** For each path, its blobs and when each was last committed there, in milliseconds (to the end of git's second, unless known better). */
export type PathBlobs = Map<RepoPath, Map<string, number>>;

/**
 * The blobs that `from` and its ancestors since then committed at each path. What the history lacks (shallow, partial) is left out.
 */
export async function pathHistory(place: GitPlace, { from, since, paths, madeAt }: PathHistory): Promise<PathBlobs> {
  const blobs: PathBlobs = new Map(paths.map((path) => [path, new Map()]));
  if (paths.length === 0) return blobs;
  const walk = [`--max-age=${since}`, '--full-history', '-m', '--root', '--no-show-signature', '--no-follow'];
  const raw = ['--raw', '--no-abbrev', '--no-renames', '--no-color', '--no-relative', '--ignore-submodules=none'];
  // -m alone would do what log.diffMerges says
  const config = ['-c', 'core.quotePath=true', '-c', 'log.diffMerges=separate'];
  const args = [...config, 'log', '--format=@%ct %H', ...walk, ...raw, '--ignore-missing', '--stdin'];
  const input = `${from}\n--\n${[...blobs.keys()].map(pathspec).join('')}`;
  const { out } = await askGit(offline(place), args, Buffer.from(input, 'latin1'));
  let time = 0;
  for (const line of out.toString('latin1').split('\n')) {
    if (line.startsWith('@')) {
      const [second, commit = ''] = line.slice(1).split(' ');
      time = Math.min(Number(second) * 1000 + 999, madeAt?.(commit) ?? Infinity);
    }
    const entry = parseRawLine(line);
    const known = entry?.newBlob ? blobs.get(entry.path) : undefined;
    if (entry?.newBlob && known) known.set(entry.newBlob, Math.max(time, known.get(entry.newBlob) ?? 0));
  }
  return blobs;
}

export interface FormerContent {
  readonly from: string;
  readonly path: RepoPath;
  readonly blob: string;
}

/** The parents of the youngest commit up to `from` that put this content there, or took it away; none where the history does not have it. */
export async function parentsOfChange(place: GitPlace, { from, path, blob }: FormerContent): Promise<string[]> {
  const args = ['log', '-1', '--format=%P', '--no-show-signature', '--no-follow', `--find-object=${blob}`, '--stdin'];
  const input = Buffer.from(`${from}\n--\n${pathspec(path)}`, 'latin1');
  const { out } = await askGit(offline(place), args, input);
  return out.toString('latin1').trim().split(' ').filter(isId);
}

/** One line of `--stdin` from the top of the work tree, one character per byte; a line end in a name is met by `?`, and other names that match are not asked for. */
function pathspec(path: RepoPath): string {
  const bytes = encodePath(path).toString('latin1');
  if (!bytes.includes('\n')) return `:(top,literal)${bytes}\n`;
  return `:(top,glob)${bytes.replace(/[*?[\]\\]/g, '\\$&').replace(/\n/g, '?')}\n`;
}

export interface ReflogEntry {
  readonly old: string;
  readonly new: string;
  /** Seconds since 1970. */
  readonly time: number;
  /** What moved the ref: `commit (amend)`, `rebase (pick)`, `checkout`. */
  readonly action: string;
  readonly message: string;
}

/** A reflog file, oldest first; lines that are torn or foreign are skipped. */
export function readReflog(text: string): ReflogEntry[] {
  const entries: ReflogEntry[] = [];
  for (const line of text.split('\n')) {
    const [, old, next, time, said = ''] =
      /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) .*> (\d+) [+-]\d+(?:\t(.*))?$/.exec(line) ?? [];
    if (old === undefined || next === undefined || time === undefined) continue;
    entries.push(reflogEntry({ old, new: next, time: Number(time) }, said));
  }
  return entries;
}

/** An entry, with what git said of it taken apart. */
export function reflogEntry(move: Pick<ReflogEntry, 'old' | 'new' | 'time'>, said: string): ReflogEntry {
  const colon = said.indexOf(': ');
  if (colon < 0) return { ...move, action: said, message: '' };
  return { ...move, action: said.slice(0, colon), message: said.slice(colon + 2) };
}

/** So many commits lie between two at most, before nobody wants to know. */
const MAX_BETWEEN = 10_000;

/** The commit and those before it, the nearest first; of merges only the first parents, and not the merges. */
export async function lastCommits(place: GitPlace, from: string, count: number): Promise<string[]> {
  const { out } = await askGit(offline(place), [
    'rev-list',
    '--first-parent',
    '--no-merges',
    `--max-count=${count}`,
    from,
  ]);
  return out.toString('latin1').split('\n').filter(Boolean);
}

/** The commits that lead to one and not to another, oldest first; none where one of the two is not here. */
export async function listBetween(place: GitPlace, { from, to }: { from: string; to: string }): Promise<string[]> {
  const { code, out } = await askGit(
    offline(place),
    ['rev-list', '--topo-order', '--reverse', `--max-count=${MAX_BETWEEN}`, '--stdin'],
    `${[to, `^${from}`].join('\n')}\n`,
  );
  return code === 0 ? out.toString('latin1').split('\n').filter(Boolean) : [];
}

/** Those of some commits that none of the others reaches, with one process. */
export async function listOutside(
  place: GitPlace,
  ids: readonly string[],
  from: readonly string[],
): Promise<Set<string>> {
  const args = ['rev-list', '--ignore-missing', `--max-count=${MAX_BETWEEN}`, '--stdin'];
  const { out } = await askGit(offline(place), args, `${[...ids, ...from.map((id) => `^${id}`)].join('\n')}\n`);
  const found = new Set(out.toString('latin1').split('\n'));
  return new Set(ids.filter((id) => found.has(id)));
}

/** Which of some commits any of the tips reaches, with one process. */
export async function reachableFrom(
  place: GitPlace,
  tips: readonly string[],
  among: Iterable<string>,
): Promise<Set<string>> {
  const wanted = new Set(among);
  const { out } = await askGit(
    offline(place),
    ['rev-list', '--ignore-missing', '--stdin'],
    `${tips.filter(isId).join('\n')}\n`,
  );
  return new Set(
    out
      .toString('latin1')
      .split('\n')
      .filter((id) => wanted.has(id)),
  );
}
