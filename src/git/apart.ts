import { hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { findJj, type JjRepository, operationHeads } from '../jj/find.ts';
import { readWorkspaces, type Workspace } from '../jj/workspaces.ts';
import { askGit, type GitPlace } from './run.ts';
import type { Worktree } from './worktrees.ts';

/** jj may keep git's repository inside `.jj`, without a HEAD that means anything: git finds nothing from the work tree then. */
function findApart(cwd: string): JjRepository | undefined {
  // what the person names counts
  if (process.env.GIT_DIR !== undefined) return undefined;
  const jj = findJj(cwd);
  return jj?.colocated ? undefined : jj;
}

/**
 * Where git is to be asked from a folder. Mostly just there; in a jj workspace without git, a git dir of our own in the cache stands in:
 * like that of a linked work tree, its HEAD is the parent of `@`, its index is `@`, and all the rest is the repository's.
 */
export async function placeAt(cwd: string): Promise<GitPlace> {
  const jj = findApart(cwd);
  if (!jj || !(await isTrusted(jj))) return { cwd };
  const env = { GIT_DIR: jj.gitDir, GIT_WORK_TREE: jj.root };
  const gitDir = await standIn(jj).catch(() => undefined);
  return { cwd, env: gitDir === undefined ? env : { ...env, GIT_DIR: gitDir } };
}

/**
 * Git asks no more once it is told where its repository is. So what belongs to somebody else counts only where git itself would go there,
 * and what is tracked by a repository around it came with a clone: its settings may name programs.
 */
async function isTrusted({ root, repo, gitDir }: JjRepository): Promise<boolean> {
  const me = process.getuid?.();
  const isMine = (folder: string) => me === undefined || fs.statSync(folder).uid === me;
  if (![path.join(root, '.jj'), repo, gitDir].every(isMine)) {
    const { code } = await askGit({ cwd: gitDir }, ['rev-parse', '--git-dir']);
    if (code !== 0) return false;
  }
  if (!isInside(root)) return true;
  const { code, out } = await askGit({ cwd: root }, ['ls-files', '-z', '--', '.jj']);
  return code === 0 && out.length === 0;
}

/** Whether there is a repository of git's around a folder. */
function isInside(folder: string): boolean {
  for (let at = folder; at !== path.dirname(at); at = path.dirname(at))
    if (fs.existsSync(path.join(path.dirname(at), '.git'))) return true;
  return false;
}

/** Undefined: jj cannot be asked, or nothing can be written. */
async function standIn(jj: JjRepository): Promise<string | undefined> {
  const [operation = ''] = operationHeads(jj);
  const dir = folderOf(jj);
  if (readIf(path.join(dir, 'operation')) === operation) return dir;
  const workspaces = await readWorkspaces({ root: jj.root, operation });
  const here = workspaces?.find(({ root }) => realIf(root) === jj.root);
  if (!workspaces || !here) return undefined;
  fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
  const [parent] = here.parents;
  replace(path.join(dir, 'commondir'), `${jj.gitDir}\n`);
  replace(path.join(dir, 'HEAD'), `${parent ?? 'ref: refs/jj/root'}\n`);
  const index = path.join(dir, `index.${process.pid}`);
  const env = { GIT_DIR: dir, GIT_WORK_TREE: jj.root, GIT_INDEX_FILE: index };
  const { code } = await askGit({ cwd: jj.root, env }, ['read-tree', here.commit]);
  if (code === 0) fs.renameSync(index, path.join(dir, 'index'));
  replace(path.join(dir, 'workspaces'), JSON.stringify(workspaces));
  replace(path.join(dir, 'operation'), operation);
  return dir;
}

function folderOf({ gitDir, root }: JjRepository): string {
  return path.join(gitDir, 'agent', 'cache', 'jj', hash('sha256', root).slice(0, 16));
}

/** The workspaces in place of git's work trees; undefined where git's own count. */
export function findWorkspaces(place: GitPlace): Worktree[] | undefined {
  const jj = place.env?.GIT_WORK_TREE === undefined ? undefined : findApart(place.cwd);
  if (!jj) return undefined;
  const said = readIf(path.join(folderOf(jj), 'workspaces'));
  const known: Workspace[] = said === undefined ? [] : JSON.parse(said);
  const trees = known.map(({ root, parents }) => workspaceTree(realIf(root) ?? root, parents[0] ?? null));
  return trees.length > 0 ? trees : [workspaceTree(jj.root, null)];
}

function workspaceTree(root: string, head: string | null): Worktree {
  return { path: root, name: workspaceName(root), head, bare: false };
}

/** `''` for the one that holds the repository, else its folder's name: the shim does the same. */
export function workspaceName(root: string): string {
  const holds = fs.statSync(path.join(root, '.jj', 'repo'), { throwIfNoEntry: false })?.isDirectory();
  return holds ? '' : path.basename(root);
}

function realIf(file: string): string | undefined {
  try {
    return fs.realpathSync(file);
  } catch {
    return undefined;
  }
}

function readIf(file: string): string | undefined {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined;
}

/** Others may be reading it. */
function replace(file: string, text: string): void {
  fs.writeFileSync(`${file}.${process.pid}`, text, { mode: 0o600 });
  fs.renameSync(`${file}.${process.pid}`, file);
}
