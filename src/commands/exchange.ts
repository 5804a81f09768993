import { findRepository, type Repository } from '../git/repository.ts';
import type { GitPlace } from '../git/run.ts';
import { findPeer, type Peer } from '../notes/exchange/peer.ts';
import { safe } from '../notes/exchange/transport.ts';
import { type Exchange, type Fetched, foreseePush, forgetPassing, type Pushed, pushNotes } from '../notes/exchange.ts';
import { work } from '../pending/work.ts';
import { logMishap, storeOf } from '../sessions/store.ts';
import { listenTo } from '../setup/notes-refspec.ts';
import { companionOf } from '../shared/companion.ts';
import type { World } from './command.ts';
import { openDoor } from './door.ts';
import { findUnshared, readSharing, shareReferred } from './sharing.ts';

export interface Wish {
  /** A remote's name, a path or an address; undefined: what git would take. */
  readonly asked: string | undefined;
  readonly way: 'fetch' | 'push';
  /** Nobody is there to be asked for a password. */
  readonly alone?: boolean;
  /** From now on git fetch gets the notes of that remote too. */
  readonly listen?: boolean;
}

/** Opens an exchange, lets the verb do its part, and leaves nothing behind that belongs to the exchange alone. */
export async function withPeer<T>(world: World, wish: Wish, part: (exchange: Exchange) => Promise<T>): Promise<T> {
  const repository = await findRepository(world.cwd);
  const peer = await findPeer(repository.place, wish.asked, wish.way);
  // first of all: git push -u changes the configuration too, once the hook has let it go
  if (wish.listen && !peer.passing) await listen(world, repository, peer);
  const open = (await readSharing(repository.place)) !== 'never';
  const exchange: Exchange = {
    repository,
    peer,
    talk: talkPlace(world, repository.place, wish.alone === true),
    companion: companionOf(repository, peer, open),
  };
  try {
    return await part(exchange);
  } finally {
    await forgetPassing(exchange);
  }
}

async function listen(world: World, repository: Repository, { name }: Peer): Promise<void> {
  try {
    await listenTo(repository, name);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    logMishap(storeOf(repository), world.now(), `git fetch ${safe(name)} does not get the notes yet: ${why}`);
  }
}

function talkPlace(world: World, place: GitPlace, alone: boolean): GitPlace {
  const { GIT_TERMINAL_PROMPT = '1' } = world.env;
  // the user's own push asks for passwords: beside it a key or a helper must do, and whoever would ask gets no answer
  const env = alone
    ? { GIT_ASKPASS: 'true', SSH_ASKPASS: 'true', SSH_ASKPASS_REQUIRE: 'force', GCM_INTERACTIVE: 'never' }
    : { GIT_TERMINAL_PROMPT };
  return { ...place, env: { ...place.env, ...env } };
}

/** What is pending goes into the notes first: a person who pushes means all of it. */
export async function finishPending(world: World, { repository }: Exchange): Promise<void> {
  await work(await openDoor(world, repository));
  if ((await readSharing(repository.place)) === 'always') await shareReferred(repository, world);
}

/** Our part of an exchange, carried out or, `dry`, only told: what is to be published is told too. */
export async function pushOurs(world: World, exchange: Exchange, dry: boolean): Promise<void> {
  if (!dry) await finishPending(world, exchange);
  const pushed = await (dry ? foreseePush(exchange) : pushNotes(exchange));
  await world.err.write(sayPushed(exchange, pushed, dry));
  if (!dry || (await readSharing(exchange.repository.place)) !== 'always') return;
  const names = (await findUnshared(exchange.repository)).map(({ id }) => safe(id));
  if (names.length > 0) await world.err.write(`Would share, since agent.share is always: ${names.join(', ')}\n`);
}

export function sayFetched({ name }: Peer, fetched: Fetched, dry = false): string {
  const who = safe(name);
  switch (fetched) {
    case 'none':
      return `${who} has no notes yet.\n`;
    case 'nothing new':
      return `${who} has no new notes.\n`;
    default:
      return `${dry ? 'Would fetch' : 'Fetched'} the ${NEWS[fetched]} of ${who}.\n`;
  }
}

const NEWS = {
  fetched: 'notes',
  shared: 'shared conversations',
  both: 'notes and the shared conversations',
} as const;

function sayPushed({ peer, companion }: Exchange, pushed: Pushed, dry = false): string {
  const who = safe(peer.name);
  const sessions = companion?.news() ?? 0;
  const what = sessions === 0 ? 'notes' : `notes and ${sessions} shared session${sessions === 1 ? '' : 's'}`;
  switch (pushed) {
    case 'nothing to push':
      return 'Nothing to push: there are no notes here yet.\n';
    case 'up to date':
      return `${who} has all our notes already.\n`;
    case 'pushed':
      return dry ? `Would push ${what} to ${who}.\n` : `Pushed ${what} to ${who}.\n`;
  }
}
