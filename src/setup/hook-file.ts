/** The hooks that git runs for us. */
export const HOOKS = ['post-commit', 'post-rewrite', 'post-merge', 'post-applypatch', 'pre-push'] as const;
export type HookName = (typeof HOOKS)[number];

/** Everything that `init` copies: the hooks, and the scripts that they and agents start. */
export const SHIMS = [...HOOKS, 'fact', 'wake', 'gate', 'agent-hook'] as const;

/** A file as it was found; text is latin1, so that every byte comes back. */
export type FoundFile =
  | { readonly kind: 'none' }
  | { readonly kind: 'file'; readonly text: string; readonly mode: number }
  | { readonly kind: 'link'; readonly target: string; readonly text: string; readonly mode: number };

/** What is put back of a file: of a link only where it leads. */
export type Standing =
  | { readonly kind: 'none' }
  | { readonly kind: 'file'; readonly text: string; readonly mode: number }
  | { readonly kind: 'link'; readonly target: string };

/** What a hook file becomes; `keep`: what stood there stays as `NAME.before-agent` and is run by the new file. */
export interface HookEdit {
  readonly text: string;
  readonly mode: number;
  readonly keep: boolean;
}

export const KEPT = '.before-agent';
const BEGIN = '# >>> git-agent-blame (taken out again by: git agent deinit)';
const END = '# <<< git-agent-blame';
const BLOCK = /^# >>> git-agent-blame[^\n]*\n[\s\S]*?^# <<< git-agent-blame[^\n]*(?:\n|$)/m;
const SHELL =
  /^#![ \t]*(?:\/\S*\/)?(?:env[ \t]+(?:-S[ \t]+)?)?(?:\/\S*\/)?(?:sh|bash|dash|ash|ksh|mksh|zsh)(?:[ \t][^\r\n]*)?\n/;

/** Finds our copies without a process in the main work tree; in linked ones git says where they are. Nothing in it ends a script that has set -e. */
const SHIM = (name: HookName) =>
  `d=\${GIT_DIR:-.git}; [ -d "$d/agent" ] || d=$(git rev-parse --git-common-dir 2>/dev/null) || :; d=$d/agent/hooks/${name}`;

/** For `hook.NAME.command`: git adds the arguments at the end, so the call must be the last word. */
export function configCommand(name: HookName): string {
  return `${SHIM(name)}; [ ! -f "$d" ] || sh "$d"`;
}

/**
 * What a hook file gets right after its first line, so that an `exit` or `exec` further down cannot skip it. It sets no
 * variable, and ends the hook only where the gate stops a push. post-rewrite and pre-push need the lines that git feeds; the rest of the
 * file gets them again from a here-document, which costs no variable and no file of ours.
 */
export function printBlock(name: HookName): string {
  return `${BEGIN}\n${printCall(name)}\n${END}\n`;
}

const call = (name: HookName) => `${SHIM(name)}; [ ! -f "$d" ] || sh "$d" "$@" </dev/null`;

function printCall(name: HookName): string {
  const again = (none: string) => `${SHIM(name)}; if [ -f "$d" ]; then sh "$d" "$@" again; else ${none}; fi`;
  switch (name) {
    case 'post-rewrite':
      return `exec <<GIT_AGENT_BLAME\n$(${again('cat')})\nGIT_AGENT_BLAME`;
    case 'pre-push':
      // the first line says whether the gate stops the push; it is taken off again
      return `exec <<GIT_AGENT_BLAME\n$(${again('echo; cat')})\nGIT_AGENT_BLAME\n(read -r d; [ "$d" != blocked ]) || exit 1`;
    case 'post-commit':
      // a rebase starts it for every pick, and has hundreds; post-rewrite tells of all of them
      return `[ -f "\${GIT_DIR:-.git}/CHERRY_PICK_HEAD" ] && [ -d "\${GIT_DIR:-.git}/rebase-merge" ] || (${call(name)}) || :`;
    default:
      return `(${call(name)}) || :`;
  }
}

export function hasBlock(text: string): boolean {
  return BLOCK.test(text);
}

export function removeBlock(text: string): string {
  return text.replace(new RegExp(BLOCK, 'gm'), '');
}

/** Also where our lines have lost their end. */
export function isMarked(text: string): boolean {
  return /^# >>> git-agent-blame/m.test(text);
}

/** What stood in the place of a file with our block, as it tells itself; `kept`: that stands beside it as `NAME.before-agent`. */
export function beforeBlock({ text, mode }: { readonly text: string; readonly mode: number }): {
  readonly before: Standing;
  readonly kept: boolean;
} {
  const rest = removeBlock(text);
  if (isBare(rest)) return { before: { kind: 'none' }, kept: false };
  const target = parseSource(rest);
  if (target !== undefined) return { before: { kind: 'link', target }, kept: false };
  return { before: { kind: 'file', text: rest, mode }, kept: rest === FIRST_LINE + RUN_KEPT };
}

/** Whether nothing is left but what we made ourselves. */
export function isBare(text: string): boolean {
  return text === '' || text === FIRST_LINE;
}

const FIRST_LINE = '#!/bin/sh\n';
// exec keeps the exit code; a hook that is not executable is one that git did not run either
const RUN_KEPT = `[ ! -x "$0${KEPT}" ] || exec "$0${KEPT}" "$@"\n`;

/** What to write so that git runs our hook besides whatever stands there; undefined: it does already. */
export function editHook(name: HookName, found: FoundFile): HookEdit | undefined {
  const block = printBlock(name);
  if (found.kind === 'none') return { text: FIRST_LINE + block, mode: 0o755, keep: false };
  if (hasBlock(found.text)) {
    const text = found.text.replace(BLOCK, () => block);
    return text === found.text ? undefined : { text, mode: found.mode, keep: false };
  }
  const shell = firstLineOfShell(found.text);
  if (shell === undefined || (found.mode & 0o100) === 0) {
    return { text: FIRST_LINE + block + RUN_KEPT, mode: 0o755, keep: true };
  }
  // what a link points to may be tracked or shared: it is read, with the same $0, and never written
  if (found.kind === 'link') return { text: shell + block + printSource(found.target), mode: 0o755, keep: false };
  return { text: shell + block + found.text.slice(shell.length), mode: found.mode, keep: false };
}

/** The first line of a shell script (`''` where it has none: git gives such a file to sh); undefined: not a shell script. */
function firstLineOfShell(text: string): string | undefined {
  const shebang = SHELL.exec(text.includes('\n') ? text : `${text}\n`)?.[0];
  if (shebang !== undefined) return text.startsWith(shebang) ? shebang : undefined;
  return text.startsWith('#!') || text.slice(0, 1024).includes('\0') ? undefined : '';
}

function printSource(target: string): string {
  const quoted = `'${target.replaceAll("'", "'\\''")}'`;
  return target.startsWith('/') ? `. ${quoted}\n` : `. "\${0%/*}"/${quoted}\n`;
}

/** The target of the link, where a file besides our block is nothing but a shell that reads it. */
function parseSource(rest: string): string | undefined {
  const source = rest.slice(firstLineOfShell(rest)?.length ?? 0);
  const quoted = /^\. (?:"\$\{0%\/\*\}"\/)?'([^\n]*)'\n$/.exec(source)?.[1];
  const target = quoted?.replaceAll("'\\''", "'");
  return target !== undefined && printSource(target) === source ? target : undefined;
}

/** Hook managers write their files anew, and our block is gone then. */
export type HookManager = 'husky' | 'lefthook' | 'pre-commit';

export function findManager(text: string): HookManager | undefined {
  if (/^\. "\$\(dirname (?:-- )?"\$0"\)\/h"/m.test(text)) return 'husky';
  if (text.includes('call_lefthook')) return 'lefthook';
  if (text.includes('File generated by pre-commit')) return 'pre-commit';
  return undefined;
}
