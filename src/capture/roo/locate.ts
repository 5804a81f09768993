import type { LocateIn, Surroundings } from '../adapter.ts';
import { objectOf, textOf } from '../fields.ts';
import { parseJsonFile } from '../json-lines.ts';
import { isNear } from '../near.ts';

const EDITIONS = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'];
const SERVERS = ['.vscode-server', '.vscode-server-insiders', '.vscode-remote', '.cursor-server', '.windsurf-server'];

/** Where editors keep what the extension stores: on all systems, and on machines that are worked on from afar. */
function storages({ home: folder, env }: Surroundings): string[] {
  const mac = folder.startsWith('/Users/') ? `${folder}/Library/Application Support` : undefined;
  const roots = [env.APPDATA ?? mac ?? (env.XDG_CONFIG_HOME || `${folder}/.config`)];
  const local = roots.flatMap((root) => EDITIONS.map((name) => `${root}/${name}`));
  const remote = SERVERS.map((name) => `${folder}/${name}/data`);
  return [...local, ...remote].map((data) => `${data}/User/globalStorage/rooveterinaryinc.roo-cline`);
}

/** The first edition's: whoever uses another names the agent. */
export function home(place: Surroundings): string {
  return storages(place)[0] ?? '';
}

export function locate(place: LocateIn): string[] {
  const { list, read, worktrees } = place;
  return storages(place).flatMap((storage) =>
    list(`${storage}/tasks`).flatMap(({ name, folder }) => {
      const task = `${storage}/tasks/${name}`;
      const workspace = folder
        ? textOf(objectOf(parseJsonFile(read(`${task}/history_item.json`) ?? ''))?.workspace)
        : undefined;
      const near = folder && (workspace === undefined || isNear(workspace, worktrees));
      return near ? [`${task}/api_conversation_history.json`] : [];
    }),
  );
}
