import { expect, test } from 'vitest';
import type { LocateIn } from '../../../src/capture/adapter.ts';
import { droid } from '../../../src/capture/droid/index.ts';
import { settings } from '../../../src/capture/droid/settings.ts';

const command = (mode: string) => `sh "$HOME/x/agent-hook" droid ${mode}`;
const isOurs = (text: string) => text.includes('agent-hook');

test.each([undefined, '{}', '// mine\n{\n  /* too */\n  "model": "x" // end\n}\n'])('in and out again: %j', (text) => {
  const added = settings.add(text, command, new Map());
  if ('refused' in added) throw new Error(added.refused);
  expect(settings.add(added.text, command, new Map())).toEqual(added);
  expect(settings.remove(added.text, isOurs)).toEqual({ text });
  expect(added.text.match(/droid \w+/g)).toEqual(
    ['before', 'after', 'event', 'after', 'end', 'end'].map((mode) => `droid ${mode}`),
  );
});

test('where it is, and its sessions', () => {
  const tree: Record<string, string[]> = {
    '/h/.factory/sessions': ['-w-my-repo/', '-w-my-repo-sub/', '-w/', '-w-other/', 'old.jsonl'],
    '/h/.factory/sessions/-w-my-repo': ['a.jsonl', 'a.settings.json'],
    '/h/.factory/sessions/-w-my-repo-sub': ['b.jsonl'],
    '/h/.factory/sessions/-w': ['c.jsonl'],
    '/h/.factory/sessions/-w-other': ['d.jsonl'],
  };
  const place: LocateIn = {
    home: '/home/user',
    env: { FACTORY_HOME_OVERRIDE: '/h' },
    worktrees: ['/w/my.repo'],
    list: (folder) => (tree[folder] ?? []).map((name) => ({ name: name.replace('/', ''), folder: name.endsWith('/') })),
    read: () => undefined,
  };
  const at = '/h/.factory/sessions/';
  expect(droid.locate(place)).toEqual(
    ['old.jsonl', '-w-my-repo/a.jsonl', '-w-my-repo-sub/b.jsonl', '-w/c.jsonl'].map((name) => at + name),
  );
  expect(settings.user({ home: '/home/user', env: {} })).toBe('/home/user/.factory/settings.json');
});
