import fs from 'node:fs';
import path from 'node:path';
import { findWorkspaces } from './apart.ts';
import { type GitPlace, runGit } from './run.ts';

export interface Worktree {
  readonly path: string;
  /** `''` for the main one, else the folder's name under `worktrees/`. */
  readonly name: string;
  /** Null while there is no commit yet, and in a bare repository. */
  readonly head: string | null;
  /** Full name of the branch; absent when detached. */
  readonly branch?: string;
  readonly bare: boolean;
}

export async function listWorktrees(place: GitPlace): Promise<Worktree[]> {
  const workspaces = findWorkspaces(place);
  if (workspaces) return workspaces;
  // -z came with 2.36; without it a path that contains a line end is cut short, which costs that work tree alone
  const out = await runGit(place, ['worktree', 'list', '--porcelain']);
  return parseWorktrees(out.toString('utf8')).map((tree, i) => ({ ...tree, name: i === 0 ? '' : findName(tree.path) }));
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
