import { type Changes, type CommitDiff, type CommitPlaces, END_OF_ANSWER, parseDiffs, parsePlaces } from './patch.ts';
import { isRegular, parseRawLine, type RawEntry } from './raw.ts';
import { askGit, type GitPlace, gitFault, offline } from './run.ts';

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
  return byId(await askAll(place, { options: PATCHES, questions: commits, parse: parseDiffs }));
}

/** The same, only where the lines stand. */
export async function readPlaces(place: GitPlace, commits: readonly string[]): Promise<Map<string, CommitPlaces>> {
  return byId(await askAll(place, { options: PATCHES, questions: commits, parse: parsePlaces }));
}

function byId<T>(answers: readonly (Changes<T> | undefined)[]): Map<string, Changes<T>> {
  return new Map(answers.flatMap((diff) => (diff ? [[diff.id, diff]] : [])));
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

/** Where git dies over one question (contents that a partial clone lacks), the rest is asked again without it. */
async function askAll<T>(place: GitPlace, { options, questions, parse }: Questions<T>): Promise<(T | undefined)[]> {
  const answers: (T | undefined)[] = [];
  while (answers.length < questions.length) {
    const input = questions.slice(answers.length).map((question) => `${question}\n${END_OF_ANSWER}\n`);
    const answer = await askGit(offline(place), diffTree(options), input.join(''));
    for (const found of parse(answer.out)) answers.push(found);
    if (answers.length >= questions.length) break;
    if (!LACKS_CONTENTS.test(answer.err)) throw gitFault(['diff-tree'], answer);
    answers.push(undefined);
  }
  return answers;
}
