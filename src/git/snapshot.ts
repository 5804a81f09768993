import fs from 'node:fs';
import path from 'node:path';
import { encodePath } from './paths.ts';
import type { RawEntry } from './raw.ts';
import type { Repository } from './repository.ts';
import { askGit, type GitPlace } from './run.ts';

/** A jj repository that git does not see, with git's own inside it. */
const NOT_JJ = ':(exclude).jj';

/**
 * A tree of the whole work tree as it stands, made with an index of our own; undefined where there is none or git cannot make one. The
 * same as the shim does around an agent's commands: no ref holds the objects.
 */
export function snapshot(repository: Repository): Promise<string | undefined> {
  const quiet = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '-c', 'core.safecrlf=false'];
  return writeTree(repository, async (own, index) => {
    const real = path.join(repository.gitDir, 'index');
    if (fs.existsSync(real)) fs.copyFileSync(real, index);
    // 1: some file could not be read; above: git gave up, and the index is not the work tree
    return (await askGit(own, [...quiet, 'add', '-A', '--ignore-errors', '--', '.', NOT_JJ])).code <= 1;
  });
}

/** The tree with some of its files as the entries have them. */
export function treeWith(
  repository: Repository,
  tree: string,
  entries: readonly Pick<RawEntry, 'path' | 'newMode' | 'newBlob'>[],
): Promise<string | undefined> {
  const lines = entries.map(({ path: name, newMode, newBlob }) =>
    Buffer.concat([Buffer.from(`${newMode} ${newBlob}\t`), encodePath(name), Buffer.of(0)]),
  );
  return writeTree(repository, async (own) => {
    if ((await askGit(own, ['read-tree', tree])).code !== 0) return false;
    return (await askGit(own, ['update-index', '-z', '--index-info'], Buffer.concat(lines))).code === 0;
  });
}

type Fill = (own: GitPlace, index: string) => Promise<boolean>;

/** The tree of an index of our own, as it was filled. */
async function writeTree({ place, gitDir, worktree }: Repository, fill: Fill): Promise<string | undefined> {
  if (worktree === null) return undefined;
  // a name as the shim's: it looks by that whether we are still at it
  const index = path.join(gitDir, `agent-index.${Date.now()}.${process.pid}`);
  const own = { cwd: worktree, env: { ...place.env, GIT_INDEX_FILE: index } };
  try {
    if (!(await fill(own, index))) return undefined;
    const { code, out } = await askGit(own, ['write-tree']);
    return code === 0 ? out.toString('latin1').trim() : undefined;
  } catch {
    return undefined; // a read-only git dir: then nothing tells what stood there
  } finally {
    for (const file of [index, `${index}.lock`]) fs.rmSync(file, { force: true });
  }
}
