import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { command as deinit } from '../../src/commands/deinit.ts';
import { JJ } from '../jj/jj-workshop.ts';
import { begin, check, config, hook, hooksPath, link, machine, mend, old, ran, run, TITLE, track } from './chained.ts';
import { readFacts } from './support.ts';

/** Our folder in the place of `core.hooksPath` where the repository is not a plain one, and where it cannot be. */
afterEach(() => machine.remove());

describe.skipIf(old === undefined)(TITLE, () => {
  beforeEach(() => void begin());

  test('a relative folder in linked work trees: each has its own copy', async () => {
    track();
    const other = path.join(machine.root, 'other tree');
    machine.git('worktree', 'add', '-q', '-b', 'other', other);
    fs.writeFileSync(path.join(other, '.githooks/post-commit'), `#!/bin/sh\necho copy >>"${machine.root}/ran"\n`);
    await run({}, other);
    machine.commit();
    machine.gitIn(other, 'commit', '-q', '--allow-empty', '-m', 'there');
    expect(ran()).toBe('team\ncopy\n');
    expect(machine.facts().map(({ worktree }) => worktree)).toEqual(['', 'other-tree']);
    expect(await check('core.hooksPath', other)).toMatchObject({ level: 'ok' });
  });

  test('work trees of a bare repository, each with its own copy', async () => {
    track();
    const bare = path.join(machine.root, 'bare.git');
    const other = path.join(machine.root, 'other');
    machine.gitIn(machine.root, 'clone', '-q', '--bare', machine.repo, bare);
    machine.gitIn(bare, 'worktree', 'add', '-q', other, 'main');
    machine.gitIn(other, 'config', 'core.hooksPath', '.githooks');
    hook(path.join(other, '.githooks/reference-transaction'), 'moves');
    await run({}, other);
    expect(await mend(bare)).toEqual([]);
    for (const at of [bare, other]) {
      expect((await run({}, at)).out).toContain('Nothing to change');
      expect(await check('core.hooksPath', at)).toMatchObject({ level: 'ok' });
    }
    machine.gitIn(other, 'commit', '-q', '--allow-empty', '-m', 'there');
    expect(ran()).toMatch(/^(moves\n)+team\n$/);
    expect(readFacts(path.join(bare, 'agent/journal'))).toMatchObject([{ fact: 'commit', worktree: 'other' }]);
  });

  test('a hook that is linked only where it is used: it is found in a tracked folder too', async () => {
    track();
    hook('.githooks/post-index-change', 'index');
    await run();
    expect(await mend()).toEqual([]);
    machine.git('add', '.');
    expect(ran()).toContain('index');
  });

  test('started by another program, not at the top: the hook runs at the top all the same', async () => {
    machine.script('.githooks/pre-commit', '#!/bin/sh\npwd; echo "$0" "$@"; exit 4\n');
    machine.git('config', 'core.hooksPath', '.githooks');
    await run();
    const below = path.join(machine.repo, 'a b/c');
    fs.mkdirSync(below, { recursive: true });
    const start = (name: string) => spawnSync(link(name), ['x y'], { cwd: below, env: machine.env, encoding: 'utf8' });
    expect(start('pre-commit')).toMatchObject({ status: 4, stdout: `${machine.repo}\n.githooks/pre-commit x y\n` });
    expect(start('commit-msg')).toMatchObject({ status: 0, stdout: '', stderr: '' });
  });

  test('a bare repository: hooks of the server run in it, and may refuse', async () => {
    const bare = path.join(machine.root, 'bare.git');
    machine.gitIn(machine.root, 'init', '-q', '--bare', bare);
    machine.gitIn(bare, 'config', 'core.hooksPath', '../server');
    const log = path.join(machine.root, 'ran');
    machine.script(
      path.join(machine.root, 'server/update'),
      `#!/bin/sh\necho "$0 $1" >>"${log}"\n[ "$1" != refs/heads/no ]\n`,
    );
    machine.script(path.join(machine.root, 'server/post-receive'), `#!/bin/sh\ncat >>"${log}"\n`);
    const before = fs.readFileSync(path.join(bare, 'config'), 'utf8');
    expect(await run({}, bare)).toMatchObject({ code: 0 });
    const commit = machine.commit();
    machine.git('push', '-q', bare, 'main');
    expect(ran()).toBe(`../server/update refs/heads/main\n${'0'.repeat(40)} ${commit} refs/heads/main\n`);
    expect(() => machine.git('push', '-q', bare, 'main:no')).toThrow(/hook declined/);
    await machine.run(deinit, { purge: true }, bare);
    expect(fs.readFileSync(path.join(bare, 'config'), 'utf8')).toBe(before);
  });

  test('a push that updates the work tree: git does it, or the hook that is there for it', async () => {
    const shared = path.join(machine.root, 'shared');
    machine.git('config', '--global', 'core.hooksPath', shared);
    machine.git('config', 'receive.denyCurrentBranch', 'updateInstead');
    machine.commit();
    await run();
    const clone = path.join(machine.root, 'clone');
    machine.gitIn(machine.root, 'clone', '-q', machine.repo, clone);
    const push = (file: string) => {
      fs.writeFileSync(path.join(clone, file), '');
      machine.gitIn(clone, 'add', file);
      machine.gitIn(clone, 'commit', '-q', '-m', file);
      machine.gitIn(clone, 'push', '-q', 'origin', 'main');
      return fs.existsSync(path.join(machine.repo, file));
    };
    expect(push('first')).toBe(true);
    // the work, which every commit starts, brings the link
    machine.script(
      path.join(shared, 'push-to-checkout'),
      `#!/bin/sh\necho used >>"${machine.root}/ran"\ngit read-tree -u -m HEAD "$1"\n`,
    );
    expect(await check('core.hooksPath')).toMatchObject({ level: 'fail' });
    expect(await mend()).toHaveLength(1);
    expect(push('second')).toBe(true);
    expect(ran()).toBe('used\n');
    fs.rmSync(path.join(shared, 'push-to-checkout'));
    expect(() => push('third')).toThrow();
    expect(await mend()).toHaveLength(1);
    expect(fs.existsSync(link('push-to-checkout'))).toBe(false);
    expect(push('fourth')).toBe(true);
  });

  test('where our folder cannot stand in its place, that is said, and nothing is done', async () => {
    track();
    const left = async () => {
      const before = [config(), hooksPath()];
      const { out, code } = await run();
      expect([config(), hooksPath()]).toEqual(before);
      expect(await check('post-commit')).toMatchObject({ level: 'warn' });
      expect(code).toBe(0);
      return out;
    };
    machine.git('config', 'core.sharedRepository', 'group');
    expect(await left()).toContain('core.sharedRepository');
    machine.git('config', '--unset', 'core.sharedRepository');
    machine.git('config', 'extensions.worktreeConfig', 'true');
    machine.git('config', '--worktree', 'core.hooksPath', '.githooks');
    expect(await left()).toContain('config.worktree');
    fs.rmSync(path.join(machine.repo, '.git/config.worktree'));
    fs.writeFileSync(path.join(machine.root, 'more'), '[core]\nhooksPath = .githooks\n');
    machine.git('config', 'include.path', path.join(machine.root, 'more'));
    machine.git('config', '--unset', 'core.hooksPath');
    expect(await left()).toContain('/more');
    machine.git('config', '--unset', 'include.path');
    machine.git('config', 'core.hooksPath', '.githooks');
    // others came to it later: what was there is given back
    await run();
    expect(hooksPath()).not.toBe('.githooks');
    machine.git('config', 'core.sharedRepository', 'group');
    expect(await check('core.hooksPath')).toMatchObject({ level: 'fail' });
    await run();
    expect(hooksPath()).toBe('.githooks');
  });

  test('the gate stops a push before the hook behind ours is asked', async () => {
    machine.git('config', '--global', 'core.hooksPath', path.join(machine.root, 'shared'));
    hook(path.join(machine.root, 'shared/pre-push'), 'asked');
    await run();
    machine.commit();
    const program = path.join(machine.root, 'program/dist/git-agent.js');
    fs.writeFileSync(program, 'process.exit(process.argv.includes("check") ? 1 : 0);\n');
    machine.git('init', '-q', '--bare', path.join(machine.root, 'remote.git'));
    const push = () => machine.git('push', '-q', path.join(machine.root, 'remote.git'), 'main');
    fs.writeFileSync(path.join(machine.repo, '.agent-policy.json'), '{}');
    expect(push).toThrow(/failed to push/);
    expect(fs.existsSync(path.join(machine.root, 'ran'))).toBe(false);
    fs.rmSync(path.join(machine.repo, '.agent-policy.json'));
    push();
    expect(ran()).toBe('asked\n');
  });

  test.for(['--colocate', '--no-colocate'])('a jj repository, %s: as in any other', async (layout, context) => {
    if (JJ === undefined) return context.skip('jj is not there');
    const repo = path.join(machine.root, 'jj');
    execFileSync(JJ, ['git', 'init', layout, repo], { env: { ...machine.env, JJ_CONFIG: '' }, stdio: 'ignore' });
    const dir = layout === '--colocate' ? path.join(repo, '.git') : path.join(repo, '.jj/repo/store/git');
    machine.git('config', '--global', 'core.hooksPath', path.join(machine.root, 'shared'));
    hook(path.join(machine.root, 'shared/post-commit'), 'theirs');
    const before = fs.readFileSync(path.join(dir, 'config'), 'utf8');
    expect(await run({}, repo)).toMatchObject({ code: 0, err: '' });
    expect(await check('core.hooksPath', repo)).toMatchObject({ level: 'ok' });
    expect(machine.gitIn(dir, 'config', 'core.hooksPath')).toBe(path.join(dir, 'agent/hooks/chain'));
    if (layout === '--colocate') {
      machine.gitIn(repo, 'commit', '-q', '--allow-empty', '-m', 'by git');
      expect(ran()).toBe('theirs\n');
      expect(readFacts(path.join(dir, 'agent/journal'))).toHaveLength(1);
    }
    await machine.run(deinit, { purge: true }, repo);
    expect(fs.readFileSync(path.join(dir, 'config'), 'utf8')).toBe(before);
  });
});
