import { expect, test } from 'vitest';
import type { LocateIn } from '../../../src/capture/adapter.ts';
import { pi } from '../../../src/capture/pi/index.ts';

const tree: Record<string, string[]> = {
  '/h/.pi/agent/sessions': ['--w-repo--/', '--w-repo-sub--/', '--w--/', '--w-other--/', 'stray.jsonl'],
  '/h/.pi/agent/sessions/--w-repo--': ['a.jsonl', 'b.txt', 'c/'],
  '/h/.pi/agent/sessions/--w-repo-sub--': ['d.jsonl'],
  '/h/.pi/agent/sessions/--w--': ['e.jsonl'],
  '/h/.pi/agent/sessions/--w-other--': ['f.jsonl'],
  '/h/mine': ['g.jsonl'],
};
const place = (env: Record<string, string> = {}): LocateIn => ({
  home: '/h',
  env,
  worktrees: ['/w/repo'],
  list: (folder) => (tree[folder] ?? []).map((name) => ({ name: name.replace('/', ''), folder: name.endsWith('/') })),
  read: () => undefined,
});

test('sessions of the work tree, of folders below it and above it', () => {
  const at = '/h/.pi/agent/sessions/';
  expect(pi.locate(place())).toEqual(
    ['--w-repo--/a.jsonl', '--w-repo-sub--/d.jsonl', '--w--/e.jsonl'].map((name) => at + name),
  );
  expect(pi.locate(place({ PI_CODING_AGENT_DIR: '/nowhere', PI_CODING_AGENT_SESSION_DIR: '~/mine' }))).toEqual([
    '/h/mine/g.jsonl',
  ]);
});

test('its folder may be elsewhere', () => {
  expect(pi.home({ home: '/h', env: {} })).toBe('/h/.pi/agent');
  expect(pi.home({ home: '/h', env: { PI_CODING_AGENT_DIR: '~/pi' } })).toBe('/h/pi');
  expect(pi.hookFiles[0]?.user({ home: '/h', env: {} })).toBe('/h/.pi/agent/extensions/git-agent-blame.ts');
});
