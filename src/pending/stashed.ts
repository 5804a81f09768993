import { type Commit, readCommits } from '../git/commits.ts';
import { diffTrees } from '../git/diff.ts';
import { listTree } from '../git/trees.ts';
import { cannotWrite } from '../join/shell.ts';
import type { StoredCommand } from '../sessions/commands.ts';
import { findSince } from '../sessions/store.ts';
import type { StoredStash } from '../sessions/timelines.ts';
import { readHeadLog } from './head-moves.ts';
import { isCaptured } from './joining.ts';
import type { Surroundings } from './world.ts';

/** A stash and the commit that it was put aside from. */
interface Stash {
  readonly command: StoredCommand;
  readonly stash: Commit;
  readonly parent: Commit;
}

type StashOf = (command: StoredCommand, path: string) => StoredStash | undefined;

/**
 * What git had put aside when commands began: for each, what stood in a path when it was. Only of stashes that were made in the command's
 * own work tree, upon commits that were made while capture was there, and by none of all commands, which may have written something
 * first: of others nobody can tell who wrote what is in them.
 */
export async function readStashes(
  world: Surroundings,
  commands: readonly StoredCommand[],
  all: readonly StoredCommand[],
): Promise<StashOf> {
  const some = commands.filter(({ stash, command }) => stash !== undefined && /\bstash\b/.test(command));
  if (some.length === 0) return () => undefined;
  const made = new Set(all.flatMap(({ stash, left }) => (left !== undefined && left !== stash ? [left] : [])));
  const byHand = some.filter(({ stash = '' }) => !made.has(stash));
  const stashes = (await readOnes(world, byHand)).filter((one) => isFromHere(world, one) && !isUnwatched(one, all));
  const differences = await diffTrees(
    world.repository.place,
    stashes.map(({ stash, parent }) => [parent.tree, stash.tree]),
  );
  const untracked = await Promise.all(stashes.map((one) => readUntracked(world, one)));
  const found = new Map(
    stashes.map((one, i) => [
      one.command,
      new Map([
        ...(differences[i] ?? []).map(
          ({ path, oldBlob, newBlob }) => [path, { blob: newBlob, over: oldBlob }] as const,
        ),
        ...(untracked[i] ?? []).map(({ path, blob }) => [path, { blob, over: null }] as const),
      ]),
    ]),
  );
  const times = new Map(stashes.map((one) => [one.command, timesOf(one)]));
  return (command, path) => {
    const [texts, when] = [found.get(command)?.get(path), times.get(command)];
    return texts && when && { ...when, ...texts };
  };
}

async function readOnes({ repository }: Surroundings, commands: readonly StoredCommand[]): Promise<Stash[]> {
  const stashes = await readCommits(repository.place, [...new Set(commands.map(({ stash = '' }) => stash))]);
  const first = [...stashes.values()].flatMap(({ parents }) => parents.slice(0, 1));
  const parents = await readCommits(repository.place, [...new Set(first)]);
  return commands.flatMap((command) => {
    const stash = stashes.get(command.stash ?? '');
    const parent = parents.get(stash?.parents[0] ?? '');
    return stash && parent ? [{ command, stash, parent }] : [];
  });
}

/** With `-u`, a third parent holds the files that git did not know. */
async function readUntracked({ repository }: Surroundings, { stash }: Stash): ReturnType<typeof listTree> {
  const [, , third] = stash.parents;
  return third === undefined ? [] : listTree(repository.place, third);
}

/** A command whose end we never heard of has ended by then. */
const LOST = 600_000;

/** Some command was at work then of which no hook told what was put aside: hooks tell what HEAD is, too. */
function isUnwatched({ stash: { committer } }: Stash, all: readonly StoredCommand[]): boolean {
  const second = committer.time * 1000;
  return all.some(
    ({ head, from = 0, to = from + LOST, command }) =>
      head === undefined && from <= second + 999 && to >= second && !cannotWrite(command),
  );
}

/** Putting everything aside resets the work tree to what HEAD is, which its reflog tells. */
function isFromHere(world: Surroundings, { command, stash, parent }: Stash): boolean {
  const since = findSince(world.store);
  if (!since || !isCaptured(since, parent)) return false;
  const { time } = stash.committer;
  return readHeadLog(world, command.worktree).some(
    (entry) =>
      entry.action === 'reset' &&
      entry.old === parent.id &&
      entry.new === parent.id &&
      entry.time >= time &&
      entry.time <= time + 2,
  );
}

/** Git's clock knows seconds: what was written in the same one came before it, as far as anybody knows. */
function timesOf({ command, stash, parent }: Stash): Pick<StoredStash, 'at' | 'since'> {
  const begun = command.from ?? command.to ?? Infinity;
  return { at: Math.min(stash.committer.time * 1000 + 999, begun - 1), since: parent.committer.time * 1000 };
}
