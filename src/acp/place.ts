import fs from 'node:fs';
import { readObjects } from '../git/objects.ts';
import { findRepository, type Repository } from '../git/repository.ts';
import { snapshot } from '../git/snapshot.ts';
import { readHeadFiles } from '../git/trees.ts';
import { findSince, type Store, storeOf } from '../sessions/store.ts';
import type { AcpCall } from './call.ts';

/** A tree of the work tree, and between which moments it was taken. */
export interface Snapshot {
  readonly tree: string;
  readonly from: number;
  readonly to: number;
  /** Taken while nothing was told of: a call may have begun already. */
  readonly idle?: boolean;
}

/** We may hear of a call so much later than it began, in milliseconds. */
export const LATE = 500;

/** What a file had at a moment; `null`: it was not there. */
export interface Seen {
  readonly text: string | null;
  readonly at: number;
}

/** A session in a repository in which capture is set up. */
export interface Place {
  readonly repository: Repository;
  readonly store: Store;
  snapshots: readonly Snapshot[];
  /** What files had when a call began or asked for leave to change them, and when it had. */
  readonly seen: Map<string, Seen>;
  /** What stood there when the commands began that are running, by their calls' ids. */
  readonly baselines: Map<string, Snapshot | undefined>;
  /** What the client was given to write since the last call ended. */
  writes: Map<string, string>;
}

const MAX_FILE = 20 << 20;
/** So many files' texts and snapshots are remembered: what is older is told by the snapshots, or by nobody. */
const MAX_SEEN = 50;
const MAX_SNAPSHOTS = 20;

/** Nothing is done outside initialised repositories. */
export async function openPlace(cwd: string): Promise<Place | undefined> {
  try {
    const repository = await findRepository(cwd);
    const store = storeOf(repository);
    if (!findSince(store)) return undefined;
    return { repository, store, snapshots: [], seen: new Map(), baselines: new Map(), writes: new Map() };
  } catch {
    return undefined;
  }
}

export async function takeSnapshot(place: Place, now: () => number, idle = false): Promise<Snapshot | undefined> {
  const from = now();
  const tree = await snapshot(place.repository);
  if (tree === undefined) return undefined;
  const taken = { tree, from, to: now(), ...(idle && { idle }) };
  place.snapshots = [...place.snapshots.slice(-MAX_SNAPSHOTS), taken];
  return taken;
}

export function see({ seen }: Place, path: string, now: Seen): void {
  seen.delete(path);
  seen.set(path, now);
  if (seen.size > MAX_SEEN) seen.delete(seen.keys().next().value ?? '');
}

/** Before that the call has done nothing. */
export function startOf({ at, allowed }: AcpCall): number {
  return allowed ?? at;
}

/** The last snapshot that was complete before the call could do anything. A later one may show what the call did. */
export function snapshotBefore({ snapshots }: Pick<Place, 'snapshots'>, call: AcpCall): Snapshot | undefined {
  const surely = startOf(call) - (call.allowed === undefined ? LATE : 0);
  return snapshots.findLast(({ to, idle }) => to <= (idle ? surely : startOf(call)));
}

/** What the file had before the call, and when; undefined: nobody looked in time. */
export async function seenBefore(place: Place, call: AcpCall, path: string): Promise<Seen | undefined> {
  const taken = snapshotBefore(place, call);
  const seen = place.seen.get(path);
  if (seen && seen.at >= (taken?.from ?? Number.NEGATIVE_INFINITY)) return seen;
  return taken && { text: await textIn(place, taken, path), at: taken.from };
}

/** A file's text in a snapshot. */
async function textIn({ repository }: Place, taken: Snapshot, path: string): Promise<string | null> {
  if (repository.worktree === null || !path.startsWith(`${repository.worktree}/`)) return null;
  const name = path.slice(repository.worktree.length + 1);
  const blob = (await readHeadFiles(repository.place, taken.tree, [name])).get(name)?.blob;
  if (blob === undefined) return null;
  return (
    (await readObjects(repository.place, [blob], { maxBytes: MAX_FILE })).get(blob)?.bytes.toString('utf8') ?? null
  );
}

/** Files as they stand on disk; those too large to be looked at are left out. */
export function readFiles(paths: readonly string[]): Map<string, string | null> {
  return new Map(
    paths.flatMap((path) => {
      const text = readText(path);
      return text === undefined ? [] : [[path, text] as const];
    }),
  );
}

function readText(path: string): string | null | undefined {
  try {
    const stat = fs.statSync(path);
    // a pipe would never end
    return !stat.isFile() || stat.size > MAX_FILE ? undefined : fs.readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
