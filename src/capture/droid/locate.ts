import type { LocateIn, Surroundings } from '../adapter.ts';
import { selfAndAbove } from '../near.ts';

/** Droid's own folder of settings and sessions. */
export function droidFolder({ home, env }: Surroundings): string {
  return `${env.FACTORY_HOME_OVERRIDE || home}/.factory`;
}

/** Sessions started in a work tree, below it, or above it: names lose information, the `cwd` inside decides. */
export function locate({ list, worktrees, ...place }: LocateIn): string[] {
  const above = new Set(worktrees.flatMap(selfAndAbove).map(encode));
  const below = worktrees.map((path) => `${encode(path)}-`);
  const mayHold = (name: string) => above.has(encode(name)) || below.some((start) => encode(name).startsWith(start));
  const root = `${droidFolder(place)}/sessions`;
  const folders = list(root).flatMap(({ name, folder }) => (folder && mayHold(name) ? [`${root}/${name}`] : []));
  // older versions kept all sessions in one folder
  return [root, ...folders].flatMap((folder) =>
    list(folder).flatMap(({ name, folder: isFolder }) =>
      !isFolder && name.endsWith('.jsonl') ? [`${folder}/${name}`] : [],
    ),
  );
}

/** Which signs besides the separators become a dash is not told. */
function encode(path: string): string {
  return path.replace(/[^A-Za-z0-9]/g, '-').toLowerCase();
}
