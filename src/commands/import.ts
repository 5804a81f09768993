import { recognise } from '../foreign/recognise.ts';
import { findRepository, type Repository } from '../git/repository.ts';
import { work } from '../pending/work.ts';
import type { Surroundings } from '../pending/world.ts';
import { plain } from '../terminal/plain.ts';
import { progressOn } from '../terminal/progress.ts';
import type { Call, Command, World } from './command.ts';
import { openDoor } from './door.ts';
import { carryOut } from './import-carry-out.ts';
import { type Holdings, NAMES, readHoldings, sum } from './import-read.ts';
import { isNotesRef, readNotesOf, readSource, type Source } from './import-source.ts';
import { printImported } from './import-text.ts';
import { findTranscript, isDatabase, type Transcript } from './import-transcript.ts';
import { areMany } from './skipped-notes.ts';
import { commitOf } from './standing.ts';

export const command: Command = {
  name: 'import',
  summary: 'take in what other tools have recorded: sessions, trace records, notes, transcripts',
  configure(sub) {
    sub
      .argument(
        '<file...>',
        'files of any known format, - for standard input, or notes of another tool (refs/notes/ai)',
      )
      .option('--commit <revision>', 'the commit of records and notes that name none')
      .option('-n, --dry-run', 'only say what would be taken in');
  },
  run,
};

async function run({ args, options, world }: Call): Promise<number> {
  const repository = await findRepository(world.cwd);
  const named = typeof options.commit === 'string' ? options.commit : undefined;
  const commit = named === undefined ? undefined : await commitOf(repository.place, named);
  // what is not there is said before anything is written
  const files = args.map((name) => (isNotesRef(name) ? name : readSource(world, name)));
  const door = await openDoor(world, repository);
  const dryRun = options.dryRun === true;
  if (!dryRun) await work(door);
  let refused = 0;
  for (const one of files) {
    const found = await readOne(world, { repository, door }, one);
    const name = typeof one === 'string' ? one : one.name;
    if ('problem' in found) {
      refused++;
      await world.err.write(`${world.name}: ${plain(name)} is not understood: ${plain(found.problem)}.\n`);
      continue;
    }
    const done = await carryOut(door, found, { dryRun, commit });
    if (done.nothing) refused++;
    await world.err.write(printImported(plain(name), found.what, { ...done, dryRun }));
  }
  return refused > 0 ? 1 : 0;
}

export interface Understood {
  /** The format, as a person calls it. */
  readonly what: string;
  readonly holdings: Holdings;
  readonly transcript?: Transcript;
}

interface Here {
  readonly repository: Repository;
  readonly door: Surroundings;
}

type ReadOne = Understood | { readonly problem: string };

async function readOne(world: World, here: Here, one: Source | string): Promise<ReadOne> {
  if (typeof one === 'string') return readRef(world, here, one);
  if (!isDatabase(one.bytes)) {
    const found = recognise(one.bytes, one.name);
    if (found.format !== 'none')
      return { what: NAMES[found.format], holdings: await readHoldings(world, one, found.format) };
    if (one.file === undefined) return { problem: unrecognised(found.reason) };
    const transcript = findTranscript(here.door, one.file);
    return transcript ? transcribed(transcript) : { problem: unrecognised(found.reason) };
  }
  const transcript = one.file === undefined ? undefined : findTranscript(here.door, one.file);
  return transcript
    ? transcribed(transcript)
    : { problem: tried('it is a database of no agent that we know, or has no session of this repository') };
}

function transcribed(transcript: Transcript): Understood {
  return { what: `transcript of ${transcript.agent.name}`, holdings: sum([]), transcript };
}

/** Says what was looked for. */
export function tried(reason: string): string {
  return `${reason} (tried ${Object.values(NAMES).join(', ')}, and the transcripts of all agents)`;
}

/** Whoever knows what the file should be can be told where it is not. */
function unrecognised(reason: string): string {
  return `${tried(reason)}; git agent validate --as FORMAT says what is wrong with it`;
}

async function readRef(world: World, { repository }: Here, ref: string): Promise<ReadOne> {
  const { sources, skipped } = await readNotesOf(repository.place, ref);
  const onProgress = progressOn(world.err, 'import');
  const held: Holdings[] = [];
  const names = new Set<string>();
  for (const [i, source] of sources.entries()) {
    onProgress(i, sources.length);
    const found = recognise(source.bytes, source.name);
    if (found.format === 'none') held.push({ ...sum([]), left: [found.reason] });
    else {
      names.add(NAMES[found.format]);
      held.push(await readHoldings(world, source, found.format));
    }
  }
  onProgress(sources.length, sources.length);
  if (names.size === 0) return { problem: tried(held[0]?.left[0] ?? 'it holds no notes') };
  const remarks = skipped > 0 ? [`${areMany(skipped, 'note')} too large or not in this clone`] : [];
  return { what: [...names].join(', '), holdings: sum([...held, { ...sum([]), remarks }]) };
}
