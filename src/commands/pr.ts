import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Option } from 'commander';
import { Fault } from '../fault.ts';
import type { Merged, Surroundings, Written } from '../forge/index.ts';
import { findSurroundings, openBot, printAzureOutputs, printAzureSummary, printOutputs } from '../forge/index.ts';
import { findRepository, type Repository } from '../git/repository.ts';
import { share } from '../report/tally.ts';
import type { Call, Command, World } from './command.ts';
import { bringChange, bringNotes } from './pr-fetch.ts';
import { reanchorMerged } from './pr-merge.ts';
import { type ChangeReport, reportChange } from './pr-report.ts';
import { FORMATS, type Format, printedAs } from './printed.ts';

const MARKER = 'agent-blame';
const REPORT_FILE = 'agent-report.md';

export const command: Command = {
  name: 'pr',
  summary: 'in CI: report on a pull request, and write notes after it was merged',
  configure(sub) {
    sub
      .option('--remote <name>', 'where notes come from and go to', 'origin')
      .option('--output <file>', 'also write the report to a file')
      .addOption(new Option('--format <name>', 'form of that file').choices(FORMATS).default('markdown'))
      .option('--check', 'fail where the policy is not met')
      .option('--no-comment', 'write no comment')
      .option('--no-status', 'set no status')
      .addHelpText('after', '\nDescribed in docs/ci.md.');
  },
  run,
};

async function run({ options, world }: Call): Promise<number> {
  process.env.GIT_NO_REPLACE_OBJECTS = '1';
  const at = findSurroundings(world.env, (file) => fs.readFileSync(file, 'utf8'));
  const repository = await findRepository(world.cwd);
  const remote = String(options.remote);
  if (at.merged || at.change) await bringNotes(world, remote);
  if (at.merged) return afterMerge(world, at.merged, remote);
  if (!at.change) {
    await world.err.write('This push moved no branch: nothing is to be done.\n');
    return 0;
  }
  const change = await bringChange(world, repository, { change: at.change, remote });
  const told = await reportChange(world, repository, { change, asked: options.check === true });
  const left = await leave(world, at, { told, options, repository });
  const said = await speak(world, { ...at, commit: at.commit || change.head }, { told, options });
  if (said.comment === 'refused' || said.comment === 'failed') await tellWhere(world, told, left);
  if (told.blocked) return 1;
  return said.comment === 'failed' || said.status === 'failed' ? 3 : 0;
}

async function afterMerge(world: World, merged: Merged, remote: string): Promise<number> {
  const { commits, notes, linked } = await reanchorMerged(world, merged, remote);
  const tied = linked > 0 ? `, ${linked} tied to their pull request` : '';
  const pushed = notes + linked > 0 ? ', and their notes pushed' : '';
  await world.err.write(`${notes} of ${commits} new commits re-anchored${tied}${pushed}\n`);
  return 0;
}

interface Telling {
  readonly told: ChangeReport;
  readonly options: Call['options'];
}

/** What stays in the job whoever listens: the report as a file and in the job's summary, and the job's outputs. */
interface Left {
  readonly file: string | undefined;
  readonly summary: boolean;
}

async function leave(
  world: World,
  at: Surroundings,
  { told, options, repository }: Telling & { readonly repository: Repository },
): Promise<Left> {
  const wanted = typeof options.output === 'string' ? options.output : at.loggingCommands ? REPORT_FILE : undefined;
  const file = wanted === undefined ? undefined : path.resolve(world.cwd, wanted);
  if (file !== undefined) {
    // with what the policy says, as the comment has it: to a fork it is all that is left
    const wants = options.format as Format;
    const pieces = wants === 'markdown' ? [told.markdown] : await printedAs(wants, { world, repository, ...told });
    writeReport(file, [...pieces].join(''));
  }
  const { counts } = told.report;
  const values = {
    'ai-share': share(counts.ai, counts).toFixed(4),
    'unknown-share': share(counts.unknown, counts).toFixed(4),
    blocked: String(told.blocked),
    report: file ?? '',
  };
  if (at.summaryFile) append(at.summaryFile, told.markdown);
  if (at.outputsFile) append(at.outputsFile, printOutputs(values));
  if (at.loggingCommands) await world.out.write(printAzureOutputs(values) + (file ? printAzureSummary(file) : ''));
  else await world.out.write(told.markdown);
  return { file: wanted, summary: at.summaryFile !== undefined || at.loggingCommands === true };
}

function append(file: string, text: string): void {
  intoFile(`The job's own file ${file} cannot be written`, () => fs.appendFileSync(file, text));
}

/** `refused`: this token may not. `failed`: the server does not answer as it should, or not at all. */
type Outcome = 'not asked for' | 'written' | 'refused' | 'failed';

/** Comment and status: what becomes of one does not keep the other from being tried. */
async function speak(
  world: World,
  at: Surroundings,
  { told, options }: Telling,
): Promise<{ readonly comment: Outcome; readonly status: Outcome }> {
  const log = (line: string) => void world.err.write(`${line}\n`);
  const bot = await openBot(at, { env: world.env, sleep: (ms) => sleep(ms), log });
  const attempt = async (what: 'comment' | 'status', write: () => Promise<Written>): Promise<Outcome> => {
    if (options[what] !== true) return 'not asked for';
    try {
      const said = await write();
      if (!said.written) log(`No ${what}: ${said.why}.`);
      else if (what === 'comment') log(`Comment ${said.how}${said.url ? `: ${said.url}` : ''}.`);
      return said.written ? 'written' : 'refused';
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'surroundings') throw error;
      log(`No ${what}: ${error.message}.`);
      return 'failed';
    }
  };
  const comment = await attempt('comment', () => bot.upsertComment(MARKER, told.markdown));
  return { comment, status: await attempt('status', () => bot.setStatus(told.status)) };
}

/** Where the report is that nobody reads under the request. In a file it can be kept as an artifact. */
async function tellWhere(world: World, { markdown }: ChangeReport, { file, summary }: Left): Promise<void> {
  if (file === undefined) writeReport(path.resolve(world.cwd, REPORT_FILE), markdown);
  const places = [file ?? REPORT_FILE, ...(summary ? ["the job's summary"] : [])];
  await world.err.write(`The report is in ${places.join(' and in ')}.\n`);
}

/** The work tree is that of the change: a link of this name in it would have us write where it leads. */
function writeReport(file: string, text: string): void {
  intoFile(`The report cannot be written to ${file}`, () => {
    if (fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) fs.rmSync(file);
    fs.writeFileSync(file, text);
  });
}

function intoFile(otherwise: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    throw new Fault('surroundings', `${otherwise} (${why}).`);
  }
}
