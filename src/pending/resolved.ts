import fs from 'node:fs';
import path from 'node:path';
import type { Commit } from '../git/commits.ts';
import { readDiffs } from '../git/diff.ts';
import { writtenWith } from '../git/history.ts';
import { readObjects } from '../git/objects.ts';
import { isBinary, splitBytes } from '../lines/text.ts';
import { MAX_TEXT } from '../sessions/texts.ts';
import type { Making } from './due.ts';
import type { Surroundings } from './world.ts';

/** A pick that stopped and that somebody went on with, by git's own word. Of `am` and of the apply backend the reflog does not tell. */
export function isResolved(making: Making | undefined): boolean {
  return making !== undefined && /^((rebase|pull)\b.* \(continue\)|commit \(cherry-pick\))$/.test(making.action);
}

/** A person picks a commit that is younger than this. */
const LONG_AGO = 366 * 24 * 3600;

/**
 * Whether a line of a resolved pick may come from what was picked, or from where that was written: then nobody typed it here. Undefined:
 * nothing tells what was picked, or git may have resolved it by what it remembers.
 */
export async function pickedLines(
  world: Surroundings,
  commit: Commit,
  forebears: readonly string[],
): Promise<((text: string) => boolean) | undefined> {
  const { place, commonDir } = world.repository;
  if (remembers(commonDir)) return undefined;
  const { author, committer } = commit;
  if (forebears.length === 0 && committer.time - author.time > LONG_AGO) return undefined;
  const ids = forebears.length > 0 ? forebears : (await writtenWith(place, author)).filter((id) => id !== commit.id);
  const diffs = await readDiffs(place, ids);
  if (ids.length === 0 || diffs.size < new Set(ids).size) return undefined;
  const files = [...diffs.values()].flatMap((diff) => diff.files);
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
