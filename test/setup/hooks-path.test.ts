import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { command as deinit } from '../../src/commands/deinit.ts';
import { LINKS } from '../../src/setup/chain.ts';
import { begin, check, commits, config, link, machine, mend, old, ran, run, TITLE } from './chained.ts';
import { type Machine, picture } from './support.ts';

const others: Machine[] = [];
afterEach(() => {
  for (const one of [machine, ...others.splice(0)]) one?.remove();
});

const FED = ['post-rewrite', 'pre-push', 'pre-receive', 'post-receive'];

/** Every hook tells how it was called, and what it was fed; but for the two that git runs all the time. */
function writeHooks(folder: string): void {
  for (const name of LINKS.filter((link) => !/^(reference-transaction|post-index-change)$/.test(link))) {
    const text = `#!/bin/sh\n{ echo "$0" "$@" "in $PWD"; ${FED.includes(name) ? 'cat' : ':'}; } >>"${machine.root}/ran"\n`;
    machine.script(path.join(folder, name), text);
  }
}

/** A day with git: all that it runs hooks for, on this side. */
function day(at: Machine): void {
  const env = { ...at.env, GIT_AUTHOR_DATE: '1700000000 +0000', GIT_COMMITTER_DATE: '1700000000 +0000' };
  const git = (...args: string[]) => {
    const { status, stderr } = spawnSync('git', args, { cwd: at.repo, env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  };
  const commit = (file: string, ...how: string[]) => {
    fs.writeFileSync(path.join(at.repo, file), `${file}\n`);
    git('add', file);
    git('commit', '-q', '-m', file, ...how);
  };
  commit('a');
  commit('b');
  git('commit', '-q', '--amend', '-m', 'b again');
  git('checkout', '-q', '-b', 'side', 'HEAD^');
  commit('c');
  git('format-patch', '-q', '-1', '-o', at.root);
  git('merge', '-q', '--no-edit', 'main');
  git('rebase', '-q', 'main');
  git('checkout', '-q', '-b', 'mail', 'main^');
  git('am', '-q', path.join(at.root, '0001-c.patch'));
  git('init', '-q', '--bare', path.join(at.root, 'remote.git'));
  git('push', '-q', path.join(at.root, 'remote.git'), 'main', 'side');
}

/** All that hooks told. */
function told({ root }: Machine): string[] {
  return ran().replaceAll(root, '').split('\n');
}

/** Set-ups as users have them: how `core.hooksPath` is set, with the hooks in place. */
const setUps: Record<string, () => void> = {
  "the user's folder": () => {
    writeHooks(path.join(machine.root, `it's "my" hooks`));
    machine.git('config', '--global', 'core.hooksPath', path.join(machine.root, `it's "my" hooks`));
  },
  "a folder in the user's home": () => {
    writeHooks(path.join(machine.home, 'hooks'));
    machine.git('config', '--global', 'core.hooksPath', '~/hooks');
  },
  'a folder elsewhere, of this repository': () => {
    writeHooks(path.join(machine.root, 'else'));
    machine.git('config', 'core.hooksPath', '../else/');
  },
  'a tracked folder': () => {
    writeHooks('.githooks');
    machine.git('config', 'core.hooksPath', '.githooks');
    fs.writeFileSync(path.join(machine.repo, '.git/info/exclude'), '.githooks/update\n');
  },
};

function machineWith(setUp: string): Machine {
  begin();
  setUps[setUp]?.();
  return machine;
}

describe.skipIf(old === undefined)(TITLE, () => {
  test.each(["the user's folder", 'a tracked folder'])('%s: every hook is run as it was, after ours', async (setUp) => {
    const plain = machineWith(setUp);
    others.push(plain);
    day(plain);
    const before = told(plain);
    machineWith(setUp);
    expect(await run()).toMatchObject({ code: 0, err: '' });
    day(machine);
    expect(told(machine)).toEqual(before);
    expect(before.length).toBeGreaterThan(30);
    const facts = machine.facts().map(({ fact }) => fact);
    for (const fact of ['commit', 'rewrite', 'merge', 'applied']) expect(facts).toContain(fact);
  });

  test.each(Object.keys(setUps))('%s: once is enough, nothing is seen, deinit gives back every byte', async (setUp) => {
    machineWith(setUp);
    // as a person lays it out, with words of their own
    fs.appendFileSync(path.join(machine.repo, '.git/config'), '[user]\n# me\nname=Ada\n');
    machine.git('remote', 'add', 'origin', machine.root);
    const status = machine.git('status', '--porcelain');
    const whole = () => [
      picture(machine.repo),
      picture(machine.home),
      ...['else', `it's "my" hooks`]
        .map((name) => path.join(machine.root, name))
        .filter(fs.existsSync)
        .map(picture),
      fs.readFileSync(path.join(machine.root, 'gitconfig'), 'utf8'),
    ];
    const before = whole();
    const dry = await run({ dryRun: true });
    expect(whole()).toEqual(before);
    const lines = (text: string) => text.split('\n').filter((line) => line.startsWith('  '));
    const wet = await run();
    expect(lines(dry.out)).toEqual(lines(wet.out));
    expect(dry.out).toContain('core.hooksPath of this repository');
    expect(machine.git('rev-parse', '--git-path', 'hooks')).toBe(path.dirname(link('x')));
    expect(machine.git('status', '--porcelain')).toBe(status);
    const after = whole();
    expect((await run()).out).toContain('Nothing to change');
    expect(whole()).toEqual(after);
    expect(await mend()).toEqual([]);
    expect(await check('core.hooksPath')).toMatchObject({ level: 'ok' });
    expect(await check('post-commit')).toMatchObject({ level: 'ok' });
    const { out } = await machine.run(deinit, { purge: true });
    expect(out).toContain('core.hooksPath as it was');
    expect(whole()).toEqual(before);
  });

  test('what was set besides since init stays, and the old value comes back', async () => {
    machineWith('a tracked folder');
    await run();
    machine.git('config', 'user.name', 'Ada');
    await machine.run(deinit);
    expect(machine.git('config', '--get-all', 'core.hooksPath')).toBe('.githooks');
    expect(machine.git('config', 'user.name')).toBe('Ada');
    expect(config()).not.toContain('chain');
  });

  test.each(['pre-commit', 'commit-msg', 'pre-push'])('%s still says no', async (name) => {
    machineWith("the user's folder");
    await run();
    machine.commit();
    machine.script(path.join(machine.root, `it's "my" hooks`, name), '#!/bin/sh\necho no >&2\nexit 3\n');
    machine.git('init', '-q', '--bare', path.join(machine.root, 'remote.git'));
    const push = () => machine.git('push', '-q', path.join(machine.root, 'remote.git'), 'main');
    const act = () => (name === 'pre-push' ? push() : machine.commit());
    expect(act).toThrow(/no/);
    fs.chmodSync(path.join(machine.root, `it's "my" hooks`, name), 0o644);
    expect(act).not.toThrow();
  });

  test('hooks that are no shell scripts, and have no first line', async () => {
    begin();
    machine.git('config', 'core.hooksPath', '.githooks');
    machine.script('.githooks/pre-commit', `#!/usr/bin/env python3\nimport sys\nsys.exit(0)\n`);
    machine.script('.githooks/commit-msg', `echo "$0" >>"${machine.root}/ran"\n`);
    fs.symlinkSync('commit-msg', path.join(machine.repo, '.githooks/post-commit'));
    await run();
    machine.commit();
    expect(ran()).toBe('.githooks/commit-msg\n.githooks/post-commit\n');
    expect(commits()).toBe(1);
  });
});
