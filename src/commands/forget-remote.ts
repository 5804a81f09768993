import type { Fault } from '../fault.ts';
import { listPeer, replaceRef } from '../notes/exchange/transport.ts';
import { type Exchange, fetchNotes } from '../notes/exchange.ts';
import { followRemote, isOnShelf, rewriteShelf } from '../shared/forget.ts';
import { SESSIONS_REF } from '../shared/names.ts';
import type { World } from './command.ts';
import { withPeer } from './exchange.ts';

/** Others may push meanwhile. */
const ATTEMPTS = 8;

export interface There {
  readonly remote: string;
  readonly id: string;
  readonly dry: boolean;
}

/** Before anything is removed here: a name that is wrong, or a remote that is out of reach, is told while nothing is lost yet. */
export function lookThere(world: World, remote: string, dry: boolean): Promise<void> {
  return withPeer(world, { asked: remote, way: 'push' }, async ({ talk, peer }) => {
    if (!dry) await listPeer(talk, peer);
  });
}

/** Takes a session off a remote's shelf; undefined: it is not there. */
export function forgetThere(world: World, { remote, id, dry }: There): Promise<true | undefined> {
  return withPeer(world, { asked: remote, way: 'push' }, async (exchange) => {
    const here = exchange.companion?.here ?? '';
    // a dry run goes by what was fetched last
    if (dry) return (await isOnShelf(exchange.repository, here, id)) || undefined;
    let last: Turned | undefined;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const done = await tryForget(exchange, here, id);
      if (done === 'forgotten' || done === 'absent') return done === 'forgotten' || undefined;
      // turned away though nobody has pushed: the remote takes no other history
      if (last?.from === done.from) throw done.refusal;
      last = done;
    }
    throw last?.refusal;
  });
}

interface Turned {
  readonly from: string;
  readonly refusal: Fault;
}

async function tryForget(exchange: Exchange, here: string, id: string): Promise<'forgotten' | 'absent' | Turned> {
  const { repository, peer, talk } = exchange;
  await fetchNotes(exchange);
  const rewritten = await rewriteShelf(repository, here, id);
  if (!rewritten) return 'absent';
  const answer = await replaceRef(talk, peer, { ref: SESSIONS_REF, ...rewritten });
  if (answer.kind === 'moved') return { from: rewritten.from, refusal: answer.refusal };
  if (!peer.passing) await followRemote(repository.place, here, rewritten.to);
  return 'forgotten';
}
