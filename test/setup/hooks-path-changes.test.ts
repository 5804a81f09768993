import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { command as deinit } from '../../src/commands/deinit.ts';
import { HOOKS, hasBlock } from '../../src/setup/hook-file.ts';
import {
  begin,
  check,
  commits,
  config,
  hook,
  hooksPath,
  link,
  machine,
  mend,
  old,
  ran,
  run,
  TITLE,
  track,
} from './chained.ts';
import { gits, readFacts } from './support.ts';

/** What becomes of our folder in the place of `core.hooksPath` when the surroundings change. */
afterEach(() => machine.remove());

describe.skipIf(old === undefined)(TITLE, () => {
  beforeEach(() => void begin());

  test('set anew since init: doctor says so, init mends it, deinit leaves it alone', async () => {
    track();
    await run();
    machine.git('config', 'core.hooksPath', '.husky/_');
    machine.script('.husky/_/.gitignore', '*');
    expect(await check('core.hooksPath')).toMatchObject({ level: 'fail', mend: expect.stringContaining('init') });
    expect(await check('post-commit')).toMatchObject({ level: 'fail' });
    await run();
    expect(hooksPath()).toBe('.husky/_');
    expect(await check('core.hooksPath')).toBeUndefined();
    machine.commit();
    expect(commits()).toBe(1);

    machine.git('config', 'core.hooksPath', '.githooks');
    expect(await check('core.hooksPath')).toMatchObject({ level: 'fail' });
    await run();
    machine.commit();
    expect([commits(), ran()]).toEqual([2, 'team\n']);
    machine.git('config', 'core.hooksPath', '.husky/_');
    expect((await machine.run(deinit)).out).toContain('left alone');
    expect(hooksPath()).toBe('.husky/_');
    expect(fs.readdirSync(path.join(machine.repo, '.husky/_'))).toEqual(['.gitignore']);
  });

  test("the user's own value changes, or goes: doctor says so, init follows", async () => {
    for (const name of ['one', 'two']) hook(path.join(machine.root, name, 'post-commit'), name);
    const before = config();
    machine.git('config', '--global', 'core.hooksPath', path.join(machine.root, 'one'));
    await run();
    machine.commit();
    machine.git('config', '--global', 'core.hooksPath', path.join(machine.root, 'two'));
    machine.commit();
    expect(ran()).toBe('one\none\n');
    expect(await check('core.hooksPath')).toMatchObject({ level: 'fail', said: expect.stringContaining('/two') });
    // without the user's word it stays as it was
    expect(await mend()).toEqual([]);
    await run();
    expect(await check('core.hooksPath')).toMatchObject({ level: 'ok' });
    machine.commit();
    expect(ran()).toBe('one\none\ntwo\n');

    machine.git('config', '--global', '--unset', 'core.hooksPath');
    expect(await check('core.hooksPath')).toMatchObject({ level: 'fail' });
    await run();
    expect(config()).toBe(before);
    machine.commit();
    expect([ran(), commits()]).toEqual(['one\none\ntwo\n', 4]);
    expect(hasBlock(fs.readFileSync(path.join(machine.repo, '.git/hooks/post-commit'), 'utf8'))).toBe(true);
  });

  test('a repository that was moved: doctor says so, init mends it, the old value is not lost', async () => {
    track();
    await run();
    const moved = path.join(machine.root, 'moved here');
    fs.renameSync(machine.repo, moved);
    expect(await check('core.hooksPath', moved)).toMatchObject({
      level: 'fail',
      said: expect.stringContaining('elsewhere'),
    });
    await run({}, moved);
    expect(await check('core.hooksPath', moved)).toMatchObject({ level: 'ok' });
    machine.gitIn(moved, 'commit', '-q', '--allow-empty', '-m', 'there');
    expect(ran()).toBe('team\n');
    expect(readFacts(path.join(moved, '.git/agent/journal'))).toHaveLength(1);
    await machine.run(deinit, {}, moved);
    expect(machine.gitIn(moved, 'config', 'core.hooksPath')).toBe('.githooks');
  });

  test('installed.json is damaged or gone: the links still know what was there', async () => {
    track();
    await run();
    const installed = path.join(machine.repo, '.git/agent/installed.json');
    fs.writeFileSync(installed, '{');
    expect(await check('memory')).toMatchObject({ level: 'fail' });
    fs.rmSync(installed);
    await run();
    expect(await check('core.hooksPath')).toMatchObject({ level: 'ok' });
    fs.rmSync(installed, { force: true });
    await machine.run(deinit, { purge: true });
    expect(hooksPath()).toBe('.githooks');
  });

  test('links that are lost are put back; a hook of somebody else over one is never lost', async () => {
    track();
    await run();
    fs.rmSync(link('pre-commit'));
    fs.chmodSync(link('post-commit'), 0o600);
    expect(await check('post-commit')).toMatchObject({ level: 'fail' });
    expect(await mend()).toHaveLength(1);
    expect(await check('core.hooksPath')).toMatchObject({ level: 'ok' });
    // as git lfs install --force does
    fs.writeFileSync(link('pre-push'), '#!/bin/sh\ngit lfs pre-push "$@"\n');
    expect(await check('core.hooksPath')).toMatchObject({ level: 'fail' });
    expect(await check('pre-push')).toMatchObject({ level: 'fail' });
    expect(await run()).toMatchObject({ code: 1, err: expect.stringContaining('pre-push is not ours') });
    await machine.run(deinit, { purge: true });
    expect(fs.readFileSync(path.join(machine.repo, '.git/hooks/pre-push'), 'utf8')).toContain('git lfs');
    expect(hooksPath()).toBe('.githooks');
  });

  test('--project takes our folder away again; where the team has our lines it is not needed', async () => {
    track();
    const before = config();
    expect((await run()).out).toContain('--project');
    await run({ project: true });
    expect(config()).toBe(before);
    machine.commit();
    expect([commits(), ran()]).toEqual([1, 'team\n']);
    expect((await run()).out).toContain('Nothing to change');
    expect(HOOKS.every((name) => hasBlock(fs.readFileSync(path.join(machine.repo, '.githooks', name), 'utf8')))).toBe(
      true,
    );

    // a colleague's, pulled after our own init
    machine.git('add', '.');
    machine.commit();
    machine.git('checkout', '-q', 'HEAD~2');
    await machine.run(deinit);
    await run();
    expect(config()).not.toBe(before);
    machine.git('checkout', '-q', 'main');
    expect(await check('core.hooksPath')).toMatchObject({ level: 'warn' });
    await run();
    expect(config()).toBe(before);
  });

  test('a newer git comes: what was there is given back, the configuration has our hooks', async (context) => {
    const newer = gits().find(({ configHooks }) => configHooks);
    if (newer === undefined) return context.skip('there is no git 2.54 here');
    track();
    await run();
    fs.writeFileSync(path.join(machine.root, 'bin/git'), `#!/bin/sh\nexec "${newer.path}" "$@"\n`);
    expect(await check('core.hooksPath')).toMatchObject({ level: 'warn' });
    await run();
    expect(hooksPath()).toBe('.githooks');
    machine.commit();
    expect([commits(), ran()]).toEqual([1, 'team\n']);
  });
});

test.each(gits().filter((git) => git.configHooks))('with git $name core.hooksPath is not touched', async (git) => {
  begin(git);
  track();
  await run();
  expect(hooksPath()).toBe('.githooks');
  expect(fs.existsSync(link(''))).toBe(false);
  expect(await check('core.hooksPath')).toBeUndefined();
  machine.commit();
  expect([commits(), ran()]).toEqual([1, 'team\n']);
  expect(
    execFileSync('git', ['status', '--porcelain'], { cwd: machine.repo, env: machine.env, encoding: 'utf8' }),
  ).toBe('');
});
