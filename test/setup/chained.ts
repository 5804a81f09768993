import fs from 'node:fs';
import path from 'node:path';
import { command as doctor } from '../../src/commands/doctor.ts';
import { command as init } from '../../src/commands/init.ts';
import { findRepository } from '../../src/git/repository.ts';
import { mendHooks } from '../../src/setup/mend.ts';
import { type Git, gits, type Machine, makeMachine } from './support.ts';

/** On this git `init` puts our folder in the place of `core.hooksPath`. */
export const old = gits().find((git) => !git.configHooks);
export const TITLE = `git ${old?.name ?? '(needs one before 2.54)'}`;

/** The machine of the test that runs. */
export let machine: Machine;
export function begin(git: Git | undefined = old): Machine {
  if (git === undefined) throw new Error('there is no git before 2.54');
  machine = makeMachine(git);
  return machine;
}

export const config = () => fs.readFileSync(path.join(machine.repo, '.git/config'), 'utf8');
export const link = (name: string) => path.join(machine.repo, '.git/agent/hooks/chain', name);
/** What hooks wrote down. */
export const ran = () => fs.readFileSync(path.join(machine.root, 'ran'), 'utf8');
export const commits = () => machine.facts().filter((fact) => fact.fact === 'commit').length;
export const hooksPath = () => machine.git('config', '--get', 'core.hooksPath');

/** As the work does it, from within the git dir. */
export const mend = async (gitDir = path.join(machine.repo, '.git')) =>
  mendHooks(await findRepository(gitDir, machine.env));

export const run = (options: Record<string, unknown> = {}, cwd = machine.repo) =>
  machine.run(init, { agents: 'none', ...options }, cwd);

export async function check(name: string, cwd = machine.repo) {
  const { out } = await machine.run(doctor, { json: true }, cwd);
  const { checks } = JSON.parse(out) as {
    checks: { name: string; level: string; said: string; mend: string | null }[];
  };
  return checks.find((one) => one.name === name);
}

export function hook(file: string, word: string): void {
  machine.script(file, `#!/bin/sh\necho ${word} >>"${machine.root}/ran"\n`);
}

/** A folder that the team commits, with one hook. */
export function track(folder = '.githooks'): void {
  hook(`${folder}/post-commit`, 'team');
  machine.git('config', 'core.hooksPath', folder);
  machine.git('add', '.');
  machine.commit();
  fs.writeFileSync(path.join(machine.root, 'ran'), '');
}
