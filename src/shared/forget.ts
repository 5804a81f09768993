import { Fault } from '../fault.ts';
import { openObjects } from '../git/objects.ts';
import { moveRef } from '../git/refs.ts';
import type { Repository } from '../git/repository.ts';
import { askGit, type GitPlace, runGit } from '../git/run.ts';
import { SESSIONS_REF } from './names.ts';
import { findSession, readShelf } from './shelf.ts';
import { writeWithout } from './write.ts';

/** Whether a shelf has the session; nothing is written. */
export async function isOnShelf({ place }: Repository, ref: string, id: string): Promise<boolean> {
  const reader = openObjects(place);
  try {
    const shelved = await readShelf(reader, ref);
    return shelved !== undefined && findSession(shelved.shelf, id).length > 0;
  } finally {
    reader.close();
  }
}

/** A history of a shelf without the session, and the one that it replaces. Undefined: the session is not on it. */
export async function rewriteShelf(repository: Repository, ref: string, id: string) {
  const reader = openObjects(repository.place);
  try {
    const shelved = await readShelf(reader, ref);
    const paths = shelved ? findSession(shelved.shelf, id) : [];
    if (!shelved || paths.length === 0) return undefined;
    return { from: shelved.commit, to: await writeWithout(repository, shelved.shelf, paths) };
  } finally {
    reader.close();
  }
}

const ATTEMPTS = 20;

/** Takes a session off our own shelf, with its whole past; false: it was not there. */
export async function forgetShared(repository: Repository, id: string): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const rewritten = await rewriteShelf(repository, SESSIONS_REF, id);
    if (!rewritten) return false;
    const change = { ref: SESSIONS_REF, ...rewritten, message: 'sessions: forget' };
    if (await moveRef(repository.place, change)) {
      await dropPast(repository.place, SESSIONS_REF);
      return true;
    }
  }
  throw new Fault('git', `${SESSIONS_REF} could not be updated: another process keeps moving or locking it.`);
}

/** Notes down what the remote has now. */
export async function followRemote(place: GitPlace, ref: string, to: string): Promise<void> {
  await runGit(place, ['update-ref', '-m', 'sessions: forget', ref, to]);
  await dropPast(place, ref);
}

/** A reflog, where a setting makes git write one for every ref, would still lead there. */
async function dropPast(place: GitPlace, ref: string): Promise<void> {
  await askGit(place, ['reflog', 'expire', '--expire=now', ref]);
}
