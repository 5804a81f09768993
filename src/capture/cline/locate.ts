import type { LocateIn, Surroundings } from '../adapter.ts';
import { listOf, objectOf, textOf } from '../fields.ts';
import { parseJsonFile } from '../json-lines.ts';
import { isNear } from '../near.ts';

export function clineFolder({ home, env }: Surroundings): string {
  return env.CLINE_DIR?.trim() || `${home}/.cline`;
}

function dataFolder(place: Surroundings): string {
  return place.env.CLINE_DATA_DIR?.trim() || `${clineFolder(place)}/data`;
}

export function locate(place: LocateIn): string[] {
  const sessions = place.env.CLINE_SESSION_DATA_DIR?.trim() || `${dataFolder(place)}/sessions`;
  const storages = [dataFolder(place), ...extensionFolders(place)];
  return [...sessionsIn(place, sessions), ...storages.flatMap((storage) => tasksIn(place, storage))];
}

/** Since 2026: two files to a session. */
function sessionsIn({ list, read, worktrees }: LocateIn, root: string): string[] {
  return list(root).flatMap(({ name, folder }) => {
    const start = `${root}/${name}/${name}`;
    const manifest = folder ? objectOf(parseJsonFile(read(`${start}.json`) ?? '')) : undefined;
    const cwd = textOf(manifest?.cwd);
    return folder && (cwd === undefined || isNear(cwd, worktrees)) ? [`${start}.messages.json`] : [];
  });
}

const TASK_FILE = 'api_conversation_history.json';

export function isTask(path: string): boolean {
  return path.endsWith(TASK_FILE);
}

/** Before: a folder of files to a task, and one list of them all. */
function tasksIn({ list, read, worktrees }: LocateIn, storage: string): string[] {
  const folders = taskFolders(read(`${storage}/state/taskHistory.json`));
  return list(`${storage}/tasks`).flatMap(({ name, folder }) => {
    const cwd = folders.get(name);
    const near = folder && (cwd === undefined || isNear(cwd, worktrees));
    return near ? [`${storage}/tasks/${name}/${TASK_FILE}`] : [];
  });
}

/** Where each task was begun, by its id. */
export function taskFolders(history: string | undefined): ReadonlyMap<string, string> {
  return new Map(
    listOf(parseJsonFile(history ?? '')).flatMap((value) => {
      const item = objectOf(value);
      const [id, cwd] = [textOf(item?.id), textOf(item?.cwdOnTaskInitialization)];
      return id !== undefined && cwd ? [[id, cwd] as const] : [];
    }),
  );
}

const EDITIONS = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'];
const SERVERS = ['.vscode-server', '.vscode-server-insiders', '.vscode-remote', '.cursor-server', '.windsurf-server'];

/** Where editors keep what the extension stores, on all systems, and on machines that are worked on from afar. */
function extensionFolders({ home, env }: Surroundings): string[] {
  const roots = [env.XDG_CONFIG_HOME || `${home}/.config`, `${home}/Library/Application Support`, env.APPDATA];
  const local = roots.flatMap((root) => (root ? EDITIONS.map((name) => `${root}/${name}`) : []));
  const remote = SERVERS.map((name) => `${home}/${name}/data`);
  return [...local, ...remote].map((folder) => `${folder}/User/globalStorage/saoudrizwan.claude-dev`);
}
