import { bytesOf, textOf } from './bytes.ts';
import { HOOKS, type HookName, printBlock } from './hook-file.ts';
import type { ChainRecord, HooksPath, HooksPathValue } from './hooks-path.ts';

/** Every hook that git knows, from 2.30 to 2.55 (`githooks(5)`), but for those below. */
const ALWAYS = [
  ...['applypatch-msg', 'pre-applypatch', 'post-applypatch'],
  ...['pre-commit', 'pre-merge-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'],
  ...['pre-rebase', 'post-checkout', 'post-merge', 'post-rewrite', 'pre-push', 'pre-auto-gc'],
  ...['pre-receive', 'update', 'proc-receive', 'post-receive', 'post-update'],
  ...['sendemail-validate', 'fsmonitor-watchman'],
  ...['p4-changelist', 'p4-prepare-changelist', 'p4-post-changelist', 'p4-pre-submit'],
] as const;

/**
 * Hooks that must not be there for nothing. Where there is a push-to-checkout, git itself no longer updates the work tree; the other two
 * are run several times by everything that moves a ref or writes the index, and a fetch moves thousands.
 */
export const WHERE_USED = ['push-to-checkout', 'reference-transaction', 'post-index-change'] as const;

export const LINKS: readonly string[] = [...ALWAYS, ...WHERE_USED];

const HEAD =
  '#!/bin/sh\n# git-agent-blame: in the place of core.hooksPath, until git agent deinit. What was there:\n# ';

type Linked = Pick<ChainRecord, 'before' | 'behind'>;

/** The links to a folder of hooks, by name, as bytes; `used` are the names that stand there. */
export function chainOf(what: Linked, used: readonly string[]): ReadonlyMap<string, string> {
  const names = [...ALWAYS, ...WHERE_USED.filter((name) => used.includes(name))];
  return new Map(names.map((name) => [name, bytesOf(printLink(name, what))]));
}

/**
 * Runs our part, if it is one of our hooks, and then becomes the hook that git would have run: same `$0`, arguments, input, exit code.
 * `behind` is as git has it, a relative folder begins where git runs hooks: each work tree has its own copy.
 */
export function printLink(name: string, { before, behind }: Linked): string {
  const hook = quote(`${behind}/${name}`);
  const block = isOurHook(name) ? printBlock(name) : '';
  const top = hook.startsWith("'/") ? '' : findTop(hook);
  // better no push than one that leaves the work tree behind
  const none = name === 'push-to-checkout' ? 'exit 1\n' : '';
  return `${HEAD}${JSON.stringify({ before, behind })}\n${block}${top}[ ! -x ${hook} ] || exec ${hook} "$@"\n${none}`;
}

/** Git goes to the top first, other programs that run hooks may not. At the top this costs no process. */
function findTop(hook: string): string {
  return `[ -x ${hook} ] || [ -e .git ] || [ -n "\${GIT_DIR-}" ] || cd "$(git rev-parse --show-toplevel 2>/dev/null || echo .)"\n`;
}

/** What `core.hooksPath` is without us. */
export interface Behind {
  /** Ours, where git takes hooks from it; it may name a place that the repository has left. */
  readonly value: string | undefined;
  /** What the repository's own configuration says besides. */
  readonly before: readonly string[];
  /** The folder that git would take hooks from, as it is written; undefined: the one in the git dir. */
  readonly behind: string | undefined;
  /** Why our folder cannot stand in its place. */
  readonly obstacle: string | undefined;
}

export function lookBehind(path: HooksPath, folder: string, record: ChainRecord | null): Behind {
  const isOurs = (value: string) => value === folder || value === record?.value;
  const last = path.values.at(-1);
  if (last?.scope !== 'local' || !isOurs(last.value)) {
    const before = path.own.filter((value) => !isOurs(value));
    return { value: undefined, before, behind: last?.folder, obstacle: findObstacle(path, last) };
  }
  const others = path.values.filter(({ scope, value }) => scope !== 'local' || !isOurs(value));
  const before = record?.before ?? [];
  const behind = record !== null && before.length > 0 ? record.behind : others.at(-1)?.folder;
  const obstacle = record === null ? 'what it was before ours is not known any more' : findObstacle(path, undefined);
  return { value: last.value, before, behind, obstacle };
}

function findObstacle({ own, shared }: HooksPath, last: HooksPathValue | undefined): string | undefined {
  if (shared) return 'core.sharedRepository lets others work here, who may not read our folder';
  if (last === undefined) return undefined;
  const below = last.scope === 'local' ? own.includes(last.value) : /^(system|global)$/.test(last.scope);
  if (!below) return `it is set in ${last.origin}, which goes before the repository's own configuration`;
  return last.folder.includes('\ufffd') ? 'its name is not UTF-8' : undefined;
}

/** What a link remembers, for when `installed.json` is gone; undefined: it is none of ours. */
export function parseLink(text: string): Linked | undefined {
  const end = text.indexOf('\n', HEAD.length);
  if (!text.startsWith(HEAD) || end < 0) return undefined;
  try {
    const value: unknown = JSON.parse(textOf(text.slice(HEAD.length, end)));
    return isLinked(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isLinked(value: unknown): value is Linked {
  if (typeof value !== 'object' || value === null || !('before' in value) || !('behind' in value)) return false;
  const { before, behind } = value;
  return typeof behind === 'string' && Array.isArray(before) && before.every((one) => typeof one === 'string');
}

function isOurHook(name: string): name is HookName {
  return (HOOKS as readonly string[]).includes(name);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
