import fs from 'node:fs';
import path from 'node:path';
import { type AgentLogDocument, SPEC_VERSION } from '../agentlog/document.ts';
import { measure } from '../agentlog/measure.ts';
import { mergeDocuments } from '../agentlog/merge.ts';
import { parseDocument } from '../agentlog/parse.ts';
import { printDocument } from '../agentlog/print.ts';
import type { Captured } from '../capture/session.ts';
import { findFile, listFolder, replaceFile } from './disk.ts';
import type { Store } from './store.ts';

const ENDING = '.agentlog.json';

/** What an adapter has decoded, as an AgentLog document. Not redacted. */
export function documentOf(captured: Captured, project: { readonly name: string }): AgentLogDocument {
  const { events, tool, tokens } = captured;
  const first = captured.startedAt ?? (Date.parse(events[0]?.timestamp ?? '') || captured.endedAt || 0);
  const metrics = measure(events);
  const [provider, ...model] = (captured.model ?? '').split('/');
  const relations = {
    ...(captured.pullRequests?.length && { pullRequests: captured.pullRequests }),
    ...(parentOf(captured) && { parentSession: parentOf(captured) ?? null }),
    ...(captured.childSessions?.length && { childSessions: captured.childSessions }),
  };
  return {
    specVersion: SPEC_VERSION,
    id: captured.session,
    startTime: new Date(first).toISOString(),
    ...(captured.endedAt !== undefined && { endTime: new Date(captured.endedAt).toISOString() }),
    status: captured.ended ? 'completed' : 'active',
    agent: {
      name: tool.name,
      ...(tool.version !== undefined && { version: tool.version }),
      ...(model.length > 0 && { model: captured.model ?? null, provider: provider ?? null }),
    },
    project: {
      name: project.name,
      ...(captured.cwd !== undefined && { workingDirectory: captured.cwd }),
      ...(captured.branch !== undefined && { branch: captured.branch }),
    },
    events,
    metrics: tokens ? { ...metrics, tokenUsage: tokens } : metrics,
    ...(Object.keys(relations).length > 0 && { relationships: relations }),
  };
}

function parentOf(captured: Captured): string | undefined {
  return captured.parentSession ?? captured.forkedFrom;
}

/** Adds what is new about a session to what is stored of it. */
export function keepDocument(store: Store, document: AgentLogDocument): void {
  const had = findDocument(store, document.id, document.agent.name);
  const file = fileOf(store, document.agent.name, document.id);
  const text = `${printDocument(had ? mergeDocuments(had, document) : document)}\n`;
  if (findFile(file)?.toString('utf8') !== text) replaceFile(file, text);
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
