import { Fault } from '../fault.ts';
import { askGit, type GitPlace, gitFault, offline } from './run.ts';

/** A ref that a push moves: from nothing, to nothing, or between two objects. */
export interface RefMove {
  readonly ref: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

const ID = /^[0-9a-f]{40,64}$/;

/** What git tells a pre-push hook: `LOCAL-REF LOCAL-ID REMOTE-REF REMOTE-ID`. */
export function parsePrePush(input: string): RefMove[] {
  return parseMoves(input, ([, to, ref, from]) => ({ ref, from, to }));
}

/** What git tells a pre-receive hook: `OLD-ID NEW-ID REF`. */
export function parsePreReceive(input: string): RefMove[] {
  return parseMoves(input, ([from, to, ref]) => ({ ref, from, to }));
}

type Words = readonly (string | undefined)[];
type Named = Readonly<Record<'ref' | 'from' | 'to', string | undefined>>;

/** A line that git would not write is no reason to let something through. */
function parseMoves(input: string, read: (words: Words) => Named): RefMove[] {
  const lines = input.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const { ref, from, to } = read(line.trim().split(' '));
    if (!ref || !isId(from) || !isId(to)) throw new Fault('usage', 'Standard input is not what git tells such a hook.');
    return { ref, from: present(from), to: present(to) };
  });
}

function isId(word: string | undefined): word is string {
  return word !== undefined && ID.test(word);
}

/** Zeros stand for nothing. */
function present(id: string): string | undefined {
  return /^0+$/.test(id) ? undefined : id;
}

export interface PushedCommits {
  readonly moves: readonly RefMove[];
  /** Arguments of `git rev-list` for what the other side has already, such as `--remotes=origin`. */
  readonly known: readonly string[];
}

/** Commits that a push brings and the other side does not have yet, oldest first. Its old tips may not be here (a forced push). */
export async function listPushed(place: GitPlace, { moves, known }: PushedCommits): Promise<string[]> {
  const tips = moves.flatMap(({ to }) => to ?? []);
  if (tips.length === 0) return [];
  const here = await existing(
    place,
    moves.flatMap(({ from }) => from ?? []),
  );
  await checkPresent(place, tips);
  // only commits: a tag may name a tree or a file
  const heads = await existing(place, tips);
  if (heads.length === 0) return [];
  const args = ['rev-list', '--reverse', '--topo-order', '--stdin', '--not', ...known];
  const input = [...heads, ...here.map((id) => `^${id}`)].join('\n');
  const answer = await askGit(offline(place), args, `${input}\n`);
  if (answer.code !== 0) throw gitFault(args, answer);
  return answer.out.toString('latin1').split('\n').filter(isId);
}

export interface MovedRefs {
  readonly moves: readonly RefMove[];
  /** Commits that other refs keep. */
  readonly kept: readonly string[];
}

/** Of these refs those whose old commits are under none of the new ones, nor under what is kept elsewhere: deleted, or set back. */
export async function listTaken(place: GitPlace, { moves, kept }: MovedRefs): Promise<RefMove[]> {
  const before = await existing(
    place,
    moves.flatMap(({ from }) => from ?? []),
  );
  if (before.length === 0) return [];
  const stays = await existing(place, [...kept, ...moves.flatMap(({ to }) => to ?? [])]);
  const args = ['rev-list', '--stdin'];
  const input = [...before, ...stays.map((id) => `^${id}`)].join('\n');
  const answer = await askGit(offline(place), args, `${input}\n`);
  if (answer.code !== 0) throw gitFault(args, answer);
  const gone = new Set(answer.out.toString('latin1').split('\n'));
  return moves.filter(({ from }) => from !== undefined && gone.has(from));
}

/** What is not here cannot be judged. */
async function checkPresent(place: GitPlace, ids: readonly string[]): Promise<void> {
  const { out } = await askGit(offline(place), ['cat-file', '--batch-check'], `${ids.join('\n')}\n`);
  const [lost] = /^\S+ missing$/m.exec(out.toString('latin1')) ?? [];
  if (lost) throw new Fault('surroundings', `${lost.split(' ')[0]} is not in this repository: it cannot be checked.`);
}

/** The commits behind these ids, of those that are here. */
async function existing(place: GitPlace, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const asked = ids.map((id) => `${id}^{commit}`).join('\n');
  const { out } = await askGit(offline(place), ['cat-file', '--batch-check=%(objectname) %(objecttype)'], `${asked}\n`);
  return out
    .toString('latin1')
    .split('\n')
    .flatMap((line) => (line.endsWith(' commit') ? (line.split(' ')[0] ?? []) : []));
}
