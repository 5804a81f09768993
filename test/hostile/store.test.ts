import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { removeFolder } from '../support/remove.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';
import { JUNK, junk } from './junk.ts';

let shop: Workshop;
let agent: string;
beforeEach(async () => {
  shop = await openWorkshop();
  agent = path.join(shop.common, 'agent');
});
afterEach(() => shop.remove());

const at = (...names: string[]) => path.join(agent, ...names);

/** One commit of a person's line and an agent's. */
function tell(name = 'a.txt'): string {
  shop.human(name, 'person one\n');
  shop.ai(name, 'person one\nagent two\n');
  return shop.commit();
}

/** The right letters, before the work and after it. */
async function expectRight(letters = 'ha', name = 'a.txt'): Promise<void> {
  expect(await shop.blame(name)).toBe(letters);
  await shop.work();
  expect(await shop.blame(name)).toBe(letters);
}

describe('the journal', () => {
  test('with all of that in front and behind loses nothing', async () => {
    const small = JUNK.filter(([, bytes]) => bytes.length < 1 << 20);
    for (const [, bytes] of small) fs.appendFileSync(at('journal'), bytes);
    tell();
    for (const [, bytes] of small) fs.appendFileSync(at('journal'), bytes);
    await expectRight();
    tell('b.txt'); // what comes after the junk was worked in
    await expectRight('ha', 'b.txt');
  });

  test('a payload hook of a time beyond all dates is no reason to stop', async () => {
    shop.ai('b.txt', 'agent one\n');
    const journal = fs.readFileSync(at('journal'), 'utf8');
    fs.writeFileSync(at('journal'), journal.replace(/"at":\d+/g, '"at":9e99'));
    tell();
    await expectRight();
  });

  test('facts that lead out of payloads/ are neither read nor deleted', async () => {
    const outside = [at('since.json'), path.join(shop.dir, 'precious.json'), path.join(shop.home, 'precious.json')];
    for (const file of outside.slice(1)) fs.writeFileSync(file, '{"session_id":"x"}');
    const before = outside.map((file) => fs.readFileSync(file, 'utf8'));
    for (const file of ['../since.json', '../../../precious.json', ...outside, '..', '.', 'a/../../since.json'])
      for (const kind of ['payload', 'rewrite'])
        fs.appendFileSync(
          at('journal'),
          `${JSON.stringify({ fact: kind, at: 1, agent: 'claude-code', kind: 'amend', file })}\n`,
        );
    shop.git('config', 'core.excludesFile', path.join(shop.home, 'none'));
    tell();
    await expectRight();
    expect(outside.map((file) => fs.readFileSync(file, 'utf8'))).toEqual(before);
  });

  test('a link or a folder under a payload’s name is not followed', async () => {
    const secret = path.join(shop.home, 'secret.json');
    fs.writeFileSync(secret, '{"session_id":"x"}');
    fs.symlinkSync(secret, at('payloads', '1-1-0'));
    fs.mkdirSync(at('payloads', '1-1-1'));
    for (const file of ['1-1-0', '1-1-1'])
      fs.appendFileSync(at('journal'), `{"fact":"payload","at":1,"agent":"claude-code","file":"${file}"}\n`);
    tell();
    await expectRight();
    expect(fs.existsSync(secret)).toBe(true);
  });

  test('replaced by a shorter one, it is read from its start', async () => {
    tell();
    tell('c.txt');
    await shop.work();
    fs.writeFileSync(at('journal'), '');
    tell('b.txt');
    await expectRight('ha', 'b.txt');
  });

  /** The clock is set back before the last facts of the journal, however long it took to come there. */
  function setBack(seconds: number, count: number): void {
    const lines = fs.readFileSync(at('journal'), 'utf8').trimEnd().split('\n');
    const facts = lines.map((line) => JSON.parse(line));
    const [early, late] = [facts.slice(0, -count), facts.slice(-count)];
    const by = seconds * 1000 + late[0].at - early[early.length - 1].at;
    const all = [...early, ...late.map((fact) => ({ ...fact, at: fact.at - by }))];
    fs.writeFileSync(at('journal'), all.map((fact) => `${JSON.stringify(fact)}\n`).join(''));
  }

  describe.each([3, 30, 600, 3600])(
    'a clock that is set back by %d seconds makes no person of the agent',
    (seconds) => {
      test('between its first edit and its second', async () => {
        shop.human('a.txt', 'person one\n').commit('start');
        shop.ai('a.txt', 'person one\nagent two\n');
        await shop.work();
        shop.ai('a.txt', 'person one\nagent two\nagent three\n');
        shop.commit();
        setBack(seconds, 2);
        await expectRight('haa');
      });

      test('between its edit and the commit', async () => {
        shop.human('a.txt', 'person one\n').commit('start');
        shop.ai('a.txt', 'person one\nagent two\n');
        shop.commit();
        setBack(seconds, 1);
        await expectRight('ha');
      });

      test('between a commit and its edit', async () => {
        shop.human('a.txt', 'person one\n').commit('start');
        shop.ai('a.txt', 'person one\nagent two\n');
        shop.commit();
        setBack(seconds, 2);
        await expectRight('ha');
      });
    },
  );
});

describe('what is stored', () => {
  test('state.json of another journal: nothing is lost, nothing is doubled', async () => {
    const text = '{"journal":99999999,"tips":{"a":7},"failures":{"a":"b"},"skipped":{"claude-code x":{}}}';
    tell();
    fs.writeFileSync(at('state.json'), text);
    await expectRight();
    fs.writeFileSync(at('state.json'), text);
    tell('b.txt');
    await expectRight('ha', 'b.txt');
    expect(shop.notes()).toHaveLength(2);
  });

  /** An edit is in the store, its commit is still to come; then something happens to the store. */
  async function damaged(folder: string, damage: (file: string) => void): Promise<string> {
    shop.human('a.txt', 'person one\n');
    shop.ai('a.txt', 'person one\nagent two\n');
    await shop.work();
    for (const name of fs.readdirSync(at(folder), { recursive: true, encoding: 'utf8' })) {
      if (fs.statSync(at(folder, name)).isFile()) damage(at(folder, name));
    }
    shop.commit();
    const letters = await shop.blame('a.txt');
    await shop.work();
    expect(await shop.blame('a.txt')).toBe(letters);
    return letters;
  }

  test.each<[string, (file: string) => void]>([
    ['cut short', (file) => fs.truncateSync(file, 5)],
    ['junk', (file) => fs.writeFileSync(file, junk)],
    ['gone', (file) => fs.rmSync(file)],
  ])('texts that are %s: the lines are unknown, never a person’s', async (_, damage) => {
    removeFolder(path.join(shop.home, '.claude'));
    expect(await damaged('texts', damage)).toMatch(/^[hu][au]$/);
  });

  test('a folder in the place of a text', async () => {
    const letters = await damaged('texts', (file) => {
      fs.rmSync(file);
      fs.mkdirSync(file);
    });
    expect(letters).toMatch(/^[hu][au]$/);
  });

  test.each<[string, (file: string) => void]>([
    ['torn', (file) => fs.appendFileSync(file, '{"path":"a.txt","eve')],
    ['mixed with junk', (file) => fs.appendFileSync(file, junk)],
    [
      'mixed with strangers',
      (file) => fs.appendFileSync(file, '{"path":"a.txt","event":"x","at":1,"tool":{}}\n[]\n{"__proto__":1}\n'),
    ],
  ])('timelines that are %s: the edits in them still count', async (_, damage) => {
    expect(await damaged('timelines', damage)).toBe('ha');
  });

  test.each<[string, (file: string) => void]>([
    ['junk', (file) => fs.writeFileSync(file, junk)],
    ['deeply nested', (file) => fs.writeFileSync(file, '['.repeat(300_000))],
  ])('session documents that are %s', async (_, damage) => {
    expect(await damaged('sessions', damage)).toBe('ha');
  });

  test('commands that are junk', async () => {
    fs.writeFileSync(
      at('commands.jsonl'),
      Buffer.concat([junk, Buffer.from('{"event":"e","command":"c","tool":{}}\n{"event')]),
    );
    shop.shell('echo agent one > a.txt');
    shop.commit();
    await expectRight('a');
  });

  test.each<[string, () => void, string]>([
    ['a journal of junk', () => fs.writeFileSync(at('journal'), 'junk\n'.repeat(1000)), 'hha'],
    ['an empty journal', () => fs.writeFileSync(at('journal'), ''), 'hha'],
    ['payloads that were taken away', () => removeFolder(at('payloads')), 'huu'],
  ])('%s, between an edit and its commit, makes no person of the agent', async (_, damage, letters) => {
    for (const name of ['b.txt', 'c.txt', 'a.txt']) shop.human(name, 'person zero\n').commit();
    await shop.work();
    shop.human('a.txt', 'person zero\nperson one\n');
    shop.ai('a.txt', 'person zero\nperson one\nagent two\n');
    fs.rmSync(shop.transcript('s1'));
    damage();
    shop.commit();
    expect(await shop.blame('a.txt')).toBe(letters);
    await shop.work();
    expect(await shop.blame('a.txt')).toBe(letters);
  });

  test.each([
    ['payloads', 'huu'],
    ['journal', 'hha'],
  ])('a hook that cannot write to %s leaves no person’s lines: it has said so', async (name, letters) => {
    shop.human('a.txt', 'person zero\n').commit();
    await shop.work();
    shop.human('a.txt', 'person zero\nperson one\n');
    fs.renameSync(at(name), at('aside'));
    if (name === 'payloads') fs.writeFileSync(at(name), 'in the way');
    else fs.mkdirSync(at(name));
    shop.ai('a.txt', 'person zero\nperson one\nagent two\n');
    fs.rmSync(shop.transcript('s1'));
    fs.rmSync(at(name), { recursive: true });
    fs.renameSync(at('aside'), at(name));
    await new Promise((done) => setTimeout(done, 1100)); // the log knows seconds
    shop.commit();
    await expectRight(letters);
    // and it is over then
    shop.human('b.txt', 'person three\n');
    shop.ai('b.txt', 'person three\nagent four\n');
    shop.commit();
    await expectRight('ha', 'b.txt');
  });

  test('a payload that outlived its work counts once, where it belongs', async () => {
    shop.human('main.txt', 'person one\n').commit();
    const dir = path.join(shop.home, 'linked');
    shop.git('worktree', 'add', '-q', '-b', 'linked', dir);
    const linked = shop.in(dir);
    linked.shell('true');
    const kept = fs.readdirSync(at('payloads')).map((name) => [name, fs.readFileSync(at('payloads', name))] as const);
    await shop.work();
    for (const [name, bytes] of kept) {
      fs.writeFileSync(at('payloads', name), bytes); // killed after the state was written, before they were removed
      fs.utimesSync(at('payloads', name), 1700000000, 1700000000);
    }
    shop.human('main.txt', 'person one\nperson two\n').commit();
    await expectRight('hh', 'main.txt');
    expect(fs.readdirSync(at('payloads'))).toEqual([]);
    expect(fs.readFileSync(at('commands.jsonl'), 'utf8')).not.toContain('"worktree":""');
  });

  test('what git told of an amend goes too where its work was killed, and counts where its fact was lost', async () => {
    shop.human('a.txt', 'person one\n').commit();
    shop.git('commit', '-q', '--amend', '-m', 'other words');
    const [name = ''] = fs.readdirSync(at('payloads'));
    const bytes = fs.readFileSync(at('payloads', name));
    const leave = (file: string, told: Buffer | string) => {
      fs.writeFileSync(at('payloads', file), told);
      fs.utimesSync(at('payloads', file), 1700000000, 1700000000);
    };
    await shop.work();
    leave(name, bytes);
    const lost = `${'1'.repeat(40)} ${shop.git('rev-parse', 'HEAD')}`;
    leave('rewrite-1700000000-9', `${lost}\n`);
    await shop.work();
    expect(fs.readdirSync(at('payloads'))).toEqual([]);
    expect(fs.readFileSync(at('rewrites.jsonl'), 'utf8')).toContain('1'.repeat(40));
  });
});
