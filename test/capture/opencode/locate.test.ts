import { expect, test } from 'vitest';
import type { LocateIn } from '../../../src/capture/adapter.ts';
import { kilo } from '../../../src/capture/kilo/index.ts';
import { opencode } from '../../../src/capture/opencode/index.ts';
import { transcriptOf } from '../recorded.ts';

const DATA = '/h/.local/share/opencode';
const session = {
  id: 'ses_1',
  projectID: 'p1',
  directory: '/w/repo',
  version: '1.1.13',
  time: { created: 5, updated: 9 },
};
const call = {
  id: 'prt_2',
  type: 'tool',
  callID: 'call_0a8d4edb3bec8047',
  tool: 'write',
  state: {
    status: 'completed',
    input: { filePath: '/w/repo/a', content: 'x' },
    metadata: { exists: false },
    time: { start: 7, end: 8 },
  },
};
/** As versions before 1.2 had it. */
const files: Record<string, unknown> = {
  [`${DATA}/opencode.db`]: '',
  [`${DATA}/opencode-dev.db`]: '',
  [`${DATA}/opencode.db-wal`]: '',
  [`${DATA}/auth.json`]: {},
  [`${DATA}/storage/project/p1.json`]: { id: 'p1', worktree: '/w/repo' },
  [`${DATA}/storage/project/p2.json`]: { id: 'p2', worktree: '/w/other' },
  [`${DATA}/storage/project/p3.json`]: 'broken',
  [`${DATA}/storage/session/p1/ses_1.json`]: session,
  [`${DATA}/storage/session/p2/ses_2.json`]: session,
  [`${DATA}/storage/message/ses_1/msg_1.json`]: { id: 'msg_1', role: 'user', time: { created: 5 } },
  [`${DATA}/storage/message/ses_1/msg_2.json`]: {
    id: 'msg_2',
    role: 'assistant',
    time: { created: 6 },
    providerID: 'openai',
    modelID: 'gpt-5',
  },
  [`${DATA}/storage/message/ses_1/msg_3.json`]: 'broken',
  [`${DATA}/storage/part/msg_1/prt_1.json`]: { id: 'prt_1', type: 'text', text: 'do it' },
  [`${DATA}/storage/part/msg_2/prt_2.json`]: call,
};
const textAt = (file: string) => (file in files ? JSON.stringify(files[file]) : undefined);
const list = (folder: string) => {
  const below = Object.keys(files).flatMap((file) =>
    file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : [],
  );
  return [...new Set(below.map((name) => name.split('/')[0] ?? ''))].map((name) => ({
    name,
    folder: !name.includes('.'),
  }));
};
const place = (env: Record<string, string> = {}): LocateIn => ({
  home: '/h',
  env,
  worktrees: ['/w/repo'],
  list,
  read: textAt,
});

test('databases of all channels, and older sessions of this repository', () => {
  expect(opencode.locate(place())).toEqual([
    `${DATA}/opencode.db`,
    `${DATA}/opencode-dev.db`,
    `${DATA}/storage/session/p1/ses_1.json`,
  ]);
  expect(opencode.locate(place({ OPENCODE_DB: '/x/y.db' }))).toContain('/x/y.db');
  expect(opencode.locate(place({ OPENCODE_DB: 'mine.db', XDG_DATA_HOME: '/d' }))).toEqual(['/d/opencode/mine.db']);
  expect(kilo.locate(place())).toEqual([]);
  expect(kilo.locate(place({ KILO_DB: '/k.db' }))).toEqual(['/k.db']);
});

test('an older session is read from its files', () => {
  const path = `${DATA}/storage/session/p1/ses_1.json`;
  const file = transcriptOf(textAt(path) ?? '', { path, worktrees: ['/w/repo'], read: textAt, list });
  const [told] = opencode.decodeTranscript(file);
  expect(told).toMatchObject({
    session: 'ses_1',
    tool: { name: 'opencode', version: '1.1.13' },
    model: 'openai/gpt-5',
    edits: [{ event: 'call_0a8d4edb3bec8047', path: '/w/repo/a', change: { kind: 'full', before: null, after: 'x' } }],
    skipped: { 'broken file': 1 },
  });
  expect(told?.events[0]).toMatchObject({ role: 'user', content: 'do it' });
  expect(opencode.decodeTranscript({ ...file, worktrees: ['/w/other'] })).toEqual([]);
  expect(opencode.decodeTranscript({ ...file, text: () => '{' })[0]?.skipped).toEqual({ 'broken file': 1 });
});

test('what `export` prints', () => {
  const message = { info: files[`${DATA}/storage/message/ses_1/msg_2.json`], parts: [call] };
  const text = JSON.stringify({ info: session, messages: [message, null, {}] });
  const [told] = opencode.decodeTranscript(transcriptOf(text, { path: '/x.json', worktrees: ['/w/repo'] }));
  expect(told?.edits).toHaveLength(1);
  expect(told?.skipped).toEqual({ 'message without time': 2 });
});

test('its folders may be elsewhere', () => {
  const env = { XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d' };
  expect(opencode.home({ home: '/h', env })).toBe('/d/opencode');
  expect(opencode.hookFiles.map((file) => file.user({ home: '/h', env }))).toEqual([
    '/c/opencode/plugin/git-agent-blame.js',
    '/c/opencode/.npmrc',
  ]);
  expect(kilo.hookFiles[0]?.user({ home: '/h', env: {} })).toBe('/h/.config/kilo/plugin/git-agent-blame.js');
});

test('npm settings of the user’s own stay as they are', () => {
  const [, settings] = opencode.hookFiles;
  const command = () => 'agent-hook';
  const added = settings?.add(undefined, command, new Map());
  const text = added && 'text' in added ? added.text : '';
  expect(text).toContain('fetch-retries=0');
  expect(settings?.add(text, command, new Map())).toEqual({ text });
  expect(settings?.remove(text, () => true)).toEqual({ text: undefined });
  expect(settings?.remove(`${text}registry=x\n`, () => true)).toEqual({ text: 'registry=x\n' });
  expect(settings?.add('registry=x\n', command, new Map())).toEqual({ text: 'registry=x\n' });
  expect(settings?.remove('fetch-retries=0\n', () => true)).toEqual({ text: 'fetch-retries=0\n' });
});
