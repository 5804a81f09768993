import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AgentLogDocument } from '../../src/agentlog/document.ts';
import { printDocument } from '../../src/agentlog/print.ts';
import type { Captured } from '../../src/capture/session.ts';
import {
  documentOf,
  findDocument,
  findOutline,
  keepDocument,
  listSessions,
  readSession,
} from '../../src/sessions/documents.ts';
import type { Store } from '../../src/sessions/store.ts';
import { removeFolder } from '../support/remove.ts';

let store: Store;
beforeEach(() => {
  store = { dir: fs.mkdtempSync(path.join(os.tmpdir(), 'documents-')), format: 'sha1' };
});
afterEach(() => removeFolder(store.dir));

const session = (id: string, agent = 'x'): AgentLogDocument => ({
  specVersion: '0.2.0',
  id,
  startTime: '2026-05-01T09:00:00Z',
  status: 'completed',
  agent: { name: agent },
  events: [],
});
const IDS = ['a/b', 'a_b', 'a:b', '.a', '_a', '../x', '%2f', 'é', 'a'.repeat(200), `${'a'.repeat(200)}b`];
const held = () => listSessions(store).map((one) => readSession(one)?.id);

test('the model of a session is its models.dev id, else the name that the agent gives it', () => {
  const part: Captured = {
    session: 's',
    tool: { name: 'copilot' },
    events: [],
    edits: [],
    commands: [],
    models: new Map(),
    skipped: {},
  };
  const agentOf = (more: Partial<Captured>) => documentOf([{ ...part, ...more }, part], { name: 'p' }).agent;
  expect(agentOf({})).toEqual({ name: 'copilot' });
  expect(agentOf({ modelName: 'claude-sonnet-4.5' })).toEqual({ name: 'copilot', model: 'claude-sonnet-4.5' });
  expect(agentOf({ modelName: 'o3', model: 'openai/o3' })).toMatchObject({ model: 'openai/o3', provider: 'openai' });
});

test('every session has a file of its own, whatever its id', () => {
  for (const id of IDS) keepDocument(store, session(id));
  keepDocument(store, session('a/b', 'x/y'));
  keepDocument(store, session('a/b', 'x_y'));
  for (const id of IDS) expect(findDocument(store, id, 'x')?.id).toBe(id);
  expect(findDocument(store, 'a/b', 'x_y')?.agent.name).toBe('x_y');
  expect(findDocument(store, 'a b')).toBeUndefined();
  expect(held().sort()).toEqual([...IDS, 'a/b', 'a/b'].sort());
});

test('a file that versions before named is read, and goes to its own name when its name is needed', () => {
  const folder = path.join(store.dir, 'sessions', 'My_Agent');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'a_b.agentlog.json'), printDocument(session('a/b', 'My Agent')));
  expect(findDocument(store, 'a/b')?.id).toBe('a/b');
  expect(findDocument(store, 'a/b', 'My Agent')?.id).toBe('a/b');
  expect(findDocument(store, 'a_b')).toBeUndefined();
  keepDocument(store, session('a_b', 'My_Agent'));
  expect(held().sort()).toEqual(['a/b', 'a_b']);
  keepDocument(store, { ...session('a/b', 'My Agent'), endTime: '2026-05-01T10:00:00Z' });
  expect(held().sort()).toEqual(['a/b', 'a_b']);
  expect(findDocument(store, 'a/b')?.endTime).toBe('2026-05-01T10:00:00Z');
});

test('the outline of a session tells all but its events, however long it is and whatever they say', () => {
  const said = '],"metrics":{"events":["\\',
    metrics = { messageCount: 3, toolCallCount: 0, filesTouchedCount: 0 };
  const message = (content: string) => ({
    ...{ type: 'message' as const, id: 'm', timestamp: '2026-05-01T09:00:01Z', role: 'user' as const, content },
    properties: { events: [1], metrics: { metrics: [], events: [] } },
  });
  for (const length of [0, 100, 200_000]) {
    const document = {
      ...session(`s${length}`),
      project: { name: 'p', properties: { events: [said], metrics: 1 } },
      events: [message(said), message('x'.repeat(length)), message(said)],
      metrics,
      relationships: { parentSession: 'other', properties: { events: [said], metrics: [2] } },
    };
    keepDocument(store, document as unknown as AgentLogDocument);
    const [whole, outline] = [findDocument(store, document.id), findOutline(store, document.id)];
    expect(whole?.events).toHaveLength(3);
    for (const key of ['id', 'startTime', 'status', 'agent', 'relationships', 'metrics'] as const)
      expect(outline?.[key]).toEqual(whole?.[key]);
  }
});

test('the outline of a session that does not tell when it began begins with its first event', () => {
  const folder = path.join(store.dir, 'sessions', 'x');
  fs.mkdirSync(folder, { recursive: true });
  const event = { type: 'message', id: 'm', timestamp: '2026-05-01T09:00:01Z', role: 'user', content: 'hello' };
  const { startTime: _, ...rest } = session('late');
  const text = JSON.stringify({ ...rest, events: [event], metrics: {} });
  fs.writeFileSync(path.join(folder, 'late.agentlog.json'), text);
  expect(findOutline(store, 'late')?.startTime).toBe('2026-05-01T09:00:01Z');
  fs.writeFileSync(path.join(folder, 'broken.agentlog.json'), text.slice(0, -5));
  expect(findOutline(store, 'broken')).toBeUndefined();
});
