import fs from 'node:fs';
import path from 'node:path';
import { withLock } from '../git/lock.ts';
import type { Repository } from '../git/repository.ts';
import { carryOut } from './carry-out.ts';
import type { Change, Plan } from './change.ts';
import { type ConfigValues, hasJj, readValues } from './survey.ts';

/** A repository's configuration, and whether jj reads it too. */
export interface Listening {
  readonly local: ConfigValues;
  readonly jj: boolean;
}

/** Notes of every remote go to refs of their own. jj warns about such a refspec at each fetch, so not there. */
export function planRefspecs(listening: Listening): Plan {
  const remarks = ['This is a jj repository: git agent fetch gets the notes, no refspec does.'];
  if (listening.jj) return { changes: [], remarks, refusals: [] };
  const changes = unfetched(listening).map((remote): Change => {
    const key = `remote.${remote}.fetch`;
    const value = { scope: 'local', key, value: notesRefspec(remote) } as const;
    return { kind: 'value', value, said: `git fetch ${remote} also gets the notes (${key})` };
  });
  return { changes, remarks: [], refusals: [] };
}

/** The remotes whose notes do not come with git fetch. */
export function unfetched({ local, jj }: Listening): string[] {
  if (jj) return [];
  return [...local].flatMap(([key, values]) => {
    const remote = /^remote\.([\s\S]+)\.fetch$/.exec(key)?.[1];
    // a mirror fetches every ref already
    const isFetched = (value: string) => /^\+?refs\/\*:/.test(value) || value === notesRefspec(remote ?? '');
    return remote === undefined || values.some(isFetched) ? [] : [remote];
  });
}

export function notesRefspec(remote: string): string {
  return `+refs/notes/agent/*:${path.posix.join('refs/notes', remote, 'agent')}/*`;
}

/** Those of an initialised repository; of any other none. */
export async function readUnfetched(repository: Repository): Promise<readonly string[]> {
  if (!fs.existsSync(path.join(repository.commonDir, 'agent', 'since.json'))) return [];
  return unfetched({ local: await readValues(repository.place, '--local'), jj: hasJj(repository) });
}

/** So long, in milliseconds, other writers are waited for: the next exchange comes by again. */
const WAIT_MS = 2000;

/** For a remote that was added after `init`: from now on git fetch gets its notes. */
export async function listenTo(repository: Repository, remote: string): Promise<void> {
  const { commonDir, place } = repository;
  const listen = async () => {
    if (!(await readUnfetched(repository)).includes(remote)) return;
    const local = new Map([[`remote.${remote}.fetch`, []]]);
    const places = { commonDir, agentDir: path.join(commonDir, 'agent'), userDir: '' };
    await carryOut(planRefspecs({ local, jj: false }), places, place);
  };
  if ((await readUnfetched(repository)).includes(remote)) await withLock(commonDir, listen, { waitMs: WAIT_MS });
}
