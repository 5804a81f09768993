import { findRepository } from '../git/repository.ts';
import { askGit } from '../git/run.ts';
import { type Backfilled, backfill } from '../pending/backfill.ts';
import { plain } from '../terminal/plain.ts';
import { progressOn } from '../terminal/progress.ts';
import type { Call, Command, World } from './command.ts';
import { openDoor } from './door.ts';
import { listCommits } from './range.ts';

export const command: Command = {
  name: 'backfill',
  summary: 'join the agents\u2019 own transcripts on this machine to commits that have no record',
  configure(sub) {
    sub
      .argument('[range]', 'a range of commits (A..B), or one; without it those of all branches')
      .option('-n, --dry-run', 'only show what would be joined');
  },
  run,
};

async function run({ args, options, world }: Call): Promise<number> {
  const repository = await findRepository(world.cwd);
  const place = await openDoor(world, repository);
  const dryRun = options.dryRun === true;
  const range = args[0] === undefined ? undefined : await parseRange(world.cwd, args[0]);
  const onProgress = progressOn(world.err, 'backfill');
  const found = await backfill(place, { ...(range !== undefined && { range }), dryRun, onProgress });
  if (found.length > 0) await world.out.write(await printTable(world, found));
  const commits = `${found.length} ${found.length === 1 ? 'commit' : 'commits'}`;
  await world.err.write(dryRun ? `${commits} would be joined; nothing was written\n` : `${commits} joined\n`);
  return 0;
}

/** A single revision means that commit alone. */
async function parseRange(cwd: string, range: string): Promise<string> {
  await listCommits(cwd, range); // says what is wrong with it
  return range.includes('..') || range.includes('^') ? range : `${range}^!`;
}

/** A line for each commit: what it is, how much of it agents wrote, and which. */
async function printTable({ cwd }: World, found: readonly Backfilled[]): Promise<string> {
  const ids = found.map(({ commit }) => commit).join('\n');
  const { out } = await askGit({ cwd }, ['log', '--no-walk=unsorted', '--stdin', '--format=%H%x00%h %as%x00%s'], ids);
  const titles = new Map(
    out
      .toString('utf8')
      .split('\n')
      .map((line) => [line.split('\0')[0], line.split('\0')] as const),
  );
  const lines = found.map(({ commit, lines: all, byAgents, agents }) => {
    const [, head = commit, subject = ''] = titles.get(commit) ?? [];
    const share = `${byAgents}/${all}`.padStart(11);
    const who = agents.map(({ tool, session }) => `${tool.name} ${session}`).join(', ');
    return plain(`${head}${share}  ${who}  ${subject}`);
  });
  return `${lines.join('\n')}\n`;
}
