import fs from 'node:fs';
import path from 'node:path';
import { findWorkspaces } from './apart.ts';
import { askGit, type GitPlace, runGit } from './run.ts';

export interface Worktree {
  readonly path: string;
  /** `''` for the main one, else the folder's name under `worktrees/`. */
  readonly name: string;
  /** Null while there is no commit yet, and in a bare repository. */
  readonly head: string | null;
  /** Full name of the branch; absent when detached. */
  readonly branch?: string;
  readonly bare: boolean;
  /** It was removed; what happened in it is still told. */
  readonly gone?: boolean;
}

export async function listWorktrees(place: GitPlace): Promise<Worktree[]> {
  const workspaces = findWorkspaces(place);
  if (workspaces) return workspaces;
  // -z came with 2.36; without it a path that contains a line end is cut short, which costs that work tree alone
  const out = await runGit(place, ['worktree', 'list', '--porcelain']);
  const trees = parseWorktrees(out.toString('utf8'));
  return Promise.all(
    trees.map(async (tree, i) => {
      if (i > 0) return { ...tree, name: findName(tree.path) };
      return { ...tree, name: '', ...(!tree.bare && { path: await mainFolder(place, tree.path) }) };
    }),
  );
}

/** Of a submodule, and where the git dir lies apart, git names the git dir in place of the main work tree. */
async function mainFolder(place: GitPlace, named: string): Promise<string> {
  if (fs.existsSync(path.join(named, '.git'))) return named;
  const { code, out } = await askGit({ ...place, cwd: named }, ['rev-parse', '--show-toplevel']);
  const top = out.toString('utf8').replace(/\n$/, '');
  return code === 0 && top !== '' ? top : named;
}

export function parseWorktrees(out: string): Omit<Worktree, 'name'>[] {
  const trees: Omit<Worktree, 'name'>[] = [];
  for (const entry of out.split('\n\n')) {
    const fields = new Map(entry.split('\n').map(splitField));
    const folder = fields.get('worktree');
    if (folder === undefined) continue;
    const head = fields.get('HEAD') ?? '';
    const branch = fields.get('branch');
    trees.push({
      path: folder,
      head: /^0*$/.test(head) ? null : head,
      ...(branch !== undefined && { branch }),
      bare: fields.has('bare'),
    });
  }
  return trees;
}

function splitField(line: string): [string, string] {
  const space = line.indexOf(' ');
  return space < 0 ? [line, ''] : [line.slice(0, space), line.slice(space + 1)];
}

/** Git does not print the name; the work tree's own `.git` file has it. A folder that is gone mostly had the same name. */
function findName(folder: string): string {
  try {
    const link = fs.readFileSync(path.join(folder, '.git'), 'utf8');
    return path.basename(link.replace(/^gitdir: /, '').trim());
  } catch {
    return path.basename(folder);
  }
}
