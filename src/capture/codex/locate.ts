import type { LocateIn, Surroundings } from '../adapter.ts';

/** Codex's own folder of settings, hooks and sessions. */
export function codexFolder({ home, env }: Surroundings): string {
  return trimmed(env.CODEX_HOME || `${home}/.codex`);
}

/**
 * Sessions of all folders lie together, by the day they began: `sessions/2026/11/16/rollout-TIME-ID.jsonl`. An old one may be resumed,
 * so that no day is left out; which of them are about the work trees their first line tells. Compressed ones (`.zst`) are at rest.
 */
export function locate({ list, ...place }: LocateIn): string[] {
  const homes = new Set([codexFolder(place), `${place.home}/.codex`]);
  const folders = (above: readonly string[]): string[] =>
    above.flatMap((folder) => list(folder).flatMap((entry) => (entry.folder ? [`${folder}/${entry.name}`] : [])));
  return [...homes].flatMap((home) => {
    const days = folders(folders(folders([`${home}/sessions`])));
    return [...days, `${home}/archived_sessions`].flatMap((folder) =>
      list(folder).flatMap(({ name, folder: isFolder }) =>
        !isFolder && /^rollout-.*\.jsonl$/.test(name) ? [`${folder}/${name}`] : [],
      ),
    );
  });
}

/**
 * Whether a session that began in this folder may be about one of the work trees: it began in one, below one or above one. A link may
 * lead there by another way: the work tree's own name is enough.
 */
export function concerns(folder: string, worktrees: readonly string[]): boolean {
  const parts = partsOf(folder);
  return worktrees.some((worktree) => {
    const there = partsOf(worktree);
    const name = there.at(-1);
    return name === undefined || parts.includes(name) || parts.every((part, i) => part === there[i]);
  });
}

/** Letters' case is left aside: some file systems do not keep it. */
function partsOf(folder: string): string[] {
  return folder
    .toLowerCase()
    .split(/[\\/]+/)
    .filter(Boolean);
}

function trimmed(folder: string): string {
  return folder.replace(/(?<=[^\\/])[\\/]{1,64}$/, '');
}
