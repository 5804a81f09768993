import type { LocateIn, Surroundings } from '../adapter.ts';
import { workspaceFolder } from './workspace.ts';

/** The CLI's folder; VS Code looks for hooks in it too. */
export function copilotHome({ home, env }: Surroundings): string {
  return trimmed(env.COPILOT_HOME || `${home}/.copilot`);
}

export function locate(place: LocateIn): string[] {
  return [...cliSessions(place), ...userFolders(place).flatMap((folder) => chats(place, folder))];
}

function cliSessions(place: LocateIn): string[] {
  const root = `${copilotHome(place)}/session-state`;
  return place.list(root).flatMap(({ name, folder }) => {
    if (name.startsWith('.')) return [];
    if (!folder) return name.endsWith('.jsonl') ? [`${root}/${name}`] : [];
    const told = place.read(`${root}/${name}/workspace.yaml`);
    const places = ['cwd', 'git_root'].flatMap((key) => yamlValue(told ?? '', key) ?? []);
    return places.length === 0 || places.some((path) => mayHold(place, path)) ? [`${root}/${name}/events.jsonl`] : [];
  });
}

/** A value of a simple YAML file. */
function yamlValue(text: string, key: string): string | undefined {
  const value = new RegExp(`^${key}: *(.+?) *$`, 'm').exec(text)?.[1];
  return value?.replace(/^(['"])(.*)\1$/, '$2');
}

const EDITIONS = ['Code', 'Code - Insiders', 'VSCodium'];

/** VS Code's folders of a user, on all systems, and on machines that are worked on from afar. */
function userFolders({ home, env }: Surroundings): string[] {
  const roots = [env.XDG_CONFIG_HOME || `${home}/.config`, `${home}/Library/Application Support`, env.APPDATA];
  const local = roots.flatMap((root) => (root ? EDITIONS.map((name) => `${trimmed(root)}/${name}/User`) : []));
  const remote = ['.vscode-server', '.vscode-server-insiders'].map((name) => `${home}/${name}/data/User`);
  return [...local, ...remote];
}

function chats(place: LocateIn, user: string): string[] {
  const files = (folder: string, ending: RegExp) =>
    place
      .list(folder)
      .flatMap((entry) => (!entry.folder && ending.test(entry.name) ? [`${folder}/${entry.name}`] : []));
  const ours = place.list(`${user}/workspaceStorage`).flatMap(({ name, folder }) => {
    const storage = `${user}/workspaceStorage/${name}`;
    if (!folder) return [];
    const path = workspaceFolder(place.read(`${storage}/workspace.json`));
    return path === undefined || mayHold(place, path) ? [storage] : [];
  });
  return [
    ...ours.flatMap((storage) => [
      ...files(`${storage}/GitHub.copilot-chat/transcripts`, /\.jsonl$/),
      ...files(`${storage}/chatSessions`, /\.jsonl?$|\.json$/),
    ]),
    ...files(`${user}/globalStorage/emptyWindowChatSessions`, /\.jsonl?$/),
  ];
}

/** Whether somebody who works in the folder may work in a work tree: it is that, above it, or below it. */
function mayHold({ worktrees }: LocateIn, folder: string): boolean {
  const plain = (path: string) => `${trimmed(path).replace(/\\/g, '/').toLowerCase()}/`;
  const path = plain(folder);
  return worktrees.some((tree) => path.startsWith(plain(tree)) || plain(tree).startsWith(path));
}

function trimmed(path: string): string {
  return path.replace(/(?<=.)[\\/]+$/, '');
}
