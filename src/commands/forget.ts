import { Fault } from '../fault.ts';
import { withLock } from '../git/lock.ts';
import { safe } from '../notes/exchange/transport.ts';
import { carryOutForget, findRecorded, type Oblivion, planForget } from '../pending/forget.ts';
import { finishSweep } from '../pending/sweep.ts';
import { work } from '../pending/work.ts';
import type { Surroundings } from '../pending/world.ts';
import { decodeName } from '../sessions/file-names.ts';
import { forgetShared, isOnShelf } from '../shared/forget.ts';
import { SESSIONS_REF } from '../shared/names.ts';
import { readSharedRefs, type SharedRef } from '../shared/read.ts';
import { findSession } from '../shared/shelf.ts';
import { plain } from '../terminal/plain.ts';
import type { Call, Command, World } from './command.ts';
import { openDoor } from './door.ts';
import { forgetThere, lookThere } from './forget-remote.ts';
import { openOwn } from './recorded.ts';

export const command: Command = {
  name: 'forget',
  summary: 'remove a conversation from this repository, and from a remote that it was shared with',
  configure(sub) {
    sub
      .argument('<session>', 'its id, or the beginning of it')
      .option('--remote <name>', 'take it away there too, with the history that leads to it')
      .option('-n, --dry-run', 'only say what would be removed');
  },
  run,
};

/** As git asks of the beginning of a commit's id. */
const LEAST = 4;

async function run({ args, options, world }: Call): Promise<number> {
  const door = await openDoor(world);
  const asked = args[0] ?? '';
  const remote = typeof options.remote === 'string' ? options.remote : undefined;
  const dry = options.dryRun === true;
  const { commonDir } = door.repository;
  if (remote !== undefined) await lookThere(world, remote, dry);
  const here = async () => forgetHere(door, { asked, dry, pending: dry ? await findPending(door, world, asked) : [] });
  const gone = dry ? await here() : await withLock(commonDir, here);
  // first: a remote may refuse
  if (gone.known) await world.err.write(tellHere(gone, dry));
  const there = remote === undefined ? undefined : await forgetThere(world, { remote, id: gone.id, dry });
  if (!gone.known && !there) throw unknownSession(asked);
  if (remote !== undefined) {
    const told = there ? (dry ? 'Would remove' : 'Removed') : 'There is nothing to remove';
    await world.err.write(`${told} ${there ? `it from ${safe(remote)}` : `on ${safe(remote)}`}.\n`);
  }
  await tellRest(world, door, { id: gone.id, remote });
  return 0;
}

interface Gone {
  readonly id: string;
  /** Whether this repository knows of it in any way. */
  readonly known: boolean;
  readonly plans: readonly Oblivion[];
  readonly shared: boolean;
}

interface Target {
  readonly agent: string;
  readonly id: string;
  /** Its document; undefined where it is only on a shelf. */
  readonly file?: string;
}

/** A dry run works nothing in: a session that is only pending has no file yet. */
async function findPending({ repository }: Surroundings, world: World, asked: string): Promise<Target[]> {
  const found = await (await openOwn(repository, world)).guess(asked);
  return found ? [{ agent: found.agent.name, id: found.id, file: '' }] : [];
}

interface Wish {
  readonly asked: string;
  readonly dry: boolean;
  readonly pending: readonly Target[];
}

/** What is pending is worked in first: it may be about this session, and its commits get their notes. */
async function forgetHere(door: Surroundings, { asked, dry, pending }: Wish): Promise<Gone> {
  const { repository, store } = door;
  if (!dry) {
    finishSweep(store);
    await work(door);
  }
  const refs = await readSharedRefs(repository.place);
  const stored: readonly Target[] = findRecorded(store, asked);
  const recorded = stored.length > 0 ? stored : pending;
  const ids = [...new Set(recorded.map(({ id }) => id))];
  // what is removed does not come back: a slip of the hand names no session
  if (asked.length < LEAST && ids[0] !== asked)
    throw new Fault('usage', `"${plain(asked)}" is too short: git agent sessions lists their ids.`);
  if (ids.length > 1) throw new Fault('usage', `${ids.length} sessions begin with ${plain(asked)}: name more of it.`);
  const id = ids[0] ?? asked;
  const shelved = agentsOf(refs, id).filter((agent) => !recorded.some((one) => one.agent === agent));
  const targets = [...recorded, ...shelved.map((agent): Target => ({ agent, id }))];
  const plans = targets.map((one) => planForget(store, one));
  const shared = await isOnShelf(repository, SESSIONS_REF, id);
  if (!dry) {
    for (const plan of plans) carryOutForget(store, plan, door.now());
    if (shared) await forgetShared(repository, id);
  }
  return { id, known: plans.length > 0, plans, shared };
}

function agentsOf(refs: readonly SharedRef[], id: string): string[] {
  const paths = refs.flatMap(({ shelf }) => findSession(shelf, id));
  return [...new Set(paths.map((path) => decodeName(path.slice(0, path.indexOf('/')))))];
}

function unknownSession(asked: string): Fault {
  return new Fault(
    'usage',
    `The session ${plain(asked)} is neither recorded here nor shared: git agent sessions lists.`,
  );
}

function tellHere({ id, plans, shared }: Gone, dry: boolean): string {
  const sum = (of: (plan: Oblivion) => number) => plans.reduce((total, plan) => total + of(plan), 0);
  const parts = [
    ...(plans.some(({ file }) => file !== undefined) ? ['its conversation'] : []),
    ...count(
      sum(({ texts }) => texts.length),
      'text',
    ),
    ...count(
      sum(({ commands }) => commands),
      'command',
    ),
    ...(shared ? [`its copy in ${SESSIONS_REF} with the history of that ref`] : []),
  ];
  if (parts.length === 0) return `Nothing of ${plain(id)} is recorded here.\n`;
  return `${dry ? 'Would remove' : 'Removed'} of ${plain(id)}: ${parts.join(', ')}. Notes stay: they hold no conversation.\n`;
}

const count = (number: number, thing: string) => (number === 0 ? [] : [`${number} ${thing}${number === 1 ? '' : 's'}`]);

interface Rest {
  readonly id: string;
  readonly remote: string | undefined;
}

/** What we cannot take away is said, so that nobody believes it gone. */
async function tellRest(world: World, { repository }: Surroundings, { id, remote }: Rest): Promise<void> {
  const has = ({ ref, shelf }: SharedRef) => ref !== SESSIONS_REF && findSession(shelf, id).length > 0;
  const others = (await readSharedRefs(repository.place)).filter(has).map(({ ref }) => nameOf(ref));
  const left = others.filter((name) => name !== remote);
  const words = [
    ...left.map((name) => `${safe(name)} still has it: git agent forget ${plain(id)} --remote ${safe(name)}\n`),
    ...(remote === undefined
      ? []
      : [
          'Whoever has fetched it keeps their copy, and a forge may keep unreachable objects, caches and backups: ask it to clean up.\n',
        ]),
    "Git's unreachable objects go with git gc (at once: git gc --prune=now); the agent's own transcript is not touched.\n",
  ];
  await world.err.write(words.join(''));
}

const nameOf = (ref: string) => ref.replace(/^refs\/agent\/(?:-\/)?/, '').replace(/\/sessions$/, '');
