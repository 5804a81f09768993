import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('base.ts', 'base one\nbase two\nbase three\n');
  shop.commit('start');
});
afterEach(() => shop.remove());

/** Answered from memory first, then from what the work has written: both must be the same. */
async function told(...args: string[]): Promise<string> {
  const before = await shop.blame(...args);
  await shop.work();
  expect(await shop.blame(...args)).toBe(before);
  return before;
}

/** A rebase whose list of steps is written by a sed program. */
function rebase(todo: string, ...args: string[]): void {
  shop.gitWith({ GIT_SEQUENCE_EDITOR: `sed -i -e '${todo}'`, GIT_EDITOR: 'true' }, 'rebase', '-q', '-i', ...args);
}

/** On a branch `topic`: the agent's file, a person's file, the agent's second file. */
function topic(): void {
  shop.git('checkout', '-q', '-b', 'topic');
  shop.ai('a.ts', 'agent alpha\nagent beta\n');
  shop.commit('a');
  shop.human('h.ts', 'person gamma\n');
  shop.commit('h');
  shop.ai('b.ts', 'agent delta\n', 's2');
  shop.commit('b');
}

describe('amend', () => {
  test.each([
    ['top', 'new top line\nagent one\nagent two\n', 'haa'],
    ['middle', 'agent one\nnew middle line\nagent two\n', 'aha'],
    ['bottom', 'agent one\nagent two\nnew bottom line\n', 'aah'],
  ])('29: a person adds at the %s', async (_, text, expected) => {
    shop.ai('a.ts', 'agent one\nagent two\n');
    shop.commit();
    shop.human('a.ts', text);
    shop.commit('again', '--amend');
    expect(await told('a.ts')).toBe(expected);
  });

  test('git itself copies the note (notes.rewriteRef): the copy is not taken for the new commit’s own', async () => {
    shop.git('config', 'notes.rewriteRef', 'refs/notes/agent/*');
    shop.ai('a.ts', 'agent one\nagent two\n');
    shop.commit();
    await shop.work();
    shop.human('a.ts', 'mine zero\nagent one\nagent two\n');
    shop.commit('again', '--amend');
    expect(await told('a.ts')).toBe('haa');
  });

  test('nor is it what the next rewrite begins with: it counts the lines of the first', async () => {
    shop.git('config', 'notes.rewriteRef', 'refs/notes/*');
    shop.human('a.ts', 'mine one\nmine two\nmine three\n');
    shop.commit();
    shop.ai('a.ts', 'mine one\nmine two\nmine three\nagent one\nagent two\n');
    shop.human('a.ts', 'mine one\nmine two\nmine three\nagent one\nagent two\nmine four\nmine five\n');
    shop.commit('first');
    await shop.work();
    shop.human('a.ts', 'mine three\nagent one\nagent two\nmine four\nmine five\n');
    shop.commit('again', '--amend');
    shop.git('commit', '--amend', '-m', 'reworded');
    expect(await told('a.ts')).toBe('haahh');
  });

  test('a note that somebody copies to a child says nothing of the lines there', async () => {
    shop.ai('a.ts', 'agent one\nagent two\n');
    shop.commit();
    await shop.work();
    shop.human('a.ts', 'mine one\nmine two\n');
    shop.commit();
    shop.git('notes', '--ref=agent/trace', 'copy', 'HEAD~1', 'HEAD');
    expect(await told('a.ts')).toBe('hh');
  });

  test('29: the agent adds', async () => {
    shop.human('a.ts', 'mine one\n');
    shop.commit();
    shop.ai('a.ts', 'agent zero\nmine one\nagent two\n');
    shop.commit('again', '--amend');
    expect(await told('a.ts')).toBe('aha');
  });

  test('30: an agent’s line is deleted: its session is gone from the note', async () => {
    shop.human('a.ts', 'mine one\n');
    shop.ai('a.ts', 'mine one\nagent two\n');
    shop.commit();
    shop.human('a.ts', 'mine one\n');
    shop.commit('again', '--amend');
    expect(await told('a.ts')).toBe('h');
    expect(JSON.stringify(shop.notes())).not.toContain('"s1"');
  });

  test('32: with an unstaged middle part', async () => {
    shop.ai('a.ts', 'agent one\nagent nine\n');
    shop.commit();
    shop.ai('a.ts', 'agent one\nagent five\nagent nine\n');
    shop.git('commit', '-q', '--amend', '-m', 'words only');
    expect(await shop.blame('HEAD', '--', 'a.ts')).toBe('aa');
    shop.commit('rest');
    expect(await told('a.ts')).toBe('aaa');
  });

  test('33: repeated amends', async () => {
    shop.ai('a.ts', 'line 0 of agent\n');
    shop.commit();
    for (let i = 1; i <= 4; i++) {
      const text = `${shop.read('a.ts')}line ${i} of ${i % 2 ? 'person' : 'agent'}\n`;
      if (i % 2) shop.human('a.ts', text);
      else shop.ai('a.ts', text);
      shop.commit('again', '--amend');
      if (i === 2) await shop.work();
    }
    expect(await told('a.ts')).toBe('ahaha');
  });

  test('the agent adds a line that another session’s part has already', async () => {
    shop.ai('a.ts', '  return null;\nagent one here\n');
    shop.commit();
    shop.ai('a.ts', '  return null;\nagent one here\n  return null;\n', 's2');
    shop.commit('again', '--amend');
    await told('a.ts');
    expect((await shop.json('a.ts')).lines.map(({ session }) => session)).toEqual(['s1', 's1', 's2']);
  });
});

describe('rebase', () => {
  test('34: several commits over a file that was prepended to', async () => {
    shop.git('checkout', '-q', '-b', 'topic');
    shop.ai('base.ts', 'base one\nbase two\nbase three\nagent four\n');
    shop.commit('a');
    shop.human('base.ts', 'base one\nbase two\nbase three\nagent four\nperson five\n');
    shop.commit('h');
    await shop.work();
    shop.git('checkout', '-q', 'main');
    shop.human('base.ts', 'new zero\nbase one\nbase two\nbase three\n');
    shop.commit('main');
    shop.git('rebase', '-q', 'main', 'topic');
    expect(await told('base.ts')).toBe('hhhhah');
    expect((await shop.json('base.ts')).lines[4]).toMatchObject({ session: 's1' });
  });

  test('36: reorder', async () => {
    topic();
    rebase('1{h;d};2{G}', 'main');
    expect([await told('a.ts'), await told('h.ts'), await told('b.ts')]).toEqual(['aa', 'h', 'a']);
  });

  test('37: reword, with children', async () => {
    topic();
    rebase('1s/pick/reword/', 'main');
    expect([await told('a.ts'), await told('h.ts'), await told('b.ts')]).toEqual(['aa', 'h', 'a']);
  });

  test('38: drop the middle one', async () => {
    topic();
    rebase('2d', 'main');
    expect([await told('a.ts'), await told('b.ts')]).toEqual(['aa', 'a']);
  });

  test('39: fixup and autosquash', async () => {
    shop.ai('a.ts', 'agent one\n');
    shop.commit('a');
    shop.human('h.ts', 'person\n');
    shop.commit('h');
    shop.ai('a.ts', 'agent one\nagent two\n', 's2');
    shop.commit('fixup! a');
    shop.gitWith({ GIT_SEQUENCE_EDITOR: 'true' }, 'rebase', '-q', '-i', '--autosquash', 'HEAD~3');
    expect(await told('a.ts')).toBe('aa');
    expect((await shop.json('a.ts')).lines.map(({ session }) => session)).toEqual(['s1', 's2']);
    expect(await told('h.ts')).toBe('h');
  });

  test('40: squash a person’s and an agent’s commit into one', async () => {
    topic();
    rebase('2,3s/pick/squash/', 'main');
    expect(shop.git('rev-list', '--count', 'main..HEAD')).toBe('1');
    expect([await told('a.ts'), await told('h.ts'), await told('b.ts')]).toEqual(['aa', 'h', 'a']);
  });

  test('41: edit and amend in the middle', async () => {
    topic();
    rebase('1s/pick/edit/', 'main');
    shop.ai('a.ts', 'agent alpha\nagent middle\nagent beta\n', 's3');
    shop.git('add', '-A');
    shop.git('commit', '-q', '--amend', '--no-edit');
    shop.git('rebase', '--continue');
    expect([await told('a.ts'), await told('h.ts'), await told('b.ts')]).toEqual(['aaa', 'h', 'a']);
  });

  test('46: abort', async () => {
    topic();
    shop.git('checkout', '-q', 'main');
    shop.human('a.ts', 'in the way\n');
    shop.commit('main');
    shop.git('checkout', '-q', 'topic');
    expect(() => shop.git('rebase', '-q', 'main')).toThrow();
    shop.git('rebase', '--abort');
    expect([await told('a.ts'), await told('h.ts'), await told('b.ts')]).toEqual(['aa', 'h', 'a']);
  });
});

describe('conflicts', () => {
  beforeEach(() => {
    shop.git('checkout', '-q', '-b', 'topic');
    shop.ai('base.ts', 'base one\nagent changed two\nbase three\n');
    shop.commit('agent');
    shop.git('checkout', '-q', 'main');
    shop.human('base.ts', 'base one\nperson changed two\nbase three\n');
    shop.commit('person');
    shop.git('checkout', '-q', 'topic');
    expect(() => shop.git('rebase', '-q', 'main')).toThrow();
  });
  const resume = () => {
    shop.git('add', '-A');
    shop.gitWith({ GIT_EDITOR: 'true' }, 'rebase', '--continue');
  };

  test('53: keep the topic’s side', async () => {
    shop.human('base.ts', 'base one\nagent changed two\nbase three\n');
    resume();
    expect(await told('base.ts')).toBe('hah');
  });
  test('55: keep both', async () => {
    shop.human('base.ts', 'base one\nperson changed two\nagent changed two\nbase three\n');
    resume();
    expect(await told('base.ts')).toBe('hhah');
  });
  test('56: an agent rewrites it', async () => {
    shop.ai('base.ts', 'base one\nboth changed together\nbase three\n', 's9');
    resume();
    expect(await told('base.ts')).toBe('hah');
    expect((await shop.json('base.ts')).lines[1]).toMatchObject({ session: 's9' });
  });
  test('57: a person rewrites it, and no agent was seen to', async () => {
    shop.human('base.ts', 'base one\nsomething else altogether\nbase three\n');
    resume();
    expect(await told('base.ts')).toBe('hhh');
  });
});

describe('cherry-pick, revert, squash, reset', () => {
  test.each([
    ['plain', []],
    ['with -x', ['-x']],
  ])('64: cherry-pick %s', async (_, more) => {
    topic();
    shop.git('checkout', '-q', 'main');
    shop.git('cherry-pick', ...more, 'topic~2', 'topic~1', 'topic');
    expect([await told('a.ts'), await told('h.ts'), await told('b.ts')]).toEqual(['aa', 'h', 'a']);
  });

  test('66: cherry-pick -n, then commit', async () => {
    topic();
    await shop.work();
    shop.git('checkout', '-q', 'main');
    shop.git('cherry-pick', '-n', 'topic~2');
    shop.git('commit', '-q', '-m', 'picked');
    expect(await told('a.ts')).toBe('aa');
  });

  test('69: revert of a deletion brings the agent’s lines back', async () => {
    topic();
    shop.git('rm', '-q', 'a.ts');
    shop.git('commit', '-q', '-m', 'delete');
    shop.git('revert', '--no-edit', 'HEAD');
    expect(await told('a.ts')).toBe('aa');
  });

  test('70: merge --squash of three commits', async () => {
    topic();
    shop.git('checkout', '-q', 'main');
    shop.git('merge', '-q', '--squash', 'topic');
    shop.git('commit', '-q', '-m', 'squashed');
    expect([await told('a.ts'), await told('h.ts'), await told('b.ts')]).toEqual(['aa', 'h', 'a']);
  });

  test('72: reset --soft over several commits, then one', async () => {
    topic();
    shop.git('reset', '-q', '--soft', 'main');
    shop.git('commit', '-q', '-m', 'one');
    expect([await told('a.ts'), await told('h.ts'), await told('b.ts')]).toEqual(['aa', 'h', 'a']);
  });

  test('95: plumbing: commit-tree and update-ref', async () => {
    topic();
    await shop.work();
    const made = shop.git('commit-tree', '-p', 'main', '-m', 'plumbed', 'topic^{tree}');
    shop.git('update-ref', 'refs/heads/main', made);
    shop.git('checkout', '-q', 'main');
    expect([await told('a.ts'), await told('h.ts'), await told('b.ts')]).toEqual(['aa', 'h', 'a']);
  });

  test('am', async () => {
    topic();
    await shop.work();
    const patches = fs.mkdtempSync(path.join(shop.home, 'patches-'));
    shop.git('format-patch', '-q', '-o', patches, 'main..topic');
    shop.git('checkout', '-q', 'main');
    shop.git('am', '-q', ...fs.readdirSync(patches).map((file) => path.join(patches, file)));
    expect([await told('a.ts'), await told('h.ts'), await told('b.ts')]).toEqual(['aa', 'h', 'a']);
  });
});

describe('told by nobody', () => {
  test('filter-branch before anything was worked in: a person’s lines are found too', async () => {
    topic();
    shop.gitWith(
      { FILTER_BRANCH_SQUELCH_WARNING: '1' },
      'filter-branch',
      '-f',
      '--msg-filter',
      'cat; echo',
      'main..topic',
    );
    expect([await told('a.ts'), await told('h.ts'), await told('b.ts')]).toEqual(['aa', 'h', 'a']);
  });

  test('a person moves an agent’s lines out of a file that gets nothing new', async () => {
    topic();
    shop.human('a.ts', '');
    shop.human('base.ts', `${shop.read('base.ts')}agent alpha\nagent beta\n`);
    shop.commit('move');
    expect(await told('base.ts')).toBe('hhhaa');
  });
});

describe('a forge', () => {
  test('squashes a branch in a clone that knows nothing of us; the originals are pruned', async () => {
    topic();
    await shop.work();
    shop.git('checkout', '-q', 'main');
    const server = fs.mkdtempSync(path.join(shop.home, 'server-'));
    shop.git('clone', '-q', '--bare', shop.dir, server);
    shop.git('push', '-q', server, 'refs/notes/agent/*:refs/notes/agent/*', 'topic', 'main');
    const merger = shop.in(fs.mkdtempSync(path.join(shop.home, 'merger-')));
    merger.git('clone', '-q', server, '.');
    merger.git('checkout', '-q', 'main');
    merger.git('merge', '-q', '--squash', 'origin/topic');
    merger.git('commit', '-q', '-m', 'topic (#1)');
    merger.git('push', '-q', 'origin', 'main', ':topic');
    shop.git('-C', server, 'reflog', 'expire', '--expire=now', '--all');
    shop.git('-C', server, 'gc', '-q', '--prune=now');
    const fresh = shop.in(fs.mkdtempSync(path.join(shop.home, 'fresh-')));
    fresh.git('clone', '-q', '-b', 'main', server, '.');
    fresh.git('fetch', '-q', 'origin', '+refs/notes/agent/*:refs/notes/origin/agent/*');
    const { lines } = await fresh.json('a.ts');
    expect(lines.map(({ type, via, session }) => [type, via, session])).toEqual([
      ['ai', 'content', 's1'],
      ['ai', 'content', 's1'],
    ]);
    expect([await fresh.blame('h.ts'), await fresh.blame('b.ts')]).toEqual(['h', 'a']);
  });
});
