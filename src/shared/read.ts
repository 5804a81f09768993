import type { AgentLogDocument } from '../agentlog/document.ts';
import { mergeDocuments } from '../agentlog/merge.ts';
import { parseDocument } from '../agentlog/parse.ts';
import { type ObjectReader, openObjects } from '../git/objects.ts';
import { listRefs } from '../git/refs.ts';
import type { GitPlace } from '../git/run.ts';
import { SESSION, SESSIONS_REF } from './names.ts';
import { findSession, isSession, readShelf, type Shelf, sessionPath, tombstoneOf } from './shelf.ts';
import { MAX_SHARED } from './write.ts';

/** A ref that shared sessions lie under, ours or one that was fetched. */
export interface SharedRef {
  readonly ref: string;
  readonly commit: string;
  readonly shelf: Shelf;
}

/** Ours first, then those of remotes. */
export async function readSharedRefs(place: GitPlace): Promise<SharedRef[]> {
  const refs = await listRefs(place, [SESSIONS_REF, 'refs/agent/**/sessions']);
  if (refs.size === 0) return [];
  return withReader(place, async (reader) => {
    const found: SharedRef[] = [];
    for (const ref of [...refs.keys()].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))) {
      const shelved = await readShelf(reader, ref);
      if (shelved) found.push({ ref, ...shelved });
    }
    return found;
  });
}

const rank = (ref: string) => (ref === SESSIONS_REF ? 0 : 1);

/** The sessions of all shelves as one, without those that anybody has forgotten. */
export interface SharedSessions {
  find(id: string): Promise<AgentLogDocument | undefined>;
  list(): Promise<AgentLogDocument[]>;
  /** Beginnings of names, as they stand on the shelves. */
  startingWith(beginning: string): readonly string[];
  has(agent: string, id: string): boolean;
}

export async function openShared(place: GitPlace): Promise<SharedSessions> {
  const refs = await readSharedRefs(place);
  const gone = new Set(refs.flatMap(({ shelf }) => [...shelf.keys()].filter((path) => !isSession(path))));
  // an id that begins with - would be an option to whoever types it
  const stands = (path: string) => !path.includes('/-') && !gone.has(tombstoneOf(path) ?? '');
  const blobsOf = (path: string) => [...new Set(refs.flatMap(({ shelf }) => shelf.get(path)?.id ?? []))];
  return {
    async find(id) {
      const paths = new Set(refs.flatMap(({ shelf }) => findSession(shelf, id)));
      return withReader(place, async (reader) => {
        for (const path of [...paths].filter(stands)) {
          const document = await readVersions(reader, path, blobsOf(path));
          if (document?.id === id) return document;
        }
        return undefined;
      });
    },
    list() {
      const paths = new Set(refs.flatMap(({ shelf }) => [...shelf.keys()].filter(isSession)));
      return withReader(place, async (reader) => {
        const found: AgentLogDocument[] = [];
        // one after the other: conversations may be long
        for (const path of [...paths].filter(stands)) {
          const document = await readVersions(reader, path, blobsOf(path));
          if (document) found.push(document);
        }
        return found;
      });
    },
    startingWith(beginning) {
      const paths = new Set(refs.flatMap(({ shelf }) => [...shelf.keys()].filter(isSession)));
      const names = [...paths].filter(stands).map((path) => path.slice(path.indexOf('/') + 1, -SESSION.length));
      return [...new Set(names)].filter((name) => name.startsWith(beginning));
    },
    has: (agent, id) => {
      const path = sessionPath(agent, id);
      return stands(path) && refs.some(({ shelf }) => shelf.has(path));
    },
  };
}

/** Every version that is what its place says, as one document. */
async function readVersions(
  reader: ObjectReader,
  path: string,
  blobs: readonly string[],
): Promise<AgentLogDocument | undefined> {
  const objects = await reader.read(blobs, { maxBytes: MAX_SHARED });
  let whole: AgentLogDocument | undefined;
  for (const blob of blobs) {
    const text = objects.get(blob)?.bytes.toString('utf8');
    const parsed = text === undefined ? undefined : parseDocument(text);
    if (parsed?.kind !== 'document') continue;
    const { document } = parsed;
    if (sessionPath(document.agent.name, document.id) !== path) continue;
    whole = whole ? mergeDocuments(whole, document) : document;
  }
  return whole;
}

async function withReader<T>(place: GitPlace, read: (reader: ObjectReader) => Promise<T>): Promise<T> {
  const reader = openObjects(place);
  try {
    return await read(reader);
  } finally {
    reader.close();
  }
}
