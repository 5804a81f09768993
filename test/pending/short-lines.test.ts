import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
afterEach(() => shop.remove());

const SQUASHES: Readonly<Record<string, () => void>> = {
  'merge --squash': () => {
    shop.git('checkout', '-q', 'main');
    shop.git('merge', '-q', '--squash', 'f');
    shop.git('commit', '-qm', 'squashed');
  },
  'reset --soft': () => {
    shop.git('reset', '-q', '--soft', 'HEAD~2');
    shop.git('commit', '-qm', 'squashed');
  },
  'cherry-pick -n': () => {
    shop.git('checkout', '-q', 'main');
    shop.git('cherry-pick', '-n', 'f~1', 'f');
    shop.git('commit', '-qm', 'squashed');
  },
};

test.each(Object.keys(SQUASHES))(
  'a line too short to be known again keeps its origin after rebase and %s',
  async (way) => {
    shop = await openWorkshop();
    shop.human('z.txt', 'z\n').commit('base');
    shop.git('branch', '-M', 'main');
    shop.git('checkout', '-q', '-b', 'f');
    shop.ai('n.txt', 'agent one\nagent two\nagent three\n');
    shop.human('n.txt', 'agent one\nagent two\nagent three\nperson one\n').commit('first');
    shop.ai('n.txt', 'agent one\nagent two\nagent second\nagent three\nperson one\n');
    shop.commit('second');
    shop.git('checkout', '-q', 'main');
    shop.human('z.txt', 'z\nz\n').commit('main moves on');
    shop.git('checkout', '-q', 'f');
    shop.git('rebase', '-q', 'main');
    await shop.work();
    SQUASHES[way]?.();
    expect(await shop.blame('n.txt')).toBe('aaaah');
    await shop.work();
    expect(await shop.blame('n.txt')).toBe('aaaah');
  },
);

test.each([
  ['cherry-pick', '-n', 'other'],
  ['checkout', '-q', 'other', '--', 'a.txt'],
])('what git %s %s brings from another branch is nobody’s here, however short its lines', async (...words) => {
  shop = await openWorkshop();
  shop.human('a.txt', 'o\n').commit('base');
  shop.git('branch', '-M', 'main');
  shop.git('checkout', '-q', '-b', 'other');
  shop.ai('a.txt', 'o\nx = 1\n');
  shop.shell("echo 'y = 2' >> a.txt");
  shop.human('a.txt', `${shop.read('a.txt')}z = 3\n`).commit('other');
  await shop.work();
  shop.git('checkout', '-q', 'main');
  shop.git(...words);
  shop.git('commit', '-qam', 'brought');
  expect(await shop.blame('a.txt')).toBe('haah');
});

test.each([
  ['export const a = 1;\n', 'ah'],
  ['one of them\ntwo of them\nall of them\n', 'aaah'],
  // anybody may have written these
  ['a1\na2\na3\n', 'uuuu'],
  ['VERSION = "1.2.3"\n', 'uu'],
])(
  'a small new file that a person renames and adds to before its first commit: %j is no person’s',
  async (text, right) => {
    shop = await openWorkshop();
    shop.human('z.txt', 'z\n').commit('base');
    shop.ai('a.txt', text);
    fs.renameSync(path.join(shop.dir, 'a.txt'), path.join(shop.dir, 'b.txt'));
    shop.human('b.txt', `${text}// typed\n`);
    shop.git('add', '-N', 'b.txt');
    expect(await shop.blame('b.txt')).toBe(right);
    shop.commit('renamed');
    expect(await shop.blame('b.txt')).toBe(right);
  },
);

test.each([
  ['VERSION = "1.2.3"\n// typed\n', 'hh'],
  ['VERSION = "1.2.3"\n', 'h'],
])(
  'but where the agent’s file is still there, a person who types such a line elsewhere has typed it: %j',
  async (text, right) => {
    shop = await openWorkshop();
    shop.human('z.txt', 'z\n').commit('base');
    shop.ai('a.txt', 'VERSION = "1.2.3"\n');
    shop.human('b.txt', text).commit('both');
    expect(await shop.blame('b.txt')).toBe(right);
  },
);

const IMPORTS =
  "import fs from 'node:fs';\nimport path from 'node:path';\nimport { describe, expect, test } from 'vitest';\n";

test.each([
  ['the imports that everybody begins with', `${IMPORTS}const mine = path.sep;\n`, 'hhhh'],
  ['the same beside a small one', `${IMPORTS}const mine = path.sep;\n`, 'hhhh', 1],
  ['one line, three times', '  }\nimport x;\nimport x;\nimport x;\n', 'hhhh'],
])('a person’s new file beside an agent’s: %s are no copy of it', async (_, text, right, length = 12) => {
  shop = await openWorkshop();
  shop.human('z.txt', 'z\n').commit('base');
  const body = Array.from({ length }, (_one, i) => `const agents${i} = fs.readFileSync('file-${i}');\n`);
  shop.ai('a.ts', `${IMPORTS}import x;\n${body.join('')}  }\n`);
  shop.human('b.ts', text).commit('both');
  expect(await shop.blame('b.ts')).toBe(right);
  await shop.work();
  expect(await shop.blame('b.ts')).toBe(right);
});

test('amended three times: a short line that another agent adds is its own, though the first one wrote the same below', async () => {
  shop = await openWorkshop();
  shop.human('z.txt', 'z\n').commit('base');
  const [first, mine] = ['agent alpha beta gamma', 'mine delta epsilon zeta'];
  shop.ai('a.ts', `${first}\nagent eta theta iota\nimport x;\n`);
  shop.commit('a');
  shop.human('a.ts', `${first}\nagent eta theta iota\n${mine}\n  }\nimport x;\n`).commit('a', '--amend');
  shop.ai('a.ts', `${first}\nagent eta theta iota\nimport x;\n  }\n${mine}\n  }\nimport x;\n`, 's2');
  shop.commit('a', '--amend');
  const told = async () => (await shop.json('a.ts')).lines.map(({ type, session }) => session ?? type);
  const right = ['s1', 's1', 's2', 's2', 'human', 'human', 's1'];
  expect(await told()).toEqual(right);
  await shop.work();
  expect(await told()).toEqual(right);
});

test('two short lines that an agent committed on another branch, and a person types here', async () => {
  shop = await openWorkshop();
  shop.human('a.ts', 'first line of mine\nsecond line of mine\n').commit('base');
  shop.git('checkout', '-q', '-b', 'topic');
  shop.ai('a.ts', 'first line of mine\n}\n  return null;\nbreak;\nsecond line of mine\n');
  shop.commit('topic');
  shop.git('checkout', '-q', 'main');
  shop
    .human('a.ts', '  return null;\nbreak;\ntyped on main by me\nfirst line of mine\nsecond line of mine\n')
    .commit('main');
  expect(await shop.blame('a.ts')).toBe('uuhhh');
});

test('a person’s new file beside an agent’s that was committed on another branch', async () => {
  shop = await openWorkshop();
  shop.human('z.txt', 'z\n').commit('base');
  const script = (name: string, call: string) =>
    `async function ${name}() {\n  try {\n    await ${call}();\n  } catch (e) {\n    console.error(e);\n    process.exit(1);\n  }\n}\n`;
  shop.git('checkout', '-q', '-b', 'other');
  shop.ai('a.js', script('go', 'run'));
  shop.commit('agent');
  shop.git('checkout', '-q', 'main');
  shop.human('b.js', script('main', 'start')).commit('person');
  expect(await shop.blame('b.js')).toBe('hhhhhhhh');
});

test('a line that an agent has written stands, and a commit that nobody saw adds the same elsewhere', async () => {
  shop = await openWorkshop();
  shop.human('a.ts', 'first line of mine\nsecond line of mine\n').commit('base');
  shop.ai('a.ts', 'first line of mine\nsecond line of mine\n  counter += step;\n');
  shop.commit('agent');
  await shop.work();
  const blob = shop.read('a.ts');
  shop.human('a.ts', `  counter += step;\n${blob}`);
  shop.git('add', 'a.ts');
  const tree = shop.git('write-tree');
  const made = shop.git('commit-tree', '-p', 'HEAD', '-m', 'not made here', tree);
  expect(await shop.blame(made, '--', 'a.ts')).toBe('uhha');
});

const TEXT = 'first line of the base\nlast line of the base\n';

/** Squashed into main, which has changed the same file: what an agent and a person wrote, none of which says anything. */
async function squashWeak(then?: () => void): Promise<void> {
  shop = await openWorkshop();
  shop.human('a.ts', TEXT).commit('base');
  shop.git('branch', '-M', 'main');
  shop.git('checkout', '-q', '-b', 'f');
  shop.ai('a.ts', TEXT.replace('last', '}\n  }\nlast'));
  shop.commit('agent');
  shop.human('a.ts', `${shop.read('a.ts')}});\n`).commit('person');
  shop.git('checkout', '-q', 'main');
  shop.ai('a.ts', `on top of the file\n}\n${TEXT}`, 's2');
  shop.commit('main moves on');
  shop.git('merge', '-q', '--squash', 'f');
  then?.();
  shop.commit('squashed');
}

test('lines that say nothing keep their origins in a squash, also in a file that main has changed', async () => {
  await squashWeak();
  expect(await shop.blame('a.ts')).toBe('aahaahh');
  await shop.work();
  expect(await shop.blame('a.ts')).toBe('aahaahh');
});

test('where somebody went on with the squash, places alone tell nothing', async () => {
  await squashWeak(() => shop.human('a.ts', `${shop.read('a.ts')}}\ntyped after the squash\n`));
  expect(await shop.blame('a.ts')).toBe('aahuuhuuh');
});
