import { Fault } from '../fault.ts';
import { findRepository } from '../git/repository.ts';
import { type DiffLine, readUnified } from '../git/unified.ts';
import { rangesOf } from '../lines/range.ts';
import { paintLines, printDiff } from '../log/diff.ts';
import { printDiffJson } from '../log/diff-json.ts';
import { paged, writeAll } from '../terminal/output.ts';
import { addColourOption, askedColour, WHEN } from './colour-option.ts';
import type { Call, Command } from './command.ts';
import { type AddedTo, originsOfAdded } from './diff-origins.ts';
import { diffScreenOf } from './diff-screen.ts';
import { readSides } from './diff-sides.ts';
import { divideWords } from './revisions.ts';
import { findPager } from './settings.ts';
import { tellSkippedNotes } from './skipped-notes.ts';

export const command: Command = {
  name: 'diff',
  summary: 'show a diff that says of every added line who wrote it',
  takesPaths: true,
  optional: { '--color': WHEN },
  configure(sub) {
    addColourOption(sub)
      .usage('[options] [<commit or range>...] [[--] <path>...]')
      .argument('[words...]', 'what to compare, as git diff takes it, then paths')
      .option('--staged', 'what is staged, in place of the work tree')
      .option('--cached', 'the same')
      .option('-U, --unified <lines>', 'so many lines of context')
      .option('-w, --ignore-all-space', 'ignore white space when comparing')
      .option('--json', 'one JSON document: the added lines of each file')
      .option('--no-pager', 'no pager');
  },
  run,
};

async function run({ args, options, paths, world }: Call): Promise<number> {
  const repository = await findRepository(world.cwd);
  const staged = options.staged === true || options.cached === true;
  const json = options.json === true;
  const divided = await divideWords(repository, { words: args, paths });
  const sides = await readSides(repository, { revisions: divided.revisions, staged });
  if (repository.worktree === null && typeof sides.fresh === 'string')
    throw new Fault('usage', 'There is no work tree here: name two commits, or a range.');
  const [lines, pager] = await Promise.all([
    readUnified(repository.place, { ...sides, staged, paths: divided.paths, options: gitOptions(options) }),
    json || options.pager === false ? undefined : findPager(world),
  ]);
  const { runs, ...missed } = await originsOfAdded(world, repository, { fresh: sides.fresh, files: addedIn(lines) });
  await tellSkippedNotes(world, repository.place, missed);
  const painted = paintLines(lines, runs);
  const revision = typeof sides.fresh === 'object' ? sides.fresh.commit : null;
  const pieces = json
    ? printDiffJson(painted, { revision, staged })
    : printDiff(lines, painted, await diffScreenOf(world, pager, askedColour(options.color)));
  await paged(world.out, pager, (to) => writeAll(pieces, to));
  return 0;
}

function gitOptions({ unified, ignoreAllSpace }: Call['options']): string[] {
  if (typeof unified === 'string' && !/^\d{1,9}$/.test(unified))
    throw new Fault('usage', `-U needs a number, not ${unified}.`);
  return [...(unified === undefined ? [] : [`-U${unified}`]), ...(ignoreAllSpace === true ? ['-w'] : [])];
}

function addedIn(lines: readonly DiffLine[]): AddedTo[] {
  const files = new Map<string, number[]>();
  for (const { kind, file, line } of lines) {
    if (kind !== 'added' || file === undefined || line === undefined) continue;
    const numbers = files.get(file);
    if (numbers) numbers.push(line);
    else files.set(file, [line]);
  }
  return [...files].map(([path, numbers]) => ({ path, added: rangesOf(numbers) }));
}
