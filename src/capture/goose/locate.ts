import type { LocateIn, Surroundings } from '../adapter.ts';

/** Goose looks where XDG says, on macOS too; on Windows in the folder of applications. */
export function dataFolder({ home, env }: Surroundings): string {
  const root = env.GOOSE_PATH_ROOT;
  if (root && /^(?:[\\/]|[A-Za-z]:)/.test(root)) return `${root}/data`;
  if (env.APPDATA) return `${env.APPDATA}/Block/goose/data`;
  return `${env.XDG_DATA_HOME || `${home}/.local/share`}/goose`;
}

/** One database for all sessions. Files of older versions are taken into it when it is made. */
export function locate(place: LocateIn): string[] {
  return [`${dataFolder(place)}/sessions/sessions.db`];
}
