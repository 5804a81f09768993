import fs from 'node:fs';
import path from 'node:path';
import type { Repository } from '../../git/repository.ts';
import { runGit } from '../../git/run.ts';
import type { TreeEntry } from '../../git/trees.ts';

/**
 * Adds entries that are no notes to a tree, by an index of their own: hardly any notes have such entries, so what this costs does not
 * matter. An entry whose place is taken by a folder, or whose folder is a file here, stays in the history alone.
 */
export async function addFiles(
  { place, commonDir }: Repository,
  tree: string,
  files: ReadonlyMap<string, TreeEntry>,
): Promise<string> {
  if (files.size === 0) return tree;
  // the lock is ours: nobody else uses this name
  const index = path.join(commonDir, 'agent', 'unite.index');
  const own = { ...place, env: { ...place.env, GIT_INDEX_FILE: index } };
  try {
    await runGit(own, ['read-tree', tree]);
    const there = (await runGit(own, ['ls-files', '-z', '--full-name'])).toString('latin1').split('\0');
    const lines = [...fitting(files, there)].map(([name, { mode, id }]) => `${mode} ${id}\t${name}\0`);
    await runGit(own, ['update-index', '-z', '--add', '--index-info'], Buffer.from(lines.join(''), 'latin1'));
    return (await runGit(own, ['write-tree', '--missing-ok'])).toString('latin1').trim();
  } finally {
    fs.rmSync(index, { force: true });
  }
}

function* fitting(files: ReadonlyMap<string, TreeEntry>, there: readonly string[]): Generator<[string, TreeEntry]> {
  const names = new Set(there);
  const folders = new Set(there.flatMap(foldersOf));
  for (const [name, entry] of files) {
    // git takes no such names into an index
    const odd = name.split('/').some((part) => /^\.(?:git.*|\.?)$/i.test(part));
    if (!odd && !folders.has(name) && !foldersOf(name).some((folder) => names.has(folder))) yield [name, entry];
  }
}

/** `a/b/c` lies in `a` and `a/b`. */
function foldersOf(name: string): string[] {
  const parts = name.split('/');
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('/'));
}
