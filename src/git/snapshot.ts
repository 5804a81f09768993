import fs from 'node:fs';
import path from 'node:path';
import type { Repository } from './repository.ts';
import { askGit } from './run.ts';

/** A jj repository that git does not see, with git's own inside it. */
const NOT_JJ = ':(exclude).jj';

/**
 * A tree of the whole work tree as it stands, made with an index of our own; undefined where there is none or git cannot make one. The
 * same as the shim does around an agent's commands: no ref holds the objects.
 */
export async function snapshot({ place, gitDir, worktree }: Repository): Promise<string | undefined> {
  if (worktree === null) return undefined;
  const index = path.join(gitDir, `agent-index.${process.pid}`);
  const own = { cwd: worktree, env: { ...place.env, GIT_INDEX_FILE: index } };
  const quiet = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '-c', 'core.safecrlf=false'];
  try {
    const real = path.join(gitDir, 'index');
    if (fs.existsSync(real)) fs.copyFileSync(real, index);
    // 1: some file could not be read; above: git gave up, and the index is not the work tree
    const added = await askGit(own, [...quiet, 'add', '-A', '--ignore-errors', '--', '.', NOT_JJ]);
    if (added.code > 1) return undefined;
    const { code, out } = await askGit(own, ['write-tree']);
    return code === 0 ? out.toString('latin1').trim() : undefined;
  } catch {
    return undefined; // a read-only git dir: then nothing tells what stood there
  } finally {
    for (const file of [index, `${index}.lock`]) fs.rmSync(file, { force: true });
  }
}
