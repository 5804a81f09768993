import type { LocateIn, Surroundings } from '../adapter.ts';
import { objectOf, textOf } from '../fields.ts';
import { parseJsonFile } from '../json-lines.ts';
import type { Member } from './family.ts';

/** Settings and plug-ins; on all systems alike. */
export function configFolder(name: string, { home, env }: Surroundings): string {
  return `${env.XDG_CONFIG_HOME || `${home}/.config`}/${name}`;
}

export function dataFolder(name: string, { home, env }: Surroundings): string {
  return `${env.XDG_DATA_HOME || `${home}/.local/share`}/${name}`;
}

/** The databases, each with the sessions of all folders; and sessions of versions before 1.2, a file each. */
export function locate({ name, database }: Member, { list, read, worktrees, ...place }: LocateIn): string[] {
  const data = dataFolder(name, place);
  const named = place.env[database];
  // builds of other channels have one each: opencode-dev.db
  const found = list(data).flatMap((entry) => (isDatabase(name, entry.name) ? [`${data}/${entry.name}`] : []));
  const projects = list(`${data}/storage/project`).flatMap((entry) => {
    const project = entry.name.endsWith('.json') ? entry.name.slice(0, -'.json'.length) : undefined;
    const told = project === undefined ? undefined : read(`${data}/storage/project/${entry.name}`);
    const worktree = told === undefined ? undefined : textOf(objectOf(parseJsonFile(told))?.worktree);
    return project !== undefined && isNear(worktree, worktrees) ? [`${data}/storage/session/${project}`] : [];
  });
  const sessions = projects.flatMap((folder) =>
    list(folder).flatMap((entry) => (/^ses.*\.json$/.test(entry.name) ? [`${folder}/${entry.name}`] : [])),
  );
  return [...new Set([...found, ...(named ? [databasePath(data, named)] : []), ...sessions])];
}

function isDatabase(name: string, file: string): boolean {
  return file.startsWith(name) && /^(?:-[A-Za-z0-9._-]+)?\.db$/.test(file.slice(name.length));
}

function databasePath(data: string, named: string): string {
  return /^(?:[\\/]|[A-Za-z]:)/.test(named) ? named : `${data}/${named}`;
}

/** Whether a folder is one of the work trees, or lies in one or above one. */
export function isNear(folder: string | undefined, worktrees: readonly string[]): boolean {
  if (!folder) return false;
  const bare = (path: string) => path.replaceAll('\\', '/').replace(/\/+$/, '');
  const here = bare(folder);
  return worktrees.map(bare).some((tree) => `${here}/`.startsWith(`${tree}/`) || `${tree}/`.startsWith(`${here}/`));
}
