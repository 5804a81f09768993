import path from 'node:path';
import { readConfig } from '../git/config.ts';
import type { Repository } from '../git/repository.ts';
import type { GitPlace } from '../git/run.ts';
import { isObject } from '../json.ts';
import { readReferences } from '../pending/references.ts';
import { replaceFile } from '../sessions/disk.ts';
import { listSessions, readSession, type SessionFile } from '../sessions/documents.ts';
import { findJson, type Store, storeOf } from '../sessions/store.ts';
import { prepareSession } from '../shared/prepare.ts';
import { putSessions } from '../shared/write.ts';
import type { World } from './command.ts';

export type Sharing = 'asked' | 'always' | 'never';

/** A value that makes no sense publishes nothing. */
export async function readSharing(place: GitPlace): Promise<Sharing> {
  const said = (await readConfig(place, 'agent')).get('agent.share')?.at(-1) ?? 'asked';
  return said === 'asked' || said === 'always' ? said : 'never';
}

/** Puts every session that a note refers to onto our shelf. What has not changed since the last time is not redacted again. */
export async function shareReferred(repository: Repository, world: World): Promise<void> {
  const store = storeOf(repository);
  const known = readKnown(store);
  const due = await findUnshared(repository);
  if (due.length === 0) return;
  for (const one of due) {
    const document = readSession(one);
    // one at a time: conversations may be long
    if (document) await putSessions(repository, [await prepareSession(document, world.home)]);
    known.set(keyOf(one), one.mtime);
  }
  replaceFile(fileOf(store), JSON.stringify(Object.fromEntries(known)));
}

/** Those that would be put there. */
export async function findUnshared(repository: Repository): Promise<SessionFile[]> {
  const store = storeOf(repository);
  const known = readKnown(store);
  const fresh = listSessions(store).filter((one) => known.get(keyOf(one)) !== one.mtime);
  if (fresh.length === 0) return [];
  const ids = new Set(fresh.map(({ id }) => id));
  const { sessions } = await readReferences(repository.place, ids, new Map());
  return fresh.filter(({ id }) => sessions.has(id));
}

const keyOf = ({ agent, id }: SessionFile) => `${agent}/${id}`;
const fileOf = (store: Store) => path.join(store.dir, 'cache', 'shared.json');

function readKnown(store: Store): Map<string, number> {
  const value = findJson(fileOf(store));
  const entries = isObject(value) ? Object.entries(value) : [];
  return new Map(entries.flatMap(([key, mtime]) => (typeof mtime === 'number' ? [[key, mtime] as const] : [])));
}
