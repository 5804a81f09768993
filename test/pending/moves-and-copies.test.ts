import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

// Whoever moves or copies lines between files before the commit, and by whatever means: they stay whose they were.
let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
});
afterEach(() => shop.remove());

const BASE =
  'import fs from "node:fs";\n\nexport function saveReport(label, status) {\n  report.publish(label, 12);\n  return status.normalise(label);\n}\n';
const OTHER = 'export const retryLimit = 4;\nexport const retryPause = limitOf(retryLimit);\n';
const MOVED =
  'export function checkSchedule(header, margin) {\n  metrics.count("label.source", 551);\n  const total = fetchVoucher(header, 891);\n  return margin.mergePayment(total);\n}\n';
const CHANGED = BASE.replace('label, 12', 'label, 13, status');

/** Before the commit, after it, and once the work has been done. */
async function letters(file: string, stage = () => shop.git('add', '-A')): Promise<string> {
  shop.git('add', '-N', '.');
  const uncommitted = await shop.blame(file);
  stage();
  shop.git('commit', '-q', '-m', 'moved');
  expect(await shop.blame(file)).toBe(uncommitted);
  await shop.work();
  expect(await shop.blame(file)).toBe(uncommitted);
  return uncommitted;
}

async function sessions(file: string): Promise<unknown[]> {
  return (await shop.json(file)).lines.map(({ session }) => session);
}

const rename = (from: string, to: string) => fs.renameSync(path.join(shop.dir, from), path.join(shop.dir, to));
const copy = (from: string, to: string) => fs.copyFileSync(path.join(shop.dir, from), path.join(shop.dir, to));
const heredoc = (file: string, into = '>>') => shop.shell(`cat ${into} ${file} <<'EOF'\n${MOVED}EOF`);

describe('an agent moves a person’s function to another file by a text given to its shell', () => {
  test('uncommitted, cut first', async () => {
    shop.human('a.js', BASE).human('b.js', OTHER).commit('base');
    shop.human('a.js', BASE + MOVED);
    shop.edit('a.js', [MOVED, '']);
    heredoc('b.js');
    expect(await letters('b.js')).toBe('hhhhhhh');
  });

  test('uncommitted, pasted first', async () => {
    shop.human('a.js', BASE).human('b.js', OTHER).commit('base');
    shop.human('a.js', BASE + MOVED);
    heredoc('b.js');
    shop.edit('a.js', [MOVED, '']);
    expect(await letters('b.js')).toBe('hhhhhhh');
  });

  test('uncommitted, cut by its shell as well', async () => {
    shop.human('a.js', BASE).human('b.js', OTHER).commit('base');
    shop.human('a.js', BASE + MOVED);
    shop.shell("sed -i '7,$d' a.js");
    heredoc('b.js');
    expect(await letters('b.js')).toBe('hhhhhhh');
  });

  test('committed, into a new file', async () => {
    shop.human('a.js', BASE + MOVED).commit('base');
    heredoc('c.js', '>');
    shop.edit('a.js', [MOVED, '']);
    expect(await letters('c.js')).toBe('hhhhh');
  });

  test('what the agent adds there is its own', async () => {
    shop.human('a.js', BASE + MOVED).commit('base');
    shop.edit('a.js', [MOVED, '']);
    shop.shell(`cat > c.js <<'EOF'\n${MOVED}export const agentsOwn = checkSchedule(1, 2);\nEOF`);
    expect(await letters('c.js')).toBe('hhhhha');
  });
});

test('an agent moves a person’s function to another file, and a person renames that', async () => {
  shop
    .human('a.js', BASE + MOVED)
    .human('b.js', OTHER)
    .commit('base');
  shop.edit('a.js', [MOVED, '']);
  shop.edit('b.js', [OTHER, MOVED + OTHER]);
  rename('b.js', 'worker.js');
  expect(await letters('worker.js')).toBe('hhhhhhh');
});

test('one session moves to another file what another session wrote and nobody has committed', async () => {
  shop.human('a.js', BASE).human('b.js', OTHER).commit('base');
  shop.ai('a.js', BASE + MOVED, 's1');
  shop.edit('a.js', [MOVED, ''], 's2');
  shop.edit('b.js', [OTHER, `${MOVED}${OTHER}export const added = checkSchedule(3, 4);\n`], 's2');
  expect(await letters('b.js')).toBe('aaaaahha');
  expect(await sessions('b.js')).toEqual(['s1', 's1', 's1', 's1', 's1', null, null, 's2']);
});

test('one session moves within the file what another session wrote and nobody has committed', async () => {
  shop.human('a.js', BASE + OTHER).commit('base');
  shop.ai('a.js', BASE + OTHER + MOVED, 's1');
  shop.edit('a.js', [MOVED, ''], 's2');
  shop.edit('a.js', [BASE, BASE + MOVED], 's2');
  expect(await letters('a.js')).toBe('hhhhhhaaaaahh');
  expect((await sessions('a.js')).slice(6, 11)).toEqual(['s1', 's1', 's1', 's1', 's1']);
});

test('what a person throws away of one session, and another session writes again, is the other’s', async () => {
  shop.human('a.js', BASE + OTHER).commit('base');
  shop.ai('a.js', BASE + OTHER + MOVED, 's1');
  shop.human('a.js', BASE + OTHER);
  shop.edit('a.js', [BASE, BASE + MOVED], 's2');
  expect(await letters('a.js')).toBe('hhhhhhaaaaahh');
  expect((await sessions('a.js')).slice(6, 11)).toEqual(['s2', 's2', 's2', 's2', 's2']);
});

test('an agent moves a person’s function within a file, and a person to another', async () => {
  shop
    .human('a.js', BASE + MOVED + OTHER)
    .human('b.js', OTHER)
    .commit('base');
  shop.edit('a.js', [MOVED, '']);
  shop.edit('a.js', [BASE, MOVED + BASE]);
  shop.human('a.js', BASE + OTHER).human('b.js', OTHER + MOVED);
  expect(await letters('b.js')).toBe('hhhhhhh');
});

test('an agent moves a person’s function within a file by one edit, and a person renames the file', async () => {
  shop.human('a.js', BASE + MOVED + OTHER).commit('base');
  shop.ai('a.js', MOVED + BASE + OTHER);
  rename('a.js', 'b.js');
  expect(await letters('b.js')).toBe('hhhhhhhhhhhhh');
});

test('an agent puts a person’s uncommitted function once more into the file, and takes the first away', async () => {
  shop.human('a.js', BASE + OTHER).commit('base');
  shop.human('a.js', BASE + OTHER + MOVED);
  shop.edit('a.js', [BASE, MOVED + BASE]);
  shop.edit('a.js', [OTHER + MOVED, OTHER]);
  expect(await letters('a.js')).toBe('hhhhhhhhhhhhh');
});

test('what an agent committed, a person moves to another file', async () => {
  shop.human('a.js', BASE).human('b.js', OTHER).commit('base');
  shop.ai('a.js', BASE + MOVED);
  shop.commit('agent');
  await new Promise((resolve) => setTimeout(resolve, 1100)); // git's clock knows seconds
  shop.git('commit', '-q', '--allow-empty', '-m', 'later');
  shop.human('a.js', BASE).human('b.js', OTHER + MOVED);
  expect(await letters('b.js')).toBe('hhaaaaa');
});

test.each([
  ['the same hand wrote it: it stays that hand’s', 's1', 'hhaaaaa'],
  ['another hand wrote it: nobody is named', 'me', 'hhuuuuu'],
])('a person moves what stood in two files out of both; in the other one %s', async (_, other, expected) => {
  shop.human('a.js', BASE).human('c.js', OTHER).human('b.js', OTHER).commit('base');
  if (other === 'me') shop.human('c.js', OTHER + MOVED).commit('person');
  shop.ai('a.js', BASE + MOVED);
  if (other === 's1') shop.ai('c.js', OTHER + MOVED);
  shop.commit('agent');
  await sleep(1100); // git's clock knows seconds
  shop.git('commit', '-q', '--allow-empty', '-m', 'later');
  shop.human('a.js', BASE).human('c.js', OTHER);
  shop.human('b.js', OTHER + MOVED);
  expect(await letters('b.js')).toBe(expected);
});

test('lines come from a commit that was amended, and all is worked in at once', async () => {
  shop.human('a.js', BASE).commit('base');
  shop.ai('a.js', BASE + MOVED);
  shop.commit('agent');
  shop.human('a.js', `${BASE + MOVED}export const more = 1;\n`).git('commit', '-q', '-a', '--amend', '--no-edit');
  shop.human('a.js', `${BASE}export const more = 1;\n`).human('b.js', OTHER + MOVED);
  expect(await letters('b.js')).toBe('hhaaaaa');
});

test('an agent puts a function out of a person’s new file into another, and then rewrites that file without it', async () => {
  shop.human('a.js', BASE).commit('base');
  shop.human('c.js', MOVED + OTHER);
  shop.edit('a.js', [BASE, BASE + MOVED]);
  shop.shell(`cat > c.js <<'EOF'\n${OTHER}EOF`);
  expect(await letters('a.js')).toBe('hhhhhhhhhhh');
});

describe('a person takes lines away in one commit, and puts them elsewhere in another', () => {
  const cut = () => {
    shop.human('a.js', BASE).commit('cut');
    shop.human('c.js', BASE).commit('between');
  };

  test('an agent’s stay the agent’s', async () => {
    shop.human('a.js', BASE).commit('base');
    shop.ai('a.js', BASE + MOVED);
    shop.commit('agent');
    cut();
    shop.human('b.js', `${OTHER}${MOVED}export const mine = 'and nobody else has it';\n`);
    expect(await letters('b.js')).toBe('hhaaaaah');
  });

  test('a person’s stay a person’s', async () => {
    shop.human('a.js', BASE + MOVED).commit('base');
    cut();
    shop.human('b.js', OTHER + MOVED);
    expect(await letters('b.js')).toBe('hhhhhhh');
  });
});

describe('a file that a person copied or renamed', () => {
  test('the agent edits the copy: what it wrote in the first stays its own', async () => {
    shop.human('a.js', BASE).commit('base');
    shop.ai('a.js', BASE + MOVED);
    copy('a.js', 'b.js');
    shop.edit('b.js', ['label, 12', 'label, 13, status']);
    expect(await letters('b.js')).toBe('hhhahhaaaaa');
  });

  test('of what another session committed: the copy is that session’s, also where an agent edits it', async () => {
    shop.ai('a.js', BASE + MOVED);
    shop.commit('agent');
    copy('a.js', 'b.js');
    copy('a.js', 'c.js');
    shop.edit('c.js', ['label, 12', 'label, 13, status'], 's2');
    shop.git('add', '-N', '.');
    const uncommitted = [await shop.blame('b.js'), await shop.blame('c.js')];
    shop.commit('copies');
    expect([await shop.blame('b.js'), await shop.blame('c.js')]).toEqual(uncommitted);
    expect(uncommitted).toEqual(['aaaaaaaaaaa', 'aaaaaaaaaaa']);
    expect(await sessions('c.js')).toEqual(['s1', 's1', 's1', 's2', ...Array.from({ length: 7 }, () => 's1')]);
  });

  test('the agent changes a committed line, and only the new name is committed', async () => {
    shop.human('a.js', BASE).commit('base');
    shop.edit('a.js', ['label, 12', 'label, 13, status']);
    rename('a.js', 'reports.js');
    expect(await letters('reports.js', () => shop.git('add', 'reports.js'))).toBe('hhhahh');
  });

  test('a person copies what an agent edited, and another agent renames the copy', async () => {
    shop.human('a.js', BASE).commit('base');
    shop.edit('a.js', ['label, 12', 'label, 13, status']);
    copy('a.js', 'b.js');
    shop.shell('mv b.js c.js', 's2');
    expect(await letters('c.js')).toBe('hhhahh');
    expect((await sessions('c.js'))[3]).toBe('s1');
  });

  test.each(['cp', 'mv'])(
    'an agent edits it on, and another agent’s shell takes that elsewhere: %s',
    async (command) => {
      shop.human('a.js', BASE).commit('base');
      shop.shell(`node -e 'fs.appendFileSync("a.js", ${JSON.stringify(MOVED).replaceAll("'", '\\u0027')})'`);
      expect(shop.read('a.js')).toBe(BASE + MOVED);
      rename('a.js', 'b.js');
      shop.edit('b.js', ['label, 12', 'label, 13, status'], 's2');
      shop.shell(`${command} b.js c.js`, 's3');
      expect(await letters('c.js')).toBe('hhhahhaaaaa');
      expect(await sessions('c.js')).toEqual([...[null, null, null, 's2', null, null], ...Array(5).fill('s1')]);
    },
  );

  test('put aside by the person, and brought back by another agent’s shell', async () => {
    shop.human('a.js', BASE).commit('base');
    shop.ai('a.js', BASE + MOVED);
    shop.human('b.js', MOVED + BASE);
    shop.git('stash', 'push', '-q', '-u');
    shop.shell('git stash pop -q', 's2');
    expect(await letters('b.js')).toBe('aaaaahhhhhh');
  });

  test('the agent edits it before and after', async () => {
    shop.human('a.js', BASE).commit('base');
    shop.edit('a.js', ['label, 12', 'label, 13, status']);
    rename('a.js', 'reports.js');
    shop.edit('reports.js', ['import fs', 'import files']);
    expect(await letters('reports.js')).toBe('ahhahh');
  });

  test('the agent’s shell changes a line that it names by the old name', async () => {
    shop.human('a.js', BASE).commit('base');
    shop.shell("sed -i 's/label, 12/label, 13, status/' a.js");
    expect(shop.read('a.js')).toBe(CHANGED);
    rename('a.js', 'reports.js');
    expect(await letters('reports.js')).toBe('hhhahh');
  });

  test('what an agent committed long ago is not written by a later edit', async () => {
    shop.ai('a.js', BASE);
    shop.commit('agent');
    await shop.work();
    shop.edit('a.js', ['label, 12', 'label, 13, status'], 's2');
    rename('a.js', 'reports.js');
    expect(await letters('reports.js', () => shop.git('add', 'reports.js'))).toBe('aaaaaa');
    expect(await sessions('reports.js')).toEqual(['s1', 's1', 's1', 's2', 's1', 's1']);
  });
});

describe('a person renames a file with a lone line of the agent\u2019s in it, and writes nearly as much again', () => {
  const MORE = Array.from({ length: 8 }, (_, i) => `export const margin${i} = ${i};\n`).join('');
  const WAYS: Readonly<Record<string, () => void>> = {
    'and nothing else': () => {},
    'put aside and brought back': () => {
      shop.git('stash', 'push', '-q', '-u');
      shop.git('stash', 'pop', '-q');
    },
    'put aside by an agent\u2019s shell, and brought back': () => {
      shop.shell('git stash push -q -u', 's2');
      shop.git('stash', 'pop', '-q');
    },
    'put aside, and brought back by an agent\u2019s shell': () => {
      shop.git('stash', 'push', '-q', '-u');
      shop.shell('git stash pop -q', 's2');
    },
    'taken to another branch': () => shop.git('checkout', '-q', '-b', 'other'),
    'unstaged by a reset': () => shop.git('reset', '-q'),
    'taken to an older commit and back': () => {
      shop.git('checkout', '-q', 'HEAD~1');
      shop.git('checkout', '-q', '-');
    },
  };

  test.each(Object.entries(WAYS))('%s', async (_, go) => {
    shop.human('a.js', BASE + OTHER + MOVED).commit('base');
    shop.human('b.js', OTHER).commit('another file');
    shop.edit('a.js', ['label, 12', 'label, 13, status']);
    await sleep(1100); // git's clock knows seconds
    rename('a.js', 'reports.js');
    shop.human('reports.js', MORE + CHANGED + OTHER + MOVED);
    go();
    expect(await letters('reports.js')).toBe('hhhhhhhhhhhahhhhhhhhh');
  });
});

test('a person renames a file with a lone line of the agent\u2019s in it, turns it about and writes nearly as much again', async () => {
  shop.human('a.js', BASE + OTHER + MOVED).commit('base');
  shop.edit('a.js', ['label, 12', 'label, 13, status']);
  rename('a.js', 'reports.js');
  const more = Array.from({ length: 8 }, (_, i) => `export const margin${i} = ${i};\n`).join('');
  shop.human('reports.js', MOVED + more + CHANGED + OTHER);
  expect(await letters('reports.js')).toBe('hhhhhhhhhhhhhhhhahhhh');
});

test('what was put aside under the old name, an agent\u2019s shell brings back before a person renames the file', async () => {
  shop.human('a.js', BASE).commit('base');
  shop.ai('a.js', BASE + MOVED);
  shop.human('a.js', OTHER + BASE + MOVED);
  shop.git('stash', 'push', '-q');
  shop.shell('git stash pop -q', 's2');
  rename('a.js', 'reports.js');
  expect(await letters('reports.js')).toBe('hhhhhhhhaaaaa');
});

test.each(['copies', 'renames'])(
  'a person %s what an agent wrote before the last commit, which left it out',
  async (how) => {
    shop.human('a.js', BASE).commit('base');
    shop.edit('a.js', ['label, 12', 'label, 13, status']);
    await sleep(1100); // git's clock knows seconds
    shop.human('b.js', OTHER);
    shop.git('add', 'b.js');
    shop.git('commit', '-q', '-m', 'another file');
    if (how === 'copies') copy('a.js', 'c.js');
    else rename('a.js', 'c.js');
    expect(await letters('c.js')).toBe('hhhahh');
  },
);

test('an agent copies a file that the shells of two sessions changed', async () => {
  shop.human('a.js', BASE).commit('base');
  shop.shell("sed -i 's/label, 12/label, 12, status/' a.js", 's1');
  shop.shell("sed -i 's/import fs/import files/' a.js", 's2');
  shop.shell('cp a.js b.js', 's1');
  expect(await letters('b.js')).toBe('ahhahh');
  expect(await sessions('b.js')).toEqual(['s2', null, null, 's1', null, null]);
});

test('an agent copies a file that a person has copied before: what its command names is what it took', async () => {
  shop.ai('a.js', BASE + MOVED);
  shop.commit('agent');
  shop.human('b.js', BASE + MOVED);
  shop.shell('cp a.js c.js', 's2');
  shop.human('b.js', `${BASE}${MOVED}export const mine = 'at the end of the copy';\n`);
  expect(await letters('c.js')).toBe('aaaaaaaaaaa');
});

describe('a person begins a file with what an agent\u2019s file began with, as everybody does', () => {
  const IMPORTS =
    'import os\nimport sys\nimport { describe, expect, test } from "vitest"\nimport fs from "node:fs/promises"\n';
  const AGENTS = `${IMPORTS}print("the agent wrote this")\n`;
  const TYPED = `${IMPORTS}print("typed by a person")\n`;
  const WAYS: Readonly<Record<string, () => void>> = {
    'which was committed, and taken away': () => {
      shop.commit('agent');
      shop.git('rm', '-q', 'new.py');
      shop.commit('away');
    },
    'which was committed, and written anew by a person': () => {
      shop.commit('agent');
      shop.human('new.py', 'print("all new")\n').commit('anew');
    },
    'which was committed, and taken away by the agent': () => {
      shop.commit('agent');
      shop.shell('git rm -q new.py && git commit -q -m away');
    },
    'which lies in the stash': () => {
      shop.git('add', '-A');
      shop.git('stash', '-q');
    },
  };

  test.each(Object.entries(WAYS))('%s', async (_, go) => {
    shop.human('x.txt', 'x\n').commit('x');
    shop.ai('new.py', AGENTS);
    go();
    await sleep(1100); // git's clock knows seconds
    shop.human('mine.py', TYPED);
    expect(await letters('mine.py')).toBe('hhhhh');
  });
});
