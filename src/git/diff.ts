import { type CommitDiff, type CommitPlaces, END_OF_ANSWER, parseDiffs, parsePlaces } from './patch.ts';
import { isRegular, parseRawLine, type RawEntry } from './raw.ts';
import { type GitPlace, gitFault, offline, streamGit } from './run.ts';

export type { Block, CommitDiff, CommitPlaces, FileDiff } from './patch.ts';
export type { RawEntry, Status } from './raw.ts';

// Everything that a user's configuration can bend is pinned. Algorithm and heuristic are the ones git blame uses, so that the lines a
// commit adds are the lines that blame gives to it.
const COMMON = ['--stdin', '-r', '--raw', '--no-abbrev', '--no-color', '--no-relative', '--ignore-submodules=none'];
const PATCHES = [
  ...['--always', '--root', '-c', '--combined-all-paths', '--format=tformat:commit %H %P'],
  ...['-p', '-U0', '--inter-hunk-context=0', '--full-index', '-M', '-l1000'],
  ...['--diff-algorithm=myers', '--indent-heuristic', '--submodule=short', '--no-ext-diff', '--no-textconv'],
];

/** Git's words where an object is promised but not here: before 2.44, after, and with a damaged store. */
const LACKS_CONTENTS = /promisor remote|unable to read|cannot read/i;

function diffTree(options: readonly string[]): string[] {
  return ['-c', 'core.quotePath=true', 'diff-tree', ...COMMON, ...options];
}

/**
 * What each commit adds and removes, with one process for any number of them. Merges have only the lines that come from no parent.
 * Commits that are not here, or whose contents are not (a partial clone), are not in the answer.
 */
export async function readDiffs(place: GitPlace, commits: readonly string[]): Promise<Map<string, CommitDiff>> {
  const diffs = await askAll(place, { options: PATCHES, questions: commits, parse: parseDiffs });
  return new Map(diffs.flatMap((diff) => (diff ? [[diff.id, diff]] : [])));
}

/** The same, only where the lines stand: some at a time, as git works them out. */
export async function* readPlaces(place: GitPlace, commits: readonly string[]): AsyncGenerator<CommitPlaces[]> {
  for await (const some of streamAll(place, { options: PATCHES, questions: commits, parse: parsePlaces }))
    yield some.filter((diff) => diff !== undefined);
}

/** Regular files that differ between two trees each, with one process; undefined where a tree is not here. */
export function diffTrees(
  place: GitPlace,
  pairs: readonly (readonly [before: string, after: string])[],
): Promise<(RawEntry[] | undefined)[]> {
  const questions = pairs.map((pair) => pair.join(' '));
  return askAll(place, { options: ['--no-renames'], questions, parse: parseTreeDiffs });
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
  readonly parse: (out: Buffer) => (T | undefined)[];
}

async function askAll<T>(place: GitPlace, questions: Questions<T>): Promise<(T | undefined)[]> {
  const answers: (T | undefined)[] = [];
  for await (const some of streamAll(place, questions)) for (const answer of some) answers.push(answer);
  return answers;
}

/** Where git dies over one question (contents that a partial clone lacks), the rest is asked again without it. */
async function* streamAll<T>(
  place: GitPlace,
  { options, questions, parse }: Questions<T>,
): AsyncGenerator<(T | undefined)[]> {
  let answered = 0;
  while (answered < questions.length) {
    const input = questions.slice(answered).map((question) => `${question}\n${END_OF_ANSWER}\n`);
    const pieces = wholeAnswers(streamGit(offline(place), diffTree(options), input.join('')));
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

/** Cut where an answer ends: no line that git prints of a commit is END_OF_ANSWER. What is left at the end was cut short, or is the last one. */
async function* wholeAnswers<R>(pieces: AsyncGenerator<Buffer, R>): AsyncGenerator<Buffer, R> {
  let held: Buffer[] = []; // joined only at an end: a huge answer stays linear
  let piece = await pieces.next();
  for (; !piece.done; piece = await pieces.next()) {
    const end = piece.value.lastIndexOf(BETWEEN) + BETWEEN.length;
    if (end < BETWEEN.length) held.push(piece.value);
    else {
      yield Buffer.concat([...held, piece.value.subarray(0, end)]);
      held = [piece.value.subarray(end)];
    }
  }
  yield Buffer.concat(held);
  return piece.value;
}
