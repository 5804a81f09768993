import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
});
afterEach(() => shop.remove());

describe('what the agent’s shell only gives another form', () => {
  test('committed lines, indented: each keeps its owner', async () => {
    shop.human('a.py', 'typed one\ntyped two\n').ai('a.py', 'typed one\nagent between\ntyped two\n', 's1');
    shop.commit();
    shop.shell("sed -i 's/^/    /' a.py", 's2');
    shop.commit();
    expect(await shop.blame('a.py')).toBe('hah');
    expect((await shop.json('a.py')).lines[1]?.session).toBe('s1');
  });
});

describe('what the agent’s shell only brings from elsewhere', () => {
  /** A person's and an agent's lines, committed; a person's on another branch and outside; a person's that nobody has committed. */
  function scene(): void {
    shop.human('p.txt', 'typed one\ntyped two\n').ai('p.txt', 'typed one\nagent between\ntyped two\n', 's1');
    shop.human('d.txt', 'dest\n').human('q.txt', 'q of old\n').commit();
    shop.git('checkout', '-q', '-b', 'side');
    shop.human('side.txt', 'side one\nside two\nside three\n').commit();
    shop.git('checkout', '-q', 'main');
    fs.writeFileSync(path.join(shop.home, 'outside.txt'), 'outside one\nand two\n');
    shop.human('q.txt', 'q of old\nq typed one\nq typed two\n');
  }

  test('each line keeps its owner, whether there was a file or not', async () => {
    scene();
    const copy = "const f = require('fs'); f.appendFileSync('n.txt', 'made here\\n' + f.readFileSync('p.txt'))";
    for (const command of [
      'cp p.txt d.txt',
      'cat p.txt >> d.txt',
      'cat q.txt p.txt > f.txt',
      'tail -2 q.txt > g.txt; echo "said by the agent" >> g.txt',
      'cp q.txt over.txt',
      'cp d.txt over.txt',
      `node -e "${copy}"`,
      "printf 'said one\\nsaid two\\nsaid three\\n' > e.txt",
      "sed 's/typed/made/' p.txt > s.txt",
    ])
      shop.shell(command, 's9');
    shop.commit();
    await shop.work();
    const told = { d: 'hahhah', f: 'hhhhah', g: 'hha', over: 'hahhah', n: 'ahah', e: 'aaa', s: 'aaa' };
    for (const [file, expected] of Object.entries(told)) {
      expect([file, await shop.blame(`${file}.txt`)]).toEqual([file, expected]);
    }
    expect((await shop.json('over.txt')).lines[1]?.session).toBe('s1');
  });

  test('what comes from outside or from another branch is unknown', async () => {
    scene();
    shop.shell(`mv ${shop.home}/outside.txt f.txt; git show side:side.txt >> d.txt`, 's9');
    shop.shell('git checkout side -- side.txt', 's9');
    shop.commit();
    expect(await Promise.all(['f.txt', 'd.txt', 'side.txt'].map((file) => shop.blame(file)))).toEqual([
      'uu',
      'huuu',
      'uuu',
    ]);
    expect((await shop.json('f.txt')).lines[0]?.reason).toBe('a shell command moved contents about');
  });

  test('in the command that commits', async () => {
    scene();
    shop.shell('cp p.txt d.txt && echo "agent below" >> d.txt && git add -A && git commit -qm x', 's9');
    expect(await shop.blame('d.txt')).toBe('haha');
  });
});
