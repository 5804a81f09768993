import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { command as deinit } from '../../src/commands/deinit.ts';
import { command as init } from '../../src/commands/init.ts';
import { HOOKS } from '../../src/setup/hook-file.ts';
import { gits, type Machine, makeMachine, picture } from './support.ts';

let machine: Machine;
afterEach(() => machine.remove());

const hook = (name: string) => path.join(machine.repo, '.git/hooks', name);
const ran = () => fs.readFileSync(path.join(machine.root, 'ran'), 'utf8');

describe.each(gits())('with git $name', (git) => {
  /** Set-ups as users have them: what stands there before, and what must still run afterwards. */
  const setUps: Record<string, () => string | undefined> = {
    nothing: () => undefined,
    'a shell hook that ends with exit 0': () => {
      machine.script('.git/hooks/post-commit', `#!/bin/sh\necho theirs >>"${machine.root}/ran"\nexit 0\n`);
      return 'theirs\n';
    },
    'a shell hook without a first line': () => {
      machine.script('.git/hooks/post-commit', `echo theirs >>"${machine.root}/ran"\nexec true\n`);
      return 'theirs\n';
    },
    'a python hook': () => {
      machine.script(
        '.git/hooks/post-commit',
        `#!/usr/bin/env python3\nimport sys\nopen("${machine.root}/ran", "a").write("python %d\\n" % len(sys.argv))\nsys.exit(3)\n`,
      );
      return 'python 1\n';
    },
    'a hook that is a link to a tracked script': () => {
      machine.script('scripts/hook', `#!/bin/sh -e\necho "$(basename "$0")" >>"${machine.root}/ran"\nexit 0\n`);
      fs.symlinkSync('../../scripts/hook', hook('post-commit'));
      return 'post-commit\n';
    },
    'a hook that is switched off': () => {
      machine.script('.git/hooks/post-commit', `#!/bin/sh\necho theirs >>"${machine.root}/ran"\n`);
      fs.chmodSync(hook('post-commit'), 0o644);
      return '';
    },
    'a hooks folder of its own in the git dir': () => {
      machine.git('config', 'core.hooksPath', '.git/own');
      machine.script('.git/own/post-commit', `#!/bin/bash\necho theirs >>"${machine.root}/ran"\nexit 0\n`);
      return 'theirs\n';
    },
  };

  test.each(Object.keys(setUps))(
    '%s: both hooks run, twice changes nothing, deinit gives back every byte',
    async (name) => {
      machine = makeMachine(git);
      fs.writeFileSync(path.join(machine.root, 'ran'), '');
      const theirs = setUps[name]?.();
      machine.git('remote', 'add', 'origin', machine.root);
      fs.mkdirSync(path.join(machine.home, '.claude'));
      const before = [picture(machine.repo), picture(machine.home)];

      const first = await machine.run(init);
      expect(first).toMatchObject({ code: 0, err: '' });
      const after = [picture(machine.repo), picture(machine.home)];
      expect(after).not.toEqual(before);
      const second = await machine.run(init);
      expect(second.out).toContain('Nothing to change');
      expect([picture(machine.repo), picture(machine.home)]).toEqual(after);

      const commit = machine.commit();
      if (theirs !== undefined) expect(ran()).toBe(theirs);
      expect(machine.facts()).toMatchObject([{ fact: 'commit', commit, worktree: '' }]);
      expect(machine.git('status', '--porcelain')).toBe(name.includes('tracked') ? '?? scripts/' : '');

      expect((await machine.run(deinit, { purge: true })).code).toBe(0);
      expect([picture(machine.repo), picture(machine.home)]).toEqual(before);
    },
  );

  test('a rewrite reaches both hooks with all its lines', async () => {
    machine = makeMachine(git);
    machine.script(
      '.git/hooks/post-rewrite',
      `#!/bin/sh\nwhile read -r old new; do echo "$1 $old $new" >>"${machine.root}/ran"; done\nexit 0\n`,
    );
    await machine.run(init, { agents: 'none' });
    const old = machine.commit();
    machine.git('commit', '-q', '--amend', '--allow-empty', '-m', 'again');
    const now = machine.git('rev-parse', 'HEAD');
    expect(ran()).toBe(`amend ${old} ${now}\n`);
    const rewrite = machine.facts().find((fact) => fact.fact === 'rewrite');
    expect(rewrite).toMatchObject({ kind: 'amend', worktree: '' });
    const payload = path.join(machine.repo, '.git/agent/payloads', String(rewrite?.file));
    expect(fs.readFileSync(payload, 'utf8')).toBe(`${old} ${now}\n`);
  });

  test('a commit in a linked work tree is recorded in the common dir, with the name of the work tree', async () => {
    machine = makeMachine(git);
    machine.commit();
    const other = path.join(machine.root, 'other tree');
    machine.git('worktree', 'add', '-q', '-b', 'other', other);
    await machine.run(init, { agents: 'none' }, other);
    machine.gitIn(other, 'commit', '-q', '--allow-empty', '-m', 'there');
    expect(machine.facts()).toMatchObject([{ fact: 'commit', worktree: 'other-tree' }]);
  });

  test('without --purge what was recorded stays; with it agent/ is gone', async () => {
    machine = makeMachine(git);
    await machine.run(init, { agents: 'none' });
    machine.commit();
    await machine.run(deinit);
    expect(fs.readdirSync(path.join(machine.repo, '.git/agent'))).toEqual(['journal']);
    machine.commit();
    expect(machine.facts()).toHaveLength(1);
    await machine.run(deinit, { purge: true });
    expect(fs.existsSync(path.join(machine.repo, '.git/agent'))).toBe(false);
  });

  test('a dry run says the same and changes nothing', async () => {
    machine = makeMachine(git);
    const before = [picture(machine.repo), picture(machine.home)];
    const dry = await machine.run(init, { dryRun: true, agents: 'all' });
    expect([picture(machine.repo), picture(machine.home)]).toEqual(before);
    const wet = await machine.run(init, { agents: 'all' });
    const lines = (text: string) => text.split('\n').filter((line) => line.startsWith('  '));
    expect(lines(dry.out)).toEqual(lines(wet.out));
    expect(lines(dry.out).length).toBeGreaterThan(4);
  });

  test('an init that was killed before its files were written is completed, and taken back to the first bytes', async () => {
    machine = makeMachine(git);
    machine.script('.git/hooks/post-commit', '#!/bin/sh\nexit 0\n');
    fs.mkdirSync(path.join(machine.home, '.claude'));
    const before = [picture(machine.repo), picture(machine.home)];
    await machine.run(init);
    const whole = [picture(machine.repo), picture(machine.home)];
    // remembered, not done: the hook as it was, the settings not there yet
    fs.writeFileSync(hook('post-commit'), '#!/bin/sh\nexit 0\n');
    fs.rmSync(path.join(machine.home, '.claude/settings.json'));
    fs.rmSync(path.join(machine.repo, '.git/agent/hooks/wake'));
    await machine.run(init);
    expect([picture(machine.repo), picture(machine.home)]).toEqual(whole);
    await machine.run(deinit);
    expect([picture(machine.repo), picture(machine.home)]).toEqual(before);
  });

  test('lines that an older version wrote are replaced, and the first bytes still come back', async () => {
    machine = makeMachine(git);
    // with hooks in git's configuration no file is written
    if (git.configHooks) return;
    machine.script('.git/hooks/post-commit', '#!/usr/bin/env python3\n');
    machine.script('.git/hooks/post-merge', '#!/bin/sh\nexit 0\n');
    const before = picture(machine.repo);
    await machine.run(init, { agents: 'none' });
    const whole = picture(machine.repo);
    const installed = path.join(machine.repo, '.git/agent/installed.json');
    for (const file of [...HOOKS.map(hook), installed]) {
      fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replaceAll('|| :', '|| true'));
    }
    expect((await machine.run(init, { agents: 'none' })).out).toContain('post-commit');
    expect(picture(machine.repo)).toEqual(whole);
    await machine.run(deinit, { purge: true });
    expect(picture(machine.repo)).toEqual(before);
  });

  test('a bare repository and a submodule have their own', async () => {
    machine = makeMachine(git);
    const bare = path.join(machine.root, 'bare.git');
    machine.gitIn(machine.root, 'init', '-q', '--bare', bare);
    expect(await machine.run(init, { agents: 'none' }, bare)).toMatchObject({ code: 0 });
    expect(fs.statSync(path.join(bare, 'agent')).mode & 0o777).toBe(0o700);
    const inner = path.join(machine.root, 'inner');
    machine.gitIn(machine.root, 'init', '-q', inner);
    machine.gitIn(inner, 'commit', '-q', '--allow-empty', '-m', 'a');
    machine.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub');
    await machine.run(init, { agents: 'none' }, path.join(machine.repo, 'sub'));
    machine.gitIn(path.join(machine.repo, 'sub'), 'commit', '-q', '--allow-empty', '-m', 'b');
    const journal = path.join(machine.repo, '.git/modules/sub/agent/journal');
    expect(fs.readFileSync(journal, 'utf8')).toMatch(/^\{"fact":"commit".*"worktree":""\}\n$/);
    expect(fs.existsSync(path.join(machine.repo, '.git/agent'))).toBe(false);
  });

  test('a refspec for every remote that fetches, none in a jj repository, never for a mirror, gone with deinit', async () => {
    machine = makeMachine(git);
    machine.git('remote', 'add', 'origin', machine.root);
    machine.git('remote', 'add', 'a.b', machine.root);
    machine.git('remote', 'add', '--mirror=fetch', 'copy', machine.root);
    machine.git('config', 'remote.bare.url', machine.root);
    const before = fs.readFileSync(path.join(machine.repo, '.git/config'), 'utf8');
    await machine.run(init, { agents: 'none' });
    const notes = () => machine.git('config', '--get-regexp', 'remote\\..*\\.fetch', 'notes').split('\n');
    expect(notes()).toEqual([
      'remote.origin.fetch +refs/notes/agent/*:refs/notes/origin/agent/*',
      'remote.a.b.fetch +refs/notes/agent/*:refs/notes/a.b/agent/*',
    ]);
    await machine.run(deinit);
    expect(fs.readFileSync(path.join(machine.repo, '.git/config'), 'utf8')).toBe(before);
    fs.mkdirSync(path.join(machine.repo, '.jj'));
    await machine.run(init, { agents: 'none' });
    expect(() => notes()).toThrow();
  });

  test('values that the user put in since then stay', async () => {
    machine = makeMachine(git);
    machine.git('remote', 'add', 'origin', machine.root);
    await machine.run(init, { agents: 'none' });
    machine.git('config', 'remote.origin.tagOpt', '--no-tags');
    await machine.run(deinit);
    expect(machine.git('config', 'remote.origin.tagOpt')).toBe('--no-tags');
    expect(machine.git('config', '--get-all', 'remote.origin.fetch')).toBe('+refs/heads/*:refs/remotes/origin/*');
    expect(machine.git('config', '--list', '--local')).not.toMatch(/agent-blame|notes\/agent/);
  });

  test('outside a repository, and where the git dir cannot be written, nothing is done', async () => {
    machine = makeMachine(git);
    expect(await machine.run(init, {}, machine.root)).toMatchObject({ code: 3, out: '' });
    fs.writeFileSync(path.join(machine.repo, '.git/agent'), 'not a folder');
    const before = [picture(machine.repo), picture(machine.home)];
    const said = await machine.run(init, { agents: 'all' });
    expect(said.code).toBe(3);
    expect(said.err).toContain('nothing was changed');
    expect([picture(machine.repo), picture(machine.home)]).toEqual(before);
  });

  test('--global', async () => {
    machine = makeMachine(git);
    const config = path.join(machine.root, 'gitconfig');
    const before = fs.readFileSync(config, 'utf8');
    const said = await machine.run(init, { global: true, agents: 'none' });
    if (!git.configHooks) {
      expect(said).toMatchObject({ code: 1 });
      expect(said.err).toContain('--global');
      expect(fs.readFileSync(config, 'utf8')).toBe(before);
      return;
    }
    machine.commit();
    expect(machine.facts()).toHaveLength(1);
    const other = path.join(machine.root, 'other');
    machine.gitIn(machine.root, 'init', '-q', other);
    machine.gitIn(other, 'commit', '-q', '--allow-empty', '-m', 'not ours');
    expect(fs.existsSync(path.join(other, '.git/agent'))).toBe(false);
    await machine.run(deinit);
    expect(fs.readFileSync(config, 'utf8')).toBe(before);
  });
});

test.each(gits().slice(0, 1))(
  'an agent that comes later is told as what it is: no journal is new, and what is set up was not found (git $name)',
  async (git) => {
    machine = makeMachine(git);
    expect((await machine.run(init)).out).toContain('; no agent found on this machine.\n');
    const { out } = await machine.run(init, { agents: 'claude-code' });
    expect(out).toContain('; no agent found on this machine; set up as asked: claude-code.\n');
    expect(out).not.toContain('the journal');
    expect(out).toContain('since.json: captured here from now on: claude-code\n');
  },
);
