import type { LocateIn, Surroundings } from '../adapter.ts';

export function dataFolder({ home, env }: Surroundings): string {
  return `${env.XDG_DATA_HOME || `${home}/.local/share`}/amp`;
}

/** Threads of all folders lie together: the one they were begun in stands inside. */
export function locate({ list, ...place }: LocateIn): string[] {
  const root = `${dataFolder(place)}/threads`;
  return list(root).flatMap(({ name, folder }) => (!folder && /^T-.+\.json$/.test(name) ? [`${root}/${name}`] : []));
}
