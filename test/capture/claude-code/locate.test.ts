import { describe, expect, test } from 'vitest';
import { locate, transcriptFolders, transcriptKind } from '../../../src/capture/claude-code/locate.ts';

const home = '/home/user';

describe('folders of a work tree', () => {
  const { mayHold } = transcriptFolders({ home, env: {}, worktrees: ['/home/user/my.app'] });
  const cases: [string, boolean][] = [
    ['-home-user-my-app', true],
    ['-home-user-my-app-packages-x', true],
    ['-home-user', true],
    ['-home', true],
    ['-', true],
    ['-home-user-my-application', false],
    ['-home-user-other', false],
    ['-home-us', false],
    ['', false],
  ];
  test.each(cases)('%s: %s', (name, may) => {
    expect(mayHold(name)).toBe(may);
  });

  test('names over 200 characters are compared by their beginning', () => {
    const worktree = `/${'long/'.repeat(60)}repo`;
    const long = transcriptFolders({ home, env: {}, worktrees: [worktree] });
    const name = worktree.replace(/[^A-Za-z0-9]/g, '-').slice(0, 200);
    expect(long.mayHold(`${name}-1a2b3c`)).toBe(true);
    expect(long.mayHold(`${name.slice(0, 190)}-1a2b3c`)).toBe(false);
  });

  test('are looked for where the environment says, too', () => {
    const env = { CLAUDE_CONFIG_DIR: '/cfg/', CLAUDE_CODE_PROJECT_DIR_NAME: 'mine' };
    const found = transcriptFolders({ home, env, worktrees: ['/w'] });
    expect(found.roots).toEqual(['/cfg/projects', '/home/user/.claude/projects', '/home/user/.config/claude/projects']);
    expect(found.mayHold('mine')).toBe(true);
  });
});

test('files: sessions, sub-agents, and nothing else', () => {
  const kinds = ['s.jsonl', 'agent-1.jsonl', 's/subagents/agent-1.jsonl', 's/subagents/workflows/w/agent-1.jsonl'].map(
    transcriptKind,
  );
  expect(kinds).toEqual(['session', 'sub-agent', 'sub-agent', 'sub-agent']);
  const others = [
    's/subagents/agent-acompact-1.jsonl',
    's/tool-results/x.txt',
    's/x.jsonl',
    's.json',
    '.jsonl',
    's/subagents/agent-1.meta.json',
  ];
  expect(others.map(transcriptKind)).toEqual(others.map(() => undefined));
});

test('walks the folders it is shown', () => {
  const tree: Record<string, string[]> = {
    '/home/user/.claude/projects': ['-w/', '-x/'],
    '/home/user/.claude/projects/-w': ['s.jsonl', 's/', 'memory/'],
    '/home/user/.claude/projects/-w/s/subagents': ['agent-1.jsonl', 'agent-1.meta.json', 'workflows/'],
    '/home/user/.claude/projects/-w/s/subagents/workflows': ['f/'],
    '/home/user/.claude/projects/-w/s/subagents/workflows/f': ['agent-2.jsonl'],
    '/home/user/.claude/projects/-x': ['other.jsonl'],
  };
  const list = (folder: string) =>
    (tree[folder] ?? []).map((name) => ({ name: name.replace('/', ''), folder: name.endsWith('/') }));
  const below = '/home/user/.claude/projects/-w';
  expect(locate({ home, env: {}, worktrees: ['/w'], list, read: () => undefined })).toEqual([
    `${below}/s.jsonl`,
    `${below}/s/subagents/agent-1.jsonl`,
    `${below}/s/subagents/workflows/f/agent-2.jsonl`,
  ]);
});
