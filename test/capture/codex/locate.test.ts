import { describe, expect, test } from 'vitest';
import type { Entry } from '../../../src/capture/adapter.ts';
import { codex } from '../../../src/capture/codex/index.ts';
import { concerns } from '../../../src/capture/codex/locate.ts';

const FILES = [
  '/home/me/.codex/sessions/2026/11/16/rollout-2026-11-16T21-59-05-a.jsonl',
  '/home/me/.codex/sessions/2025/01/02/rollout-2025-01-02T00-00-00-b.jsonl',
  '/home/me/.codex/sessions/2025/01/02/rollout-2025-01-02T00-00-00-c.jsonl.zst',
  '/home/me/.codex/sessions/rollout-old.json',
  '/home/me/.codex/archived_sessions/rollout-2026-01-01T00-00-00-d.jsonl',
  '/home/me/.codex/history.jsonl',
  '/else/sessions/2026/01/01/rollout-2026-01-01T00-00-00-e.jsonl',
];

function list(folder: string): Entry[] {
  const below = FILES.filter((file) => file.startsWith(`${folder}/`)).map((file) => file.slice(folder.length + 1));
  const names = new Map(below.map((rest) => [rest.split('/')[0] ?? '', rest.includes('/')]));
  return [...names].map(([name, isFolder]) => ({ name, folder: isFolder }));
}

const locate = (env: Record<string, string>) =>
  codex.locate({ home: '/home/me', env, worktrees: ['/repo'], list, read: () => undefined }).map((file) => file.at(-7));

test('sessions of every day, and those put aside; also where CODEX_HOME is elsewhere', () => {
  expect(locate({})).toEqual(['a', 'b', 'd']);
  expect(locate({ CODEX_HOME: '/else/' })).toEqual(['e', 'a', 'b', 'd']);
});

test('the folder of settings', () => {
  expect(codex.home({ home: '/home/me', env: {} })).toBe('/home/me/.codex');
  expect(codex.home({ home: '/home/me', env: { CODEX_HOME: '/else/' } })).toBe('/else');
});

describe('whether a session is about a work tree', () => {
  test.each([
    ['/work/repo', true],
    ['/work/repo/src', true],
    ['/work', true],
    ['/', true],
    ['/private/work/repo', true],
    ['C:\\work\\Repo\\src', true],
    ['/work/repository', false],
    ['/work/other', false],
    ['/elsewhere', false],
  ])('%s: %s', (folder, expected) => {
    expect(concerns(folder, ['/work/repo'])).toBe(expected);
  });
});
