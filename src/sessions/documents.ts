import fs from 'node:fs';
import path from 'node:path';
import { type AgentInfo, type AgentLogDocument, type AgentLogEvent, SPEC_VERSION } from '../agentlog/document.ts';
import { measure } from '../agentlog/measure.ts';
import { mergeDocuments } from '../agentlog/merge.ts';
import { withoutEvents } from '../agentlog/outline.ts';
import { parseDocument } from '../agentlog/parse.ts';
import { printDocument } from '../agentlog/print.ts';
import type { Captured } from '../capture/session.ts';
import { findFile, listFolder, makeFolder, readPart, replaceFile, setAside, sizeOf } from './disk.ts';
import { decodeName, encodeName, formerName } from './file-names.ts';
import { refuseNewer, type Store } from './store.ts';

const ENDING = '.agentlog.json';

/** What adapters have decoded of one session, from hooks and transcripts, as an AgentLog document. Not redacted. */
export function documentOf(parts: readonly Captured[], project: { readonly name: string }): AgentLogDocument {
  const events = parts.flatMap((part) => part.events);
  const last = <T>(of: (part: Captured) => T | undefined) => parts.map(of).findLast((value) => value !== undefined);
  const [tokens, end] = [last((part) => part.tokens), last((part) => part.endedAt)];
  const metrics = measure(events);
  return {
    specVersion: SPEC_VERSION,
    id: parts[0]?.session ?? '',
    startTime: new Date(startOf(parts, events)).toISOString(),
    ...(end !== undefined && { endTime: new Date(end).toISOString() }),
    status: parts.some(({ ended }) => ended) ? 'completed' : 'active',
    agent: {
      name: parts[0]?.tool.name ?? '',
      ...optional(
        'version',
        last(({ tool }) => tool.version),
      ),
      ...modelOf(
        last(({ model }) => model),
        last(({ modelName }) => modelName),
      ),
    },
    project: {
      name: project.name,
      ...optional(
        'workingDirectory',
        last(({ cwd }) => cwd),
      ),
      ...optional(
        'branch',
        last(({ branch }) => branch),
      ),
    },
    events,
    metrics: tokens ? { ...metrics, tokenUsage: tokens } : metrics,
    ...relationsOf(parts),
  };
}

/** By its models.dev id; else as the agent calls it, and nobody says whose it is. */
function modelOf(id: string | undefined, name: string | undefined): Pick<AgentInfo, 'model' | 'provider'> {
  return id?.includes('/') ? { model: id, provider: id.split('/')[0] ?? null } : optional('model', name);
}

function startOf(parts: readonly Captured[], events: readonly AgentLogEvent[]): number {
  const told = parts.flatMap(({ startedAt }) => startedAt ?? []);
  if (told.length > 0) return Math.min(...told);
  return Date.parse(events[0]?.timestamp ?? '') || parts[0]?.endedAt || 0;
}

function optional<K extends string>(key: K, value: string | undefined): { readonly [P in K]?: string } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: string };
}

function relationsOf(parts: readonly Captured[]): Pick<AgentLogDocument, 'relationships'> {
  const pullRequests = parts.flatMap((part) => part.pullRequests ?? []);
  const childSessions = parts.flatMap((part) => part.childSessions ?? []);
  const parentSession = parts.map((part) => part.parentSession ?? part.forkedFrom).find((id) => id !== undefined);
  const relationships = {
    ...(pullRequests.length > 0 && { pullRequests }),
    ...optional('parentSession', parentSession),
    ...(childSessions.length > 0 && { childSessions }),
  };
  return Object.keys(relationships).length > 0 ? { relationships } : {};
}

/** Adds what is new about a session to what is stored of it; gives its file. */
export function keepDocument(store: Store, document: AgentLogDocument): string {
  const had = findStored(store, document.id, document.agent.name);
  const file = fileOf(store, document.agent.name, document.id);
  const text = `${printDocument(had ? mergeDocuments(had.document, document) : document)}\n`;
  const there = findFile(file);
  if (there?.toString('utf8') === text) return file;
  refuseNewer(store);
  if (there && had?.file !== file) clearWay(store, file);
  replaceFile(file, text);
  if (had && had.file !== file) fs.rmSync(had.file, { force: true });
  return file;
}

/** What stands in the place of another session's file is damaged, or has the name that versions before gave it. */
function clearWay(store: Store, file: string): void {
  const document = readSession({ file });
  const own = document && fileOf(store, document.agent.name, document.id);
  if (own === undefined || own === file || fs.existsSync(own)) setAside(file);
  else {
    makeFolder(path.dirname(own));
    fs.renameSync(file, own);
  }
}

export function findDocument(store: Store, id: string, agent?: string): AgentLogDocument | undefined {
  return findStored(store, id, agent)?.document;
}

/** What a session tells of itself, mostly without its events. */
export function findOutline(store: Store, id: string): AgentLogDocument | undefined {
  return findStored(store, id, undefined, readOutline)?.document;
}

interface StoredDocument {
  readonly file: string;
  readonly document: AgentLogDocument;
}

type ReadDocument = (place: Pick<SessionFile, 'file'>) => AgentLogDocument | undefined;

function findStored(
  store: Store,
  id: string,
  agent?: string,
  read: ReadDocument = readSession,
): StoredDocument | undefined {
  const folder = path.join(store.dir, 'sessions');
  const agents = agent === undefined ? listFolder(folder) : [encodeName(agent), formerName(agent)];
  for (const name of new Set(agents)) {
    for (const stem of new Set([encodeName(id), formerName(id)])) {
      const file = path.join(folder, name, `${stem}${ENDING}`);
      const document = read({ file });
      if (document?.id === id) return { file, document };
    }
  }
  return undefined;
}

/** A stored session, unread: newest first. */
export interface SessionFile {
  readonly agent: string;
  /** By the file's name: of a very long id only its beginning, and of a file of versions before what they made of it. */
  readonly id: string;
  readonly file: string;
  /** When it was last added to. */
  readonly mtime: number;
}

export function listSessions(store: Store): SessionFile[] {
  const folder = path.join(store.dir, 'sessions');
  const found = listFolder(folder).flatMap((agent) =>
    listFolder(path.join(folder, agent)).flatMap((name): SessionFile[] => {
      if (!name.endsWith(ENDING) || name.startsWith('.')) return [];
      const file = path.join(folder, agent, name);
      const mtime = fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      return [{ agent: decodeName(agent), id: decodeName(name.slice(0, -ENDING.length)), file, mtime }];
    }),
  );
  return found.sort((a, b) => b.mtime - a.mtime || (a.id < b.id ? -1 : 1));
}

/** What a file of the list holds; undefined where it is no document any more. */
export function readSession({ file }: Pick<SessionFile, 'file'>): AgentLogDocument | undefined {
  const text = findFile(file)?.toString('utf8');
  return text === undefined ? undefined : documentIn(text);
}

/** What tells of a session beside its events is shorter. */
const ENDS = 1 << 16;

function readOutline(place: Pick<SessionFile, 'file'>): AgentLogDocument | undefined {
  const offset = Math.max(0, sizeOf(place.file) - ENDS);
  const [first, last] = [0, offset].map((at) => readPart(place.file, { offset: at, length: ENDS }));
  const text = first && last && withoutEvents(first, last);
  const outline = text === undefined ? undefined : documentIn(text);
  // one that does not tell when it began did so with its first event
  return outline?.startTime ? outline : readSession(place);
}

function documentIn(text: string): AgentLogDocument | undefined {
  const parsed = parseDocument(text);
  return parsed.kind === 'document' ? parsed.document : undefined;
}

function fileOf(store: Store, agent: string, id: string): string {
  return path.join(store.dir, 'sessions', encodeName(agent), `${encodeName(id)}${ENDING}`);
}
