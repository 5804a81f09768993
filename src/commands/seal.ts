import { Fault } from '../fault.ts';
import { findRepository, type Repository } from '../git/repository.ts';
import { appendToRefs } from '../notes/append.ts';
import { readNotes } from '../notes/read.ts';
import { type NoteRefs, readNoteRefs, SEAL_REF, TRACE_REF } from '../notes/refs.ts';
import { reanchor, work } from '../pending/work.ts';
import { openFor, type RecordLine, sealRecord } from '../seal/note.ts';
import type { Call, Command, World } from './command.ts';
import { openDoor } from './door.ts';
import { isNamedFile, listCommits, listWith } from './range.ts';
import { openKey, type Sealer } from './seal-key.ts';
import { noteSeals, recordLines } from './seals.ts';

export const command: Command = {
  name: 'seal',
  summary: 'sign the records of commits, or a record in a file, with your SSH key',
  configure(sub) {
    sub
      .argument(
        '[range or file]',
        'a range of commits (A..B), or one (those that no remote has), or a verifiable-agent-record (JSON, CBOR)',
      )
      .option('--detached', 'a file: leave the record out of its seal')
      .option('-o, --output <file>', 'a file: where its seal goes, instead of beside it with .cose')
      .option('-n, --dry-run', 'only say what would be sealed');
  },
  run,
};

async function run({ args: [what], options, world }: Call): Promise<number> {
  const dryRun = options.dryRun === true;
  if (what !== undefined && (await isNamedFile(world.cwd, what))) {
    const { sealFile } = await import('./seal-file.ts');
    const output = typeof options.output === 'string' ? options.output : undefined;
    return sealFile(world, { name: what, form: options.detached ? 'detached' : 'attached', output, dryRun });
  }
  if (options.detached !== undefined || options.output !== undefined)
    throw new Fault('usage', '--detached and --output go with a file: seals of commits lie in notes.');
  return sealCommits(world, what, dryRun);
}

async function sealCommits(world: World, range: string | undefined, dryRun: boolean): Promise<number> {
  const repository = await findRepository(world.cwd);
  const door = await openDoor(world, repository);
  await work(door);
  const commits =
    range === undefined
      ? await listWith(world.cwd, ['HEAD', '--not', '--remotes'])
      : await listCommits(world.cwd, range);
  // lines that are known only from another commit's record get one of their own: that is what can be sealed
  if (!dryRun) await reanchor(door, commits);
  const refs = await readNoteRefs(repository.place);
  const { notes } = await readNotes(repository.place, refs.trace, commits);
  // whose seals are there already is asked of the key
  const sealer = notes.size > 0 ? await openKey(world, repository) : undefined;
  const open = sealer ? await readOpen(world, repository, { notes, sealer, refs }) : new Map<string, RecordLine[]>();
  const count = [...open.values()].reduce((sum, records) => sum + records.length, 0);
  if (!sealer || count === 0) {
    await world.err.write('Nothing to seal.\n');
    return 0;
  }
  const what = `${count} ${count === 1 ? 'record' : 'records'} of ${open.size} ${open.size === 1 ? 'commit' : 'commits'}`;
  if (!dryRun) await writeSeals(world, repository, { open, sealer });
  await world.err.write(
    dryRun ? `${what} would be sealed; nothing was written\n` : `${what} sealed as ${sealer.principal}\n`,
  );
  return 0;
}

interface Notes {
  readonly refs: NoteRefs;
  readonly notes: ReadonlyMap<string, readonly string[]>;
  readonly sealer: Sealer;
}

/** By commit, the records that have no good seal by this key; whether others' are good is for `verify` to say. */
async function readOpen(world: World, { place }: Repository, { notes, sealer, refs }: Notes) {
  const seals = await readNotes(place, refs.seal, [...notes.keys()]);
  const open = new Map<string, RecordLine[]>();
  for (const [commit, lines] of notes) {
    const there = { records: recordLines(lines, commit).records, seals: noteSeals(seals.notes.get(commit)) };
    const { signer, principal } = sealer;
    const records = openFor({ ...there, commit, key: signer.key, principal, now: world.now() });
    if (records.length > 0) open.set(commit, records);
  }
  return open;
}

interface Open {
  readonly open: ReadonlyMap<string, readonly RecordLine[]>;
  readonly sealer: Sealer;
}

/** A record that was only fetched goes into our own notes with its seal: whoever gets the one without the other misses a record. */
async function writeSeals(world: World, repository: Repository, { open, sealer }: Open): Promise<void> {
  const { signer, principal } = sealer;
  const lines = new Map<string, string[]>();
  for (const [commit, records] of open) {
    const sealed: string[] = [];
    for (const record of records) sealed.push(await sealRecord(signer, record, { principal, at: world.now(), commit }));
    lines.set(commit, sealed);
  }
  const texts = new Map(
    [...open].map(([commit, records]) => [commit, records.map(({ bytes }) => Buffer.from(bytes).toString('utf8'))]),
  );
  await appendToRefs(
    repository,
    new Map([
      [TRACE_REF, texts],
      [SEAL_REF, lines],
    ]),
  );
}
