import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeAll, describe, expect, type TestContext, test } from 'vitest';
import { command as deinit } from '../../src/commands/deinit.ts';
import { command as doctor } from '../../src/commands/doctor.ts';
import { command as init } from '../../src/commands/init.ts';
import { findRepository } from '../../src/git/repository.ts';
import { HOOKS, hasBlock } from '../../src/setup/hook-file.ts';
import { mendHooks } from '../../src/setup/mend.ts';
import { gits, type Machine, makeMachine, picture } from './support.ts';

/** The real hook managers, installed once and kept with the other tools of the tests; where that cannot be done the tests are skipped. */
const TOOLS = path.join(process.env.TEST_TOOLS ?? path.join(os.homedir(), '.cache/test-tools'), 'hook-managers');
const BIN = path.join(TOOLS, 'npm/node_modules/.bin');
const PRE_COMMIT = path.join(TOOLS, 'python/bin/pre-commit');

let machine: Machine;
afterEach(() => machine?.remove());

beforeAll(() => {
  fs.mkdirSync(TOOLS, { recursive: true });
  const get = (there: string, script: string) => {
    if (!fs.existsSync(there)) spawnSync('sh', ['-c', script], { cwd: TOOLS, stdio: 'ignore', timeout: 90_000 });
  };
  get(
    path.join(BIN, 'lefthook'),
    'npm install --prefix npm --no-audit --no-fund --ignore-scripts husky@9.1.7 lefthook@2.2.2',
  );
  get(PRE_COMMIT, 'python3 -m venv python && python/bin/pip install --quiet pre-commit==4.7.0');
}, 200_000);

function need(context: TestContext, file: string): string {
  if (!fs.existsSync(file)) context.skip(`${path.basename(file)} cannot be installed here`);
  return file;
}

const run = (file: string, ...args: string[]) =>
  execFileSync(file, args, {
    cwd: machine.repo,
    env: machine.env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
const read = (file: string) => fs.readFileSync(path.join(machine.repo, file), 'utf8');
const ran = () => fs.readFileSync(path.join(machine.root, 'ran'), 'utf8');
const commits = () => machine.facts().filter((fact) => fact.fact === 'commit').length;
/** As the work does it, from within the git dir. */
const mend = async () => mendHooks(await findRepository(path.join(machine.repo, '.git'), machine.env));
const level = async (name: string) => {
  const { out } = await machine.run(doctor, { json: true });
  return (JSON.parse(out) as { checks: { name: string; level: string }[] }).checks.find((check) => check.name === name)
    ?.level;
};

describe.each(gits())('with git $name', (git) => {
  test('husky: both run, nothing shows in the work tree, what husky writes anew is mended', async (context) => {
    const husky = need(context, path.join(BIN, 'husky'));
    machine = makeMachine(git);
    machine.script('.husky/post-commit', `echo husky >>"${machine.root}/ran"\n`);
    run(husky);
    machine.git('add', '.');
    machine.commit();
    const before = picture(machine.repo);
    expect(await machine.run(init, { agents: 'none' })).toMatchObject({ code: 0, err: '' });
    machine.commit();
    expect(ran()).toBe('husky\n'.repeat(2));
    expect(commits()).toBe(1);
    expect(machine.git('status', '--porcelain')).toBe('');

    run(husky);
    if (!git.configHooks) {
      expect(await level('post-commit')).toBe('fail');
      expect(await mend()).toHaveLength(HOOKS.length);
      expect(await mend()).toEqual([]);
    }
    expect(await level('post-commit')).toBe('ok');
    machine.commit();
    expect(commits()).toBe(2);
    await machine.run(deinit, { purge: true });
    expect(picture(machine.repo)).toEqual(before);
  });

  test('husky with --project: our lines are in the file that the team commits', async (context) => {
    const husky = need(context, path.join(BIN, 'husky'));
    machine = makeMachine(git);
    run(husky);
    await machine.run(init, { agents: 'none', project: true });
    if (git.configHooks) expect(fs.existsSync(path.join(machine.repo, '.husky/post-commit'))).toBe(false);
    else expect(hasBlock(read('.husky/post-commit'))).toBe(true);
    run(husky);
    machine.commit();
    expect(commits()).toBe(1);
  });

  test('lefthook: both run, what it writes anew or moves aside is mended', async (context) => {
    const lefthook = need(context, path.join(BIN, 'lefthook'));
    machine = makeMachine(git);
    const entry = (hook: string) => `${hook}:\n  commands:\n    a:\n      run: echo ${hook} >>"${machine.root}/ran"\n`;
    machine.script('lefthook.yml', entry('post-commit'));
    run(lefthook, 'install');
    const before = picture(path.join(machine.repo, '.git/hooks'));
    await machine.run(init, { agents: 'none' });
    machine.commit();
    expect([ran(), commits()]).toEqual(['post-commit\n', 1]);
    // installs over our lines in one hook, and moves our own hook aside in the other
    machine.script('lefthook.yml', entry('post-commit') + entry('post-merge'));
    run(lefthook, 'install', '--force');
    if (!git.configHooks) expect([await level('post-commit'), await level('post-merge')]).toEqual(['fail', 'fail']);
    await mend();
    expect([await level('post-commit'), await level('post-merge')]).toEqual(['ok', 'ok']);
    machine.commit();
    expect([ran(), commits()]).toEqual(['post-commit\n'.repeat(2), 2]);
    await machine.run(deinit, { purge: true });
    const after = picture(path.join(machine.repo, '.git/hooks'));
    expect(Object.values(after).filter(hasBlock)).toEqual([]);
    expect(after['post-commit']).toBe(before['post-commit']);
    expect(after['post-merge.old']).toBeUndefined();
  });

  test('pre-commit, before and after ours: both run', async (context) => {
    const preCommit = need(context, PRE_COMMIT);
    machine = makeMachine(git);
    const config = `repos:\n- repo: local\n  hooks:\n  - id: x\n    name: x\n    language: system\n    entry: sh -c "echo pre-commit >>${machine.root}/ran"\n    stages: [post-commit]\n    always_run: true\n`;
    machine.script('.pre-commit-config.yaml', config);
    run(preCommit, 'install', '-t', 'post-commit');
    machine.git('add', '.');
    const before = picture(path.join(machine.repo, '.git/hooks'));
    await machine.run(init, { agents: 'none' });
    machine.commit();
    expect([ran(), commits()]).toEqual(['pre-commit\n', 1]);
    await machine.run(deinit);
    expect(picture(path.join(machine.repo, '.git/hooks'))).toEqual(before);

    run(preCommit, 'uninstall', '-t', 'post-commit');
    await machine.run(init, { agents: 'none' });
    run(preCommit, 'install', '-t', 'post-commit');
    expect(await level('post-commit')).toBe('ok');
    expect((await machine.run(init, { agents: 'none' })).out).toContain('Nothing to change');
    machine.commit();
    expect([ran(), commits()]).toEqual(['pre-commit\n'.repeat(2), 2]);
  });

  test('husky set up after our init, where a tracked folder was used before: doctor says so, init mends it', async (context) => {
    const husky = need(context, path.join(BIN, 'husky'));
    machine = makeMachine(git);
    machine.script('.githooks/post-commit', `#!/bin/sh\necho team >>"${machine.root}/ran"\n`);
    machine.git('config', 'core.hooksPath', '.githooks');
    await machine.run(init, { agents: 'none' });
    machine.commit();
    expect([ran(), commits()]).toEqual(['team\n', 1]);
    run(husky);
    expect(machine.git('config', '--get-all', 'core.hooksPath')).toBe('.husky/_');
    expect(await level('core.hooksPath')).toBe(git.configHooks ? undefined : 'fail');
    await machine.run(init, { agents: 'none' });
    expect([await level('core.hooksPath'), await level('post-commit')]).toEqual([undefined, 'ok']);
    machine.commit();
    expect(commits()).toBe(2);
    await machine.run(deinit, { purge: true });
    expect(machine.git('config', 'core.hooksPath')).toBe('.husky/_');
    expect(Object.values(picture(path.join(machine.repo, '.husky'))).filter(hasBlock)).toEqual([]);
  });

  test('a folder of tracked hooks is written only with --project, a shared one never', async () => {
    machine = makeMachine(git);
    machine.script('.githooks/post-commit', `#!/bin/sh\necho team >>"${machine.root}/ran"\n`);
    machine.git('config', 'core.hooksPath', '.githooks');
    machine.git('add', '.');
    const before = read('.githooks/post-commit');
    const said = await machine.run(init, { agents: 'none' });
    expect(read('.githooks/post-commit')).toBe(before);
    machine.commit();
    expect([ran(), commits()]).toEqual(['team\n', 1]);
    if (git.configHooks) return;
    expect(said).toMatchObject({ code: 0, out: expect.stringContaining('--project') });
    await machine.run(init, { agents: 'none', project: true });
    machine.commit();
    expect([ran(), commits()]).toEqual(['team\n'.repeat(2), 2]);
    await machine.run(deinit);
    expect(read('.githooks/post-commit')).toBe(before);

    const shared = path.join(machine.root, 'shared');
    fs.mkdirSync(shared);
    machine.git('config', 'core.hooksPath', shared);
    await machine.run(init, { agents: 'none', project: true });
    expect(fs.readdirSync(shared)).toEqual([]);
    machine.commit();
    expect(commits()).toBe(3);
    expect(await level('post-commit')).toBe('ok');
  });
});
