import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { linkMerged } from '../../src/commands/pr-links.ts';
import type { Merged } from '../../src/forge/index.ts';
import { findRepository } from '../../src/git/repository.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('a.txt', 'person\n').commit();
});
afterEach(() => shop.remove());

/** What a branch with one commit by an agent became on the server, with one of somebody else beside it. */
async function merge(message: string): Promise<{ before: string; branch: string; beside: string; after: string }> {
  const before = shop.git('rev-parse', 'HEAD');
  shop.git('checkout', '-q', '-b', 'topic');
  shop.ai('b.txt', 'agent one\nagent two\n');
  const branch = shop.commit('topic');
  shop.git('checkout', '-q', 'main');
  shop.ai('c.txt', 'agent beside\n', 's2');
  const beside = shop.commit('beside');
  shop.git('merge', '-q', '--no-ff', '-m', message, 'topic');
  await shop.agent('join');
  return { before, branch, beside, after: shop.git('rev-parse', 'HEAD') };
}

async function link(merged: Merged): Promise<number> {
  const commits = shop.git('rev-list', `${merged.before}..${merged.after}`).split('\n');
  return linkMerged(await findRepository(shop.dir), merged, commits);
}

const pullsOf = (commit: string) =>
  shop
    .git('notes', '--ref=agent/log', 'show', commit)
    .split('\n')
    .flatMap((line) => JSON.parse(line).relationships.pullRequests ?? []);

describe('sessions are tied to the pull request that they came by', () => {
  test.each([
    ['whose number the merge names', 'Merge pull request #7 from ada/topic', {}],
    ['whose number the job knows', 'topic is in', { number: 7 }],
  ])('%s, and nobody beside it; a second time nothing', async (_, message, told) => {
    const { before, branch, beside, after } = await merge(message);
    const merged = { before, after, ref: 'refs/heads/main', ...told };
    expect(pullsOf(branch)).toEqual([]);
    expect(await link(merged)).toBe(1);
    expect([pullsOf(branch), pullsOf(beside)]).toEqual([[{ number: 7 }], []]);
    expect(await link(merged)).toBe(0);
    shop.human('links.jsonl', shop.git('notes', '--ref=agent/log', 'show', branch));
    const { status, stdout } = await shop.agent('validate', '--as', 'agentlog', 'links.jsonl');
    expect([status, stdout]).toEqual([0, expect.stringContaining('2 parts')]);
  });

  test('a merge of nobody’s request ties nothing', async () => {
    const { before, after } = await merge('topic is in');
    expect(await link({ before, after, ref: 'refs/heads/main' })).toBe(0);
  });
});
