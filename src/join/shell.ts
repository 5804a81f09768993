/** What a shell command's text tells about the files it may have changed. When in doubt it may have. */
import { isServerCall, serverCallLooks, serverCallMoves } from './server-tool.ts';
import { BLANK, bareWords, LONGEST, partsOf, pipelinesOf } from './shell-words.ts';

/** Programs that only look. */
const LOOKERS = new Set(
  (
    'ls cat head tail wc grep egrep fgrep rg ag ack pwd which whereis type file stat du df tree echo printf true false test date env printenv ' +
    'uname whoami id ps top free uptime hostname basename dirname realpath readlink diff cmp comm cut tr nl od hexdump strings md5sum sha1sum sha256sum ' +
    'sleep wait jobs history jq yq less more man cd export unset set kill pgrep'
  ).split(' '),
);

const LOOKING_GIT = new Set(
  'status log diff show blame branch remote rev-parse rev-list ls-files ls-tree cat-file describe shortlog reflog grep tag config add commit push fetch notes agent agent-blame'.split(
    ' ',
  ),
);

/** git verbs that put contents of other commits, or of nobody knows where, into the work tree. `git worktree` makes another one, and what that begins with is known. */
const MOVING_GIT = new Set(
  'checkout switch restore stash pull merge rebase cherry-pick revert reset am apply clean clone submodule read-tree checkout-index bisect'.split(
    ' ',
  ),
);

/** git verbs that leave the work tree alone, or write what is new. Any other is an alias or another's program: `git co`, `git lfs`, `git subtree`. */
const STAYING_GIT = new Set(
  (
    'init gc prune worktree mergetool difftool format-patch bundle archive hash-object update-index write-tree commit-tree update-ref symbolic-ref ' +
    'for-each-ref name-rev count-objects fsck maintenance repack pack-refs verify-commit verify-tag help version ls-remote merge-base merge-tree merge-file ' +
    'range-diff check-ignore check-attr var whatchanged show-ref show-branch sparse-checkout rerere credential request-pull send-email diff-tree diff-index ' +
    'diff-files cherry mktree history replay daemon instaweb interpret-trailers mailinfo mailsplit stripspace unpack-file'
  ).split(' '),
);

/** git verbs that write what they name, and nothing else. */
const WRITING_GIT = new Set(['mv', 'rm']);

const FORMATTERS = new Set(
  'prettier biome eslint black ruff gofmt goimports rustfmt clang-format shfmt dprint isort yapf autopep8 standard xo stylua ktlint'.split(
    ' ',
  ),
);

/** True only when every part of the command is a program that cannot write a file. */
export function cannotWrite(command: string): boolean {
  if (isServerCall(command)) return serverCallLooks(command);
  // what the rest of it does nobody knows
  if (command.length >= LONGEST) return false;
  if (/[<>`]|\$\(|\beval\b|\bexec\b|\bsource\b|\n\s*\S+\s*\(\)/.test(command.replace(/\d?>\s*(\/dev\/null|&\d)/g, '')))
    return false;
  return partsOf(command).every((words) => {
    const [program, verb] = [words[0] ?? '', words.find((word, i) => i > 0 && !word.startsWith('-')) ?? ''];
    if (program === 'git') return LOOKING_GIT.has(verb);
    if (program === 'find')
      return !words.some((word) => /^-(delete|exec|execdir|ok|okdir|fprint|fprintf|fls)/.test(word));
    if (words.some((word) => /^(-i|--in-place|-o|--output)/.test(word))) return program === 'grep' || program === 'rg';
    return LOOKERS.has(program) || onlyPrints(words) || (AWKS.has(program) && awkPrints(command));
  });
}

/** `sed -n 1,20p f`: lines by their numbers, to be read. */
function onlyPrints([program, ...words]: readonly string[]): boolean {
  const [script = '', ...files] = words.filter((word) => word !== '-n');
  return (
    program === 'sed' && words.includes('-n') && /^[\d,p]+$/.test(script) && !files.some((file) => /^[->]/.test(file))
  );
}

const AWKS = new Set(['awk', 'gawk', 'mawk', 'nawk']);

/** `awk '{ print $1 }' f`: nothing in quotes says where else to write, or what to run. */
function awkPrints(command: string): boolean {
  return !/\bsystem\b|'[^']*[|>][^']*'|"[^"]*[|>][^"]*"|\s-(?:i|f|-)/.test(command);
}

/** The same, and no hook of the repository runs in it either: `git commit` may format what it commits. */
export function onlyLooks(command: string): boolean {
  return cannotWrite(command) && !commits(command);
}

/** True when the command was to commit. */
export function commits(command: string): boolean {
  return partsOf(command).some((words) => words[0] === 'git' && gitVerb(words.slice(1)) === 'commit');
}

/** The same, where something else runs git (`env -i git commit`, `docker exec app git commit`). */
export function mayCommit(command: string): boolean {
  return partsOf(command).some((words) => {
    const at = words.findIndex((word) => word === 'git' || word.endsWith('/git'));
    return at >= 0 && gitVerb(words.slice(at + 1)) === 'commit';
  });
}

/** True when jj is called: whatever it is asked for, it first makes a commit of what stands in the work tree. */
export function callsJj(command: string): boolean {
  return partsOf(command).some((words) => words.some(isJj));
}

function isJj(word: string): boolean {
  return word === 'jj' || word.endsWith('/jj');
}

/** True when git itself, called by the command, may have put contents there that nobody wrote in this session. */
export function movesContents(command: string): boolean {
  if (isServerCall(command)) return serverCallMoves(command);
  return partsOf(command).some((words) => {
    const at = words.findIndex((word) => word === 'git' || word.endsWith('/git') || isJj(word) || word === 'gh');
    if (at < 0)
      return /\b(patch|rsync|scp|curl|wget|tar|unzip)\b|^(glab|hub|gt|sl|hg|svn|stg|tig|lazygit)$/.test(words[0] ?? '');
    if (words[at] === 'gh') return true;
    const rest = words.slice(at + 1);
    if (isJj(words[at] ?? '')) return jjMoves(rest);
    return gitMoves(rest) || (at === 0 && isStrange(gitVerb(rest)));
  });
}

/** jj verbs that leave the files of the work tree as they are; some of them only as long as no other revision is named. */
const STAYING_JJ = new Set(
  'st status log diff show describe desc commit ci evolog bookmark op help version root'.split(' '),
);
const STAYING_ALONE_JJ = new Set(['new', 'squash']);

function jjMoves([verb = '', ...rest]: readonly string[]): boolean {
  if (verb === 'op') return rest[0] !== 'log' && rest[0] !== 'show';
  if (STAYING_JJ.has(verb)) return false;
  const named = rest.filter((word, i) => !/^(-m|--message)/.test(word) && !/^(-m|--message)$/.test(rest[i - 1] ?? ''));
  return !STAYING_ALONE_JJ.has(verb) || named.length > 0;
}

/** Not every use of such a verb: `git checkout -b new`, `git stash list` and `git reset HEAD a` leave all files as they are. */
function gitMoves(words: readonly string[]): boolean {
  const verb = gitVerb(words);
  const rest = words.slice(words.indexOf(verb) + 1);
  if (verb === 'checkout' || verb === 'switch') {
    const [option = '', name = '', ...more] = rest.filter((word) => !/^(-q|--quiet|\d?>.*)$/.test(word));
    return !/^(-b|-B|-c|-C|--create)$/.test(option) || name === '' || more.length > 0;
  }
  if (verb === 'stash') return rest[0] !== 'list' && rest[0] !== 'show';
  if (verb === 'reset') return rest.some((word) => /^--(hard|merge|keep)$/.test(word));
  return MOVING_GIT.has(verb);
}

/** An alias, or another's program: nothing tells what it brings. */
function isStrange(verb: string): boolean {
  return verb !== '' && ![LOOKING_GIT, MOVING_GIT, WRITING_GIT, STAYING_GIT].some((verbs) => verbs.has(verb));
}

/** True when what stands in a commit is made into something else: `git show other:a | sed s/x/y/ > a`. */
export function readsCommits(command: string): boolean {
  return pipelinesOf(command).some((parts) => {
    const brings = parts.some(
      ([program, ...rest]) => program === 'git' && /^(show|cat-file|archive)$/.test(gitVerb(rest)),
    );
    return brings && !parts.every((words) => cannotWrite(words.join(' ')));
  });
}

const EDITORS = new Set(
  'vi vim nvim nano emacs code codium cursor subl zed idea open xdg-open $EDITOR $VISUAL'.split(' '),
);
/** An editor that is told what to do needs nobody at it. */
const BY_ITSELF = /^(?:-c|-[eE]?s|-es|--cmd|--headless|--batch|-batch|\+.*)$/;

/** True when the command opens an editor: then a person types. */
export function opensEditor(command: string): boolean {
  return partsOf(command).some(
    ([program = '', ...words]) => EDITORS.has(program) && !words.some((word) => BY_ITSELF.test(word)),
  );
}

/** Programs that start others and leave them running. */
const STARTERS = new Set('nohup setsid disown screen tmux at batch'.split(' '));

/** True when a part of the command goes on after the call has returned: nothing tells when it writes. */
export function runsOn(command: string): boolean {
  // of thousands hardly any: the others need not be taken apart
  const bare = command.replace(/["'\\]/g, '');
  if (!bare.includes('&') && ![...STARTERS].some((program) => bare.includes(program))) return false;
  if (partsOf(command).some(([program = '']) => STARTERS.has(program))) return true;
  return bareWords(command)
    .replace(/&&|\d?[<>]&\d?|&>>?|\\&/g, '')
    .includes('&');
}

/** Programs that write what they name, and nothing else. */
const WRITERS = new Set('touch mkdir rmdir cp mv rm ln tee sed truncate chmod chown install'.split(' '));

function lastPart(word: string): string {
  return word.replaceAll(BLANK, ' ').replace(/\/+$/, '').split('/').at(-1) ?? '';
}

/** True only when everything that the command runs is known to write nothing but what it names, and that is not this file. */
export function cannotHaveWritten(command: string, path: string): boolean {
  // what is made up by the shell itself may be any name
  if (/[*?$`~{}[\]]|<\(|\bxargs\b|\beval\b|\bsource\b/.test(bareWords(command))) return false;
  const folders = new Set(path.split('/'));
  const mayName = (words: readonly string[]) =>
    words.some((word) => /^\.{0,2}\/*$/.test(word) || folders.has(lastPart(word)));
  return partsOf(command).every((words) => {
    const [program = ''] = words;
    const into = words.findIndex((word) => /^\d?>/.test(word));
    const verb = program === 'git' ? gitVerb(words.slice(1)) : '';
    // a commit runs the repository's own hooks
    const prints = onlyPrints(words) || (AWKS.has(program) && awkPrints(command));
    const looks = LOOKERS.has(program) || prints || (verb !== 'commit' && LOOKING_GIT.has(verb));
    if (looks) return into < 0 || !mayName(words.slice(into).map((word) => word.replace(/^\d?>+/, '') || 'into'));
    return (
      (WRITERS.has(program) || WRITING_GIT.has(verb)) &&
      !mayName(words.slice(1).map((word) => word.replace(/^\d?>+/, '') || 'into'))
    );
  });
}

/** The formatter that the command runs, if that is what it is. */
export function formatterIn(command: string): string | undefined {
  for (const words of partsOf(command)) {
    const name = words.map((word) => word.split('/').at(-1) ?? '').find((word) => FORMATTERS.has(word));
    if (name) return name;
  }
  return undefined;
}

/** True when the command's own text names the file: then what changed there while it ran is its doing. */
export function names(command: string, path: string): boolean {
  const base = path.split('/').at(-1) ?? path;
  const escaped = base.replace(/[^\w.,@%+=:-]/g, '\\$&');
  return hasWord(command, base) || (escaped !== base && hasWord(command, escaped));
}

function hasWord(command: string, base: string): boolean {
  for (let at = command.indexOf(base); base !== '' && at >= 0; at = command.indexOf(base, at + 1)) {
    // a word of its own: `a` is not named by `cat`
    if (!WORD.test(command.charAt(at - 1)) && !WORD.test(command.charAt(at + base.length))) return true;
  }
  return false;
}

const WORD = /[\w.-]/;

/** `git -C dir -c a=b verb`: the verb. */
export function gitVerb(words: readonly string[]): string {
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === '-C' || word === '-c' || word === '--git-dir' || word === '--work-tree') i++;
    else if (!word.startsWith('-')) return word;
  }
  return '';
}
