import fs from 'node:fs';
import path from 'node:path';
import { type Commit, readCommits } from '../git/commits.ts';
import { diffTrees, readDiffs } from '../git/diff.ts';
import { listBetween, type ReflogEntry, reachableFrom, writtenWith } from '../git/history.ts';
import { readObjects } from '../git/objects.ts';
import type { GitPlace } from '../git/run.ts';
import { ranBetween } from '../join/window.ts';
import { isBinary, splitBytes } from '../lines/text.ts';
import { readSquashes } from '../sessions/journal.ts';
import { MAX_TEXT } from '../sessions/texts.ts';
import { type DueCommit, isPlain, type Making } from './due.ts';
import { readHeadLog } from './head-moves.ts';
import type { Joining } from './joining.ts';
import type { Surroundings } from './world.ts';

/**
 * How git brought lines in before somebody committed by hand: by its own word in the reflog it went on with a pick that had stopped, or a
 * hook saw a squash. Of `am` and of the apply backend nothing tells that they stopped. In an agent's shell it is nobody's hand.
 */
export function handOf(one: DueCommit, making: Making | undefined): ByHand | undefined {
  if (one.session || one.agent || !making) return undefined;
  if (STOPPED.test(making.action)) return { how: 'pick' };
  return one.brought && one.at !== undefined && isPlain(making) ? { how: 'squash' } : undefined;
}

export interface ByHand {
  readonly how: 'pick' | 'squash' | 'fixup';
  /** The commits that it was made of, and the work tree, where the reflog tells. */
  readonly of?: readonly string[];
  readonly worktree?: string;
}

/** What a pick that had stopped was made of, whoever went on with it. Its own history was not picked. */
export async function stoppedPick(
  { repository: { place } }: Surroundings,
  { commit, making, forebears }: StoppedPick,
): Promise<readonly string[]> {
  if (!making || !STOPPED.test(making.action)) return [];
  const ids = await pickedOf(place, commit, forebears);
  const standing = ids.length > 0 ? await reachableFrom(place, [commit.id], ids) : new Set<string>();
  return ids.filter((id) => !standing.has(id));
}

interface StoppedPick {
  readonly commit: Commit;
  readonly making: Making | undefined;
  readonly forebears: readonly string[];
}

const STOPPED = /^((rebase|pull)\b.* \(continue\)|commit \(cherry-pick\))$/;

/** So many of the latest are looked at. */
const MAX_FIXUPS = 5;

/** `git history fixup`: the commits that it made, of those that stood there before and of what was staged. */
export async function readFixups(world: Surroundings): Promise<Map<string, ByHand>> {
  const { place } = world.repository;
  const fixups = new Map<string, ByHand>();
  for (const { name: worktree } of world.worktrees) {
    const entries = readHeadLog(world, worktree).filter(isFixup).slice(-MAX_FIXUPS);
    for (const { old, new: next } of entries) {
      const [of, made] = await Promise.all([
        listBetween(place, { from: next, to: old }),
        listBetween(place, { from: old, to: next }),
      ]);
      if (of.length <= MAX_READ) for (const id of made) fixups.set(id, { how: 'fixup', of, worktree });
    }
  }
  return fixups;
}

function isFixup({ action, message }: ReflogEntry): boolean {
  return action === 'fixup' && message.startsWith('updating ');
}

type Asked = Pick<Joining, 'world' | 'view' | 'one' | 'byHand' | 'parent'>;

/**
 * Whether a line may come from what git brought in, or from where that was written: then nobody typed it here. Undefined: nothing tells
 * what was brought, or git may have resolved it by what it remembers.
 */
export async function pickedLines(
  { world, view, one, byHand, parent }: Asked,
  commit: Commit,
  forebears: readonly string[],
): Promise<((text: string) => boolean) | undefined> {
  const { place, commonDir } = world.repository;
  const second = commit.committer.time * 1000;
  // an agent's command ran when it was made: perhaps that made it, whatever the environment told
  const run = view.windows(one.worktree).some((window) => ranBetween(window, second - 1, second + 1000));
  if (run || remembers(commonDir)) return undefined;
  const squash = byHand?.how === 'squash';
  const told = byHand?.of ?? forebears;
  const ids = squash ? await squashedOf(world, commit) : await pickedOf(place, commit, told);
  const [diffs, tips] = await Promise.all([readDiffs(place, ids), readCommits(place, ids.slice(-1))]);
  if (ids.length === 0 || diffs.size < new Set(ids).size) return undefined;
  const files: Changed[] = [...diffs.values()].flatMap((diff) => diff.files);
  const pairs = [...tips.values()].flatMap(({ tree }) => (parent ? [[parent.tree, tree] as const] : []));
  if (squash) files.push(...(await diffTrees(place, pairs)).flatMap((entries) => entries ?? []));
  return standsIn(place, files);
}

interface Changed {
  readonly oldBlob: string | null;
  readonly newBlob: string | null;
}

/** Whether a line stands in the files before or after. */
async function standsIn(place: GitPlace, files: readonly Changed[]): Promise<((text: string) => boolean) | undefined> {
  const blobs = [...new Set(files.flatMap(({ oldBlob, newBlob }) => [oldBlob ?? [], newBlob ?? []].flat()))];
  const objects = await readObjects(place, blobs, { maxBytes: MAX_TEXT });
  const lines = new Set<string>();
  for (const id of blobs) {
    const bytes = objects.get(id)?.bytes;
    if (!bytes) return undefined;
    if (!isBinary(bytes)) for (const line of splitBytes(bytes)) lines.add(bare(line));
  }
  return (text) => lines.has(bare(text));
}

/** A person picks a commit that is younger than this. */
const LONG_AGO = 366 * 24 * 3600;

/** By git's word, else those that have the same author at the same time. */
async function pickedOf(place: GitPlace, commit: Commit, forebears: readonly string[]): Promise<readonly string[]> {
  const { id, author, committer } = commit;
  if (forebears.length > 0 || committer.time - author.time > LONG_AGO) return forebears;
  return (await writtenWith(place, author)).filter((other) => other !== id);
}

/** More commits than this are not read for a line or two. */
const MAX_READ = 300;

/** What each of some commits was squashed of; only where one stands upon the other, so that the last has the last word. */
export async function readSquashed(
  world: Surroundings,
  commits: readonly Commit[],
): Promise<Map<string, readonly string[]>> {
  const squashed = new Map<string, readonly string[]>();
  for (const commit of commits) {
    const ids = await squashedOf(world, commit);
    const found = ids.length > 0 ? await readCommits(world.repository.place, ids) : new Map<string, Commit>();
    if (ids.length > 0 && ids.every((id) => found.get(id)?.parents.length === 1)) squashed.set(commit.id, ids);
  }
  return squashed;
}

/** The tip comes last. None where something else may have been squashed too: several branches, or one whose hook told less. */
async function squashedOf({ repository, store }: Surroundings, { id }: Commit): Promise<readonly string[]> {
  const [squash, ...others] = readSquashes(store, id);
  if (!squash?.tip || others.length > 0 || (squash.count ?? Infinity) > MAX_READ) return [];
  const ids = await listBetween(repository.place, { from: squash.commit, to: squash.tip });
  return ids.length === squash.count ? ids : [];
}

/** Indented anew it is still the same. */
function bare(line: string): string {
  return line.replace(/\s+/g, '');
}

/** `git rerere`: an agent may have resolved the same before. */
function remembers(commonDir: string): boolean {
  try {
    return fs.readdirSync(path.join(commonDir, 'rr-cache')).length > 0;
  } catch {
    return false; // not there
  }
}
