import { printSessions } from '../conversation/print.ts';
import { byStart, summariseSession } from '../conversation/summary.ts';
import { Fault } from '../fault.ts';
import { findRepository, type Repository } from '../git/repository.ts';
import { writeAll } from '../terminal/output.ts';
import type { Call, Command, World } from './command.ts';
import { showPage } from './page.ts';
import { openRecorded } from './recorded.ts';

export const command: Command = {
  name: 'sessions',
  summary: 'list the recorded conversations, latest first, or find entries in them',
  configure(sub) {
    sub
      .option('-n, --max-count <number>', 'at most so many, the latest')
      .option('--since <date>', 'entries from then on, as git reads dates')
      .option('--until <date>', 'entries up to then')
      .option(
        '--event <type>',
        'entries of a type: prompt, message, toolCall, terminalCommand ...; several with commas',
      )
      .option('--tool <name>', 'entries of an agent, or calls of a tool; * stands for anything')
      .option('--path <pattern>', 'entries that name such a file, as in gitignore')
      .option('--text <words>', 'entries with all of these words in them')
      .option('--json', 'one JSON document');
  },
  run,
};

async function run({ options, world }: Call): Promise<number> {
  const most = options.maxCount === undefined ? Number.POSITIVE_INFINITY : parseCount(String(options.maxCount));
  const repository = await findRepository(world.cwd);
  const json = options.json === true;
  const { queryOf } = await import('./entries.ts');
  const query = await queryOf(options, repository.place);
  if (!query) return listSessions(repository, world, { most, json });
  const { searchEntries } = await import('./entries.ts');
  const { entriesJson, printEntries } = await import('../audit/print-entries.ts');
  const found = await searchEntries(repository, world, query);
  const entries = most === 0 ? [] : found.slice(-Math.min(most, found.length));
  if (json) await writeAll(entriesJson(entries), world.out);
  else if (entries.length === 0) await world.err.write('No recorded entry is like that.\n');
  else await showPage(world, (page) => printEntries(entries, page));
  return 0;
}

interface Wish {
  readonly most: number;
  readonly json: boolean;
}

async function listSessions(repository: Repository, world: World, { most, json }: Wish): Promise<number> {
  const recorded = await openRecorded(repository, world);
  const all = (await recorded.listAll()).map(({ document, shared }) => summariseSession(document, shared));
  const sessions = all.sort(byStart).slice(0, most);
  if (json) {
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
