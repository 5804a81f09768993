import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { told } from '../behaviours/told.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

/** One call of an agent's shell that has git move contents about, writes, and commits. */
let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('first.ts', 'first\n').commit('first');
  shop.git('checkout', '-q', '-b', 'side');
  shop.human('side.ts', 'typed on the side\n').commit('side');
  shop.git('checkout', '-q', 'main');
});
afterEach(() => shop.remove());

const WRITE = "echo 'agent alpha' > b.ts && git add -A && git commit -qm b";

describe('what it writes is not a person’s: it may be what git brought, and stays unknown', () => {
  test.each([
    ['checkout', `git checkout -q side; ${WRITE}`],
    ['merge', `git merge -q side; ${WRITE}`],
    ['stash', `git stash -q; ${WRITE}`],
    ['curl', `curl -s file:///dev/null; ${WRITE}`],
    ['by a script', `git checkout -q side; printf 'agent %s\\n' alpha > b.ts; git add -A; git commit -qm b`],
  ])('%s', async (_, command) => {
    shop.shell(command);
    expect(await told(shop, 'b.ts')).toEqual(['u']);
    expect((await shop.json('b.ts')).lines[0]).toMatchObject({ reason: 'a shell command moved contents about' });
  });
});

test('what a person had not committed, stashed and brought back by it, stays hers', async () => {
  shop.human('mine.ts', 'typed alpha beta\ntyped gamma delta\ntyped epsilon zeta\n');
  shop.shell(`git stash -q -u; git checkout -q side; git stash pop -q; git add -A; git commit -qm both`);
  expect(await told(shop, 'mine.ts')).toEqual(['hhh']);
});

test('what stands on a branch that it merges stays whose it is', async () => {
  shop.human('mine.ts', 'typed\n').commit('mine');
  shop.shell(`git merge -q --no-commit side; git commit -qm merged`);
  expect(await told(shop, 'mine.ts', 'side.ts')).toEqual(['h', 'h']);
});
