import { isLoose } from '../capture/print.ts';
import { readCommits } from '../git/commits.ts';
import { mergeCommands, readCommands, type StoredCommand } from '../sessions/commands.ts';
import { birthsOf } from '../sessions/gone-trees.ts';
import type { Harvest } from './harvest.ts';
import { readHeadLog } from './head-moves.ts';
import type { Surroundings } from './world.ts';

/**
 * A work tree that was made while a command ran has no snapshot from before it: there was nothing. What it began with is the commit that
 * git checked out there, so that commit's tree is what the command found.
 */
export async function completeNewTrees(world: Surroundings, harvest: Harvest): Promise<void> {
  const isOpen = ({ event, worktree, before, after }: StoredCommand) =>
    worktree !== '' && after !== undefined && before === undefined && !isLoose(event);
  const open = new Set(harvest.commands.filter(isOpen).map(({ event }) => event));
  if (open.size === 0) return;
  const known = mergeCommands([...readCommands(world.store).commands, ...harvest.commands]);
  const begun = new Map(known.flatMap(({ event, from }) => (from === undefined ? [] : [[event, from] as const])));
  const found = known.flatMap((command) => {
    const from = begun.get(command.event);
    if (!open.has(command.event) || !isOpen(command) || from === undefined) return [];
    const head = findFirst(world, command.worktree, { from, to: command.to ?? from });
    return head === undefined ? [] : [{ ...command, from, head }];
  });
  const commits = await readCommits(
    world.repository.place,
    found.map(({ head }) => head),
  );
  for (const command of found) {
    const before = commits.get(command.head)?.tree;
    if (before !== undefined) harvest.commands.push({ ...command, before });
  }
}

/** What a work tree that was made between two moments had checked out at first. */
function findFirst(
  world: Surroundings,
  worktree: string,
  { from, to }: { readonly from: number; readonly to: number },
): string | undefined {
  if (!birthsOf(world.store, worktree).some((born) => born >= from && born <= to)) return undefined;
  // git's clock knows seconds
  const isFirst = (entry: { readonly old: string; readonly time: number }) =>
    /^0+$/.test(entry.old) && entry.time >= Math.floor(from / 1000) && entry.time * 1000 <= to;
  return readHeadLog(world, worktree).findLast(isFirst)?.new;
}
