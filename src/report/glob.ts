import { type Accepts, ANY, type GlobNode, machineOf, runs } from './glob-machine.ts';

/** A pattern for paths or for names. */
export interface Glob {
  readonly pattern: string;
  readonly matches: (text: string) => boolean;
}

/** What is wrong with a pattern, and at which of its characters, counted from 1. */
export interface GlobProblem {
  readonly problem: string;
  readonly column: number;
}

export type ParsedGlob = { readonly glob: Glob } | GlobProblem;

/** Longer than any honest pattern. */
export const MAX_PATTERN = 500;

/**
 * A pattern for names: tools, models, authors. `*` is anything, also nothing, `?` is one character, everything else stands for itself
 * (`*[bot]@*`); upper and lower case are the same.
 */
export function parseNamePattern(pattern: string): ParsedGlob {
  const characters = [...pattern.toLowerCase()];
  if (characters.length === 0) return { problem: 'the pattern is empty', column: 1 };
  if (characters.length > MAX_PATTERN) return tooLong();
  const machine = machineOf(characters.map(nameNode));
  const known = new Map<string, boolean>();
  const ask = (text: string) => {
    const name = text.toLowerCase();
    return runs(machine, name, (at) => at === name.length);
  };
  // the same few names come with every commit
  const matches = (text: string) => {
    const answer = known.get(text) ?? ask(text);
    if (known.size < MAX_NAMES) known.set(text, answer);
    return answer;
  };
  return { glob: { pattern, matches } };
}

const MAX_NAMES = 1000;

function nameNode(character: string): GlobNode {
  if (character === '*') return { kind: 'many', accepts: ANY };
  return { kind: 'one', accepts: character === '?' ? ANY : literal(character) };
}

/**
 * A pattern for paths from the top of the repository: `*` and `?` within a part, `**` across parts, `[a-z]`, `[!a-z]`, `{a,b}`, `\` before
 * a character that stands for itself. As in gitignore:
 *
 *     *.md      without a slash: at any depth
 *     /a.md     only at the top, and so is every pattern with a slash inside: dist/**
 *     dist      a folder's name takes everything in it; dist/ is the folder alone
 *     docs/*    what lies in docs, not what lies deeper
 */
export function parseGlob(pattern: string): ParsedGlob {
  const characters = [...pattern];
  const wrong = refuse(characters);
  if (wrong) return wrong;
  const anchored = characters[0] === '/';
  const onlyFolders = characters.length > 1 && characters.at(-1) === '/' && characters.at(-2) !== '\\';
  const body = characters.slice(anchored ? 1 : 0, onlyFolders ? -1 : undefined);
  const reader: Reader = { characters: body, at: 0, shift: anchored ? 1 : 0 };
  const read = readNodes(reader, { inside: false, partStart: true });
  if (!Array.isArray(read)) return read;
  const anyDepth: GlobNode[] = anchored || body.includes('/') ? [] : [{ kind: 'folders' }];
  const machine = machineOf([...anyDepth, ...read]);
  const folders = onlyFolders || !/(?:^|\/)\*+$/.test(body.join(''));
  const matches = (path: string) =>
    runs(machine, path, (at) => (at === path.length ? !onlyFolders : folders && path[at] === '/'));
  return { glob: { pattern, matches } };
}

function tooLong(): GlobProblem {
  return { problem: `the pattern is longer than ${MAX_PATTERN} characters`, column: MAX_PATTERN + 1 };
}

/** What other tools give a meaning that we do not: better said than never matched. */
function refuse(characters: readonly string[]): GlobProblem | undefined {
  if (characters.length > MAX_PATTERN) return tooLong();
  const start = characters.slice(0, 3).join('');
  if (start === '' || start === '/') return { problem: 'the pattern is empty', column: 1 };
  if (start.startsWith('!')) return { problem: 'a pattern cannot begin with !: nothing is taken back', column: 1 };
  if (start.startsWith('./') || start === '../')
    return { problem: 'patterns begin at the top of the repository, without ./ or ../', column: 1 };
  return undefined;
}

interface Reader {
  readonly characters: readonly string[];
  at: number;
  /** Characters taken off before these. */
  readonly shift: number;
}

interface Around {
  /** Between braces: a comma or a closing brace ends it. */
  readonly inside: boolean;
  /** Whether a part of a path begins here. */
  readonly partStart: boolean;
}

function problemAt({ shift }: Reader, at: number, problem: string): GlobProblem {
  return { problem, column: at + shift + 1 };
}

function readNodes(reader: Reader, { inside, partStart }: Around): GlobNode[] | GlobProblem {
  const nodes: GlobNode[] = [];
  let atStart = partStart;
  while (reader.at < reader.characters.length) {
    const character = reader.characters[reader.at] ?? '';
    if (inside && (character === ',' || character === '}')) break;
    const read = readNode(reader, atStart);
    if (!Array.isArray(read)) return read;
    nodes.push(...read);
    atStart = reader.characters[reader.at - 1] === '/';
  }
  return nodes;
}

function readNode(reader: Reader, partStart: boolean): GlobNode[] | GlobProblem {
  const { characters, at } = reader;
  const character = characters[at] ?? '';
  if (character === '*') return readStars(reader, partStart);
  if (character === '[') return readClass(reader);
  if (character === '{') return readChoices(reader, partStart);
  if (character === '\\') {
    if (at + 1 >= characters.length) return problemAt(reader, at, 'nothing follows the \\');
    reader.at = at + 2;
    return [{ kind: 'one', accepts: literal(characters[at + 1] ?? '') }];
  }
  reader.at = at + 1;
  return [{ kind: 'one', accepts: character === '?' ? notSlash : literal(character) }];
}

/** `**` is special where it is a whole part; elsewhere it is `*`. */
function readStars(reader: Reader, partStart: boolean): GlobNode[] {
  const from = reader.at;
  while (reader.characters[reader.at] === '*') reader.at++;
  const after = reader.characters[reader.at];
  if (reader.at - from < 2 || !partStart) return [{ kind: 'many', accepts: notSlash }];
  if (after === '/') {
    reader.at++;
    return [{ kind: 'folders' }];
  }
  if (after !== undefined && after !== '}' && after !== ',') return [{ kind: 'many', accepts: notSlash }];
  return [
    { kind: 'one', accepts: ANY },
    { kind: 'many', accepts: ANY },
  ];
}

function readChoices(reader: Reader, partStart: boolean): GlobNode[] | GlobProblem {
  const open = reader.at;
  const choices: GlobNode[][] = [];
  do {
    reader.at++;
    const choice = readNodes(reader, { inside: true, partStart });
    if (!Array.isArray(choice)) return choice;
    choices.push(choice);
  } while (reader.characters[reader.at] === ',');
  if (reader.characters[reader.at] !== '}') return problemAt(reader, open, 'the { is never closed');
  reader.at++;
  return [{ kind: 'either', choices }];
}

function readClass(reader: Reader): GlobNode[] | GlobProblem {
  const { characters, at: open } = reader;
  const negated = characters[open + 1] === '!' || characters[open + 1] === '^';
  const first = open + (negated ? 2 : 1);
  const ranges: [string, string][] = [];
  let at = first;
  // a ] that comes first stands for itself
  for (; at < characters.length && (characters[at] !== ']' || at === first); at++) {
    if (characters[at] === '[' && characters[at + 1] === ':')
      return problemAt(reader, at, 'classes by name, such as [:alpha:], are not known');
    if (characters[at] === '\\') at++;
    const low = characters[at] ?? '';
    if (characters[at + 1] !== '-' || (characters[at + 2] ?? ']') === ']') ranges.push([low, low]);
    else {
      at += characters[at + 2] === '\\' ? 3 : 2;
      const high = characters[at] ?? '';
      if (high < low) return problemAt(reader, at, `the range ${low}-${high} runs backwards`);
      ranges.push([low, high]);
    }
  }
  if (at >= characters.length) return problemAt(reader, open, 'the [ is never closed');
  reader.at = at + 1;
  const listed = (character: string) => ranges.some(([low, high]) => low <= character && character <= high);
  return [{ kind: 'one', accepts: (character) => character !== '/' && listed(character) !== negated }];
}

const notSlash: Accepts = (character) => character !== '/';

function literal(wanted: string): Accepts {
  return (character) => character === wanted;
}
