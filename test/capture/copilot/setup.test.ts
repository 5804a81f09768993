import { describe, expect, test } from 'vitest';
import type { Entry } from '../../../src/capture/adapter.ts';
import { locate } from '../../../src/capture/copilot/locate.ts';
import { settings } from '../../../src/capture/copilot/settings.ts';
import { pathOfUri } from '../../../src/capture/copilot/workspace.ts';

describe('where sessions are', () => {
  const code = '/home/user/.config/Code/User';
  const files: Record<string, string> = {
    '/home/user/.copilot/session-state/ours/workspace.yaml': 'id: ours\ncwd: /work/repo/src\ngit_root: "/work/repo"\n',
    '/home/user/.copilot/session-state/theirs/workspace.yaml': 'id: theirs\ncwd: /work/repo-2\n',
    '/home/user/.copilot/session-state/nobody/events.jsonl': '',
    '/home/user/.copilot/session-state/old.jsonl': '',
    '/home/user/.copilot/session-state/.locks/x': '',
    [`${code}/workspaceStorage/a/workspace.json`]: '{"folder":"file:///work/re%70o"}',
    [`${code}/workspaceStorage/a/GitHub.copilot-chat/transcripts/s.jsonl`]: '',
    [`${code}/workspaceStorage/a/chatSessions/s.json`]: '',
    [`${code}/workspaceStorage/a/chatSessions/t.jsonl`]: '',
    [`${code}/workspaceStorage/a/chatSessions/notes.txt`]: '',
    [`${code}/workspaceStorage/b/workspace.json`]: '{"folder":"file:///elsewhere"}',
    [`${code}/workspaceStorage/b/chatSessions/s.json`]: '',
    [`${code}/workspaceStorage/c/workspace.json`]: '{"workspace":"file:///work/both.code-workspace"}',
    [`${code}/workspaceStorage/c/chatSessions/s.json`]: '',
    [`${code}/globalStorage/emptyWindowChatSessions/s.json`]: '',
  };
  const list = (folder: string): Entry[] => {
    const below = Object.keys(files).flatMap((file) =>
      file.startsWith(`${folder}/`) ? [file.slice(folder.length + 1)] : [],
    );
    return [...new Map(below.map((rest) => [rest.split('/')[0] ?? '', rest.includes('/')]))].map(
      ([name, isFolder]) => ({
        name,
        folder: isFolder,
      }),
    );
  };
  const place = { home: '/home/user', env: {}, worktrees: ['/work/repo'], list, read: (file: string) => files[file] };

  test('of the work tree, above and below it, and of nobody knows where', () => {
    expect(locate(place)).toEqual([
      '/home/user/.copilot/session-state/ours/events.jsonl',
      '/home/user/.copilot/session-state/nobody/events.jsonl',
      '/home/user/.copilot/session-state/old.jsonl',
      `${code}/workspaceStorage/a/GitHub.copilot-chat/transcripts/s.jsonl`,
      `${code}/workspaceStorage/a/chatSessions/s.json`,
      `${code}/workspaceStorage/a/chatSessions/t.jsonl`,
      `${code}/workspaceStorage/c/chatSessions/s.json`,
      `${code}/globalStorage/emptyWindowChatSessions/s.json`,
    ]);
  });

  test('COPILOT_HOME moves the CLI’s', () => {
    expect(locate({ ...place, env: { COPILOT_HOME: '/other/' } }).some((file) => file.includes('.copilot/'))).toBe(
      false,
    );
    expect(settings.user({ home: '/h', env: { COPILOT_HOME: '/other/' } })).toBe('/other/hooks/git-agent-blame.json');
  });

  test.each([
    ['file:///work/repo', '/work/repo'],
    ['file:///c%3A/work', 'c:/work'],
    ['vscode-remote://wsl%2Bubuntu/home/me/x', '/home/me/x'],
    ['file:///100%', undefined],
    ['untitled:x', undefined],
    [7, undefined],
  ])('%j is %j', (uri, path) => {
    expect(pathOfUri(uri)).toBe(path);
  });
});

describe('the file of hooks', () => {
  const command = (mode: string) => `sh "$HOME/x/agent-hook" copilot ${mode}`;
  const added = settings.add(undefined, command, new Map());
  const text = 'text' in added ? added.text : '';

  test('is ours alone, and has the CLI’s names of events', () => {
    const { version, hooks } = JSON.parse(text) as { version: number; hooks: Record<string, { bash: string }[]> };
    expect(version).toBe(1);
    expect(Object.entries(hooks).map(([event, [one]]) => `${event} ${one?.bash.split(' ').at(-1)}`)).toEqual([
      'preToolUse pre',
      'postToolUse post',
      'postToolUseFailure post',
      'agentStop end',
      'sessionEnd end',
    ]);
    expect(settings.add(text, command, new Map())).toEqual({ text });
    expect(settings.remove(text, () => true)).toEqual({ text: undefined });
  });

  test('one of the user’s by its name stays', () => {
    expect(settings.add('{}', command, new Map())).toEqual({ refused: expect.any(String) });
    expect(settings.remove('{}', () => true)).toEqual({ text: '{}' });
  });
});
