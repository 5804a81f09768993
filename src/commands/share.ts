import type { AgentLogDocument } from '../agentlog/document.ts';
import { Fault } from '../fault.ts';
import { findRepository } from '../git/repository.ts';
import { type Prepared, prepareSession } from '../shared/prepare.ts';
import { putSessions } from '../shared/write.ts';
import type { Paint } from '../terminal/colour.ts';
import { plain, visible } from '../terminal/plain.ts';
import type { Call, Command, World } from './command.ts';
import { showPage } from './page.ts';
import { notRecorded, openOwn, type Recorded } from './recorded.ts';
import { readSharing } from './sharing.ts';

export const command: Command = {
  name: 'share',
  summary: 'publish recorded conversations, redacted, with the next push of notes',
  configure(sub) {
    sub
      .argument('[session...]', 'ids, or their beginnings')
      .option('--all', 'every session that is recorded here')
      .option('-n, --dry-run', 'show exactly what would be published, and what was taken out of it');
  },
  run,
};

async function run({ args, options, world }: Call): Promise<number> {
  const all = options.all === true;
  if (all === args.length > 0) throw new Fault('usage', 'Name the sessions to share, or say --all.');
  const repository = await findRepository(world.cwd);
  if ((await readSharing(repository.place)) === 'never') {
    throw new Fault('refused', 'agent.share is never: nothing is shared from here (git agent config share asked).');
  }
  const recorded = await openOwn(repository, world);
  const documents = all ? await recorded.list() : await findAll(recorded, args);
  const dry = options.dryRun === true;
  for (const document of documents) {
    const prepared = await prepareSession(document, world.home);
    if (dry) await preview(world, prepared);
    const put = await putSessions(repository, [prepared], { dry });
    await world.err.write(`${tell(prepared, put.length > 0, dry)}\n`);
  }
  if (documents.length === 0) await world.err.write('No conversation is recorded here.\n');
  else if (!dry) await world.err.write('git agent push publishes what is shared; git agent forget takes it back.\n');
  return 0;
}

async function findAll(recorded: Recorded, ids: readonly string[]): Promise<AgentLogDocument[]> {
  const found = new Map<string, AgentLogDocument>();
  for (const id of ids) {
    const document = await recorded.guess(id);
    if (!document) throw notRecorded(id);
    found.set(`${document.agent.name} ${document.id}`, document);
  }
  return [...found.values()];
}

/** The very bytes; on a terminal with what was taken out in colour, and nothing that the terminal would obey. */
async function preview(world: World, { bytes }: Prepared): Promise<void> {
  if (world.out.isTTY) await showPage(world, ({ paint }) => marked(bytes.toString('utf8'), paint));
  else await world.out.write(bytes);
}

function* marked(text: string, paint: Paint): Generator<string> {
  for (const line of text.split('\n').slice(0, -1)) {
    yield `${visible(line).replace(/\[REDACTED:[a-z_]{1,30}\]/g, (mark) => paint('red', mark))}\n`;
  }
}

function tell(prepared: Prepared, isNew: boolean, dry: boolean): string {
  const { agent, id, events, bytes, redactions, homes } = prepared;
  const out = redactions.map(({ category, count }) => `${count} ${plain(category)}`);
  const parts = [
    `${events} event${events === 1 ? '' : 's'}, ${bytes.length.toLocaleString('en-US')} bytes`,
    out.length > 0 ? `redacted: ${out.join(', ')}` : 'nothing to redact',
    ...(homes > 0 ? [`your home folder is written as ~ (${homes} times)`] : []),
  ];
  const verb = isNew ? (dry ? 'Would share' : 'Shared') : 'Nothing new to share of';
  return `${verb} ${plain(id)} (${plain(agent)}): ${parts.join('; ')}.`;
}
