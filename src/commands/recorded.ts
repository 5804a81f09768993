import type { AgentLogDocument } from '../agentlog/document.ts';
import { type Found, type SearchQuestion, searchConversations } from '../conversation/search.ts';
import { Fault } from '../fault.ts';
import type { Repository } from '../git/repository.ts';
import { askGit, type GitPlace } from '../git/run.ts';
import { redactDocument } from '../redact/redact.ts';
import { findDocument, listSessions, readSession } from '../sessions/documents.ts';
import { storeOf } from '../sessions/store.ts';
import { plain } from '../terminal/plain.ts';
import type { World } from './command.ts';
import { type PendingView, pendingView } from './pending-view.ts';

/** What can be read here: recorded, or only shared by somebody. */
export interface Readable {
  readonly document: AgentLogDocument;
  readonly shared: boolean;
}

/** The recorded sessions, those included that no background work has stored yet. */
export interface Recorded {
  list(): Promise<AgentLogDocument[]>;
  find(id: string): Promise<AgentLogDocument | undefined>;
  /** Also by the beginning of its id, if it is the only one. */
  guess(id: string): Promise<AgentLogDocument | undefined>;
}

export interface Everything extends Recorded {
  listAll(): Promise<Readable[]>;
  /** What was recorded here, by its whole id. A name that git knows as HEAD, a branch or a tag is never a session. */
  findFirst(name: string): Promise<AgentLogDocument | undefined>;
}

/** The same, and behind them what colleagues have shared: it counts only for sessions that are not recorded here. */
export async function openRecorded(repository: Repository, world: World, view?: PendingView): Promise<Everything> {
  const own = await openOwn(repository, world, view);
  const shared = async () => (await import('./shared-sessions.ts')).openReadable(repository);
  return {
    list: own.list,
    async listAll() {
      const [recorded, others] = [await own.list(), await (await shared()).list()];
      const here = new Set(recorded.map(({ id }) => id));
      return [
        ...recorded.map((document) => ({ document, shared: false })),
        ...others.filter(({ id }) => !here.has(id)).map((document) => ({ document, shared: true })),
      ];
    },
    async findFirst(name) {
      const document = await own.find(name);
      return document && !(await isRef(repository.place, name)) ? document : undefined;
    },
    find: async (id) => (await own.find(id)) ?? (await shared()).find(id),
    guess: async (id) => (await own.guess(id)) ?? (await (await shared()).guess(id, LEAST)),
  };
}

export function searchAll(readable: readonly Readable[], question: SearchQuestion): Found {
  const shared = new Set(readable.flatMap((one) => (one.shared ? [one.document.id] : [])));
  return searchConversations(
    readable.map(({ document }) => document),
    { ...question, shared },
  );
}

async function isRef(place: GitPlace, name: string): Promise<boolean> {
  const args = ['rev-parse', '--verify', '--quiet', '--symbolic-full-name', '--end-of-options', name];
  return (await askGit(place, args)).out.toString('utf8').trim() !== '';
}

/** `hint`: what else may help. */
export function notRecorded(id: string, hint = ''): Fault {
  const words = `The session ${plain(id)} is not recorded in this repository: git agent sessions lists${hint}.`;
  return new Fault('usage', words);
}

/** Nothing but this brings what colleagues have shared. */
export const FETCH_HINT = '; a colleague may have shared it: git agent fetch looks';

/** So short a beginning is a slip. */
const LEAST = 4;

interface Named {
  readonly id: string;
  read(): Promise<AgentLogDocument | undefined>;
}

/** `view`: what is pending, where the caller has looked already. */
export async function openOwn(repository: Repository, world: World, view?: PendingView): Promise<Recorded> {
  const store = storeOf(repository);
  const { prospect } = view ?? (await pendingView(repository, world));
  const pending = prospect?.documents ?? new Map<string, AgentLogDocument>();
  const find = async (id: string) => {
    const fresh = pending.get(id);
    // what is stored was redacted; what is not yet reads the same
    return fresh ? redactDocument(fresh) : findDocument(store, id);
  };
  const names = (): Named[] => [
    ...[...pending.values()].map((document) => ({ id: document.id, read: () => redactDocument(document) })),
    ...listSessions(store)
      .filter(({ id }) => !pending.has(id))
      .map((one) => ({ id: one.id, read: async () => readSession(one) })),
  ];
  return {
    find,
    async list() {
      const found = await Promise.all(names().map(({ read }) => read()));
      return found.filter((document) => document !== undefined);
    },
    async guess(id) {
      const exact = await find(id);
      if (exact || id.length < LEAST) return exact;
      const near = names().filter((name) => name.id.startsWith(id));
      if (near.length > 1) throw new Fault('usage', `${near.length} sessions begin with ${id}: name more of it.`);
      return near[0]?.read();
    },
  };
}
