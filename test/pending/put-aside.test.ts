import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { told } from '../behaviours/told.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
afterEach(() => shop.remove());

const BASE = 'first line of the base\nlast line of the base\n';
/** Between the two lines of the base. */
const within = (lines: string, base = BASE) =>
  base.replace('first line of the base\n', `first line of the base\n${lines}`);

/** A branch `old` is checked out, and main is one commit ahead of it, at the top of the file. */
async function twoBranches(top: string): Promise<void> {
  shop = await openWorkshop();
  shop.human('a.ts', BASE).commit('base');
  shop.git('branch', '-M', 'main');
  shop.git('branch', 'old');
  shop.human('a.ts', `${top}${BASE}`).commit('main moves on');
  shop.git('checkout', '-q', 'old');
}

/** Git's clock knows seconds: only what it does in a later one comes after an edit for certain. */
const nextSecond = () => new Promise((resolve) => setTimeout(resolve, 1010 - (Date.now() % 1000)));

async function stashToMain(): Promise<void> {
  await nextSecond();
  shop.git('stash', 'push', '-q');
  shop.git('checkout', '-q', 'main');
  shop.git('stash', 'pop', '-q');
  shop.commit('popped');
}

test('a line that everybody writes comes back from the stash to where it was written, also where main has such a line', async () => {
  await twoBranches('import x;\n');
  shop.ai('a.ts', within('}\nimport x;\nconst own = ofTheAgent();\n'));
  await stashToMain();
  expect(await shop.blame('a.ts')).toBe('hhaaah');
});

test('a line that a person wrote below is not the agent’s that comes back from the stash', async () => {
  await twoBranches('line on top of it\n');
  const written = within('\nimport x;\n}\n');
  shop.ai('a.ts', written);
  shop.human('a.ts', `${written}line at the end of it\nimport x;\n`);
  await stashToMain();
  expect(await shop.blame('a.ts')).toBe('hhaaahhu');
});

test('lines that say nothing and stand again where an agent had them are not a person’s', async () => {
  await twoBranches('line on top of it\n');
  shop.ai('a.ts', within('}\n\n'));
  shop.commit('two lines');
  await nextSecond();
  shop.git('checkout', '-q', 'main');
  shop.git('cherry-pick', '-n', 'old');
  shop.git('commit', '-qm', 'picked');
  expect(await shop.blame('a.ts')).toBe('hhuuh');
});

test('a commit that git makes once more in the same second was written when it was first made', async () => {
  shop = await openWorkshop();
  shop.human('a.ts', BASE).commit('base');
  shop.ai('a.ts', within('}\n\n'));
  const date = `@${Math.floor(Date.now() / 1000)} +0000`;
  const dates = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  shop.gitWith(dates, 'commit', '-qam', 'two lines');
  shop.ai('a.ts', within('}\n\n', `on top of it\n${BASE}`), 's2');
  shop.gitWith(dates, 'commit', '-qam', 'one more');
  const head = shop.git('rev-parse', 'HEAD');
  const editors = { GIT_SEQUENCE_EDITOR: 'sed -i -e 1s/pick/reword/', GIT_EDITOR: 'true' };
  shop.gitWith({ ...dates, ...editors }, 'rebase', '-q', '-i', 'HEAD~2');
  expect(shop.git('rev-parse', 'HEAD')).toBe(head);
  expect(await shop.blame('a.ts')).toBe('ahaah');
});

test('a revert brings lines back whose they were, also such as say nothing', async () => {
  shop = await openWorkshop();
  shop.human('a.ts', BASE).commit('base');
  shop.ai('a.ts', within('break;\n}\nbreak;\n'));
  shop.commit('three lines');
  shop.human('a.ts', BASE).commit('without them');
  await nextSecond();
  shop.git('revert', '--no-edit', 'HEAD');
  expect(await shop.blame('a.ts')).toBe('haaah');
});

test('what an agent stashes in the second of the commit before it was not in that commit', async () => {
  shop = await openWorkshop();
  await nextSecond();
  shop.human('a.ts', BASE).commit('base');
  shop.ai('a.ts', within('const own = ofTheAgent();\n}\n});\n'));
  shop.shell('git stash push -q', 's2');
  shop.git('stash', 'pop', '-q');
  shop.commit('popped');
  expect(await shop.blame('a.ts')).toBe('haaah');
});

/** Uncommitted: an agent's lines, and a person's below them. */
async function bothHands(): Promise<void> {
  shop = await openWorkshop();
  shop.human('a.ts', BASE).commit('base');
  shop.ai('a.ts', within('const own = ofTheAgent();\n}\n'));
  shop.human('a.ts', `${within('const own = ofTheAgent();\n}\n')}typed by a person\n}\n`);
}

test('what a person put aside is whose it was when an agent’s shell brings it back', async () => {
  await bothHands();
  shop.git('stash', 'push', '-q');
  shop.shell('git stash pop -q', 's2');
  shop.commit('popped');
  expect(await shop.blame('a.ts')).toBe('haahhh');
});

test('what an agent writes in the second in which a person put aside what stood there before, and brought it back', async () => {
  shop = await openWorkshop();
  shop.human('a.ts', BASE).commit('base');
  await nextSecond();
  shop.human('a.ts', within('typed by a person\nand one more line\n'));
  shop.git('stash', 'push', '-q');
  shop.git('stash', 'apply', '-q');
  shop.edit('a.ts', ['typed by a person\n', 'const own = ofTheAgent();\ntyped by a person\n']);
  await nextSecond();
  shop.shell('git stash -q', 's2');
  shop.git('stash', 'pop', '-q');
  shop.commit('popped');
  expect(await shop.blame('a.ts')).toBe('hahhh');
});

test('also after other commits, and where the stash was only applied', async () => {
  await bothHands();
  shop.git('stash', 'push', '-q');
  await nextSecond();
  shop.human('b.ts', 'another file\n').commit('meanwhile');
  shop.shell('git stash apply -q', 's2');
  shop.human('a.ts', `${shop.read('a.ts')}and one more line\n`).commit('applied');
  expect(await shop.blame('a.ts')).toBe('haahhhh');
});

test('what was put aside while something that an agent began runs on is nobody’s', async () => {
  shop = await openWorkshop();
  shop.human('a.ts', BASE).commit('base');
  shop.shell('node -e 0 &');
  shop.human('a.ts', within('by nobody knows whom\n'));
  shop.git('stash', 'push', '-q');
  shop.shell('git stash pop -q', 's2');
  shop.commit('popped');
  expect(await shop.blame('a.ts')).toBe('huh');
});

test('what was put aside in another work tree is nobody’s here', async () => {
  shop = await openWorkshop();
  shop.human('a.ts', BASE).commit('base');
  const dir = `${shop.home}/linked`;
  shop.git('worktree', 'add', '-q', dir, '-b', 'linked');
  const there = shop.in(dir);
  there.human('a.ts', within('by nobody knows whom\n'));
  there.git('stash', 'push', '-q');
  shop.shell('git stash pop -q', 's2');
  shop.commit('popped');
  expect(await shop.blame('a.ts')).toBe('huh');
});

test('also where the same command brings it back and commits it', async () => {
  await bothHands();
  shop.git('stash', 'push', '-q');
  shop.shell('git stash pop -q && git commit -qam popped', 's2');
  expect(await shop.blame('a.ts')).toBe('haahhh');
});

test.each(['git stash push -q', 'sh put-aside.sh'])(
  'what an agent’s command wrote before %s is the agent’s',
  async (stash) => {
    shop = await openWorkshop();
    shop.human('a.ts', BASE).human('put-aside.sh', 'git stash push -q\n').commit('base');
    await nextSecond();
    shop.shell(`echo 'a line of the agent' >> a.ts && ${stash}`, 's2');
    await nextSecond();
    shop.shell('git stash pop -q', 's2');
    shop.commit('popped');
    expect(await shop.blame('a.ts')).toBe('hha');
  },
);

test('nobody’s is what a command wrote and put aside of which no hook told what refs/stash was', async () => {
  shop = await openWorkshop();
  shop.human('a.ts', BASE).commit('base');
  await nextSecond();
  shop.shell("echo 'a line of the agent' >> a.ts && git stash push -q", 's2');
  // as it is told behind the Agent Client Protocol
  const journal = path.join(shop.common, 'agent', 'journal');
  fs.writeFileSync(journal, fs.readFileSync(journal, 'utf8').replace(/,"(?:head|stash)":"[0-9a-f]+"/g, ''));
  await nextSecond();
  shop.shell('git stash pop -q', 's2');
  shop.commit('popped');
  expect(await shop.blame('a.ts')).toBe('hhu');
});

describe('a command writes and puts aside what it wrote', () => {
  const TEXT =
    'export function alphaBeta(one, two) {\n  return one * two + 42;\n}\nconst gammaDelta = alphaBeta(3, 4);\n';
  const WRITE = `printf '${TEXT.replaceAll('\n', '\\n')}'`;

  test.each([
    ['a new file', `cat > new.ts <<'END'\n${TEXT}END\ngit stash -u -q`, 'new.ts', 'aaua'],
    ['a changed file', `cat >> a.ts <<'END'\n${TEXT}END\ngit stash -q`, 'a.ts', 'hhaaua'],
    // git itself may have put there what the command does not say in so many words
    ['what nobody said', `${WRITE} >> a.ts; git stash -q`, 'a.ts', 'hhuuuu'],
  ])('%s, and a person brings it back: it is no person’s', async (_, command, file, letters) => {
    shop = await openWorkshop();
    shop.human('a.ts', BASE).commit('base');
    shop.shell(command);
    await nextSecond();
    shop.git('stash', 'pop', '-q');
    shop.commit('popped');
    expect(await told(shop, file)).toEqual([letters]);
  });

  test('what a person had written before stays the person’s', async () => {
    shop = await openWorkshop();
    shop.human('a.ts', BASE).commit('base');
    shop
      .human('a.ts', `${BASE}typed by a person, and long enough\n`)
      .human('mine.ts', 'typed by a person too, and long\n');
    shop.shell(`cat > new.ts <<'END'\n${TEXT}END\ngit stash -u -q`);
    await nextSecond();
    shop.git('stash', 'pop', '-q');
    shop.commit('popped');
    const [typed = '', mine, fresh] = await told(shop, 'a.ts', 'mine.ts', 'new.ts');
    expect([typed.includes('a'), mine?.includes('a'), fresh]).toEqual([false, false, 'aaua']);
  });
});
