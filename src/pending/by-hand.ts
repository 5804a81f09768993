import fs from 'node:fs';
import path from 'node:path';
import { type Commit, readCommits } from '../git/commits.ts';
import { diffTrees, readDiffs } from '../git/diff.ts';
import { listBetween, writtenWith } from '../git/history.ts';
import { readObjects } from '../git/objects.ts';
import type { GitPlace } from '../git/run.ts';
import { isBinary, splitBytes } from '../lines/text.ts';
import { readSquashes } from '../sessions/journal.ts';
import { MAX_TEXT } from '../sessions/texts.ts';
import { type DueCommit, isPlain, type Making } from './due.ts';
import type { Joining } from './joining.ts';
import type { Surroundings } from './world.ts';

/**
 * How git brought lines in before somebody committed by hand: by its own word in the reflog it went on with a pick that had stopped, or a
 * hook saw a squash. Of `am` and of the apply backend nothing tells that they stopped. In an agent's shell it is nobody's hand.
 */
export function handOf(one: DueCommit, making: Making | undefined): Joining['byHand'] {
  if (one.session || one.agent || !making) return undefined;
  if (/^((rebase|pull)\b.* \(continue\)|commit \(cherry-pick\))$/.test(making.action)) return 'pick';
  return one.brought && one.at !== undefined && isPlain(making) ? 'squash' : undefined;
}

type Asked = Pick<Joining, 'world' | 'byHand' | 'parent'>;

/**
 * Whether a line may come from what git brought in, or from where that was written: then nobody typed it here. Undefined: nothing tells
 * what was brought, or git may have resolved it by what it remembers.
 */
export async function pickedLines(
  { world, byHand, parent }: Asked,
  commit: Commit,
  forebears: readonly string[],
): Promise<((text: string) => boolean) | undefined> {
  const { place, commonDir } = world.repository;
  if (remembers(commonDir)) return undefined;
  const ids = byHand === 'squash' ? await squashedOf(world, commit) : await pickedOf(place, commit, forebears);
  const [diffs, tips] = await Promise.all([readDiffs(place, ids), readCommits(place, ids.slice(-1))]);
  if (ids.length === 0 || diffs.size < new Set(ids).size) return undefined;
  const files: Changed[] = [...diffs.values()].flatMap((diff) => diff.files);
  const pairs = [...tips.values()].flatMap(({ tree }) => (parent ? [[parent.tree, tree] as const] : []));
  if (byHand === 'squash') files.push(...(await diffTrees(place, pairs)).flatMap((entries) => entries ?? []));
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
const MAX_SQUASHED = 300;

/** The tip comes last. None where something else may have been squashed too: several branches, or one whose hook told less. */
async function squashedOf({ repository, store }: Surroundings, { id }: Commit): Promise<readonly string[]> {
  const [squash, ...others] = readSquashes(store, id);
  if (!squash?.tip || others.length > 0 || (squash.count ?? Infinity) > MAX_SQUASHED) return [];
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
