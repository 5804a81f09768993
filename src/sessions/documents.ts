import fs from 'node:fs';
import path from 'node:path';
import { type AgentLogDocument, type AgentLogEvent, SPEC_VERSION } from '../agentlog/document.ts';
import { measure } from '../agentlog/measure.ts';
import { mergeDocuments } from '../agentlog/merge.ts';
import { parseDocument } from '../agentlog/parse.ts';
import { printDocument } from '../agentlog/print.ts';
import type { Captured } from '../capture/session.ts';
import { findFile, listFolder, replaceFile, setAside } from './disk.ts';
import { refuseNewer, type Store } from './store.ts';

const ENDING = '.agentlog.json';

/** What adapters have decoded of one session, from hooks and transcripts, as an AgentLog document. Not redacted. */
export function documentOf(parts: readonly Captured[], project: { readonly name: string }): AgentLogDocument {
  const events = parts.flatMap((part) => part.events);
  const last = <T>(of: (part: Captured) => T | undefined) => parts.map(of).findLast((value) => value !== undefined);
  const [model, tokens, end] = [
    last(({ model: one }) => one),
    last((part) => part.tokens),
    last((part) => part.endedAt),
  ];
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
      ...(model?.includes('/') && { model, provider: model.split('/')[0] ?? null }),
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

/** Adds what is new about a session to what is stored of it. */
export function keepDocument(store: Store, document: AgentLogDocument): void {
  const had = findDocument(store, document.id, document.agent.name);
  const file = fileOf(store, document.agent.name, document.id);
  const text = `${printDocument(had ? mergeDocuments(had, document) : document)}\n`;
  const there = findFile(file);
  if (there?.toString('utf8') === text) return;
  refuseNewer(store);
  if (there && !had) setAside(file); // damaged: not to be written over
  replaceFile(file, text);
}

export function findDocument(store: Store, id: string, agent?: string): AgentLogDocument | undefined {
  for (const name of agent ? [agent] : listFolder(path.join(store.dir, 'sessions'))) {
    const text = findFile(fileOf(store, name, id))?.toString('utf8');
    const parsed = text === undefined ? undefined : parseDocument(text);
    if (parsed?.kind === 'document') return parsed.document;
  }
  return undefined;
}

/** A stored session, unread: newest first. */
export interface SessionFile {
  readonly agent: string;
  readonly id: string;
  /** When it was last added to. */
  readonly mtime: number;
}

export function listSessions(store: Store): SessionFile[] {
  const folder = path.join(store.dir, 'sessions');
  const found = listFolder(folder).flatMap((agent) =>
    listFolder(path.join(folder, agent)).flatMap((file): SessionFile[] => {
      if (!file.endsWith(ENDING) || file.startsWith('.')) return [];
      const mtime = fs.statSync(path.join(folder, agent, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
      return [{ agent, id: file.slice(0, -ENDING.length), mtime }];
    }),
  );
  return found.sort((a, b) => b.mtime - a.mtime || (a.id < b.id ? -1 : 1));
}

/** Ids come from agents: whatever would lead out of the folder is written as a sign that does not. */
function fileOf(store: Store, agent: string, id: string): string {
  const plain = (name: string) =>
    name
      .replace(/[^\w.-]/g, '_')
      .replace(/^\./, '_')
      .slice(0, 150);
  return path.join(store.dir, 'sessions', plain(agent), `${plain(id)}${ENDING}`);
}
