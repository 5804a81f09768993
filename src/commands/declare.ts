import { Fault } from '../fault.ts';
import { findRepository, type Repository } from '../git/repository.ts';
import { askGit, type GitPlace } from '../git/run.ts';
import { type Origin, sameOrigin } from '../lines/origin.ts';
import { declareOrigin } from '../pending/declare.ts';
import { work } from '../pending/work.ts';
import { redactText } from '../redact/redact.ts';
import type { Run } from '../report/run.ts';
import { linesIn } from '../report/run.ts';
import { plain } from '../terminal/plain.ts';
import { rootPath } from './blame-known.ts';
import type { Call, Command } from './command.ts';
import { openDoor } from './door.ts';
import { listCommits } from './range.ts';
import { surveyRange } from './survey.ts';

export const command: Command = {
  name: 'declare',
  summary: 'state who wrote lines that nothing is known of',
  configure(sub) {
    sub
      .argument('[range]', 'a range of commits (A..B), or one commit', 'HEAD')
      .argument('[path...]', 'only these files or folders')
      .option('--human', 'a person wrote them')
      .option('--tool <name>', 'an agent wrote them: its name')
      .option('--model <id>', 'the agent\u2019s model, as models.dev names it (provider/model)')
      .option('--reason <text>', 'why you say so')
      .option('-n, --dry-run', 'only say what would be declared');
  },
  run,
};

async function run({ args: [range = 'HEAD', ...paths], options, world }: Call): Promise<number> {
  const repository = await findRepository(world.cwd);
  const by = await identity(repository.place);
  const origin = await originOf(options, by);
  const door = await openDoor(world, repository);
  await work(door);
  const commits = await listCommits(world.cwd, range);
  const { runs } = await surveyRange(world, repository, { range, commits, excluder: async () => () => undefined });
  const lines = meantBy(repository, { runs, range, paths }).filter((run) => isOpen(run, origin));
  if (lines.length === 0) {
    const why =
      runs.length === 0 ? `no commit of ${range} adds a line` : 'every line has an origin that was seen or said';
    await world.err.write(`Nothing to declare: ${why}.\n`);
    return 0;
  }
  const count = lines.reduce((sum, run) => sum + linesIn(run), 0);
  const dry = options.dryRun === true;
  const notes = dry
    ? new Set(lines.map(({ commit }) => commit)).size
    : await declareOrigin(door, { origin, by, lines });
  const what = `${count} ${count === 1 ? 'line' : 'lines'} of ${notes} ${notes === 1 ? 'commit' : 'commits'}`;
  const said = overruled(lines);
  await world.err.write(dry ? `${what} would be declared${said}; nothing was written\n` : `${what} declared${said}\n`);
  return 0;
}

/** An earlier word gives way to a later one, and not in silence. */
function overruled(runs: readonly Run[]): string {
  const earlier = runs.filter(({ origin }) => origin.type !== 'unknown');
  if (earlier.length === 0) return '';
  const words = earlier.map(
    ({ origin: { type, reason, agent } }) =>
      `${type}${agent ? ` (${agent.tool.name})` : ''}${reason ? `, ${reason}` : ''}`,
  );
  const [first, ...others] = [...new Set(words)];
  const more = others.length > 0 ? `, and ${others.length} more` : '';
  const count = earlier.reduce((sum, run) => sum + linesIn(run), 0);
  // it may be anybody's, from a remote
  return `, ${count} of them against an earlier word: ${plain(first ?? '').slice(0, 200)}${more}`;
}

interface Meant {
  readonly runs: readonly Run[];
  readonly range: string;
  readonly paths: readonly string[];
}

/** Lines of the files and folders that were named; a name that is of none is a mistake. */
function meantBy(repository: Repository, { runs, range, paths }: Meant): readonly Run[] {
  if (paths.length === 0) return runs;
  const found = new Set<Run>();
  for (const path of paths) {
    const under = rootPath(repository, path).replace(/\/$/, '');
    const some = runs.filter((run) => under === '.' || run.path === under || run.path.startsWith(`${under}/`));
    if (some.length === 0)
      throw new Fault(
        'usage',
        `${range} adds no line to ${path}: after the range come files or folders that it changes.`,
      );
    for (const run of some) found.add(run);
  }
  return [...found];
}

/** A person's word fills gaps, and may correct an earlier word; what was seen stands. */
function isOpen({ origin }: Run, meant: Origin): boolean {
  if (origin.type === 'unknown') return true;
  return origin.evidence === 'declared' && !sameOrigin(origin, meant);
}

const MAX_REASON = 500;

async function originOf(options: Call['options'], by: string): Promise<Origin> {
  const { human, tool, model, reason } = options;
  if ((human === true) === (typeof tool === 'string'))
    throw new Fault('usage', 'Say who wrote the lines: --human, or --tool NAME with --model ID if you know it.');
  if (human === true && model !== undefined) throw new Fault('usage', '--model goes with --tool, not with --human.');
  if (typeof model === 'string' && !/^[^\s/]+\/\S+$/.test(model))
    throw new Fault('usage', `${model} is no model id: write it as models.dev does, provider/model.`);
  if (typeof reason === 'string' && reason.trim() === '') throw new Fault('usage', '--reason wants words.');
  const why = typeof reason === 'string' ? `: ${await redactText(reason.slice(0, MAX_REASON))}` : '';
  const said = { evidence: 'declared' as const, reason: `said by ${by}${why}`.replace(/[\u0000-\u001f\u007f]+/g, ' ') };
  if (typeof tool !== 'string') return { type: 'human', ...said };
  if (!/^[\w.@+-]{1,100}$/.test(tool)) throw new Fault('usage', `${tool} is no name of an agent.`);
  if (/^(human|unknown)$/i.test(tool))
    throw new Fault('usage', `--tool is the name of an agent, and ${tool} is none: for people there is --human.`);
  const named = typeof model === 'string' ? { model } : {};
  return { type: 'ai', ...said, agent: { session: '', event: '', tool: { name: tool }, ...named } };
}

/** Without a name git would make no commit either. */
async function identity(place: GitPlace): Promise<string> {
  const { code, out } = await askGit(place, ['var', 'GIT_AUTHOR_IDENT']);
  const [, who] = /^(.*>) \d+ [+-]\d+\n?$/.exec(out.toString('utf8')) ?? [];
  if (code !== 0 || who === undefined)
    throw new Fault('surroundings', 'Git does not know who you are: set user.name and user.email.');
  return who;
}
