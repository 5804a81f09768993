import { asBlock, asPlace, withTextAgain } from './became-text.ts';
import {
  type CommitDiff,
  type CommitPlaces,
  diffParser,
  END_OF_ANSWER,
  type FileDiff,
  type Parser,
  parseDiffs,
  placeParser,
} from './patch.ts';
import { isRegular, parseRawLine, type RawEntry } from './raw.ts';
import { amongObjects, askGit, type GitPlace, gitFault, LACKS_CONTENTS, offline, streamGit } from './run.ts';
import { type CommitPatch, patchParser } from './unified.ts';

export type { Block, CommitDiff, CommitPlaces, FileDiff } from './patch.ts';
export type { RawEntry, Status } from './raw.ts';

// Everything that a user's configuration can bend is pinned. Algorithm and heuristic are the ones git blame uses, so that the lines a
// commit adds are the lines that blame gives to it.
const COMMON = ['--stdin', '-r', '--raw', '--no-abbrev', '--no-color', '--no-relative', '--ignore-submodules=none'];
const LINES = [
  ...['--always', '--root', '-p', '-M', '-l1000', '--inter-hunk-context=0'],
  ...['--diff-algorithm=myers', '--indent-heuristic', '--submodule=short', '--no-ext-diff', '--no-textconv'],
];
const PATCHES = [...LINES, '-c', '--combined-all-paths', '--format=tformat:commit %H %P', '-U0', '--full-index'];
const SHOWN = [...LINES, '--format=tformat:commit %H', '-U3', '--src-prefix=a/', '--dst-prefix=b/'];

function diffTree(options: readonly string[]): string[] {
  return ['-c', 'core.quotePath=true', 'diff-tree', ...COMMON, ...options];
}

/**
 * What each commit adds and removes, with one process for any number of them. Merges have only the lines that come from no parent.
 * Commits that are not here, or whose contents are not (a partial clone), are not in the answer. Told of each file while git is still at
 * work on the next ones.
 */
export async function readDiffs(
  place: GitPlace,
  commits: readonly string[],
  onFile?: (file: FileDiff) => void,
): Promise<Map<string, CommitDiff>> {
  const diffs = await askAll(place, { options: PATCHES, questions: commits, parser: () => diffParser(onFile) });
  const known = diffs.filter((diff) => diff !== undefined);
  return new Map((await withTextAgain(place, known, asBlock)).map((diff) => [diff.id, diff]));
}

const OF_WORKTREE = [
  ...[
    '--raw',
    '--no-abbrev',
    '--full-index',
    '--no-color',
    '--no-relative',
    '--ignore-submodules=all',
    '-p',
    '-U0',
    '--inter-hunk-context=0',
  ],
  ...['--diff-algorithm=myers', '--indent-heuristic', '--no-ext-diff', '--no-textconv', '--diff-filter=MD'],
];

/** What the work tree has changed of a commit's files, or taken away; files that are new are not in it. Undefined where git cannot tell. */
export async function readUncommitted(place: GitPlace, commit: string): Promise<CommitDiff | undefined> {
  const args = ['-c', 'core.quotePath=true', 'diff-index', ...OF_WORKTREE, commit];
  const { code, out } = await askGit(offline(place), args);
  if (code !== 0) return undefined;
  const answer = [Buffer.from(`commit ${commit}\n`), out, Buffer.from(`${END_OF_ANSWER}\n`)];
  return parseDiffs(Buffer.concat(answer))[0];
}

/** The same, only where the lines stand: some at a time, as git works them out. */
export async function* readPlaces(
  place: GitPlace,
  commits: readonly string[],
): AsyncGenerator<readonly CommitPlaces[]> {
  for await (const some of streamAll(place, { options: PATCHES, questions: commits, parser: placeParser })) {
    const known = some.filter((diff) => diff !== undefined);
    yield await withTextAgain(place, known, asPlace);
  }
}

/** The same lines as a person reads them, with some around them; of merges nothing. */
export async function readPatches(place: GitPlace, commits: readonly string[]): Promise<Map<string, CommitPatch>> {
  const patches = await askAll(place, { options: SHOWN, questions: commits, parser: patchParser });
  return new Map(patches.flatMap((patch) => (patch ? [[patch.id, patch]] : [])));
}

/** Regular files that differ between two trees each, with one process; undefined where a tree is not here. */
export function diffTrees(
  place: GitPlace,
  pairs: readonly (readonly [before: string, after: string])[],
): Promise<(RawEntry[] | undefined)[]> {
  const questions = pairs.map((pair) => pair.join(' '));
  return askAll(place, { options: ['--no-renames'], questions, parser: () => parseTreeDiffs });
}

/** `TREE TREE`, raw lines, END_OF_ANSWER; without the first line a tree was missing. */
export function parseTreeDiffs(out: Buffer): (RawEntry[] | undefined)[] {
  const answers: (RawEntry[] | undefined)[] = [];
  let open: RawEntry[] | undefined;
  for (const line of out.toString('latin1').split('\n')) {
    if (line === END_OF_ANSWER) {
      answers.push(open);
      open = undefined;
    } else if (line.startsWith(':')) {
      const entry = parseRawLine(line);
      if (entry && onlyRegular(entry)) open?.push(entry);
    } else if (line !== '') open = [];
  }
  return answers;
}

function onlyRegular({ oldMode, newMode }: RawEntry): boolean {
  return [oldMode, newMode].every((mode) => isRegular(mode) || mode === '000000');
}

interface Questions<T> {
  readonly options: readonly string[];
  readonly questions: readonly string[];
  /** One for each process. */
  parser(): Parser<T>;
}

async function askAll<T>(place: GitPlace, questions: Questions<T>): Promise<(T | undefined)[]> {
  const answers: (T | undefined)[] = [];
  for await (const some of streamAll(place, questions)) for (const answer of some) answers.push(answer);
  return answers;
}

/** Where git dies over one question (contents that a partial clone lacks), the rest is asked again without it. */
async function* streamAll<T>(
  place: GitPlace,
  { options, questions, parser }: Questions<T>,
): AsyncGenerator<(T | undefined)[]> {
  let answered = 0;
  while (answered < questions.length) {
    const input = questions.slice(answered).map((question) => `${question}\n${END_OF_ANSWER}\n`);
    const parse = parser();
    const pieces = wholeParts(streamGit(amongObjects(place), diffTree(options), input.join('')));
    let piece = await pieces.next();
    for (; !piece.done; piece = await pieces.next()) {
      const some = parse(piece.value);
      answered += some.length;
      yield some;
    }
    if (answered >= questions.length) break;
    if (!LACKS_CONTENTS.test(piece.value.err)) throw gitFault(['diff-tree'], piece.value);
    answered++;
    yield [undefined];
  }
}

const BETWEEN = Buffer.from(`\n${END_OF_ANSWER}\n`);
const PATCH = Buffer.from('\ndiff --');

/** So much is parsed at a time. */
const ENOUGH = 1 << 15;

/**
 * Cut where an answer ends, or a patch begins in it: no line that git prints of a commit's contents begins like either. What is left at the
 * end was cut short, or is the last one.
 */
async function* wholeParts<R>(pieces: AsyncGenerator<Buffer, R>): AsyncGenerator<Buffer, R> {
  let held: Buffer[] = []; // joined only at an end: a huge answer stays linear
  let size = 0;
  let piece = await pieces.next();
  for (; !piece.done; piece = await pieces.next()) {
    size += piece.value.length;
    const end = size < ENOUGH ? 0 : endOfPart(piece.value);
    if (end === 0) held.push(piece.value);
    else {
      yield Buffer.concat([...held, piece.value.subarray(0, end)]);
      held = [piece.value.subarray(end)];
      size = piece.value.length - end;
    }
  }
  yield Buffer.concat(held);
  return piece.value;
}

/** 0: none ends here. */
function endOfPart(bytes: Buffer): number {
  const [answer, patch] = [bytes.lastIndexOf(BETWEEN), bytes.lastIndexOf(PATCH)];
  return Math.max(answer < 0 ? 0 : answer + BETWEEN.length, patch + 1);
}
