import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '../fault.ts';
import { listRefs, typesOfRefs } from '../git/refs.ts';
import type { Repository } from '../git/repository.ts';
import { askGit, type GitPlace, runGit } from '../git/run.ts';
import { isOdd, type Left, leftFault, whatIsOdd } from './exchange/left.ts';
import type { Peer } from './exchange/peer.ts';
import { fetchMissing, fetchRefs, listPeer, type Mirrored, pushRefs } from './exchange/transport.ts';
import { OWN_REFS } from './refs.ts';
import { uniteNotes } from './union.ts';

export interface Exchange {
  readonly repository: Repository;
  readonly peer: Peer;
  /** Where git talks to the other side: whether it may ask the user for a password is said by its environment. */
  readonly talk: GitPlace;
  /** A ref beside the notes that is exchanged with them. */
  readonly companion?: Companion;
}

/** What the peer has of it is kept apart and never taken into ours: it goes back to where it came from and nowhere else. */
export interface Companion extends Mirrored {
  /** The id to be pushed, of what is ours and what is known here of the peer's; undefined: nothing to push. */
  compose(): Promise<string | undefined>;
  /** The same without writing anything: whether the peer would get something that it has not got. */
  foresee(): Promise<boolean>;
  /** How many things the last one would bring. */
  readonly news: () => number;
}

const kindOf = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1);

/** Each of n writers who push at once is turned away by the others at most once for each ref. */
const ATTEMPTS = 24;
const MAX_IDLE = 6;
const MAX_PAUSE_MS = 2000;

/** `shared`: only what goes along with the notes is new; `both`: that too. */
export type Fetched = 'none' | 'nothing new' | 'fetched' | 'shared' | 'both';

/** Gets the peer's notes; ours stay as they are. */
export async function fetchNotes(exchange: Exchange): Promise<Fetched> {
  const { peer, talk, companion } = exchange;
  const before = await peerRefs(exchange);
  await dropOdd(exchange);
  await fetchRefs(talk, peer, companion);
  const after = await peerRefs(exchange);
  await fetchMissing(talk, peer, [...after.keys()]);
  if (after.size === 0) return 'none';
  return whatIsNew(
    exchange,
    [...after].flatMap(([ref, id]) => (before.get(ref) === id ? [] : [ref])),
  );
}

function whatIsNew({ companion }: Exchange, refs: readonly string[]): Fetched {
  if (refs.length === 0) return 'nothing new';
  if (!companion || !refs.includes(companion.here)) return 'fetched';
  return refs.length === 1 ? 'shared' : 'both';
}

/** What the peer has in the place of notes stays no longer than it has it: else taking it away there would not help. */
async function dropOdd({ repository: { place }, peer, companion }: Exchange): Promise<void> {
  const types = await typesOfRefs(place, [peer.refs, ...(companion ? [companion.here] : [])]);
  for (const [ref, type] of types) if (type !== 'commit') await askGit(place, ['update-ref', '-d', ref]);
}

/** Takes into our notes what is known here of the peer's. What stands in the way of one ref does not keep the others from it. */
export async function takeNotes(exchange: Exchange): Promise<Left[]> {
  const { repository, companion } = exchange;
  const pairs = [...OWN_REFS, ...(companion ? [companion.ref] : [])].map(
    (ref) => [ref, placeOf(exchange, ref)] as const,
  );
  const types = await typesOfRefs(repository.place, pairs.flat());
  const left: Left[] = [];
  for (const [ref, from] of pairs) {
    const theirs = types.get(from);
    const odd = whatIsOdd(ref, { ours: types.get(ref), theirs });
    if (odd) left.push(odd);
    else if (ref !== companion?.ref && theirs !== undefined && !isOdd(theirs))
      left.push(...(await tryTake(repository, ref, from)));
  }
  return left;
}

async function tryTake(repository: Repository, ref: string, from: string): Promise<Left[]> {
  try {
    await uniteNotes(repository, ref, from);
    return [];
  } catch (cause) {
    if (!(cause instanceof Fault) || typeof cause.data.lacking !== 'string') throw cause;
    return [{ ref, kind: 'lacking', note: cause.data.lacking }];
  }
}

export type Pushed = 'nothing to push' | 'up to date' | 'pushed';

/**
 * Pushes our notes, all of them: those of commits that the peer has not got are of no use there and do no harm. First it is tried
 * with what is known here of the peer's notes: mostly nobody else has pushed since, and one connection is enough. Turned away, they are
 * fetched and united, as often as it takes. What could not be pushed is told by a fault, once the rest has been.
 */
export async function pushNotes(exchange: Exchange): Promise<Pushed> {
  const { repository, peer, talk, companion } = exchange;
  let part = false;
  for (let attempt = 0, idle = 0; ; attempt++) {
    if (attempt > 0) idle = /^no/.test(await fetchNotes(exchange)) ? idle + 1 : 0;
    const left = await takeNotes(exchange).catch((cause: unknown) => {
      if (attempt > 0 || !(cause instanceof Fault)) throw cause;
    });
    // what is known here may be old, and a partial clone may lack the contents of what it fetched by itself: all is fetched first
    if (!left || (left.length > 0 && attempt === 0)) continue;
    const ids = await ownRefs(repository.place);
    const beside = await companion?.compose();
    if (companion && beside !== undefined) ids.set(companion.ref, beside);
    for (const { ref } of left) ids.delete(ref);
    const answer = ids.size > 0 ? await pushRefs(talk, peer, ids) : undefined;
    if (answer?.kind !== 'moved') {
      await remember(exchange, ids);
      if (left.length > 0) throw leftFault(peer, left);
      return part ? 'pushed' : (answer?.kind ?? 'nothing to push');
    }
    part ||= answer.part;
    // turned away though nobody has pushed, again and again: the reason is another one
    if (attempt >= ATTEMPTS || idle >= MAX_IDLE) throw answer.refusal;
    await sleep(pause(attempt));
  }
}

/** What a push would do, without doing anything. */
export async function foreseePush({ repository, peer, talk, companion }: Exchange): Promise<Pushed> {
  const ids = await ownRefs(repository.place);
  if (await companion?.foresee()) return 'pushed';
  if (ids.size === 0) return 'nothing to push';
  const there = await listPeer(talk, peer);
  return [...ids].every(([ref, id]) => there.get(ref) === id) ? 'up to date' : 'pushed';
}

/** What a fetch would do, without doing anything. */
export async function foreseeFetch(exchange: Exchange): Promise<Fetched> {
  const there = await listPeer(exchange.talk, exchange.peer, exchange.companion);
  const here = await peerRefs(exchange);
  if (there.size === 0) return 'none';
  const pairs = [...there].map(([ref, id]) => [placeOf(exchange, ref), id] as const);
  return whatIsNew(
    exchange,
    pairs.flatMap(([ref, id]) => (here.get(ref) === id ? [] : [ref])),
  );
}

/** Takes away the refs of a peer that has none of its own here. */
export async function forgetPassing(exchange: Exchange): Promise<void> {
  const { place } = exchange.repository;
  if (!exchange.peer.passing) return;
  for (const ref of (await peerRefs(exchange)).keys()) await askGit(place, ['update-ref', '-d', ref]);
}

function peerRefs({ repository: { place }, peer, companion }: Exchange): Promise<Map<string, string>> {
  return listRefs(place, [peer.refs, ...(companion ? [companion.here] : [])]);
}

/** Where the peer's ref is kept here. */
function placeOf({ peer, companion }: Exchange, ref: string): string {
  return ref === companion?.ref ? companion.here : peer.refs + kindOf(ref);
}

async function ownRefs(place: GitPlace): Promise<Map<string, string>> {
  const found = await listRefs(place, OWN_REFS);
  return new Map([...found].filter(([ref]) => OWN_REFS.some((own) => own === ref)));
}

/** Git does so itself where a refspec tells it to, which jj does not like. */
async function remember(exchange: Exchange, ids: ReadonlyMap<string, string>): Promise<void> {
  const { place } = exchange.repository;
  if (exchange.peer.passing) return;
  const known = await peerRefs(exchange);
  for (const [ref, id] of ids) {
    const theirs = placeOf(exchange, ref);
    if (known.get(theirs) !== id) await runGit(place, ['update-ref', '-m', 'notes: pushed', theirs, id]);
  }
}

/** Longer each time, and of another length in each process, so that those who met once do not keep step. */
function pause(attempt: number): number {
  const spread = ((process.pid * 7919 + attempt * 104_729) % 1000) / 1000;
  return Math.min(50 * 1.5 ** attempt, MAX_PAUSE_MS) * (0.5 + spread);
}
