import type { LocateIn, Surroundings } from '../adapter.ts';
import { selfAndAbove } from '../near.ts';

/** Qwen's own folder of settings. */
export function qwenFolder({ home, env }: Surroundings): string {
  return expand(env.QWEN_HOME, home) ?? `${home}/.qwen`;
}

function expand(folder: string | undefined, home: string): string | undefined {
  if (!folder) return undefined;
  return folder === '~' || /^~[\\/]/.test(folder) ? home + folder.slice(1) : folder;
}

/** Sessions started in a work tree, below it, or above it: names lose information, the `cwd` inside decides. */
export function locate({ list, worktrees, ...place }: LocateIn): string[] {
  const root = `${expand(place.env.QWEN_RUNTIME_DIR, place.home) ?? qwenFolder(place)}/projects`;
  const above = new Set(worktrees.flatMap(selfAndAbove).map(encode));
  const starts = worktrees.map((tree) => `${encode(tree)}-`);
  const mayHold = (name: string) => above.has(name) || starts.some((start) => name.startsWith(start));
  const below = (parent: string, wanted: (name: string) => boolean = () => true) =>
    list(parent).flatMap(({ name, folder }) => (folder && wanted(name.toLowerCase()) ? [`${parent}/${name}`] : []));
  return below(root, mayHold)
    .flatMap((project) => [`${project}/chats`, `${project}/chats/archive`, ...below(`${project}/subagents`)])
    .flatMap((parent) =>
      list(parent).flatMap(({ name, folder }) => (!folder && name.endsWith('.jsonl') ? [`${parent}/${name}`] : [])),
    );
}

/** Letters' case is left aside: on Windows Qwen does not keep it. */
function encode(path: string): string {
  return path
    .replace(/(?<=.)[\\/]+$/, '')
    .replace(/[^A-Za-z0-9]/g, '-')
    .toLowerCase();
}
