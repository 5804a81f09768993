import { Option } from 'commander';
import { Fault } from '../fault.ts';
import { findRepository, type Repository } from '../git/repository.ts';
import { DIMENSIONS, type Dimension, reportOf } from '../report/report.ts';
import type { Survey } from '../report/run.ts';
import { paged, writeAll } from '../terminal/output.ts';
import { progressOn } from '../terminal/progress.ts';
import type { Call, Command, World } from './command.ts';
import { FORMATS, type Format, printedAs } from './printed.ts';
import { listCommits, listHistory } from './range.ts';
import { findPager } from './settings.ts';
import { commitOf, surveyStanding } from './standing.ts';
import { surveyRange } from './survey.ts';
import { excluderOf, readPolicy, tellProblems } from './team-policy.ts';

export const command: Command = {
  name: 'report',
  summary: 'count who wrote the lines: of a range, or those that stand',
  configure(sub) {
    sub
      .argument('[range]', 'commits, as git log takes them (all that HEAD reaches); with --standing a revision (HEAD)')
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
  const by = typeof options.by === 'string' ? parseBy(options.by) : undefined;
  const repository = await findRepository(world.cwd);
  const survey = await surveyOf(world, repository, { range, standing: options.standing === true });
  if (survey.skipped > 0)
    await world.err.write(`${world.name}: ${survey.skipped} notes or commits are too large or not in this clone.\n`);
  const report = reportOf(survey);
  const format = options.format as Format;
  const pieces = await printedAs(format, { world, report, survey, repository, ...(by && { by }) });
  await paged(world.out, format === 'text' ? await findPager(world) : undefined, (to) => writeAll(pieces, to));
  return 0;
}

function parseBy(text: string): Dimension[] {
  return text.split(',').map((name) => {
    const found = DIMENSIONS.find((one) => one === name.trim());
    if (!found) throw new Fault('usage', `There is no table by ${name.trim()}: name some of ${DIMENSIONS.join(', ')}.`);
    return found;
  });
}

interface Wish {
  readonly range: string | undefined;
  readonly standing: boolean;
}

async function surveyOf(world: World, repository: Repository, { range, standing }: Wish): Promise<Survey> {
  const team = await readPolicy(repository);
  await tellProblems(world, team);
  const onProgress = progressOn(world.err, 'report');
  if (standing) {
    const revision = await commitOf(repository.place, range ?? 'HEAD');
    return surveyStanding(world, { revision, excluder: excluderOf(team.policy, revision), onProgress });
  }
  const commits = range === undefined ? await listHistory(world.cwd, 'HEAD') : await listCommits(world.cwd, range);
  const excluder = excluderOf(team.policy, commits.at(-1) ?? 'HEAD');
  return surveyRange(world, { range: range ?? 'HEAD', commits, excluder, onProgress });
}
