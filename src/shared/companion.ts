import { openObjects } from '../git/objects.ts';
import type { Repository } from '../git/repository.ts';
import { remoteRef, SESSIONS_REF } from './names.ts';
import { isSession, readShelf, type Shelf } from './shelf.ts';
import { type United, unite, writeShelf } from './write.ts';

/** The other side of an exchange, as far as it matters here. */
export interface Elsewhere {
  readonly name: string;
  readonly refs: string;
  readonly passing: boolean;
}

/**
 * How shared sessions go along with an exchange of notes. What is pushed is what was shared here on top of what the other side has; what
 * colleagues have shared stays under its remote's ref, so that it is never carried to another one. `open`: anything may leave.
 */
export function companionOf(repository: Repository, peer: Elsewhere, open: boolean) {
  const here = peer.passing ? `${peer.refs}sessions` : remoteRef(peer.name);
  let news = 0;
  const plan = async () => {
    const planned = open ? await planPush(repository, here) : undefined;
    news = planned?.news ?? 0;
    return planned;
  };
  return {
    ref: SESSIONS_REF,
    here,
    news: () => news,
    foresee: async () => (await plan())?.united !== undefined,
    compose: async () => {
      const planned = await plan();
      if (!planned?.united) return undefined;
      const { shelf, objects } = planned.united;
      const parents = planned.theirs === undefined ? [] : [planned.theirs];
      return writeShelf(repository, shelf, { parents, objects, message: 'sessions: unite' });
    },
  };
}

interface Planned {
  /** The commit that the other side has. */
  readonly theirs: string | undefined;
  /** Undefined: it has all of ours. */
  readonly united: United | undefined;
  /** Sessions that it has not got, or not like that. */
  readonly news: number;
}

/** Undefined: nothing was shared here. */
async function planPush(repository: Repository, here: string): Promise<Planned | undefined> {
  const reader = openObjects(repository.place);
  try {
    const ours = await readShelf(reader, SESSIONS_REF);
    if (!ours) return undefined;
    const theirs = await readShelf(reader, here);
    const before: Shelf = theirs?.shelf ?? new Map();
    const united = await unite(repository, reader, { ours: ours.shelf, theirs: before });
    const fresh = [...united.shelf].filter(([path, { id }]) => before.get(path)?.id !== id);
    const same = fresh.length === 0 && united.shelf.size === before.size;
    const news = fresh.filter(([path]) => isSession(path)).length;
    return { theirs: theirs?.commit, united: same ? undefined : united, news };
  } finally {
    reader.close();
  }
}
