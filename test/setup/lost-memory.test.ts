import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { command as deinit } from '../../src/commands/deinit.ts';
import { command as doctor } from '../../src/commands/doctor.ts';
import { command as init } from '../../src/commands/init.ts';
import { gits, type Machine, makeMachine, picture } from './support.ts';

let machine: Machine;
afterEach(() => machine.remove());

const at = (...names: string[]) => path.join(machine.repo, '.git', ...names);
const settings = () => path.join(machine.home, '.claude/settings.json');
const users = () => path.join(machine.home, '.local/share/git-agent-blame');
const lose = (folder: string) => fs.rmSync(folder, { recursive: true, force: true });

/** How what `init` remembers gets lost, and what is done before `deinit`. */
const LOSSES: Readonly<Record<string, () => unknown>> = {
  'agent/ is gone': () => lose(at('agent')),
  'agent/ is gone, and doctor --fix was asked': async () => {
    lose(at('agent'));
    await machine.run(doctor, { fix: true });
  },
  'agent/ is gone, and init was run again': async () => {
    lose(at('agent'));
    await machine.run(init, { agents: 'claude-code' });
  },
  'installed.json is damaged': () => fs.writeFileSync(at('agent/installed.json'), 'junk'),
  'installed.json is damaged, and was removed as told, and init run again': async () => {
    fs.writeFileSync(at('agent/installed.json'), 'junk');
    fs.rmSync(at('agent/installed.json'));
    await machine.run(init, { agents: 'claude-code' });
  },
  'installed.json is damaged, and doctor --fix was asked': async () => {
    fs.writeFileSync(at('agent/installed.json'), 'junk');
    await machine.run(doctor, { fix: true });
  },
  'what is kept for the user is gone': () => lose(users()),
  'all of it is gone': () => [at('agent'), users()].forEach(lose),
  'a remote came after it was gone': async () => {
    lose(at('agent'));
    machine.git('remote', 'add', 'second', machine.root);
    await machine.run(init, { agents: 'claude-code' });
    machine.git('remote', 'remove', 'second');
  },
};

describe.each(gits())('with git $name', (git) => {
  beforeEach(async () => {
    machine = makeMachine(git);
    machine.script('.git/hooks/post-commit', '#!/bin/sh\necho theirs\nexit 0\n');
    machine.script('.git/hooks/post-merge', '#!/usr/bin/env python3\n');
    machine.script('shared/post-rewrite', '#!/bin/bash\necho linked\n');
    fs.symlinkSync('../../shared/post-rewrite', at('hooks/post-rewrite'));
    machine.git('remote', 'add', 'origin', machine.root);
    fs.mkdirSync(path.dirname(settings()));
    fs.writeFileSync(settings(), '{\n  "env": { "TOKEN": "secret-of-the-user" }\n}\n');
  });

  test.each(Object.keys(LOSSES))(
    '%s: deinit takes out what is ours by its marks, and leaves the rest',
    async (name) => {
      const before = [picture(machine.repo), picture(machine.home)];
      await machine.run(init, { agents: 'claude-code' });
      await LOSSES[name]?.();
      expect(await machine.run(deinit, { purge: true })).toMatchObject({ code: 0, err: '' });
      lose(users());
      const after = [picture(machine.repo), picture(machine.home)];
      // folders that init made are known from installed.json alone
      for (const folder of ['.local/', '.local/share/']) delete after[1]?.[folder];
      expect(after).toEqual(before);
    },
  );

  test('a second deinit finds nothing any more', async () => {
    await machine.run(init, { agents: 'claude-code' });
    lose(at('agent'));
    await machine.run(deinit, { purge: true });
    expect((await machine.run(deinit)).out).toBe('Nothing to take back: init was not run here.\n');
  });

  test('a refspec for the notes that the user put in stays, while nothing else tells of us', async () => {
    machine.git('config', '--add', 'remote.origin.fetch', '+refs/notes/agent/*:refs/notes/origin/agent/*');
    const before = picture(machine.repo);
    await machine.run(deinit);
    await machine.run(init, { agents: 'none' });
    await machine.run(deinit, { purge: true });
    expect(picture(machine.repo)).toEqual(before);
  });

  test('what cannot be taken back is said, and the exit code says so', async () => {
    await machine.run(init, { agents: 'claude-code' });
    lose(at('agent'));
    lose(users());
    fs.writeFileSync(at('hooks/pre-push'), '#!/bin/sh\n# >>> git-agent-blame (cut off)\nexit 0\n');
    fs.appendFileSync(settings(), 'junk');
    const { code, err } = await machine.run(deinit);
    expect(code).toBe(1);
    expect(err).toContain(`${at('hooks/pre-push')}: our lines in it have lost their end`);
    expect(err).toContain(`${settings()}: calls our hooks and is not valid`);
  });

  test('what the team may have committed stays, and is named', async () => {
    if (git.configHooks) return; // no file is written then
    machine.git('config', 'core.hooksPath', '.githooks');
    fs.mkdirSync(path.join(machine.repo, '.githooks'));
    await machine.run(init, { agents: 'claude-code', project: true });
    lose(at('agent'));
    const { code, err } = await machine.run(deinit);
    expect([code, err]).toEqual([1, expect.stringMatching(/\.githooks\/post-commit: our lines stay/)]);
    expect(err).toContain('.claude/settings.json: our lines stay');
  });

  test('core.hooksPath that nobody remembers: git gets its hooks again, and the rest is said', async () => {
    if (git.configHooks) return; // it stays as it is then
    machine.git('config', 'core.hooksPath', '.githooks');
    machine.script('.githooks/post-commit', '#!/bin/sh\n');
    await machine.run(init, { agents: 'none' });
    lose(at('agent'));
    const { code, err } = await machine.run(deinit);
    expect([code, err]).toEqual([1, expect.stringContaining('what it was before is not known any more')]);
    expect(machine.git('config', '--list', '--local')).not.toContain('hookspath');
  });

  test('of what others wrote nothing is remembered but the place where ours came in', async () => {
    machine.git('config', 'remote.origin.url', 'https://user:token-of-the-user@127.0.0.1/x.git');
    const before = [picture(machine.repo), picture(machine.home)];
    await machine.run(init, { agents: 'claude-code' });
    machine.git('remote', 'add', 'second', 'https://user:token-of-the-user@127.0.0.1/y.git');
    await machine.run(init, { agents: 'claude-code' });
    for (const folder of [at('agent'), users()])
      expect(fs.readFileSync(path.join(folder, 'installed.json'), 'utf8')).not.toMatch(/of-the-user|echo theirs/);
    machine.git('remote', 'remove', 'second');
    await machine.run(deinit, { purge: true });
    expect([picture(machine.repo), picture(machine.home)]).toEqual(before);
  });
});
