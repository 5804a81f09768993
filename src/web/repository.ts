import { expandOid, type FsClient, getConfig, listRefs, readObject, resolveRef } from 'isomorphic-git';
import { Fault } from '../fault.ts';
import { decodeCommit, type HistoryCommit } from './commit.ts';
import { standingStill } from './still.ts';
import { decodeTree, type TreeFile } from './tree.ts';

/** A file system as isomorphic-git takes it: `node:fs`, LightningFS, memfs, or one of your own with the same functions. */
export type FileSystem = { readonly promises: object } | { readonly readFile: unknown };

/** Where the repository is. */
export interface Place {
  readonly fs: FileSystem;
  /** The work tree; its `.git` is read. */
  readonly dir?: string;
  /** The git dir itself, for bare repositories. */
  readonly gitdir?: string;
  /** An object that isomorphic-git keeps what it has read in: hand in the same one again, and packs are not read anew. */
  readonly cache?: object;
}

/** Objects of a repository, decoded. What is not here (a shallow or partial clone) is undefined. */
export interface Repository {
  /** Fails where nothing could be read, which is not the same as nothing being there. */
  ready(): Promise<void>;
  /** The commit that a name stands for. */
  resolve(name: string): Promise<HistoryCommit>;
  commit(id: string): Promise<HistoryCommit | undefined>;
  tree(id: string): Promise<ReadonlyMap<string, TreeFile> | undefined>;
  blob(id: string): Promise<Uint8Array | undefined>;
  /** Names of the refs below `refs/notes`, in full. */
  noteRefs(): Promise<string[]>;
  /** The tree of whatever the ref points to. */
  rootOf(ref: string): Promise<string | undefined>;
}

interface GitObject {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Trees and commits come again and again along a history; blobs do once or twice. */
const REMEMBERED = { trees: 4000, commits: 50_000, blobs: 16 };

export function openRepository({ fs, dir, gitdir, cache = {} }: Place): Repository {
  if (dir === undefined && gitdir === undefined)
    throw new Fault('usage', 'Say where the repository is: dir or gitdir.');
  const at = {
    fs: standingStill(fs) as FsClient,
    ...(dir !== undefined && { dir }),
    ...(gitdir !== undefined && { gitdir }),
  };
  const object = (id: string) => findObject(() => readObject({ ...at, cache, oid: id, format: 'content' }));
  const contents = async (id: string, type: string) => {
    const found = await object(id);
    return found?.type === type ? found.bytes : undefined;
  };
  const commit = remember(REMEMBERED.commits, async (id) => {
    const bytes = await contents(id, 'commit');
    return bytes && decodeCommit(id, bytes);
  });
  const named = async (name: string) => {
    const id = await findNamed(() => resolveRef({ ...at, ref: name }));
    return id ?? (/^[0-9a-f]{4,40}$/.test(name) ? findNamed(() => expandOid({ ...at, cache, oid: name })) : undefined);
  };
  const peeled = async (name: string) => {
    const id = await named(name);
    return id === undefined ? undefined : commit(await peel(id, object));
  };
  return {
    ready: async () => checkReadable(at),
    commit,
    tree: remember(REMEMBERED.trees, async (id) => {
      const bytes = await contents(id, 'tree');
      return bytes && decodeTree(bytes);
    }),
    blob: remember(REMEMBERED.blobs, (id) => contents(id, 'blob')),
    async resolve(name) {
      const found = await peeled(name);
      if (!found) throw new Fault('usage', `${name} is no commit here.`, { name });
      return found;
    },
    async noteRefs() {
      const names = await listRefs({ ...at, filepath: NOTES });
      return names.map((name) => `${NOTES}/${name}`);
    },
    rootOf: async (ref) => (await peeled(ref))?.tree,
  };
}

const NOTES = 'refs/notes';

/** Ways to keep a repository that isomorphic-git does not know. */
const STRANGE = { objectformat: 'sha1', refstorage: 'files' } as const;

async function checkReadable(at: { readonly fs: FsClient; readonly dir?: string; readonly gitdir?: string }) {
  // of a branch without commits too: two steps are where HEAD says that it is
  if ((await findNamed(() => resolveRef({ ...at, ref: 'HEAD', depth: 2 }))) === undefined)
    throw new Fault('surroundings', `There is no repository at ${at.gitdir ?? at.dir}.`);
  for (const [name, usual] of Object.entries(STRANGE)) {
    const value: unknown = await getConfig({ ...at, path: `extensions.${name}` });
    if (value !== undefined && `${value}`.toLowerCase() !== usual)
      throw new Fault('surroundings', `extensions.${name} is ${value}: such a repository is read with git only.`);
  }
}

/** Tags of tags are rare; without end they are hostile. */
const MAX_TAGS = 10;

async function peel(id: string, read: (id: string) => Promise<GitObject | undefined>): Promise<string> {
  let at = id;
  for (let left = MAX_TAGS; left > 0; left--) {
    const found = await read(at);
    if (found?.type !== 'tag') break;
    at = /^object ([0-9a-f]{40})\n/.exec(Buffer.from(found.bytes).toString('latin1'))?.[1] ?? '';
  }
  return at;
}

async function findObject(read: () => ReturnType<typeof readObject>): Promise<GitObject | undefined> {
  const found = await findNamed(read);
  return found?.object instanceof Uint8Array ? { type: `${found.type}`, bytes: found.object } : undefined;
}

/** Absence is an answer; anything else that fails is told. */
async function findNamed<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'NotFoundError') return undefined;
    throw error;
  }
}

/** The last answers, each asked for once, also when many ask at the same time. */
function remember<T>(most: number, read: (id: string) => Promise<T>): (id: string) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (id) => {
    const found = known.get(id);
    if (found) {
      known.delete(id);
      known.set(id, found);
      return found;
    }
    const answer = read(id);
    known.set(id, answer);
    if (known.size > most) known.delete(known.keys().next().value ?? '');
    // a failure may have been the network's: the next one asks again
    answer.catch(() => known.delete(id));
    return answer;
  };
}
