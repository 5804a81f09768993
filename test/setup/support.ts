import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Command, Sink, World } from '../../src/commands/command.ts';
import { report } from '../../src/commands/world.ts';
import { removeFolder } from '../../src/setup/files.ts';
import { makeFolder } from '../support/repository.ts';

const HOOKS = path.resolve(import.meta.dirname, '../../git-hooks');

/** A machine with one user, one git and a program that only writes down how it was called. */
export interface Machine {
  readonly root: string;
  readonly home: string;
  readonly repo: string;
  readonly env: Record<string, string | undefined>;
  git(...args: string[]): string;
  gitIn(folder: string, ...args: string[]): string;
  /** Writes below the work tree, executable. */
  script(file: string, text: string): void;
  run(command: Command, options?: Record<string, unknown>, cwd?: string): Promise<Ran>;
  commit(message?: string): string;
  facts(): Record<string, unknown>[];
  remove(): void;
}

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface Git {
  readonly name: string;
  readonly path: string;
  readonly configHooks: boolean;
}

/** The git of this machine, and a newer one where the tests' tools have been installed. */
export function gits(): readonly Git[] {
  const found = [process.env.GIT255 ?? path.join(os.homedir(), '.cache/test-tools/git255/git'), 'git'];
  return found.flatMap((file) => {
    const { stdout, status } = spawnSync(file, ['version'], { encoding: 'utf8' });
    const version = /(\d+)\.(\d+)/.exec(stdout ?? '');
    if (status !== 0 || version === null) return [];
    return [{ name: version[0], path: file, configHooks: Number(version[1]) > 2 || Number(version[2]) >= 54 }];
  });
}

export function makeMachine(git: Git): Machine {
  const root = makeFolder('machine');
  const at = (name: string) => path.join(root, name);
  for (const name of ['home', 'repo', 'bin', 'tmp', 'program/dist']) fs.mkdirSync(at(name), { recursive: true });
  fs.symlinkSync(HOOKS, at('program/git-hooks'));
  const wrapper =
    git.path === 'git' ? execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim() : git.path;
  fs.writeFileSync(at('bin/git'), `#!/bin/sh\nexec "${wrapper}" "$@"\n`, { mode: 0o755 });
  fs.writeFileSync(
    at('program/dist/git-agent.js'),
    `require('fs').appendFileSync('${at('worked')}', process.argv.slice(2).join(' ') + '\\n')\n`,
  );
  fs.writeFileSync(at('gitconfig'), '[init]\n\tdefaultBranch = main\n');
  const env = {
    ...process.env,
    HOME: at('home'),
    TMPDIR: at('tmp'),
    GIT_CONFIG_GLOBAL: at('gitconfig'),
    PATH: `${at('bin')}${path.delimiter}${process.env.PATH}`,
  };
  const gitIn = (cwd: string, ...args: string[]) =>
    execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] }).trimEnd();
  gitIn(root, 'init', '-q', at('repo'));
  return {
    root,
    home: at('home'),
    repo: at('repo'),
    env,
    git: (...args) => gitIn(at('repo'), ...args),
    gitIn,
    script(file, text) {
      const full = path.resolve(at('repo'), file);
      fs.mkdirSync(path.dirname(full), { recursive: true });
      fs.writeFileSync(full, text, { mode: 0o755 });
      fs.chmodSync(full, 0o755);
    },
    run: (command, options = {}, cwd = at('repo')) =>
      run(command, options, { cwd, env, home: at('home'), script: at('program/dist/git-agent.js') }),
    commit(message = 'change') {
      gitIn(at('repo'), 'commit', '-q', '--allow-empty', '-m', message);
      return gitIn(at('repo'), 'rev-parse', 'HEAD');
    },
    facts: () => readFacts(path.join(at('repo'), '.git/agent/journal')),
    remove: () => removeFolder(root),
  };
}

async function run(
  command: Command,
  options: Record<string, unknown>,
  at: { cwd: string; env: World['env']; home: string; script: string },
): Promise<Ran> {
  let out = '';
  let err = '';
  const sink = (write: (text: string) => void): Sink => ({
    isTTY: false,
    columns: undefined,
    write: async (text) => write(String(text)),
  });
  const world: World = {
    name: 'git agent',
    cwd: at.cwd,
    env: at.env,
    home: at.home,
    out: sink((text) => (out += text)),
    err: sink((text) => (err += text)),
    program: { node: process.execPath, script: at.script },
    version: 'test',
    now: () => 1_700_000_000_000,
  };
  const { args = [], ...rest } = options as { args?: string[] };
  const code = await command.run({ args, options: rest, world }).catch((error: unknown) => report(error, world));
  return { code, out, err };
}

export function readFacts(journal: string): Record<string, unknown>[] {
  return fs
    .readFileSync(journal, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Every file below a folder with its mode and bytes, and every link: what "exactly as it was" means. Git's own moving parts are left out. */
export function picture(folder: string): Record<string, string> {
  const seen: Record<string, string> = {};
  const walk = (at: string) => {
    for (const entry of fs.readdirSync(at, { withFileTypes: true })) {
      const full = path.join(at, entry.name);
      const name = path.relative(folder, full);
      if (/^\.git\/(objects|logs|index|refs|COMMIT_EDITMSG|HEAD|ORIG_HEAD)/.test(name)) continue;
      if (entry.isSymbolicLink()) seen[name] = `-> ${fs.readlinkSync(full)}`;
      else if (entry.isDirectory()) {
        seen[`${name}/`] = '';
        walk(full);
      } else seen[name] = `${(fs.statSync(full).mode & 0o777).toString(8)} ${fs.readFileSync(full, 'latin1')}`;
    }
  };
  walk(folder);
  return seen;
}
