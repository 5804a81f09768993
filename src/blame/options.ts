import { Fault } from '../fault.ts';
import { suggest } from '../suggest.ts';
import type { When } from '../terminal/colour.ts';

export type BlameForm = 'text' | 'json' | 'porcelain' | 'line-porcelain';

/** What was asked for. */
export interface BlameRequest {
  /** Git's own options, for git. */
  readonly gitArgs: readonly string[];
  /** Revisions or files: with no `--` only the disk can tell. */
  readonly words: readonly string[];
  /** What follows `--`. */
  readonly files: readonly string[] | undefined;
  readonly form: BlameForm;
  readonly date: string | undefined;
  /** Hex digits; 0 for all of them. */
  readonly abbrev: number | undefined;
  readonly contents: string | undefined;
  readonly colour: When | undefined;
  readonly hyperlinks: When | undefined;
  readonly switches: ReadonlySet<Switch>;
}

export type Switch =
  | 'mail'
  | 'no-mail'
  | 'short'
  | 'blank'
  | 'file'
  | 'number'
  | 'group'
  | 'tui'
  | 'no-pager'
  | 'help'
  | 'version';

type Wishes = Partial<Pick<BlameRequest, 'form' | 'date' | 'abbrev' | 'contents' | 'colour' | 'hyperlinks'>>;

interface Draft {
  readonly gitArgs: string[];
  readonly words: string[];
  files: string[] | undefined;
  wishes: Wishes;
  readonly switches: Set<Switch>;
}

/** One option: `value` says whether it takes one (`optional`: only when attached); what turns and wishes nothing is git's alone. */
export interface BlameOption {
  readonly names: readonly string[];
  readonly value?: 'required' | 'optional';
  /** Name of the value, for help. */
  readonly shows?: string;
  readonly help: string;
  readonly turns?: Switch;
  wishes?(value: string): Wishes;
}

/** The options as data: the parser, the help and the completion read them. */
export const BLAME_OPTIONS: readonly BlameOption[] = [
  {
    names: ['-L'],
    value: 'required',
    shows: '<start>,<end>',
    help: 'only these lines, or :<funcname>; may be repeated',
    wishes: refuseOddLines,
  },
  { names: ['-w'], help: 'ignore white space when comparing' },
  { names: ['-M'], value: 'optional', shows: '<num>', help: 'find lines moved inside a file' },
  { names: ['-C'], value: 'optional', shows: '<num>', help: 'find lines copied from other files; may be repeated' },
  { names: ['-S'], value: 'required', shows: '<file>', help: 'use revisions from <file>' },
  { names: ['--ignore-rev'], value: 'required', shows: '<rev>', help: 'look past the changes of <rev>' },
  {
    names: ['--ignore-revs-file'],
    value: 'required',
    shows: '<file>',
    help: 'look past the revisions listed in <file>',
  },
  { names: ['--no-ignore-revs-file'], help: 'forget the files of revisions to look past' },
  { names: ['--since', '--after'], value: 'required', shows: '<date>', help: 'go back no further than <date>' },
  { names: ['--until', '--before'], value: 'required', shows: '<date>', help: 'leave out what is younger than <date>' },
  { names: ['--first-parent'], help: 'follow only the first parent of merges' },
  { names: ['--root'], help: 'do not mark root commits as boundaries' },
  { names: ['--minimal'], help: 'take more time for a better match' },
  { names: ['--diff-algorithm'], value: 'required', shows: '<name>', help: 'how git compares (git 2.54)' },
  { names: ['--encoding'], value: 'required', shows: '<name>', help: 'encoding of authors and summaries' },
  {
    names: ['--contents'],
    value: 'required',
    shows: '<file>',
    help: 'blame the contents of <file> in place of the work tree',
    wishes: (value) => ({ contents: value }),
  },
  {
    names: ['--date'],
    value: 'required',
    shows: '<format>',
    help: 'iso, short, relative, human, rfc, raw, unix, default, format:...',
    wishes: (value) => ({ date: value }),
  },
  {
    names: ['--abbrev'],
    value: 'optional',
    shows: '<n>',
    help: 'hex digits of a revision',
    wishes: (value) => ({ abbrev: value === '' ? undefined : parseCount(value) }),
  },
  { names: ['-l', '--no-abbrev'], help: 'all hex digits of a revision', wishes: () => ({ abbrev: 0 }) },
  { names: ['-t'], help: 'dates as seconds since 1970', wishes: () => ({ date: 'raw' }) },
  { names: ['-b'], help: "leave a boundary's revision blank", turns: 'blank' },
  { names: ['-s'], help: 'neither who nor date', turns: 'short' },
  { names: ['-e', '--show-email'], help: "the author's mail address in place of the name", turns: 'mail' },
  { names: ['--no-show-email'], help: "the author's name", turns: 'no-mail' },
  { names: ['-f', '--show-name'], help: 'the file name in the commit that wrote the line', turns: 'file' },
  { names: ['-n', '--show-number'], help: 'the line number in the commit that wrote the line', turns: 'number' },
  { names: ['--group'], help: 'lines in a row of one origin under one heading', turns: 'group' },
  { names: ['-i', '--tui'], help: 'full-screen: scroll, search, read the conversations', turns: 'tui' },
  { names: ['--json'], help: 'one JSON document per file, one per line', wishes: () => ({ form: 'json' }) },
  {
    names: ['-p', '--porcelain'],
    help: "git's format for programs, with agent-* headers",
    wishes: () => ({ form: 'porcelain' }),
  },
  {
    names: ['--line-porcelain'],
    help: 'the same, with all headers on each line',
    wishes: () => ({ form: 'line-porcelain' }),
  },
  {
    names: ['--color'],
    value: 'optional',
    shows: '<when>',
    help: 'always, auto or never',
    wishes: (value) => ({ colour: parseWhen('--color', value) }),
  },
  { names: ['--no-color'], help: 'no colours', wishes: () => ({ colour: 'never' }) },
  {
    names: ['--hyperlinks'],
    value: 'optional',
    shows: '<when>',
    help: 'links to conversations on the web: always, auto or never',
    wishes: (value) => ({ hyperlinks: parseWhen('--hyperlinks', value) }),
  },
  { names: ['--no-hyperlinks'], help: 'no links', wishes: () => ({ hyperlinks: 'never' }) },
  { names: ['--no-pager'], help: 'no pager', turns: 'no-pager' },
  { names: ['-h', '--help'], help: 'this help', turns: 'help' },
  { names: ['--version'], help: 'the version', turns: 'version' },
];

const BY_NAME = new Map(BLAME_OPTIONS.flatMap((option) => option.names.map((name) => [name, option] as const)));
/** Ours: git blame would not know them, or would print in a way we cannot read. */
const OWN = new Set([
  ...[
    '--group',
    '-i',
    '--tui',
    '--json',
    '-p',
    '--porcelain',
    '--line-porcelain',
    '--color',
    '--no-color',
    '--hyperlinks',
    '--no-hyperlinks',
    '--no-pager',
    '-h',
    '--help',
    '--version',
  ],
  ...['--abbrev', '--no-abbrev', '-l'],
]);

export function parseBlameArgs(args: readonly string[]): BlameRequest {
  const draft: Draft = { gitArgs: [], words: [], files: undefined, wishes: {}, switches: new Set() };
  const rest = [...args];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') draft.files = rest.splice(0);
    else if (word.startsWith('--')) takeLong(draft, word, rest);
    else if (word.startsWith('-') && word !== '-') takeShort(draft, word, rest);
    else draft.words.push(word);
  }
  const { wishes, ...taken } = draft;
  return {
    form: 'text',
    date: undefined,
    abbrev: undefined,
    contents: undefined,
    colour: undefined,
    hyperlinks: undefined,
    ...wishes,
    ...taken,
  };
}

function takeLong(draft: Draft, word: string, rest: string[]): void {
  const [, name = word, attached] = /^(--[^=]*)(?:=(.*))?$/s.exec(word) ?? [];
  const option = BY_NAME.get(name);
  if (!option) throw unknownOption(name);
  if (attached !== undefined && !option.value)
    throw new Fault('usage', `The option ${name} takes no value: leave it out.`);
  apply(draft, { option, name, attached, rest });
}

/** Letters may stand together (-we); one that takes a value takes the rest of the word. */
function takeShort(draft: Draft, word: string, rest: string[]): void {
  for (let at = 1; at < word.length; at++) {
    const name = `-${word[at]}`;
    const option = BY_NAME.get(name);
    if (!option) throw unknownOption(name);
    const tail = word.slice(at + 1);
    apply(draft, { option, name, attached: option.value && tail !== '' ? tail : undefined, rest });
    if (option.value) return;
  }
}

interface Taken {
  readonly option: BlameOption;
  readonly name: string;
  readonly attached: string | undefined;
  readonly rest: string[];
}

function apply(draft: Draft, { option, name, attached, rest }: Taken): void {
  const value = attached ?? (option.value === 'required' ? rest.shift() : '');
  if (value === undefined) throw new Fault('usage', `The option ${name} needs a value.`);
  if (option.turns) draft.switches.add(option.turns);
  draft.wishes = { ...draft.wishes, ...option.wishes?.(value) };
  if (OWN.has(name)) return;
  const glue = name.startsWith('--') ? '=' : '';
  draft.gitArgs.push(
    option.value && (attached !== undefined || option.value === 'required') ? `${name}${glue}${value}` : name,
  );
}

function unknownOption(name: string): Fault {
  const near = suggest(name, BY_NAME.keys());
  return new Fault(
    'usage',
    `There is no option ${name}${near ? `; did you mean ${near}?` : '; git agent-blame -h lists them.'}`,
  );
}

/** Git answers with the whole of its help. */
function refuseOddLines(value: string): Wishes {
  if (/^(?:\^?[:/]|[-+\d,]|$)/.test(value)) return {};
  throw new Fault('usage', `-L takes START,END, :FUNCTION or /PATTERN/, not ${value}.`);
}

function parseCount(value: string): number {
  const count = Number(value);
  if (!/^\d+$/.test(value)) throw new Fault('usage', `--abbrev needs a number, not ${value}.`);
  // git's own least
  return count === 0 ? 0 : Math.max(4, count);
}

function parseWhen(name: string, value: string): When {
  if (value === '' || value === 'always') return 'always';
  if (value === 'auto' || value === 'never') return value;
  throw new Fault('usage', `${name} takes always, auto or never, not ${value}.`);
}
