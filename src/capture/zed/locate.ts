import type { LocateIn, Surroundings } from '../adapter.ts';

/** On Windows the environment tells, on a Mac where homes are. */
export function dataFolder({ home, env }: Surroundings): string {
  if (env.LOCALAPPDATA) return `${env.LOCALAPPDATA}/Zed`;
  if (home.startsWith('/Users/')) return `${home}/Library/Application Support/Zed`;
  return `${env.XDG_DATA_HOME || `${home}/.local/share`}/zed`;
}

/** One database for all threads. */
export function locate(place: LocateIn): string[] {
  return [`${dataFolder(place)}/threads/threads.db`];
}
