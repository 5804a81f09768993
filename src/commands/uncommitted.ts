import fs from 'node:fs';
import { summarise } from '../blame/annotate.ts';
import type { Counts } from '../conversation/print-story.ts';
import { diskPath } from '../git/disk-path.ts';
import { readObjects } from '../git/objects.ts';
import { decodePath } from '../git/paths.ts';
import type { Repository } from '../git/repository.ts';
import { askGit } from '../git/run.ts';
import { readHeadFiles } from '../git/trees.ts';
import { diffLines } from '../lines/diff.ts';
import { unknown } from '../lines/origin.ts';
import { linesOf, rangesOf } from '../lines/range.ts';
import { isBinary, type Lines, splitBytes } from '../lines/text.ts';
import type { PendingView } from './pending-view.ts';

/** Somebody who has changed more wants to know something else. */
const MOST_FILES = 100;
const MOST_BYTES = 4 << 20;

export interface Uncommitted {
  readonly files: readonly Counts[];
  readonly leftOut: number;
}

/** Who wrote the lines that differ from HEAD, file by file; files that are new and not ignored count too. */
export async function readUncommitted(repository: Repository, view: PendingView): Promise<Uncommitted> {
  const { worktree } = repository;
  if (worktree === null) return { files: [], leftOut: 0 };
  const changed = await changedPaths(worktree);
  const paths = changed.slice(0, MOST_FILES);
  const older = await headTexts(repository, paths);
  const files: Counts[] = [];
  for (const file of paths) {
    const text = findText(worktree, file);
    if (!text) continue;
    const map = diffLines(older.get(file) ?? [], text);
    const added = rangesOf(map.flatMap((from, i) => (from < 0 ? [i + 1] : [])));
    if (added.length === 0) continue;
    const origins = await view.worktree({ path: file, text, added });
    const { total: _, ...counts } = summarise(
      [...linesOf(added)].map((line) => ({ origin: origins.get(line) ?? unknown('no record') })),
    );
    files.push({ path: file, ...counts });
  }
  return { files, leftOut: changed.length - paths.length };
}

/** Against HEAD, or against nothing where there is no commit yet. */
async function changedPaths(cwd: string): Promise<string[]> {
  const [tracked, others] = await Promise.all([
    askGit({ cwd }, ['diff-index', '--name-only', '-z', '--no-renames', '--diff-filter=d', 'HEAD', '--']),
    askGit({ cwd }, ['ls-files', '-z', '--others', '--exclude-standard']),
  ]);
  const known = tracked.code === 0 ? tracked : await askGit({ cwd }, ['ls-files', '-z']);
  const names = `${known.out.toString('latin1')}${others.out.toString('latin1')}`.split('\0').filter(Boolean);
  return [...new Set(names)].sort().map((name) => decodePath(Buffer.from(name, 'latin1')));
}

async function headTexts({ place }: Repository, paths: readonly string[]): Promise<Map<string, Lines>> {
  const files = await readHeadFiles(place, 'HEAD', paths);
  const blobs = [...files.values()].flatMap((file) => file?.blob ?? []);
  const objects = await readObjects(place, blobs, { maxBytes: MOST_BYTES });
  const texts = new Map<string, Lines>();
  for (const [file, found] of files) {
    const bytes = found && objects.get(found.blob)?.bytes;
    if (bytes) texts.set(file, splitBytes(bytes));
  }
  return texts;
}

/** The file as it stands; undefined for what has no lines: links, folders, binaries, files gone meanwhile. */
function findText(root: string, file: string): Lines | undefined {
  const name = diskPath(root, file);
  const stat = fs.lstatSync(name, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size > MOST_BYTES) return undefined;
  const bytes = fs.readFileSync(name);
  return isBinary(bytes) ? undefined : splitBytes(bytes);
}
