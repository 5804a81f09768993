import { Fault } from '../fault.ts';
import { findRepository, type Repository } from '../git/repository.ts';
import { askGit } from '../git/run.ts';
import { appendNotes } from '../notes/append.ts';
import { readNotes } from '../notes/read.ts';
import { SEAL_REF, TRACE_REF } from '../notes/refs.ts';
import { reanchor, work } from '../pending/work.ts';
import { parseNoteSeal, type RecordLine, sealRecord } from '../seal/note.ts';
import type { Signer } from '../seal/seal.ts';
import { parseNote } from '../trace/parse.ts';
import type { Call, Command, World } from './command.ts';
import { openDoor } from './door.ts';
import { listCommits, listWith } from './range.ts';
import { readSettings } from './settings.ts';

export const command: Command = {
  name: 'seal',
  summary: 'sign the records of commits with your SSH key',
  configure(sub) {
    sub
      .argument('[range]', 'a range of commits (A..B), or one; without it those that no remote has')
      .option('-n, --dry-run', 'only say what would be sealed');
  },
  run,
};

async function run({ args: [range], options, world }: Call): Promise<number> {
  const repository = await findRepository(world.cwd);
  const door = await openDoor(world, repository);
  await work(door);
  const commits =
    range === undefined
      ? await listWith(world.cwd, ['HEAD', '--not', '--remotes'])
      : await listCommits(world.cwd, range);
  // lines that are known only from another commit's record get one of their own: that is what can be sealed
  if (options.dryRun !== true) await reanchor(door, commits);
  const open = await unsealed(repository, commits);
  const count = [...open.values()].reduce((sum, records) => sum + records.length, 0);
  const what = `${count} ${count === 1 ? 'record' : 'records'} of ${open.size} ${open.size === 1 ? 'commit' : 'commits'}`;
  if (options.dryRun === true || count === 0) {
    await world.err.write(count === 0 ? 'Nothing to seal.\n' : `${what} would be sealed; nothing was written\n`);
    return 0;
  }
  const { signer, principal } = await openKey(world, repository);
  const lines = new Map<string, string[]>();
  for (const [commit, records] of open) {
    const sealed: string[] = [];
    for (const record of records) sealed.push(await sealRecord(signer, record, { principal, at: world.now() }));
    lines.set(commit, sealed);
  }
  await appendNotes(repository, SEAL_REF, lines);
  await world.err.write(`${what} sealed as ${principal}\n`);
  return 0;
}

/** Records that nobody has sealed; whether a seal that is there is good is for `verify` to say. */
async function unsealed({ place }: Repository, commits: readonly string[]): Promise<Map<string, RecordLine[]>> {
  const [{ notes: traces }, { notes: seals }] = await Promise.all([
    readNotes(place, [TRACE_REF], commits),
    readNotes(place, [SEAL_REF], commits),
  ]);
  const open = new Map<string, RecordLine[]>();
  for (const [commit, lines] of traces) {
    const had = new Set((seals.get(commit) ?? []).flatMap((line) => parseNoteSeal(line)?.record ?? []));
    const records = recordLines(lines).filter(({ id }) => !had.has(id));
    if (records.length > 0) open.set(commit, records);
  }
  return open;
}

/** The lines of a note that are records: what is signed are their bytes as they stand there. */
export function recordLines(lines: readonly string[]): RecordLine[] {
  return lines.flatMap((line) => {
    const [record] = parseNote([line]).records;
    return record ? [{ id: record.id, bytes: Buffer.from(line, 'utf8') }] : [];
  });
}

async function openKey(world: World, repository: Repository): Promise<{ signer: Signer; principal: string }> {
  const settings = await readSettings(world.cwd, '^(gpg|user)\\.');
  const ssh = settings.get('gpg.format') === 'ssh';
  const signingKey = ssh ? settings.get('user.signingkey') : undefined;
  const socket = world.env.SSH_AUTH_SOCK;
  const folder = repository.worktree ?? repository.gitDir;
  const { openSigner } = await import('../seal/key-files.ts');
  const signer = await openSigner({
    ...(signingKey !== undefined && { signingKey }),
    ...(socket && { socket }),
    home: world.home,
    folder,
  });
  const { out } = await askGit(repository.place, ['var', 'GIT_COMMITTER_IDENT']);
  const [, principal] = /<([^>]+)>/.exec(out.toString('utf8')) ?? [];
  if (principal === undefined)
    throw new Fault('surroundings', 'Git does not know who you are: set user.name and user.email.');
  return { signer, principal };
}
