import fs from 'node:fs';
import path from 'node:path';

/** A jj repository, seen from one of its workspaces. All paths are absolute and real. */
export interface JjRepository {
  /** Top of the workspace: the folder that holds `.jj`. */
  readonly root: string;
  /** What workspaces share. */
  readonly repo: string;
  /** The git repository that holds the commits. */
  readonly gitDir: string;
  /** Git finds the same repository from here by itself. */
  readonly colocated: boolean;
}

/** No such file is longer than a path. */
const MAX_LINK = 4096;

/** Looks at or above a folder, without starting anything. Undefined: not in a jj repository, or one whose store is not git's. */
export function findJj(cwd: string): JjRepository | undefined {
  for (let at = path.resolve(cwd); ; at = path.dirname(at)) {
    const jj = path.join(at, '.jj');
    if (fs.statSync(jj, { throwIfNoEntry: false })?.isDirectory()) return openJj(at);
    // a git repository of its own inside a jj workspace
    if (fs.existsSync(path.join(at, '.git')) || at === path.dirname(at)) return undefined;
  }
}

function openJj(root: string): JjRepository | undefined {
  try {
    const named = path.join(root, '.jj', 'repo');
    const isFolder = fs.statSync(named).isDirectory();
    const repo = fs.realpathSync(isFolder ? named : path.resolve(root, '.jj', readLink(named)));
    const store = path.join(repo, 'store');
    const gitDir = fs.realpathSync(path.resolve(store, readLink(path.join(store, 'git_target'))));
    return { root: fs.realpathSync(root), repo, gitDir, colocated: fs.existsSync(path.join(root, '.git')) };
  } catch {
    // half made, or of another kind of store: to us it is none
    return undefined;
  }
}

function readLink(file: string): string {
  if (fs.statSync(file).size > MAX_LINK) throw new RangeError(file);
  return fs.readFileSync(file, 'utf8').replace(/\r?\n$/, '');
}

/** The operations that nothing came after: mostly one. They change with everything that happens, so that nothing need be started to see. */
export function operationHeads({ repo }: Pick<JjRepository, 'repo'>): string[] {
  try {
    return fs
      .readdirSync(path.join(repo, 'op_heads', 'heads'))
      .filter((name) => /^[0-9a-f]{16,128}$/.test(name))
      .sort();
  } catch {
    return [];
  }
}
