// An agent that calls jj by itself: jj runs no hooks, so that nothing tells whose shell a commit was made in but when it was made.
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { JJ, type JjWorkshop, type Layout, openJjWorkshop } from './jj-workshop.ts';

const WRITES = "cat > z.ts <<'E'\nagent alpha writes\nagent beta writes\nE\n";

describe.skipIf(JJ === undefined)('an agent whose command writes and calls jj (needs the program)', () => {
  describe.each<Layout>(['colocated', 'apart'])('%s', (layout) => {
    let shop: JjWorkshop;
    beforeEach(async () => {
      shop = await openJjWorkshop(layout);
      shop.human('base.ts', 'base one\nbase two\nbase three\n');
      shop.jj('commit', '-m', 'start');
    });
    afterEach(() => shop.remove());

    test.each([
      ['commits', 'jj commit -m agent'],
      ['describes and goes on', 'jj describe -m agent; jj new'],
      ['squashes into what was there', 'jj squash'],
    ])('%s: the lines are the agent’s', async (_, call) => {
      shop.shell(WRITES + call);
      expect(await shop.letters('@-', 'z.ts')).toBe('aa');
      await shop.work();
      expect(await shop.letters('@-', 'z.ts')).toBe('aa');
    });

    test('only looks, and a person commits it later, with a line more', async () => {
      shop.shell(`${WRITES}jj st`);
      expect(await shop.blame('--', 'z.ts')).toBe('aa');
      shop.jj('commit', '-m', 'x');
      expect(await shop.letters('@-', 'z.ts')).toBe('aa');
      shop.human('z.ts', `${shop.read('z.ts')}person gamma writes\n`);
      shop.jj('commit', '-m', 'y');
      expect(await shop.letters('@-', 'z.ts')).toBe('aah');
    });

    test('with a program of its own: what that wrote before jj was called is the agent’s', async () => {
      shop.shell(`node -e "fs.writeFileSync('made.ts', 'made one\\nmade two\\n')" && jj commit -m agent`);
      expect(await shop.letters('@-', 'made.ts')).toBe('aa');
    });

    test('jj is called by a script: what that wrote before is not taken for a person’s', async () => {
      const script = path.join(shop.home, 'script.sh');
      fs.writeFileSync(script, "echo 'agent alpha writes' > z.ts; jj commit -m agent");
      shop.human('base.ts', 'base one\nbase two\nbase three\nperson gamma writes\n');
      shop.shell(`sh ${script}`);
      expect(await shop.letters('@-', 'z.ts')).toBe('u');
      expect(await shop.letters('@-', 'base.ts')).toBe('hhhh');
    });

    test('a person’s lines that stood there before stay a person’s', async () => {
      shop.human('base.ts', 'base one\nbase two\nperson gamma writes\nbase three\n');
      shop.shell(`${WRITES}jj commit -m agent`);
      expect(await shop.letters('@-', 'base.ts')).toBe('hhhh');
      expect(await shop.letters('@-', 'z.ts')).toBe('aa');
    });

    test.each([
      ['the agent', (edit: string) => shop.shell(edit)],
      ['a person', (edit: string) => shop.jj(...edit.split(' ').slice(1))],
    ])(
      'what a person committed stays theirs where jj rebases it in an agent’s command, after %s went back',
      async (_, run) => {
        shop.ai('a.ts', 'agent alpha writes\n');
        shop.jj('commit', '-m', 'below');
        shop.human('a.ts', 'agent alpha writes\nperson gamma writes\n');
        shop.jj('commit', '-m', 'above');
        run(`jj edit ${shop.change('subject(exact:"below")')}`);
        shop.shell("echo 'agent beta writes' > b.ts");
        shop.shell('jj commit -m below');
        expect(await shop.letters('subject(exact:"above")', 'a.ts')).toBe('ah');
        expect(await shop.letters('subject(exact:"below")', 'b.ts')).toBe('a');
        await shop.work();
        expect(await shop.letters('subject(exact:"above")', 'a.ts')).toBe('ah');
      },
    );

    test('settling a conflict that jj shows as a difference is not writing what stands in it', async () => {
      shop.human('a.ts', 'person gamma writes\nperson delta writes\nperson epsilon writes\n');
      shop.jj('commit', '-m', 'made');
      const made = shop.change('@-');
      shop.human('a.ts', 'person gamma writes\nperson zeta goes on\nperson epsilon writes\n');
      shop.jj('commit', '-m', 'changed');
      const changed = shop.change('@-');
      shop.jj('rebase', '-r', changed, '--before', made);
      shop.jj('edit', changed);
      expect(shop.read('a.ts')).toMatch(/^\+person zeta/m);
      shop.ai('a.ts', 'person gamma writes\nperson zeta goes on\nperson epsilon writes\nagent alpha settles\n');
      shop.jj('new');
      expect(await shop.letters('@-', 'a.ts')).toMatch(/^[hu]{3}a$/);
      await shop.work();
      expect(await shop.letters('@-', 'a.ts')).toMatch(/^[hu]{3}a$/);
    });

    test('what jj rewrites without a look at the work tree, the command that called it has not written', async () => {
      const outside = path.join(shop.home, 'outside.ts');
      fs.writeFileSync(outside, 'nobody knows who wrote this\nnor who wrote that\n');
      shop.shell(`cp ${outside} z.ts`);
      shop.jj('commit', '-m', 'brought');
      const brought = shop.change('@-');
      await shop.work();
      expect(await shop.letters(brought, 'z.ts')).toBe('uu');
      shop.jj('new', 'subject(exact:"start")');
      shop.shell(`jj describe -m renamed ${brought}`);
      expect(await shop.letters(brought, 'z.ts')).toBe('uu');
    });

    test('what a script of the agent’s brings back by jj edit is whose its record says', async () => {
      shop.human('a.ts', 'person gamma writes\nperson delta writes\n');
      shop.jj('commit', '-m', 'typed');
      const typed = shop.change('@-');
      await shop.work();
      shop.jj('new', 'subject(exact:"start")');
      const script = path.join(shop.home, 'script.sh');
      fs.writeFileSync(script, `jj edit ${typed}\n`);
      shop.shell(`sh ${script}`);
      expect(shop.read('a.ts')).toContain('person gamma');
      expect(await shop.blame('--', 'a.ts')).toBe('hh');
    });

    test('nor is it the agent’s where that commit has no record yet, and what the agent writes beside it is', async () => {
      shop.human('a.ts', 'person gamma writes\nperson delta writes\n');
      shop.jj('commit', '-m', 'typed');
      const typed = shop.change('@-');
      shop.jj('new', 'subject(exact:"start")');
      const script = path.join(shop.home, 'script.sh');
      fs.writeFileSync(script, `jj edit ${typed}\n`);
      shop.shell(`sh ${script}`);
      expect(await shop.blame('--', 'a.ts')).toMatch(/^[hu]{2}$/);
      shop.ai('a.ts', `${shop.read('a.ts')}agent alpha writes\n`);
      expect(await shop.blame('--', 'a.ts')).toMatch(/^[hu]{2}a$/);
      shop.jj('new');
      expect(await shop.letters(typed, 'a.ts')).toMatch(/^[hu]{2}a$/);
      await shop.work();
      expect(await shop.letters(typed, 'a.ts')).toMatch(/^[hu]{2}a$/);
    });

    test('what jj brings from elsewhere is not the agent’s', async () => {
      shop.human('old.ts', 'person one writes here\nperson two writes here\n');
      shop.jj('commit', '-m', 'old');
      shop.jj('new', 'root()');
      shop.shell('jj restore --from \'subject(exact:"old")\' old.ts && jj commit -m brought');
      expect(await shop.letters('@-', 'old.ts')).not.toContain('a');
    });
  });
});
