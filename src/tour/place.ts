import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '../fault.ts';

/** A home and a repository of their own, with our programs on PATH and nothing of the user's settings. */
export interface Place {
  readonly dir: string;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  read(file: string): string;
  write(file: string, text: string): void;
  /** Runs a line of shell; what it wrote, both streams, and whether it went well. */
  shell(command: string, more?: { readonly input?: string; readonly env?: NodeJS.ProcessEnv }): Said;
  remove(): Promise<void>;
}

export interface Said {
  readonly ok: boolean;
  readonly out: string;
}

export interface Program {
  readonly node: string;
  readonly script: string;
}

const SETTINGS = `[user]
	name = Ada
	email = ada@example.com
[init]
	defaultBranch = main
[gc]
	auto = 0
[maintenance]
	auto = false
`;

/** What the person looks at; the commands of the tour write into pipes. */
export interface Looks {
  readonly colour: boolean;
  readonly columns: number | undefined;
}

/** Starts nothing and leaves nothing: `remove` takes it all away. */
export function makePlace(program: Program, { colour, columns }: Looks): Place {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'agent-tour-')));
  const [dir, home, bin] = [path.join(root, 'work'), path.join(root, 'home'), path.join(root, 'bin')];
  for (const folder of [dir, home, bin]) fs.mkdirSync(folder);
  const beside = path.join(path.dirname(program.script), 'git-agent-blame.js');
  writeProgram(path.join(bin, 'git-agent'), program.node, program.script);
  writeProgram(path.join(bin, 'git-agent-blame'), program.node, beside);
  fs.writeFileSync(path.join(home, '.gitconfig'), `${SETTINGS}[color]\n\tui = ${colour ? 'always' : 'never'}\n`);
  const env = {
    ...cleanEnvironment(),
    // as git hands the width on to what it shows in a pager
    ...(columns && { GIT_PAGER_IN_USE: 'true', COLUMNS: String(columns) }),
    HOME: home,
    PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}`,
  };
  const shell: Place['shell'] = (command, { input, env: more } = {}) => {
    const options = { cwd: dir, env: { ...env, ...more }, encoding: 'utf8' as const, input: input ?? '' };
    const { status, stdout, stderr, error } = spawnSync('sh', ['-c', command], options);
    if (error) throw new Fault('surroundings', `sh cannot be started: ${error.message}`);
    return { ok: status === 0, out: stdout + stderr };
  };
  return {
    dir,
    home,
    env,
    shell,
    read: (file) => fs.readFileSync(path.join(dir, file), 'utf8'),
    write(file, text) {
      fs.mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
      fs.writeFileSync(path.join(dir, file), text);
    },
    remove: () => removeRoot(root),
  };
}

/** A script of ours in place of a link: not everywhere may links be made, and paths may have spaces in them. */
function writeProgram(file: string, node: string, script: string): void {
  const quote = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
  fs.writeFileSync(file, `#!/bin/sh\nexec ${quote(node)} ${quote(script)} "$@"\n`, { mode: 0o755 });
}

/** We may ourselves run inside a git hook or an agent. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const inherited = /^(GIT_|CLAUDE|AI_AGENT|CODEX_|XDG_|AGENT_)/;
  const entries = Object.entries(process.env).filter(([name]) => !inherited.test(name));
  return { ...Object.fromEntries(entries), GIT_CONFIG_NOSYSTEM: '1', GIT_PAGER: 'cat' };
}

/** Work in the background may still write there: try until it stays away. A file that is born after its folder was read fails all retries of node's own. */
async function removeRoot(root: string): Promise<void> {
  for (let tries = 0; tries < 50; tries++) {
    try {
      fs.rmSync(root, { recursive: true, force: true });
    } catch (cause) {
      if (tries === 49) throw new Fault('surroundings', `${root} cannot be removed: ${String(cause)}`);
    }
    await sleep(tries === 0 ? 400 : 100);
    if (!fs.existsSync(root)) return;
  }
}
