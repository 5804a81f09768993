import { afterEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
afterEach(() => shop.remove());

/** Typed by nobody before: the lines of a file that only the command has made. */
const MAKE = "seq -f 'generated line number %g' 3 > made.txt";

test.each([
  'git mv old.txt new.txt',
  'git rm -q old.txt',
  'git checkout -q -b feature',
  'git switch -c feature',
  'git stash list',
  'git reset -q HEAD old.txt',
])('%s beside it takes nothing from what a command makes', async (beside) => {
  shop = await openWorkshop();
  shop.human('old.txt', 'typed by a person one\ntyped by a person two\n').commit('start');
  shop.shell(`${beside} && ${MAKE}`);
  shop.commit('made');
  expect(await shop.blame('made.txt')).toBe('aaa');
});

test('what git mv brings in an agent’s shell keeps its owners', async () => {
  shop = await openWorkshop();
  shop.human('old.txt', 'typed by a person one\ntyped by a person two\n').commit('start');
  shop.ai('old.txt', 'typed by a person one\nan agent’s line between\ntyped by a person two\n', 's1');
  shop.shell("git mv -f old.txt new.txt && echo 'said by the second agent' >> new.txt", 's2');
  shop.commit('moved');
  expect(await shop.blame('new.txt')).toBe('haha');
  expect((await shop.json('new.txt')).lines.map(({ session }) => session)).toEqual([null, 's1', null, 's2']);
});

test('of what stands in a file after git moved contents about, the agent’s is what its command says for that file', async () => {
  shop = await openWorkshop();
  shop.human('base.txt', 'base\n').commit('start');
  shop.git('checkout', '-q', '-b', 'other');
  shop.human('theirs.txt', 'typed on the other branch\n').commit('theirs');
  shop.git('checkout', '-q', '-');
  shop.shell(
    "git checkout -q other && cat > mine.txt <<'EOF'\nthe agent says this line\nEOF\nsed -i s/typed/typed/ theirs.txt",
  );
  shop.human('mine.txt', `${shop.read('mine.txt')}and a person types below\n`).commit('mine');
  expect(await shop.blame('mine.txt')).toBe('ah');
  expect(await shop.blame('theirs.txt')).toBe('h');
});

test.each([
  ['git checkout -q HEAD~1 -- typed.txt', 'typed.txt'],
  ['git show HEAD~1:typed.txt > copy.txt', 'copy.txt'],
])('what %s brings stays whose it was, though the command looks for the very line', async (brings, file) => {
  shop = await openWorkshop();
  shop.human('typed.txt', 'a heading that a person typed\nand a line below it\n').commit('start');
  shop.human('typed.txt', 'and a line below it\n').commit('without the heading');
  await new Promise((resolve) => setTimeout(resolve, 1100)); // git's clock knows seconds
  shop.shell(`${brings} && grep 'a heading that a person typed' ${file}`);
  shop.commit('with it again');
  expect(await shop.blame(file)).not.toContain('a');
});

test.each([
  'git co other -- theirs.txt',
  'git show other:theirs.txt | sed s/one/1/ > theirs.txt',
  'git show other:theirs.txt > theirs.txt; sed -i s/one/1/ theirs.txt',
])('what %s brings in an agent’s shell is not the agent’s', async (command) => {
  shop = await openWorkshop();
  shop.git('config', 'alias.co', 'checkout');
  shop.human('base.txt', 'base\n').commit('start');
  shop.git('checkout', '-q', '-b', 'other');
  shop.human('theirs.txt', 'typed on the other branch one\ntyped on the other branch two\n').commit('theirs');
  shop.git('checkout', '-q', '-');
  shop.shell(command);
  shop.commit('brought');
  expect(await shop.blame('theirs.txt')).not.toContain('a');
});
