import { findRepository, type Repository } from '../git/repository.ts';
import { quietly } from './quietly.ts';
import { listCommits, listWith } from './range.ts';

/** What git can be asked for with hardly anything loaded: most of the time that takes, it works beside us. */
export interface BegunCheck {
  readonly finding: Promise<Repository>;
  /** The commits that are asked about; not where git tells a hook which. */
  readonly listing?: Promise<readonly string[]>;
}

/** For words that need no parser: a range or none, and how to print it. With any other option it begins later. */
export function beginEarly([verb, ...words]: readonly string[], cwd: string): BegunCheck | undefined {
  if (verb !== 'check') return undefined;
  const others = words.filter((word, i) => !FORMAT.test(word) && words[i - 1] !== '--format');
  if (others.length > 1 || others.some((word) => word.startsWith('-'))) return undefined;
  return beginCheck(cwd, others[0]);
}

const FORMAT = /^--format(=.*)?$/;

export function beginCheck(cwd: string, range: string | undefined): BegunCheck {
  notReplaced();
  return { finding: quietly(findRepository(cwd)), listing: quietly(listAsked(cwd, range)) };
}

/** The same for a hook. */
export function beginTold(cwd: string): BegunCheck {
  notReplaced();
  return { finding: quietly(findRepository(cwd)) };
}

/** A ref that replaces objects, which anybody may push, does not change what is judged. */
function notReplaced(): void {
  process.env.GIT_NO_REPLACE_OBJECTS = '1';
}

function listAsked(cwd: string, range: string | undefined): Promise<string[]> {
  return range === undefined ? listWith(cwd, NOT_PUSHED) : listCommits(cwd, range);
}

export const NOT_PUSHED = ['HEAD', '--not', '--remotes'];
