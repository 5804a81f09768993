import { Option, type Command as Verb } from 'commander';
import { Fault } from '../fault.ts';
import { refuseOddDates } from '../git/dates.ts';
import type { GitPlace } from '../git/run.ts';
import type { Call } from './command.ts';

interface GitOption {
  readonly flags: string;
  readonly help: string;
  readonly takes?: 'number' | 'date';
}

/** Options that git log takes as they are: which commits, in which order, and how their dates look. No other one reaches git. */
const GIT_OPTIONS: readonly GitOption[] = [
  { flags: '-n, --max-count <number>', help: 'so many commits, also -<number>', takes: 'number' },
  { flags: '--skip <number>', help: 'leave out the first ones', takes: 'number' },
  { flags: '--since <date>', help: 'none that are older', takes: 'date' },
  { flags: '--after <date>', help: 'the same', takes: 'date' },
  { flags: '--until <date>', help: 'none that are younger', takes: 'date' },
  { flags: '--before <date>', help: 'the same', takes: 'date' },
  { flags: '--author <pattern>', help: 'of these authors; may be repeated' },
  { flags: '--committer <pattern>', help: 'of these committers; may be repeated' },
  { flags: '--grep <pattern>', help: 'with this in the message; may be repeated' },
  { flags: '-i, --regexp-ignore-case', help: 'patterns in upper or lower case' },
  { flags: '-S <text>', help: 'that change how often the text occurs' },
  { flags: '-G <pattern>', help: 'with a changed line like this' },
  { flags: '--merges', help: 'only merges' },
  { flags: '--no-merges', help: 'leave merges out' },
  { flags: '--first-parent', help: 'of merges follow the first parent only' },
  { flags: '--all', help: 'of all refs but those of notes' },
  { flags: '--branches', help: 'of all branches' },
  { flags: '--tags', help: 'of all tags' },
  { flags: '--remotes', help: 'of all branches of remotes' },
  { flags: '--reverse', help: 'the oldest first' },
  { flags: '--date-order', help: 'by time, no commit before its children' },
  { flags: '--topo-order', help: 'a line of history in one piece' },
  { flags: '--date <format>', help: "git's date formats; short without it" },
];

interface Asked extends Pick<GitOption, 'takes'> {
  readonly name: string;
  readonly text?: string;
}

/** Each with what commander makes of it. */
const TABLE = GIT_OPTIONS.map((row) => ({ ...row, option: new Option(row.flags) }));

export function addGitOptions(sub: Verb): Verb {
  for (const { flags, help } of GIT_OPTIONS) {
    const option = new Option(flags, help);
    // git takes some of them several times
    sub.addOption(option.required ? option.argParser((value, all?: string[]) => [...(all ?? []), value]) : option);
  }
  return sub;
}

/** What was asked for, each in one piece: --max-count=5, -Stext. */
export async function gitOptionsOf(place: GitPlace, options: Call['options']): Promise<string[]> {
  const asked = TABLE.flatMap(({ option, takes }): Asked[] => {
    const name = option.long ?? option.short ?? '';
    const value = options[option.attributeName()];
    if (Array.isArray(value)) return value.map((text: string) => ({ name, text, ...(takes && { takes }) }));
    // commander says false of what was switched off
    return value === !option.negate ? [{ name }] : [];
  });
  for (const { name, text = '', takes } of asked)
    if (takes === 'number' && !/^\d+$/.test(text)) throw new Fault('usage', `${name} needs a number, not ${text}.`);
  const dates = asked.filter(({ takes }) => takes === 'date');
  await refuseOddDates(
    place,
    dates.map(({ name, text = '' }) => [name, text] as const),
  );
  return asked.flatMap(({ name, text }) => {
    if (name === '--all') return [...NO_NOTES, name];
    return text === undefined ? [name] : [`${name}${name.startsWith('--') ? '=' : ''}${text}`];
  });
}

/** Commits of notes and of shared sessions are nobody's work. */
const NO_NOTES = ['--exclude=refs/notes/*', '--exclude=refs/agent/*'];
