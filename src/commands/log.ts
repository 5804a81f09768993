import { Option } from 'commander';
import { Fault } from '../fault.ts';
import { findRepository } from '../git/repository.ts';
import { type DiffScreen, paintLines, printDiffLines } from '../log/diff.ts';
import { besideGraph, graphWidth } from '../log/graph.ts';
import { printEntryJson } from '../log/json.ts';
import { printEntry, printFiles, printLogLegend, printOneLine } from '../log/text.ts';
import { paged } from '../terminal/output.ts';
import { addColourOption, askedColour, WHEN } from './colour-option.ts';
import type { Call, Command } from './command.ts';
import { diffScreenOf } from './diff-screen.ts';
import { addGitOptions, gitOptionsOf } from './log-options.ts';
import { type PatchedEntry, type Printer, printPages } from './log-pages.ts';
import { divideWords } from './revisions.ts';
import { findPager, readSettings } from './settings.ts';
import { excluderOf, readPolicy, tellProblems } from './team-policy.ts';

const DECORATIONS = ['short', 'full', 'auto', 'no'];

export const command: Command = {
  name: 'log',
  summary: 'list commits with who wrote the lines they add, and in which sessions',
  takesPaths: true,
  optional: { '--color': WHEN, '--decorate': DECORATIONS },
  configure(sub) {
    addGitOptions(
      addColourOption(sub)
        .usage('[options] [<revision or range>...] [[--] <path>...]')
        .argument('[words...]', 'commits, as git log takes them (HEAD), then paths')
        .addOption(new Option('--oneline', 'one line for each commit').conflicts('json'))
        .addOption(new Option('-p, --patch', 'with what it changes, painted by origin').conflicts('json'))
        .addOption(new Option('--stat', 'with the shares of each file').conflicts('json'))
        .addOption(new Option('--graph', "beside git's drawing of the history").conflicts('json'))
        .option('--decorate [how]', 'names of refs: short or full')
        .option('--no-decorate', 'no names of refs'),
    )
      .option('--json', 'one JSON document for each commit, one per line')
      .option('--no-pager', 'no pager');
  },
  run,
};

async function run({ args, options, paths, world }: Call): Promise<number> {
  const repository = await findRepository(world.cwd);
  // -5 is a number of commits
  const count = args.filter((word) => /^-\d+$/.test(word));
  const words = args.filter((word) => !count.includes(word));
  const divided = await divideWords(repository, { words, paths });
  const json = options.json === true;
  const looks = async () => {
    const pager = json || options.pager === false ? undefined : await findPager(world);
    return { pager, found: await diffScreenOf(world, pager, askedColour(options.color)) };
  };
  const [settings, { pager, found }, team, asked] = await Promise.all([
    readSettings(world.cwd, '^log\\.date$'),
    looks(),
    readPolicy(repository),
    gitOptionsOf(repository.place, options),
  ]);
  await tellProblems(world, team);
  const usual = settings.has('log.date') || options.date !== undefined ? [] : ['--date=short'];
  const graph = options.graph === true;
  const question = { ...divided, options: [...usual, ...count, ...asked, ...decorationOf(options)], graph };
  // a pipe has room for whole subjects
  const screen = options.oneline === true && !world.out.isTTY ? { ...found, width: Number.POSITIVE_INFINITY } : found;
  const print = json ? printJson : printerOf(options, screen);
  const excluder = (revision: string) => excluderOf(team.policy, revision);
  const patches = options.patch === true;
  await paged(world.out, pager, (to) => printPages({ world, repository, question, patches, excluder, print, to }));
  return 0;
}

/** Git says so before it makes the format. */
function decorationOf({ decorate }: Call['options']): string[] {
  if (typeof decorate !== 'string') return [];
  if (!DECORATIONS.includes(decorate)) throw new Fault('usage', '--decorate takes short, full, auto or no.');
  return [`--decorate=${decorate}`];
}

const printJson: Printer = (entries) => entries.map(({ entry }) => printEntryJson(entry));

function printerOf(options: Call['options'], screen: DiffScreen): Printer {
  const bare = options.decorate === false || options.decorate === 'no';
  const oneLine = options.oneline === true;
  return function* print(entries, first) {
    if (first && !oneLine) yield printLogLegend(screen);
    for (const patched of entries) {
      const { commit } = patched.entry;
      const told = bare ? { ...patched, entry: { ...patched.entry, commit: { ...commit, refs: '' } } } : patched;
      if (commit.graph) {
        const narrow = { ...screen, width: screen.width - graphWidth(commit.graph) };
        yield* besideGraph(commit.graph, linesOf(told, options, narrow));
      } else yield* linesOf(told, options, screen);
    }
  };
}

/** Each ends in one line end. Between commits that take several lines there is a blank one. */
function* linesOf(
  { entry, patch, runs }: PatchedEntry,
  options: Call['options'],
  screen: DiffScreen,
): Generator<string> {
  const [oneLine, drawn] = [options.oneline === true, entry.commit.graph !== undefined];
  if (!oneLine && !drawn) yield '\n';
  if (oneLine) yield printOneLine(entry, screen);
  else yield* printEntry(entry, screen);
  if (options.stat === true) yield* printFiles(entry, screen);
  if (patch.length > 0) {
    if (!oneLine) yield '\n';
    yield* printDiffLines(patch, paintLines(patch, runs), screen);
  }
  if (!oneLine && drawn) yield '\n';
}
