import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
});
afterEach(() => shop.remove());

/** A first commit by a person, before the story begins. */
function start(file: string, text: string): void {
  shop.human(file, text);
  shop.commit('start');
}

/** Git's clock knows seconds: within the same one, what stands as it was committed may have been committed again. */
const nextSecond = () => new Promise((resolve) => setTimeout(resolve, 1020 - (Date.now() % 1000)));

describe('editing', () => {
  test('1: an agent’s file in an empty repository is all the agent’s', async () => {
    const event = shop.ai('a.ts', 'one\ntwo\n');
    const commit = shop.commit();
    const { lines } = await shop.json('a.ts');
    expect(lines.map(({ type }) => type)).toEqual(['ai', 'ai']);
    expect(lines[0]).toMatchObject({
      commit,
      evidence: 'observed',
      session: 's1',
      event,
      model: 'anthropic/claude-opus-4-5-20251101',
      via: 'note',
    });
  });

  test('2: a person’s line, then the agent appends', async () => {
    shop.human('a.ts', 'mine\n');
    shop.ai('a.ts', 'mine\ntheirs\n');
    shop.commit();
    expect(await shop.blame('a.ts')).toBe('ha');
  });

  test('3: the agent prepends above a person’s block before one commit', async () => {
    shop.human('a.ts', 'mine one\nmine two\n');
    shop.ai('a.ts', 'theirs one\ntheirs two\nmine one\nmine two\n');
    shop.commit();
    expect(await shop.blame('a.ts')).toBe('aahh');
  });

  test('4: the agent overwrites the whole file, then a person appends', async () => {
    start('a.ts', 'old one\nold two\n');
    shop.ai('a.ts', 'new alpha\nnew beta\n');
    shop.human('a.ts', 'new alpha\nnew beta\nmine gamma\n');
    shop.commit();
    expect(await shop.blame('a.ts')).toBe('aah');
  });

  test('5: a person overwrites the agent’s file wholly: no stale session', async () => {
    shop.ai('a.ts', 'agent one {\n}\nagent two {\n}\nagent three\n');
    shop.human('a.ts', 'my alpha {\n}\nmy beta {\n}\nmy gamma\n');
    shop.commit();
    expect(await shop.blame('a.ts')).toBe('hhhhh');
    await shop.work();
    expect(JSON.stringify(shop.notes())).not.toContain('"s1"');
  });

  test('6: the agent deletes its own line and adds two while a person added two', async () => {
    shop.ai('a.ts', 'agent first line\n');
    shop.human('a.ts', 'agent first line\nperson adds one\nperson adds two\n');
    shop.ai('a.ts', 'person adds one\nperson adds two\nagent brings alpha\nagent brings beta\n');
    shop.commit();
    expect((await shop.json('a.ts')).summary).toMatchObject({ ai: 2, human: 2 });
  });

  test('7: a second session inserts between the lines of the first', async () => {
    shop.ai('a.ts', 'alpha\ngamma\n', 's1');
    shop.ai('a.ts', 'alpha\nbeta\ngamma\n', 's2');
    shop.commit();
    expect((await shop.json('a.ts')).lines.map(({ session }) => session)).toEqual(['s1', 's2', 's1']);
  });

  test('8: eight identical lines, two replaced, four prepended', async () => {
    shop.ai('a.ts', 'same line\n'.repeat(8));
    shop.ai('a.ts', `new one\nnew two\n${'same line\n'.repeat(6)}`);
    shop.ai('a.ts', `p1\np2\np3\np4\nnew one\nnew two\n${'same line\n'.repeat(6)}`);
    shop.commit();
    expect(await shop.blame('a.ts')).toBe('a'.repeat(12));
  });

  test('9: the agent reindents one line of a person', async () => {
    start('a.ts', 'if (x) {\nreturn first;\nreturn second;\n}\n');
    shop.ai('a.ts', 'if (x) {\n  return first;\nreturn second;\n}\n');
    shop.commit();
    expect(await shop.blame('a.ts')).toBe('hahh');
  });

  test.each([
    ['one to five', 'call(alpha, beta, gamma)\n', 'call(\n  alpha,\n  beta,\n  gamma\n)\n', 'aaaaa'],
    ['two to one', 'call(alpha,\n  beta)\n', 'call(alpha, beta)\n', 'a'],
  ])('10: the agent reflows %s', async (_, before, after, expected) => {
    start('a.ts', before);
    shop.ai('a.ts', after);
    shop.commit();
    expect(await shop.blame('a.ts')).toBe(expected);
  });

  test('11: a formatter reflows what the agent wrote and nobody committed', async () => {
    shop.ai('a.ts', 'call(alpha,beta,gamma)\nother(delta)\n');
    shop.human('a.ts', 'call(\n  alpha,\n  beta,\n  gamma,\n);\nother(delta);\n');
    shop.commit();
    expect(await shop.blame('a.ts')).toBe('aaaaaa');
    await shop.work();
    expect(JSON.stringify(shop.notes())).toContain('post_processing_tools');
  });

  test('12: a table rewritten around a byte-identical separator', async () => {
    start('a.md', '| a | b |\n|---|---|\n| 1 | 2 |\n');
    shop.ai('a.md', '| name | size |\n|---|---|\n| left | 20 |\n');
    shop.commit();
    expect(await shop.blame('a.md')).toBe('aha');
  });

  test('13: blank lines inserted by the agent', async () => {
    start('a.ts', 'one\ntwo\n');
    shop.ai('a.ts', 'one\n\n\ntwo\n');
    shop.commit();
    expect(await shop.blame('a.ts')).toBe('haah');
  });

  test('14: text in CJK is reflowed and moved like any other', async () => {
    start('a.md', '第一行文字\n第二行文字\n第三行文字\n');
    shop.ai('a.md', '第二行文字\n新しい行です\n第三行文字\n第一行文字\n');
    shop.commit();
    const { lines } = await shop.json('a.md');
    expect(lines[1]).toMatchObject({ type: 'ai', text: '新しい行です' });
    expect(lines.filter(({ type }) => type === 'ai')).toHaveLength(1);
  });

  test('15: core.autocrlf', async () => {
    shop.git('config', 'core.autocrlf', 'true');
    shop.human('a.ts', 'mine one\r\nmine two\r\n');
    shop.ai('a.ts', 'mine one\r\nmine two\r\ntheirs three\r\n');
    shop.commit();
    expect(await shop.blame('a.ts')).toBe('hha');
  });

  test('16: files that are not UTF-8, or binary, beside an agent’s file', async () => {
    shop.human('gbk.txt', Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0x0a, 0xff, 0xfe, 0x0a]));
    shop.human('data.bin', Buffer.from([0, 1, 2, 0, 10, 0]));
    shop.ai('a.ts', 'one\ntwo\n');
    shop.commit();
    expect(await shop.blame('a.ts')).toBe('aa');
    expect(await shop.blame('gbk.txt')).toBe('hh');
  });

  test.each([
    ['spaces', 'my file (1).ts'],
    ['an emoji sequence', '👩‍👩‍👧/a.ts'],
    ['composed and decomposed letters', 'cafe\u0301/é.ts'],
    ['right to left', 'שלום.ts'],
    ['a quote and a backslash', 'a"b\\c.ts'],
    ['a leading dash', '-n.ts'],
    ['a prototype key', '__proto__'],
  ])('17: a path with %s', async (_, file) => {
    shop.human(file, 'mine here\n');
    shop.ai(file, 'mine here\ntheirs here\n');
    shop.commit();
    expect(await shop.blame('--', file)).toBe('ha');
    await shop.work();
    expect(await shop.blame('--', file)).toBe('ha');
  });

  test('18: hostile diff configuration changes nothing', async () => {
    start('a.ts', 'base one\nbase two\n');
    for (const [key, value] of [
      ['diff.noprefix', 'true'],
      ['diff.mnemonicPrefix', 'true'],
      ['diff.external', '/bin/false'],
      ['color.ui', 'always'],
      ['color.diff', 'always'],
      ['diff.relative', 'true'],
      ['diff.renames', 'false'],
      ['diff.algorithm', 'histogram'],
      ['core.quotePath', 'false'],
      ['log.showSignature', 'true'],
      ['notes.displayRef', '*'],
    ] as const)
      shop.git('config', key, value);
    shop.ai('a.ts', 'base one\nagent here\nbase two\n');
    shop.commit();
    expect(await shop.blame('a.ts')).toBe('hah');
  });

  test('19: a file above the size budget is skipped, the others are kept', async () => {
    const huge = `${'x'.repeat(1023)}\n`.repeat(25 * 1024);
    shop.ai('huge.txt', huge);
    shop.ai('a.ts', 'one\n');
    shop.commit();
    expect(await shop.blame('a.ts')).toBe('a');
    const { lines } = await shop.json('-L', '1,1', 'huge.txt');
    expect(lines[0]?.type).not.toBe('human');
  });

  test('19: so is a large file that a shell command makes: unknown, not a person’s', async () => {
    shop.human('start.ts', 'start\n');
    shop.commit();
    shop.shell("yes 'a line that is repeated' | head -c 5000000 > huge.txt");
    shop.commit();
    const { lines } = await shop.json('-L', '1,1', 'huge.txt');
    expect(lines[0]).toMatchObject({
      type: 'unknown',
      reason: 'an agent edited the file, and what it wrote is not kept',
    });
  });

  test('20: a binary file takes the place of a text', async () => {
    shop.ai('a.dat', 'text at first\n');
    shop.commit();
    shop.human('a.dat', Buffer.from([0, 1, 2, 3]));
    shop.ai('b.ts', 'one\n');
    shop.commit();
    expect(await shop.blame('b.ts')).toBe('a');
    await shop.work();
    expect(shop.notes().flatMap(({ files }) => files.map(({ path: name }) => name))).toEqual(['b.ts']);
  });
});

describe('staging and carry-over', () => {
  test('21: part of the agent’s lines is staged; the rest is carried to the next commit', async () => {
    start('a.ts', 'one\n\n\n\n\ntwo\n');
    shop.ai('a.ts', 'one\nfirst new\n\n\n\n\nsecond new\ntwo\n');
    shop.git('update-index', '--cacheinfo', `100644,${stage('one\nfirst new\n\n\n\n\ntwo\n')},a.ts`);
    shop.git('commit', '-q', '-m', 'half');
    expect(await shop.blame('HEAD', '--', 'a.ts')).toBe('hahhhhh');
    await shop.work();
    shop.commit('rest');
    expect(await shop.blame('a.ts')).toBe('hahhhhah');
  });

  test('22: edit, stage, edit, commit, commit', async () => {
    start('a.ts', 'one\n');
    shop.ai('a.ts', 'one\nstaged line\n');
    shop.git('add', 'a.ts');
    shop.ai('a.ts', 'one\nstaged line\nlater line\n');
    shop.git('commit', '-q', '-m', 'first');
    shop.commit('second');
    const { lines } = await shop.json('a.ts');
    expect(lines.map(({ type }) => type)).toEqual(['human', 'ai', 'ai']);
    expect(lines[1]?.commit).not.toBe(lines[2]?.commit);
    expect(lines[1]?.evidence).toBe('observed');
  });

  test('23: two hunks far apart in two commits', async () => {
    const middle = Array.from({ length: 20 }, (_, i) => `middle ${i}`).join('\n');
    start('a.ts', `${middle}\n`);
    shop.ai('a.ts', `top by agent\n${middle}\nbottom by agent\n`);
    shop.git('update-index', '--cacheinfo', `100644,${stage(`${middle}\nbottom by agent\n`)},a.ts`);
    shop.git('commit', '-q', '-m', 'bottom');
    shop.commit('top');
    expect(await shop.blame('a.ts')).toBe(`a${'h'.repeat(20)}a`);
  });

  test('24: two of the agent’s files, one committed', async () => {
    shop.ai('a.ts', 'one\n');
    shop.ai('b.ts', 'two\n');
    shop.git('add', 'a.ts');
    shop.git('commit', '-q', '-m', 'a');
    await shop.work();
    shop.commit('b');
    expect(await shop.blame('b.ts')).toBe('a');
  });

  test('25: a person’s commit after the agent’s has no stale session', async () => {
    shop.ai('a.ts', 'agent line\n');
    shop.commit();
    shop.human('a.ts', 'agent line\nmy own line\n');
    shop.commit();
    expect(await shop.blame('a.ts')).toBe('ah');
    await shop.work();
    expect(JSON.stringify(shop.notes())).not.toContain('"s1"');
  });

  test('26: the agent’s lines are not staged, a person commits another file', async () => {
    start('a.ts', 'base\n');
    shop.ai('a.ts', 'base\nagent line\n');
    shop.human('b.ts', 'mine\n');
    shop.git('add', 'b.ts');
    shop.git('commit', '-q', '-m', 'mine');
    await shop.work();
    expect(JSON.stringify(shop.notes())).not.toContain('"s1"');
    expect(await shop.blame('a.ts')).toBe('ha');
    expect((await shop.json('a.ts')).lines[1]).toMatchObject({ commit: null, via: 'worktree' });
  });

  test('27: the next edit comes right after the commit: the commit’s tree counts, not the work tree', async () => {
    shop.ai('a.ts', 'agent line\n');
    shop.commit();
    shop.human('a.ts', 'typed over it by hand\n');
    expect(await shop.blame('HEAD', '--', 'a.ts')).toBe('a');
  });

  test('28: code written before git init is nobody’s', async () => {
    const dir = fs.mkdtempSync(path.join(shop.home, 'late-'));
    fs.writeFileSync(path.join(dir, 'a.ts'), 'written early\n');
    const late = shop.in(dir);
    late.git('init', '-q', '-b', 'main');
    await late.init();
    late.ai('a.ts', 'written early\nby the agent\n');
    late.human('b.ts', 'typed after init\n');
    late.commit();
    expect(await late.blame('a.ts')).toBe('ua');
    expect(await late.blame('b.ts')).toBe('h');
  });

  function stage(text: string): string {
    fs.writeFileSync(path.join(shop.home, 'staged'), text);
    return shop.git('hash-object', '-w', path.join(shop.home, 'staged'));
  }
});

describe('what is moved before it was ever committed', () => {
  const FOUR = 'agent one of four\nagent two of four\nagent three of four\nagent four of four\n';

  test('a person’s file, moved or copied by the agent’s shell, is not the agent’s', async () => {
    shop.human('base.txt', 'base\n');
    shop.commit();
    shop.human('wip.txt', 'human wip one\nhuman wip two\n').human('other.txt', 'human other one\nhuman other two\n');
    shop.shell('mkdir -p lib && mv wip.txt lib/wip.txt');
    shop.shell('cp other.txt copy.txt');
    shop.commit();
    expect(await shop.blame('lib/wip.txt')).toBe('hh');
    expect(await shop.blame('copy.txt')).toBe('hh');
  });

  test('an agent’s file, moved by the agent’s shell, stays the agent’s', async () => {
    shop.human('base.txt', 'base\n');
    shop.commit();
    shop.ai('made.ts', FOUR);
    shop.shell('mkdir -p lib && mv made.ts lib/made.ts');
    shop.commit();
    expect(await shop.blame('lib/made.ts')).toBe('aaaa');
    expect((await shop.json('lib/made.ts')).lines[0]).toMatchObject({ evidence: 'matched', session: 's1' });
  });

  test.each(['mv made.ts lib/made.ts', 'cp made.ts lib/made.ts', 'git add -A && git mv made.ts lib/made.ts'])(
    'an agent’s file stays the agent’s after a person’s %s',
    async (command) => {
      shop.human('base.txt', 'base\n');
      shop.commit();
      shop.ai('made.ts', FOUR);
      shop.git('-c', `alias.do=!mkdir -p lib && ${command}`, 'do');
      shop.human('lib/made.ts', `${FOUR}typed below\n`);
      shop.commit();
      expect(await shop.blame('lib/made.ts')).toBe('aaaah');
      expect((await shop.json('lib/made.ts')).lines[0]).toMatchObject({ evidence: 'matched', session: 's1' });
    },
  );

  test('a line changed by a person is mixed, and a person’s absence is no evidence for it', async () => {
    shop.ai('a.ts', 'const port = 3000; // the port\nagent two\n');
    shop.human('a.ts', 'const port = 4000; // the port\nagent two\n');
    shop.commit();
    expect((await shop.json('a.ts')).lines[0]).toMatchObject({ type: 'mixed', evidence: 'observed' });
  });

  test.each(['cp f.ts f2.ts', 'cat f.ts > f2.ts', 'git show HEAD:f.ts > f2.ts'])(
    'what the agent’s shell copies keeps its owners: %s',
    async (command) => {
      shop.human('f.ts', 'typed one of these\ntyped two of these\n');
      shop.ai('f.ts', 'typed one of these\nagent between the two\ntyped two of these\n', 's1');
      shop.commit();
      shop.shell(command, 's9');
      shop.shell('echo "agent nine below" >> f2.ts', 's9');
      shop.commit();
      expect(await shop.blame('f2.ts')).toBe('haha');
      expect((await shop.json('f2.ts')).lines.map(({ session }) => session)).toEqual([null, 's1', null, 's9']);
    },
  );

  test.each([
    ['in one call', ['git stash -q && git stash pop -q']],
    ['in two', ['git stash -q', 'git stash pop -q']],
  ])('the agent stashes and pops, %s: every line keeps its owner', async (_, commands) => {
    start('f.ts', 'base one\nbase two\n');
    await nextSecond();
    shop.ai('f.ts', 'base one\nagent between one\nagent between two\nbase two\n');
    shop.human('f.ts', 'base one\nagent between one\nagent between two\nbase two\ntyped below\n');
    for (const command of commands) shop.shell(command);
    shop.commit();
    expect(await shop.blame('f.ts')).toBe('haahh');
  });
});
