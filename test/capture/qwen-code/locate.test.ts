import { expect, test } from 'vitest';
import type { LocateIn } from '../../../src/capture/adapter.ts';
import { qwenCode } from '../../../src/capture/qwen-code/index.ts';

const tree = (root: string): Record<string, string[]> => ({
  [root]: ['-w-my-repo/', '-w-my-repo-sub/', '-w/', '-w-my-repository/', 'stray.jsonl'],
  [`${root}/-w-my-repo/chats`]: ['a.jsonl', 'a.txt', 'archive/'],
  [`${root}/-w-my-repo/chats/archive`]: ['b.jsonl'],
  [`${root}/-w-my-repo/subagents`]: ['a/'],
  [`${root}/-w-my-repo/subagents/a`]: ['agent-1.jsonl', 'agent-1.meta.json'],
  [`${root}/-w-my-repo-sub/chats`]: ['c.jsonl'],
  [`${root}/-w/chats`]: ['d.jsonl'],
  [`${root}/-w-my-repository/chats`]: ['e.jsonl'],
});
const place = (root: string, env: Record<string, string> = {}): LocateIn => ({
  home: '/h',
  env,
  worktrees: ['/w/My.repo'],
  list: (folder) =>
    (tree(root)[folder] ?? []).map((name) => ({ name: name.replace('/', ''), folder: name.endsWith('/') })),
  read: () => undefined,
});
const found = [
  '-w-my-repo/chats/a.jsonl',
  '-w-my-repo/chats/archive/b.jsonl',
  '-w-my-repo/subagents/a/agent-1.jsonl',
  '-w-my-repo-sub/chats/c.jsonl',
  '-w/chats/d.jsonl',
];

test.each<[string, Record<string, string>]>([
  ['/h/.qwen', {}],
  ['/q', { QWEN_HOME: '/q' }],
  ['/h/q', { QWEN_HOME: '~/q' }],
  ['/r', { QWEN_HOME: '/q', QWEN_RUNTIME_DIR: '/r' }],
])('sessions of the work tree, below and above it, and sub-agents: in %s', (folder, env) => {
  const root = `${folder}/projects`;
  expect(qwenCode.locate(place(root, env))).toEqual(found.map((name) => `${root}/${name}`));
});

test('settings are where Qwen looks for them', () => {
  const [file] = qwenCode.hookFiles;
  expect(file?.user({ home: '/h', env: { QWEN_HOME: '/q', QWEN_RUNTIME_DIR: '/r' } })).toBe('/q/settings.json');
  const added = file?.add('// mine\n{}\n', (mode) => `agent-hook ${mode}`, new Map());
  const text = added && 'text' in added ? added.text : '';
  expect(JSON.parse(text.replace('// mine', '')).hooks.PostToolUseFailure).toEqual([
    {
      matcher: '^(run_shell_command|mcp__.*)$',
      hooks: [{ type: 'command', command: 'agent-hook after', timeout: 15000 }],
    },
  ]);
  expect(file?.remove(text, (one) => one.includes('agent-hook'))).toEqual({ text: '// mine\n{}\n' });
});
