import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseCommitTimes } from '../../src/capture/aider/times.ts';
import { readReflog } from '../../src/git/history.ts';
import { findTableLog } from '../../src/git/table-log.ts';
import { openTranscript } from '../../src/pending/transcripts.ts';
import { hasTables } from '../support/new-git.ts';
import { makeFolder, makeRepository } from '../support/repository.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';
import { told } from './told.ts';

describe.skipIf(!hasTables)('where refs are kept in tables (needs git 2.48)', () => {
  let shop: Workshop;
  beforeEach(async () => {
    shop = await openWorkshop({ refFormat: 'reftable' });
    shop.human('h.ts', 'a person begins\n').commit('start');
  });
  afterEach(() => shop.remove());

  test('what a person commits is theirs, and the agent’s is the agent’s', async () => {
    shop.ai('a.ts', 'const by = agent;\n');
    shop.human('h.ts', 'a person begins\na person goes on\n').commit('both');
    expect(await told(shop, 'h.ts', 'a.ts')).toEqual(['hh', 'a']);
    shop.human('h.ts', 'a person begins\na person goes on\na person ends\n').commit('more');
    expect(await told(shop, 'h.ts')).toEqual(['hhh']);
  });

  test('who reads when commits were made reads it there', () => {
    const transcript = { agent: { name: 'aider' } as never, file: path.join(shop.dir, 'h.ts'), size: 0, mtime: 0 };
    const opened = openTranscript({ worktrees: [] }, transcript);
    const times = parseCommitTimes(opened.read(path.join(shop.common, 'logs', 'HEAD')) ?? '');
    opened.close();
    const [id, seconds] = shop.git('log', '-1', '--format=%H %ct').split(' ');
    expect([...times]).toEqual([[id?.slice(0, 7), Number(seconds) * 1000]]);
  });

  test('so it is in a linked work tree', async () => {
    const beside = path.join(makeFolder('linked'), 'beside');
    shop.git('worktree', 'add', '-q', '-b', 'topic', beside);
    const linked = shop.in(beside);
    linked.human('l.ts', 'a person beside\n').commit('linked');
    expect(await told(linked, 'h.ts', 'l.ts')).toEqual(['h', 'h']);
    fs.rmSync(path.dirname(beside), { recursive: true });
  });

  test('a squash brings what it brings', async () => {
    shop.git('checkout', '-q', '-b', 'topic');
    shop.ai('a.ts', 'const by = agent;\n');
    shop.commit('agent');
    shop.human('p.ts', 'a person on the branch\n').commit('person');
    shop.git('checkout', '-q', 'main');
    shop.git('merge', '-q', '--squash', 'topic');
    shop.commit('squashed');
    expect(await told(shop, 'a.ts', 'p.ts')).toEqual(['a', 'h']);
  });
});

describe.skipIf(!hasTables)('a reflog in tables (needs git 2.48)', () => {
  test('says what it said as a file', () => {
    const { dir, git, write, commit, remove } = makeRepository();
    write('a', '1\n');
    commit('one: with a colon');
    git('checkout', '-q', '-b', 'topic');
    write('a', '2\n');
    commit('zwei: schön');
    git('commit', '-q', '--amend', '-m', 'two');
    git('checkout', '-q', 'main');
    git('merge', '-q', '--no-ff', '-m', 'merged', 'topic');
    git('reset', '-q', '--hard', 'HEAD~1');
    const gitDir = path.join(dir, '.git');
    const file = readReflog(fs.readFileSync(path.join(gitDir, 'logs', 'HEAD'), 'utf8'));
    expect(findTableLog(gitDir)).toBeUndefined();
    git('refs', 'migrate', '--ref-format=reftable');
    expect(fs.existsSync(path.join(gitDir, 'logs', 'HEAD'))).toBe(false);
    expect(findTableLog(gitDir)).toEqual(file);
    write('a', '3\n');
    const last = commit('three');
    expect(findTableLog(gitDir)?.at(-1)).toMatchObject({ new: last, action: 'commit', message: 'three' });
    remove();
  });
});
