import type { Lines } from '../lines/text.ts';
import { cannotHaveWritten, gitVerb } from './shell.ts';
import { BLANK, partsOf, pipelinesOf } from './shell-words.ts';

/** What a part of a command does to the lines of a file: brings them from elsewhere, says them itself, makes them in some way, or nothing. */
type Role = 'carries' | 'says' | 'makes' | 'nothing';

/** Programs whose lines are those that they were given. */
const CARRIERS = new Set(
  'cp mv install ln cat tee head tail dd sort uniq tac shuf grep egrep fgrep split csplit zcat gunzip ssh pbpaste xclip xsel wl-paste'.split(
    ' ',
  ),
);
const SAYERS = new Set(['echo', 'printf']);
const IDLE = new Set(
  'mkdir rmdir rm touch truncate chmod chown cd pushd popd true false : test [ sleep wait set export unset exit for done fi esac }'.split(
    ' ',
  ),
);
const CARRYING_GIT = new Set(['show', 'cat-file', 'mv']);
const IDLE_GIT = new Set('add commit push fetch tag branch config notes agent rm'.split(' '));

/**
 * True when all that can have written the file brings lines from elsewhere (`cp`, `cat a > b`, `git show x:a > b`) or says them in the
 * command itself, and something brings. What such a command does not say, it has not written.
 */
export function carriesContents(command: string, path: string): boolean {
  const roles = pipelinesOf(command)
    .filter((parts) => parts.some((words) => !cannotHaveWritten(words.join(' '), path)))
    .map(roleOfPipeline);
  return roles.includes('carries') && !roles.includes('makes');
}

/** What is said or made at its beginning goes through to its end. */
function roleOfPipeline(parts: readonly (readonly string[])[]): Role {
  const roles = parts.map(roleOf);
  return (['makes', 'says', 'carries'] as const).find((role) => roles.includes(role)) ?? 'nothing';
}

function roleOf(words: readonly string[]): Role {
  const [program = '', ...rest] = withoutShell(words);
  if (rest.some((word) => word.includes('<('))) return 'makes';
  if (SAYERS.has(program)) return 'says';
  if (CARRIERS.has(program)) return rest.some((word) => word.startsWith('<<')) ? 'says' : 'carries';
  if (program === 'git') {
    const verb = gitVerb(rest);
    return CARRYING_GIT.has(verb) ? 'carries' : IDLE_GIT.has(verb) ? 'nothing' : 'makes';
  }
  return program === '' || /^\d?>/.test(program) || IDLE.has(program) ? 'nothing' : 'makes';
}

/** `bash -lc 'cp a b'`: what it runs. */
function withoutShell(words: readonly string[]): readonly string[] {
  const wrapped = /^(?:.*\/)?(?:ba|z|da)?sh$/.test(words[0] ?? '') && /^-\w*c$/.test(words[1] ?? '');
  return wrapped ? words.slice(2) : words;
}

const HERE = /<<-?\s*(['"]?)(\w+)\1[^\n]*\n([\s\S]*?)(?:\n\s*\2\s*(?=\n|$)|$)/g;
/** What is looked for is said, and not written. */
const LOOKED_FOR = /\b(?:[ef]?grep|rg|ag|ack)\b(?:'[^']*'|"(?:[^"\\]|\\.)*"|[^;&|\n'"])*/g;
const QUOTED = /'([^']*)'|"((?:[^"\\]|\\.)*)"/g;

/** Whether the command's own text has this line: in a text given to it, in quotes, or as words to echo. Then the agent has written it. */
export function linesSaid(command: string): (line: string) => boolean {
  const bytes = Buffer.from(command, 'utf8').toString('latin1');
  const rest = bytes.replace(HERE, '').replace(LOOKED_FOR, '');
  const quoted = [...rest.matchAll(QUOTED)].map(([, single, double]) => single ?? double ?? '');
  return oneOf([...givenTexts(bytes), ...quoted, ...echoed(bytes).map(({ text }) => text)]);
}

/** The same, but only what goes into a file: `grep 'a line' f` says a line, and writes none. */
export function linesWritten(command: string): (line: string) => boolean {
  const bytes = Buffer.from(command, 'utf8').toString('latin1');
  return oneOf([...givenTexts(bytes), ...echoed(bytes).flatMap(({ text, into }) => (into ? [text] : []))]);
}

/** The texts that are given to the command (`<<END`), in lines as they stand there. */
export function givenLines(command: string): Lines[] {
  return givenTexts(Buffer.from(command, 'utf8').toString('latin1')).map((text) => text.split('\n'));
}

function givenTexts(bytes: string): string[] {
  return [...bytes.matchAll(HERE)].map(([, , , text = '']) => text);
}

function echoed(bytes: string): { readonly text: string; readonly into: boolean }[] {
  return partsOf(bytes).flatMap((words) => {
    if (!SAYERS.has(words[0] ?? '')) return [];
    const into = words.findIndex((word) => /^\d?>/.test(word));
    const text = words.slice(1, into < 0 ? undefined : into).join(' ');
    return [{ text: text.replaceAll(BLANK, ' '), into: into >= 0 }];
  });
}

function oneOf(texts: readonly string[]): (line: string) => boolean {
  const lines = new Set(texts.flatMap((text) => text.split(/\n|\\n/)).map(plain));
  return (line) => lines.has(plain(line));
}

/** Without what the shell takes away. */
function plain(line: string): string {
  return line.replace(/["'\\]/g, '').trim();
}
