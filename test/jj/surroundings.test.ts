import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { removeFolder } from '../support/remove.ts';
import { makeFolder } from '../support/repository.ts';
import { JJ, type JjWorkshop, type Layout, openJjWorkshop } from './jj-workshop.ts';

const LAYOUTS: Layout[] = ['colocated', 'apart'];
const START = 'base one\nbase two\nbase three\n';

describe.skipIf(JJ === undefined)('jj (needs the program)', () => {
  describe.each(LAYOUTS)('%s', (layout) => {
    let shop: JjWorkshop;
    const more: string[] = [];
    afterEach(() => {
      shop.remove();
      for (const folder of more.splice(0)) removeFolder(folder);
    });

    async function open(init = true): Promise<void> {
      shop = await openJjWorkshop(layout, init);
      shop.human('base.ts', START);
      shop.jj('commit', '-m', 'start');
    }

    function remote(): string {
      const folder = makeFolder('remote');
      more.push(folder);
      execFileSync('git', ['init', '-q', '--bare', '-b', 'main', folder]);
      shop.jj('git', 'remote', 'add', 'origin', folder);
      return folder;
    }

    test('init adds nothing that jj complains of; notes are pushed and fetched by our own verbs', async () => {
      await open(false);
      const folder = remote();
      shop.jj('bookmark', 'create', 'main', '-r', '@-');
      shop.jj('git', 'push', '--bookmark', 'main');
      const said = () => [['git', 'fetch'], ['st'], ['log']].map((args) => shop.jjSaying(...args).err);
      const before = said();
      await shop.init();
      expect(said()).toEqual(before);
      shop.ai('a.ts', 'agent alpha\n');
      shop.jj('commit', '-m', 'a');
      shop.jj('bookmark', 'set', 'main', '-r', '@-');
      // no longer mutable, and in a remote-tracking branch, before anybody looked
      shop.jj('git', 'push', '--bookmark', 'main');
      expect(await shop.letters('@-', 'a.ts')).toBe('a');
      const { status, stderr } = await shop.agent('push', 'origin');
      expect([status, stderr]).toEqual([0, expect.any(String)]);
      const refs = execFileSync('git', ['for-each-ref', '--format=%(refname)'], { cwd: folder, encoding: 'utf8' });
      expect(refs).toContain('refs/notes/agent/trace');
      expect((await shop.agent('fetch', 'origin')).status).toBe(0);
      expect(said()).toEqual(before);
    });

    test('what others wrote is not ours: fetched, edited, and joined into a change of ours', async () => {
      await open();
      const folder = remote();
      shop.jj('bookmark', 'create', 'main', '-r', '@-');
      shop.jj('git', 'push', '--bookmark', 'main');
      const clone = makeFolder('clone');
      more.push(clone);
      const git = (...args: string[]) => execFileSync('git', args, { cwd: clone });
      git('clone', '-q', folder, '.');
      fs.writeFileSync(path.join(clone, 'x.ts'), 'other one\nother two\n');
      git('checkout', '-q', '-b', 'topic');
      git('add', '-A');
      git('commit', '-q', '-m', 'x');
      git('push', '-q', 'origin', 'topic');
      shop.jj('git', 'fetch');
      shop.jj('bookmark', 'track', 'topic', '--remote', 'origin');
      const foreign = shop.id('topic');
      expect(await shop.letters('topic', 'x.ts')).toBe('uu');
      shop.jj('--config', 'revset-aliases."immutable_heads()"="none()"', 'edit', 'topic');
      shop.ai('x.ts', 'other one\nother two\nagent three\n');
      shop.jj('--config', 'revset-aliases."immutable_heads()"="none()"', 'st');
      expect(await shop.blame('x.ts')).toBe('uua');
      shop.jj('--config', 'revset-aliases."immutable_heads()"="none()"', 'new');
      expect(shop.id('@-')).not.toBe(foreign);
      await shop.work();
      expect(await shop.letters('@-', 'x.ts')).toBe('uua');
    });

    test('what a change brings in from elsewhere is nobody’s typing', async () => {
      await open();
      shop.human('r.ts', 'restored one\nrestored two\n');
      shop.jj('st');
      shop.jj('restore', '--from', '@', '--into', '@-', 'r.ts');
      shop.jj('commit', '-m', 'r');
      await shop.work();
      expect(await shop.letters('@--', 'r.ts')).not.toContain('a');
      expect(await shop.letters('@--', 'r.ts')).not.toContain('h');
    });

    test('written before capture began, rewritten after', async () => {
      await open(false);
      shop.human('old.ts', 'old one\nold two\n');
      shop.jj('commit', '-m', 'old');
      shop.jj('new', 'subject(exact:"start")');
      shop.human('other.ts', 'other\n');
      shop.jj('commit', '-m', 'other');
      await shop.init();
      await new Promise((resolve) => setTimeout(resolve, 1100));
      shop.jj('describe', '-m', 'other again', 'subject(exact:"other")');
      shop.jj('rebase', '-r', 'subject(exact:"old")', '-d', 'subject(exact:"other again")');
      expect(await shop.letters('subject(exact:"old")', 'old.ts')).toBe('uu');
      await shop.work();
      expect(await shop.letters('subject(exact:"old")', 'old.ts')).toBe('uu');
    });

    test('a commit with a conflict in it gets no note, its resolution does', async () => {
      await open();
      shop.ai('base.ts', 'base one\nagent two\nbase three\n');
      shop.jj('commit', '-m', 'agent');
      shop.jj('new', 'subject(exact:"start")');
      shop.human('base.ts', 'base one\nperson two\nbase three\n');
      shop.jj('commit', '-m', 'person');
      await shop.work();
      shop.jj('rebase', '-r', 'subject(exact:"agent")', '-d', 'subject(exact:"person")');
      await shop.work();
      expect(shop.noted()).not.toContain(shop.id('subject(exact:"agent")'));
      shop.jj('edit', 'subject(exact:"agent")');
      shop.human('base.ts', 'base one\nperson two\nagent two\nbase three\n');
      shop.jj('new');
      await shop.work();
      expect(await shop.letters('@-', 'base.ts')).toBe('hhah');
    });

    test.each([true, false])(
      'a conflict before anybody looked takes nobody’s lines; looked at within it: %s',
      async (looks) => {
        await open();
        shop.ai('base.ts', 'base one\nagent two\nbase three\n');
        shop.ai('a.ts', 'agent alpha\n');
        shop.human('h.ts', 'person gamma\n');
        shop.jj('commit', '-m', 'agent');
        shop.jj('new', 'subject(exact:"start")');
        shop.human('base.ts', 'base one\nperson two\nbase three\n');
        shop.jj('commit', '-m', 'person');
        shop.jj('rebase', '-r', 'subject(exact:"agent")', '-d', 'subject(exact:"person")');
        const letters = async (revset: string, ...files: string[]) =>
          Promise.all(files.map((file) => shop.letters(revset, file)));
        for (const work of looks ? [false, true] : []) {
          if (work) await shop.work();
          expect(await letters('subject(exact:"agent")', 'a.ts', 'h.ts')).toEqual(['a', 'h']);
        }
        shop.jj('edit', 'subject(exact:"agent")');
        // what stands between the marks nobody typed here
        expect((await shop.blame('base.ts')).replaceAll('u', '')).toBe('hhh');
        shop.human('base.ts', 'base one\nperson two\nagent two\nbase three\n');
        shop.jj('new');
        expect(await letters('@-', 'base.ts', 'a.ts', 'h.ts')).toEqual(['hhah', 'a', 'h']);
      },
    );

    test('the operation worked up to is gone: the youngest commits are looked at again', async () => {
      await open();
      shop.ai('a.ts', 'agent alpha\n');
      shop.jj('commit', '-m', 'a');
      await shop.work();
      shop.jj('describe', '-m', 'again', '@-');
      shop.jj('op', 'abandon', '..@-');
      expect(await shop.letters('@-', 'a.ts')).toBe('a');
      await shop.work();
      expect(shop.noted()).toContain(shop.id('@-'));
    });

    test('without the program: nothing fails, change ids still tell', async () => {
      await open();
      shop.ai('a.ts', 'agent alpha\n');
      shop.jj('commit', '-m', 'a');
      await shop.work();
      shop.jj('describe', '-m', 'again', '@-');
      const id = shop.id('@-');
      const before = process.env.PATH ?? '';
      process.env.PATH = before
        .split(path.delimiter)
        .filter((folder) => folder !== path.dirname(JJ ?? ''))
        .join(path.delimiter);
      try {
        expect(await shop.blame(id, '--', 'a.ts')).toBe('a');
      } finally {
        process.env.PATH = before;
      }
    });

    test('an agent’s shell is seen', async () => {
      await open();
      shop.shell('printf "shell one\\nshell two\\n" > s.ts');
      shop.human('s.ts', 'shell one\nshell two\nperson three\n');
      shop.jj('commit', '-m', 's');
      expect(await shop.letters('@-', 's.ts')).toBe('aah');
    });

    test('what jj keeps beside the files is in no snapshot', async () => {
      await open();
      shop.shell('printf "shell one\\n" > s.ts');
      const facts = fs
        .readFileSync(path.join(shop.common, 'agent', 'journal'), 'utf8')
        .trim()
        .split('\n');
      const trees = facts.flatMap((fact) => JSON.parse(fact).tree ?? []);
      expect(trees).toHaveLength(2);
      for (const tree of trees) expect(shop.git('ls-tree', '--name-only', tree)).not.toContain('.jj');
    });
  });

  describe('workspaces', () => {
    test('a second one beside a repository that git does not see', async () => {
      const shop = await openJjWorkshop('apart');
      const second = path.join(makeFolder('second'), 'two');
      try {
        shop.human('base.ts', START);
        shop.jj('commit', '-m', 'start');
        shop.jj('workspace', 'add', '-r', '@-', second);
        const other = shop.in(second);
        other.ai('a.ts', 'agent alpha\n');
        other.human('a.ts', 'agent alpha\nperson beta\n');
        other.shell('printf "shell one\\n" > s.ts');
        other.jj('st');
        expect(await other.blame('a.ts')).toBe('ah');
        other.jj('commit', '-m', 'two');
        shop.human('h.ts', 'person\n');
        shop.jj('commit', '-m', 'one');
        await shop.work();
        for (const one of [shop, other]) {
          expect(await one.letters('subject(exact:"two")', 'a.ts')).toBe('ah');
          expect(await one.letters('subject(exact:"two")', 's.ts')).toBe('a');
          expect(await one.letters('subject(exact:"one")', 'h.ts')).toBe('h');
        }
      } finally {
        removeFolder(path.dirname(second));
        shop.remove();
      }
    });
  });
});
