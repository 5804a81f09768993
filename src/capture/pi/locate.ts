import type { LocateIn, Surroundings } from '../adapter.ts';
import { selfAndAbove } from '../near.ts';

/** Pi's own folder of settings, extensions and sessions. */
export function agentFolder({ home, env }: Surroundings): string {
  return expand(env.PI_CODING_AGENT_DIR, home) ?? `${home}/.pi/agent`;
}

function expand(folder: string | undefined, home: string): string | undefined {
  if (!folder) return undefined;
  return folder === '~' || /^~[\\/]/.test(folder) ? home + folder.slice(1) : folder;
}

/** Sessions started in a work tree, below it, or above it: names lose information, the `cwd` inside decides. */
export function locate({ list, worktrees, ...place }: LocateIn): string[] {
  const above = new Set(worktrees.flatMap(selfAndAbove).map((path) => `--${encode(path)}--`));
  const below = worktrees.map((path) => `--${encode(path)}-`);
  const mayHold = (name: string) => above.has(name) || below.some((start) => name.startsWith(start));
  const root = `${agentFolder(place)}/sessions`;
  const folders = list(root).flatMap(({ name, folder }) => (folder && mayHold(name) ? [`${root}/${name}`] : []));
  // one folder for all sessions, where the user wants that
  const own = expand(place.env.PI_CODING_AGENT_SESSION_DIR, place.home);
  return [...folders, ...(own ? [own] : [])].flatMap((folder) =>
    list(folder).flatMap(({ name, folder: isFolder }) =>
      !isFolder && name.endsWith('.jsonl') ? [`${folder}/${name}`] : [],
    ),
  );
}

function encode(path: string): string {
  return path.replace(/^[\\/]/, '').replace(/[\\/:]/g, '-');
}
