import { expect, test } from 'vitest';
import type { LocateIn } from '../../../src/capture/adapter.ts';
import { geminiCli } from '../../../src/capture/gemini-cli/index.ts';
import { hashOf, placeOf } from '../../../src/capture/gemini-cli/locate.ts';

const TMP = '/h/.gemini/tmp';
const tree: Record<string, string[]> = {
  [TMP]: [
    'repo/',
    'sub/',
    'other/',
    'above/',
    'nobody/',
    'bin/',
    `${hashOf('/w/repo')}/`,
    `${hashOf('/x')}/`,
    'stray.jsonl',
  ],
  [`${TMP}/repo/chats`]: ['session-1.jsonl', 'session-0.json', 'notes.txt', 's1/'],
  [`${TMP}/repo/chats/s1`]: ['h1.jsonl', 'h1.txt', 'deep/'],
  [`${TMP}/sub/chats`]: ['session-2.jsonl'],
  [`${TMP}/other/chats`]: ['session-3.jsonl'],
  [`${TMP}/above/chats`]: ['session-4.jsonl'],
  [`${TMP}/nobody/chats`]: ['session-5.jsonl'],
  [`${TMP}/${hashOf('/w/repo')}/chats`]: ['session-6.json'],
  [`${TMP}/${hashOf('/x')}/chats`]: ['session-7.json'],
};
const files: Record<string, string> = {
  [`${TMP}/repo/.project_root`]: '/w/repo',
  [`${TMP}/sub/.project_root`]: '/w/repo/packages/sub\n',
  [`${TMP}/other/.project_root`]: '/w/repository',
  '/h/.gemini/projects.json': '{"projects":{"/w":"above","/else":"other"}}',
};
const place = (env: Record<string, string> = {}): LocateIn => ({
  home: '/h',
  env,
  worktrees: ['/w/repo'],
  list: (folder) => (tree[folder] ?? []).map((name) => ({ name: name.replace('/', ''), folder: name.endsWith('/') })),
  read: (file) => files[file],
});

test('sessions of the work tree, of folders below it and above it, of folders that nobody explains, and of sub-agents', () => {
  expect(geminiCli.locate(place()).sort()).toEqual(
    [
      'above/chats/session-4.jsonl',
      `${hashOf('/w/repo')}/chats/session-6.json`,
      'nobody/chats/session-5.jsonl',
      'repo/chats/s1/h1.jsonl',
      'repo/chats/session-0.json',
      'repo/chats/session-1.jsonl',
      'sub/chats/session-2.jsonl',
    ]
      .map((name) => `${TMP}/${name}`)
      .sort(),
  );
  expect(
    geminiCli.locate({ ...place(), read: (file) => (file.endsWith('.json') ? '{' : files[file]) }).length,
  ).toBeGreaterThan(0);
});

test('its folder may be elsewhere', () => {
  expect(geminiCli.home({ home: '/h', env: {} })).toBe('/h/.gemini');
  expect(geminiCli.hookFiles[0]?.user({ home: '/h', env: { GEMINI_CLI_HOME: '/g' } })).toBe('/g/.gemini/settings.json');
  expect(geminiCli.locate(place({ GEMINI_CLI_HOME: '/g' }))).toEqual([]);
});

test.each<[string, unknown]>([
  ['/h/.gemini/tmp/repo/chats/s.jsonl', { folder: '/h/.gemini', project: 'repo' }],
  ['/h/.gemini/tmp/repo/chats/p1/s.jsonl', { folder: '/h/.gemini', project: 'repo', parent: 'p1' }],
  ['C:\\h\\.gemini\\tmp\\repo\\chats\\s.jsonl', { folder: 'C:\\h\\.gemini', project: 'repo' }],
  ['/tmp/s.jsonl', undefined],
])('%s lies in %j', (file, at) => {
  expect(placeOf(file)).toEqual(at);
});
