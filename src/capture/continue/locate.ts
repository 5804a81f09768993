import type { LocateIn, Surroundings } from '../adapter.ts';
import { countOf, listOf, objectOf, textOf } from '../fields.ts';
import { parseJsonFile } from '../json-lines.ts';
import { isNear } from '../near.ts';

export function continueFolder({ home, env }: Surroundings): string {
  return env.CONTINUE_GLOBAL_DIR || `${home}/.continue`;
}

export const INDEX = 'sessions.json';

export function locate({ list, read, worktrees, ...place }: LocateIn): string[] {
  const folder = `${continueFolder(place)}/sessions`;
  const sessions = readIndex(read(`${folder}/${INDEX}`));
  return list(folder).flatMap(({ name, folder: isFolder }) => {
    if (isFolder || name === INDEX || !name.endsWith('.json')) return [];
    const cwd = sessions.get(name.slice(0, -'.json'.length))?.cwd;
    return cwd === undefined || isNear(cwd, worktrees) ? [`${folder}/${name}`] : [];
  });
}

export interface Indexed {
  readonly cwd?: string;
  /** When it was first saved. */
  readonly saved?: number;
}

/** The list of all sessions, by their ids. */
export function readIndex(text: string | undefined): ReadonlyMap<string, Indexed> {
  return new Map(
    listOf(parseJsonFile(text ?? '')).flatMap((value) => {
      const item = objectOf(value);
      const id = textOf(item?.sessionId);
      const [cwd, saved] = [pathOf(item?.workspaceDirectory), countOf(Number(item?.dateCreated ?? NaN))];
      return id === undefined ? [] : [[id, { ...(cwd && { cwd }), ...(saved && { saved }) }] as const];
    }),
  );
}

/** The editor's extension names folders and files by URI. */
export function pathOf(value: unknown): string | undefined {
  const text = textOf(value);
  if (!text?.startsWith('file://')) return text || undefined;
  try {
    // file:///c%3A/x on Windows
    return decodeURIComponent(text.slice('file://'.length)).replace(/^\/(?=[A-Za-z]:)/, '');
  } catch {
    return undefined;
  }
}
