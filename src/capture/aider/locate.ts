import type { LocateIn } from '../adapter.ts';

export const HISTORY = '.aider.chat.history.md';
export const INPUTS = '.aider.input.history';

/**
 * Histories lie in the work tree itself, by a name that settings may change. One outside all work trees may be of several repositories,
 * and does not say which: it is left alone.
 */
export function locate({ worktrees, read, home, env }: LocateIn): string[] {
  return worktrees.flatMap((tree) => {
    const settings = [`${tree}/.aider.conf.yml`, `${home}/.aider.conf.yml`].map((file) => settingIn(read(file)));
    const names = [HISTORY, env.AIDER_CHAT_HISTORY_FILE, ...settings].filter((name) => name !== undefined);
    return [...new Set(names.flatMap((name) => inTree(tree, name) ?? []))];
  });
}

function settingIn(text: string | undefined): string | undefined {
  return /^chat-history-file:[ \t]*(["']?)([^"'#\r\n]+?)\1[ \t]*(?:#.*)?\r?$/m.exec(text ?? '')?.[2];
}

function inTree(tree: string, name: string): string | undefined {
  const absolute = /^(?:[\\/]|[A-Za-z]:[\\/])/.test(name);
  if (name.split(/[\\/]/).includes('..') || name.startsWith('~')) return undefined;
  const path = absolute ? name : `${tree}/${name.replace(/^\.\//, '')}`;
  return treeOf(path, [tree]) === undefined ? undefined : path;
}

/** The innermost work tree that a file lies in. */
export function treeOf(file: string, worktrees: readonly string[]): string | undefined {
  return worktrees
    .map((tree) => tree.replace(/[\\/]+$/, ''))
    .filter((tree) => file.startsWith(tree) && /^[\\/]/.test(file.slice(tree.length)))
    .reduce<string | undefined>((best, tree) => (best && best.length > tree.length ? best : tree), undefined);
}
