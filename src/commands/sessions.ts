import { printSessions } from '../conversation/print.ts';
import { byStart, summariseSession } from '../conversation/summary.ts';
import { Fault } from '../fault.ts';
import { findRepository } from '../git/repository.ts';
import type { Call, Command } from './command.ts';
import { showPage } from './page.ts';
import { openRecorded } from './recorded.ts';

export const command: Command = {
  name: 'sessions',
  summary: 'list the recorded conversations, latest first',
  configure(sub) {
    sub.option('-n, --max-count <number>', 'at most so many').option('--json', 'one JSON document');
  },
  run,
};

async function run({ options, world }: Call): Promise<number> {
  const most = options.maxCount === undefined ? Number.POSITIVE_INFINITY : parseCount(String(options.maxCount));
  const repository = await findRepository(world.cwd);
  const recorded = await openRecorded(repository, world);
  const sessions = (await recorded.list()).map(summariseSession).sort(byStart).slice(0, most);
  if (options.json === true) {
    await world.out.write(`${JSON.stringify({ schema: 'git-agent-blame/sessions@1', sessions })}\n`);
  } else if (sessions.length === 0) {
    await world.err.write('No conversation is recorded here.\n');
  } else await showPage(world, (page) => printSessions(sessions, page));
  return 0;
}

function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Fault('usage', `--max-count needs a number, not ${text}.`);
  return Number(text);
}
