import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { bytesOf } from '../../src/setup/bytes.ts';
import { chainOf, LINKS, lookBehind, parseLink, printLink, WHERE_USED } from '../../src/setup/chain.ts';
import { HOOKS, hasBlock } from '../../src/setup/hook-file.ts';
import type { ChainRecord, HooksPath, HooksPathValue } from '../../src/setup/hooks-path.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder } from '../support/repository.ts';
import { gits } from './support.ts';

const root = makeFolder('chain');
afterAll(() => removeFolder(root));

describe('links', () => {
  test.each(gits())('git $name knows every name', ({ path: git }) => {
    const at = fs.mkdtempSync(path.join(root, 'names-'));
    const run = (...args: string[]) =>
      spawnSync(git, args, { cwd: at, encoding: 'utf8', env: { ...process.env, GIT_EDITOR: 'true' } });
    run('init', '-q');
    fs.mkdirSync(path.join(at, '.git/hooks'), { recursive: true });
    for (const name of LINKS) fs.writeFileSync(path.join(at, '.git/hooks', name), '#!/bin/sh\n', { mode: 0o755 });
    // the report lists, of the hooks that git knows, those that are there
    expect(run('bugreport', '-o', at, '-s', 'x').status).toBe(0);
    const report = fs.readFileSync(path.join(at, 'git-bugreport-x.txt'), 'utf8');
    const listed = report.slice(report.indexOf('[Enabled Hooks]')).split('\n').slice(1).filter(Boolean);
    expect(listed.toSorted()).toEqual([...LINKS].toSorted());
  });

  test('our hooks have our lines, three are there only where they are used', () => {
    const links = chainOf({ before: [], behind: '/hooks' }, ['post-index-change']);
    expect([...links].filter(([, text]) => hasBlock(text)).map(([name]) => name)).toEqual(
      expect.arrayContaining([...HOOKS]),
    );
    expect(LINKS.filter((name) => !links.has(name))).toEqual(WHERE_USED.filter((name) => name !== 'post-index-change'));
  });

  test('law: a link tells what it stands for, whatever the names', () => {
    const name = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'));
    fc.assert(
      fc.property(fc.array(name), name, (before, behind) => {
        expect(parseLink(bytesOf(printLink('pre-commit', { before, behind })))).toEqual({ before, behind });
      }),
    );
    for (const other of ['', '#!/bin/sh\n', printLink('update', { before: [], behind: 'a' }).replace('{', '[')])
      expect(parseLink(other)).toBeUndefined();
  });

  const folders = ['plain', 'with blank', "it's", '"$HOME" `id` \\', 'line\nend', 'ünïcode', '*'];
  const cases = folders.flatMap((name) => [path.join(root, name), name]);
  test.each(cases)('%j: the same name, arguments, input and exit code', (behind) => {
    const hook = `${path.resolve(root, behind)}/commit-msg`;
    fs.mkdirSync(path.dirname(hook), { recursive: true });
    fs.writeFileSync(hook, '#!/bin/sh\nprintf "%s|" "$0" "$@"; cat; exit 7\n', { mode: 0o755 });
    const link = path.join(root, 'link');
    fs.writeFileSync(link, printLink('commit-msg', { before: [], behind }));
    const { status, stdout, stderr } = spawnSync('/bin/sh', [link, 'a b', '', "c'"], { cwd: root, input: 'in\n\n' });
    expect([status, String(stdout), String(stderr)]).toEqual([7, `${behind}/commit-msg|a b||c'|in\n\n`, '']);
  });

  test('a hook that is not there, or is switched off, costs no process beyond sh', () => {
    const at = path.join(root, 'none');
    fs.mkdirSync(path.join(at, '.git'), { recursive: true });
    fs.mkdirSync(path.join(at, 'h'));
    fs.writeFileSync(path.join(at, 'h', 'commit-msg'), '#!/bin/sh\nexit 9\n', { mode: 0o644 });
    for (const [name, behind] of [
      ['pre-commit', 'h'],
      ['pre-commit', '/dev/null'],
      ['commit-msg', 'h'],
    ] as const) {
      const link = path.join(at, 'link');
      fs.writeFileSync(link, printLink(name, { before: [], behind }));
      const { status, stderr } = spawnSync('/bin/sh', [link], { cwd: at, env: { PATH: '/nowhere' }, encoding: 'utf8' });
      expect([status, stderr]).toEqual([0, '']);
    }
  });
});

describe('what stands behind ours', () => {
  const value = (scope: string, text: string): HooksPathValue => ({
    scope,
    origin: `file:/${scope}`,
    value: text,
    folder: text.replace('~', '/home'),
  });
  const say = (own: string[], ...values: HooksPathValue[]): HooksPath => ({ values, own, shared: false });
  const record: ChainRecord = { value: '/old/chain', before: ['~/mine'], behind: '/home/mine' };
  const cases: Record<string, [HooksPath, ChainRecord | null, Partial<ReturnType<typeof lookBehind>>]> = {
    'nothing is set': [say([]), null, { value: undefined, behind: undefined, before: [] }],
    "the user's": [say([], value('global', '~/h')), null, { behind: '/home/h', before: [], obstacle: undefined }],
    "the repository's own": [
      say(['.h'], value('global', '~/h'), value('local', '.h')),
      null,
      { behind: '.h', before: ['.h'], obstacle: undefined },
    ],
    'ours before the user’s': [
      say(['/chain'], value('global', '~/h'), value('local', '/chain')),
      { ...record, before: [] },
      { value: '/chain', behind: '/home/h', before: [], obstacle: undefined },
    ],
    'ours, and nothing else any more': [
      say(['/chain'], value('local', '/chain')),
      { ...record, before: [] },
      { value: '/chain', behind: undefined },
    ],
    'ours in the place of a value': [
      say(['/chain'], value('global', '~/h'), value('local', '/chain')),
      record,
      { value: '/chain', behind: '/home/mine', before: ['~/mine'] },
    ],
    'ours from before a move': [say(['/old/chain'], value('local', '/old/chain')), record, { value: '/old/chain' }],
    'set anew': [say(['.husky/_'], value('local', '.husky/_')), record, { value: undefined, before: ['.husky/_'] }],
    'a value added after ours': [
      say(['/chain', '.h'], value('local', '/chain'), value('local', '.h')),
      record,
      { value: undefined, behind: '.h', before: ['.h'] },
    ],
    'ours, and no memory': [
      say(['/chain'], value('local', '/chain')),
      null,
      { value: '/chain', obstacle: expect.stringContaining('not known') },
    ],
    'a work tree’s own': [
      say(['/chain'], value('local', '/chain'), value('worktree', '/chain')),
      record,
      { value: undefined, obstacle: expect.stringContaining('file:/worktree') },
    ],
    'an included file': [say([], value('local', '.h')), null, { obstacle: expect.stringContaining('file:/local') }],
  };
  test.each(Object.keys(cases))('%s', (name) => {
    const [path, known, expected] = cases[name] ?? [say([]), null, {}];
    expect(lookBehind(path, '/chain', known)).toMatchObject(expected);
  });
});
