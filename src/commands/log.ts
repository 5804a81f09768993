import { Fault } from '../fault.ts';
import { type LoggedCommit, type LogQuestion, readLog, readTouched } from '../git/log.ts';
import { findRepository, type Repository } from '../git/repository.ts';
import { entriesOf, type LogEntry } from '../log/entry.ts';
import { printEntryJson } from '../log/json.ts';
import { type LogScreen, printEntry, printLogLegend } from '../log/text.ts';
import { paintWith, wantsColour } from '../terminal/colour.ts';
import { linkWith } from '../terminal/hyperlink.ts';
import { type Destination, paged, writeAll } from '../terminal/output.ts';
import { addColourOption, askedColour } from './colour-option.ts';
import type { Call, Command, World } from './command.ts';
import { findHyperlinks } from './hyperlinks.ts';
import { divideWords } from './revisions.ts';
import { findPager, readSettings } from './settings.ts';
import { surveyRange } from './survey.ts';
import { excluderOf, readPolicy, tellProblems } from './team-policy.ts';

/** Options that git log takes as they are. */
const VALUES = ['maxCount', 'skip', 'since', 'until', 'author', 'grep', 'date'] as const;
const SWITCHES = ['firstParent', 'all', 'reverse'] as const;

export const command: Command = {
  name: 'log',
  summary: 'list commits with who wrote the lines they add, and in which sessions',
  takesPaths: true,
  configure(sub) {
    addColourOption(sub)
      .usage('[options] [<revision or range>...] [[--] <path>...]')
      .argument('[words...]', 'commits, as git log takes them (HEAD), then paths')
      // -5 is a number of commits
      .allowUnknownOption()
      .option('-n, --max-count <number>', 'so many commits')
      .option('--skip <number>', 'leave out the first ones')
      .option('--since <date>', 'none that are older')
      .option('--until <date>', 'none that are younger')
      .option('--author <pattern>', 'of these authors')
      .option('--grep <pattern>', 'with this in the message')
      .option('--no-merges', 'leave merges out')
      .option('--first-parent', 'of merges follow the first parent only')
      .option('--all', 'of all refs')
      .option('--reverse', 'the oldest first')
      .option('--date <format>', "git's date formats; short without it")
      .option('--json', 'one JSON document for each commit, one per line')
      .option('--no-pager', 'no pager');
  },
  run,
};

async function run({ args, options, paths, world }: Call): Promise<number> {
  const repository = await findRepository(world.cwd);
  const count = args.filter((word) => /^-\d+$/.test(word));
  const words = args.filter((word) => !count.includes(word));
  const divided = await divideWords(repository, { words, paths });
  const [settings, pager, team] = await Promise.all([
    readSettings(world.cwd, '^(log\\.date|color\\.ui)$'),
    options.json === true || options.pager === false ? undefined : findPager(world),
    readPolicy(repository),
  ]);
  await tellProblems(world, team);
  const usual = settings.has('log.date') || options.date !== undefined ? [] : ['--date=short'];
  const question = { ...divided, options: [...usual, ...count, ...gitOptions(options)] };
  const hyperlinks = options.json !== true && (await findHyperlinks(world, { asked: undefined, pager }));
  const configured = settings.get('color.ui');
  const colours = wantsColour({
    asked: askedColour(options.color),
    configured,
    isTTY: world.out.isTTY,
    env: world.env,
  });
  const screen = { paint: paintWith(colours), width: world.out.columns ?? WIDTH, link: linkWith(hyperlinks) };
  const print = printerOf(options.json === true, screen);
  const excluder = (revision: string) => excluderOf(team.policy, revision);
  await paged(world.out, pager, (to) => printPages({ world, repository, question, excluder, print, to }));
  return 0;
}

const WIDTH = 100;

/** --max-count=5 and the like; commander says false of what was switched off. */
function gitOptions(options: Call['options']): string[] {
  const dashed = (name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  for (const name of ['maxCount', 'skip']) {
    const value = options[name];
    if (typeof value === 'string' && !/^\d+$/.test(value))
      throw new Fault('usage', `${dashed(name)} needs a number, not ${value}.`);
  }
  return [
    ...VALUES.flatMap((name) => (typeof options[name] === 'string' ? [`${dashed(name)}=${options[name]}`] : [])),
    ...SWITCHES.flatMap((name) => (options[name] === true ? [dashed(name)] : [])),
    ...(options.merges === false ? ['--no-merges'] : []),
  ];
}

type Printer = (entries: readonly LogEntry[], first: boolean) => Iterable<string>;

function printerOf(json: boolean, screen: LogScreen): Printer {
  if (json) return (entries) => entries.map(printEntryJson);
  return function* print(entries, first) {
    if (first) yield printLogLegend(screen);
    for (const entry of entries) yield* printEntry(entry, screen);
  };
}

interface Printing {
  readonly world: World;
  readonly repository: Repository;
  readonly question: LogQuestion;
  readonly excluder: (revision: string) => ReturnType<typeof excluderOf>;
  readonly print: Printer;
  readonly to: Destination;
}

/** A screen at once, then more and more: the first commits are there while the last ones are still looked for. */
const PAGES = { first: 16, most: 1024 } as const;

async function printPages({ world, repository, question, excluder, print, to }: Printing): Promise<void> {
  let [skipped, first] = [0, true];
  for await (const page of pagesOf(readLog(repository.place, question))) {
    const commits = page.map(({ id }) => id);
    const [survey, touched] = await Promise.all([
      surveyRange(world, repository, { range: '', commits, excluder: excluder(commits[0] ?? 'HEAD') }),
      question.paths.length === 0 ? undefined : readTouched(repository.place, commits, question.paths),
    ]);
    const chosen = (commit: string, path: string) => touched?.get(commit)?.has(path) ?? touched === undefined;
    skipped += survey.skipped;
    if (!(await writeAll(print(entriesOf(page, survey, chosen), first), to))) return;
    first = false;
  }
  if (skipped > 0)
    await world.err.write(`${world.name}: ${skipped} notes or commits are too large or not in this clone.\n`);
}

async function* pagesOf(commits: AsyncIterable<LoggedCommit>): AsyncGenerator<LoggedCommit[]> {
  let page: LoggedCommit[] = [];
  let size: number = PAGES.first;
  for await (const commit of commits) {
    page.push(commit);
    if (page.length < size) continue;
    yield page;
    page = [];
    size = Math.min(size * 4, PAGES.most);
  }
  if (page.length > 0) yield page;
}
