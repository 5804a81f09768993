import { Option } from 'commander';
import { Fault } from '../fault.ts';
import { findRepository } from '../git/repository.ts';
import { howMany } from '../report/figures.ts';
import { DIMENSIONS, type Dimension, reportOf } from '../report/report.ts';
import type { Survey } from '../report/run.ts';
import { paged, writeAll } from '../terminal/output.ts';
import { progressOn } from '../terminal/progress.ts';
import type { Call, Command } from './command.ts';
import { FORMATS, type Format, printedAs } from './printed.ts';
import { findPager } from './settings.ts';
import { areMany, tellUnread } from './skipped-notes.ts';
import { commitOf } from './standing.ts';
import { tellShallow } from './survey.ts';
import { surveyFor } from './surveyed.ts';
import { readPolicy, tellProblems } from './team-policy.ts';

export const command: Command = {
  name: 'report',
  summary: 'count who wrote the lines: of a range, or those that stand',
  configure(sub) {
    sub
      .argument(
        '[range]',
        'a range of commits (A..B), or one (all that HEAD reaches); with --standing a revision (HEAD)',
      )
      .option('--standing', 'the lines that stand at a revision, not those that commits added')
      .addOption(new Option('--format <name>', 'how to print it').choices(FORMATS).default('text'))
      .option('--by <names>', `tables to print, of ${DIMENSIONS.join(', ')}; several with commas`)
      .option('--schema', 'print the JSON Schema of --format json');
  },
  run,
};

async function run({ args: [range], options, world }: Call): Promise<number> {
  if (options.schema === true) {
    const { REPORT_SCHEMA } = await import('../report/schema.ts');
    await world.out.write(`${JSON.stringify(REPORT_SCHEMA, null, 2)}\n`);
    return 0;
  }
  if (options.standing === true && range?.includes('..'))
    throw new Fault('usage', `--standing takes one revision, and ${range} is a range.`);
  // as check counts them: a ref that replaces objects changes nothing of what commits added
  if (options.standing !== true) process.env.GIT_NO_REPLACE_OBJECTS = '1';
  const by = typeof options.by === 'string' ? parseBy(options.by) : undefined;
  const repository = await findRepository(world.cwd);
  await tellProblems(world, await readPolicy(repository));
  await tellShallow(world, repository);
  const onProgress = progressOn(world.err, 'report');
  const survey =
    options.standing === true
      ? await surveyFor(world, repository, { commit: await commitOf(repository.place, range ?? 'HEAD'), onProgress })
      : await surveyFor(world, repository, { range, onProgress });
  await tellSkipped(world, survey);
  const report = reportOf(survey);
  const format = options.format as Format;
  const pieces = await printedAs(format, { world, report, survey, repository, ...(by && { by }) });
  await paged(world.out, format === 'text' ? await findPager(world) : undefined, (to) => writeAll(pieces, to));
  return 0;
}

async function tellSkipped(world: Call['world'], { skipped, lacking = [], unread = [] }: Survey): Promise<void> {
  const { err, name } = world;
  const notes = skipped - lacking.length;
  await tellUnread(world, unread);
  if (notes > 0) await err.write(`${name}: ${areMany(notes, 'note')} too large, damaged, or not in this clone.\n`);
  if (lacking.length === 0) return;
  const what = `the contents of ${howMany(lacking.length, 'commit')} are not in this clone, and do not count`;
  await err.write(`${name}: ${what}: git fetch --refetch --no-filter\n`);
}

function parseBy(text: string): Dimension[] {
  return text.split(',').map((name) => {
    const found = DIMENSIONS.find((one) => one === name.trim());
    if (!found) throw new Fault('usage', `There is no table by ${name.trim()}: name some of ${DIMENSIONS.join(', ')}.`);
    return found;
  });
}
