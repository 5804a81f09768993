import { execFileSync, type SpawnSyncReturns, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { World } from '../../src/commands/command.ts';
import { report } from '../../src/commands/world.ts';
import { findHead, initLike } from '../support/model.ts';
import { removeFolder } from '../support/remove.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');

/** The two programs, as they are shipped, in a folder that is on PATH. */
export interface Programs {
  readonly dir: string;
  readonly env: NodeJS.ProcessEnv;
  remove(): void;
}

export async function buildPrograms(): Promise<Programs> {
  const shared = process.env.TEST_PROGRAMS;
  const dir = shared ?? (await build());
  const env = { ...process.env, PATH: `${dir}${path.delimiter}${process.env.PATH}` };
  return { dir, env, remove: () => (shared === undefined ? removeFolder(dir) : undefined) };
}

/** Into a new folder; test/support/programs.ts does it once for a whole run. */
export async function build(): Promise<string> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'programs-'));
  const { buildPrograms }: Builder = await import(path.join(ROOT, 'build/programs.mjs'));
  await buildPrograms(dir, '1.2.3');
  for (const name of ['git-agent', 'git-agent-blame']) fs.symlinkSync(`${name}.js`, path.join(dir, name));
  return dir;
}

interface Builder {
  buildPrograms(outdir: string, version: string): Promise<unknown>;
}

/** A repository in a folder of its own. */
export class Sandbox {
  readonly dir: string;

  constructor(args: readonly string[] = []) {
    this.dir = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'sandbox-'));
    initLike(this.dir, args, (...init) => this.git(...init));
  }

  git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.dir, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trimEnd();
  }

  write(file: string, text: string | Buffer): this {
    fs.mkdirSync(path.dirname(path.join(this.dir, file)), { recursive: true });
    fs.writeFileSync(path.join(this.dir, file), text);
    return this;
  }

  commit(message = 'change'): string {
    this.git('add', '-A');
    this.git('commit', '-q', '-m', message);
    return findHead(this.dir) ?? this.git('rev-parse', 'HEAD');
  }

  /** A record of somebody else's tool that says an agent wrote these lines. */
  note(commit: string, file: string, [start, end]: readonly [number, number], ref = 'refs/notes/agent/trace'): void {
    const record = {
      version: '0.1.0',
      id: `00000000-0000-4000-8000-${commit.slice(0, 12)}`,
      timestamp: '2026-01-02T00:00:00Z',
      vcs: { type: 'git', revision: commit },
      tool: { name: 'claude-code', version: '2.1.197' },
      files: [
        {
          path: file,
          conversations: [
            {
              url: 'agentlog:s1#e1',
              contributor: { type: 'ai', model_id: 'anthropic/claude-opus-4-5-20251101' },
              ranges: [{ start_line: start, end_line: end }],
            },
          ],
        },
      ],
    };
    this.git('notes', `--ref=${ref}`, 'append', '-m', JSON.stringify(record), commit);
  }

  remove(): void {
    removeFolder(this.dir);
  }
}

/** Runs a command line with the programs on PATH. */
export function call(
  programs: Programs,
  cwd: string,
  command: readonly string[],
  env: NodeJS.ProcessEnv = {},
): SpawnSyncReturns<string> {
  const [name = '', ...args] = command;
  return spawnSync(name, args, { cwd, encoding: 'utf8', env: { ...programs.env, ...env }, maxBuffer: 1 << 28 });
}

export interface Outcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly bytes: Buffer;
}

/** The same without a process of its own: a verb in a world that only collects what is written. */
export async function inWorld(
  run: (args: readonly string[], world: World) => Promise<number>,
  cwd: string,
  args: readonly string[],
  over: Partial<World> = {},
): Promise<Outcome> {
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  const sink = (into: Buffer[]) => ({
    isTTY: false,
    columns: undefined,
    write: async (text: string | Uint8Array) => void into.push(Buffer.from(text)),
  });
  const world: World = {
    name: 'git agent',
    cwd,
    env: process.env,
    home: cwd,
    out: sink(out),
    err: sink(err),
    program: { node: process.execPath, script: '/nowhere/git-agent.js' },
    version: '1.2.3',
    now: () => Date.now(),
    ...over,
  };
  const status = await run(args, world).catch((error: unknown) => report(error, world));
  const bytes = Buffer.concat(out);
  return { status, stdout: bytes.toString(), stderr: Buffer.concat(err).toString(), bytes };
}
