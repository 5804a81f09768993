import { expect, test } from 'vitest';
import type { LocateIn } from '../../../src/capture/adapter.ts';
import { cline } from '../../../src/capture/cline/index.ts';
import { isNear } from '../../../src/capture/near.ts';

const extension = '/h/.config/Code/User/globalStorage/saoudrizwan.claude-dev';
const tree: Record<string, string[]> = {
  '/h/.cline/data/sessions': ['here', 'below', 'other', 'bare'],
  '/h/.cline/data/tasks': ['1'],
  [`${extension}/tasks`]: ['2', '3', '4'],
};
const files: Record<string, string> = {
  '/h/.cline/data/sessions/here/here.json': '{"cwd":"/w/repo"}',
  '/h/.cline/data/sessions/below/below.json': '{"cwd":"/w/repo/sub"}',
  '/h/.cline/data/sessions/other/other.json': '{"cwd":"/w/repository"}',
  [`${extension}/state/taskHistory.json`]: JSON.stringify([
    { id: '2', cwdOnTaskInitialization: '/w/repo' },
    { id: '3', cwdOnTaskInitialization: '/w/other' },
  ]),
};
const place = (env: Record<string, string> = {}): LocateIn => ({
  home: '/h',
  env,
  worktrees: ['/w/repo'],
  list: (folder) => (tree[folder] ?? []).map((name) => ({ name, folder: true })),
  read: (file) => files[file],
});

test('sessions and tasks that may be of the work tree', () => {
  expect(cline.locate(place())).toEqual([
    ...['here', 'below', 'bare'].map((name) => `/h/.cline/data/sessions/${name}/${name}.messages.json`),
    '/h/.cline/data/tasks/1/api_conversation_history.json',
    ...['2', '4'].map((name) => `${extension}/tasks/${name}/api_conversation_history.json`),
  ]);
  expect(cline.locate(place({ CLINE_DIR: '/x', XDG_CONFIG_HOME: '/x' }))).toEqual([]);
});

test.each([
  ['/w/repo', true],
  ['/w/repo/', true],
  ['/w/Repo/sub', true],
  ['/w', true],
  ['/', true],
  ['/w/repository', false],
  ['/w/re', false],
])('%s is near: %s', (folder, expected) => expect(isNear(folder, ['/w/repo'])).toBe(expected));
