import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makeFolder } from '../support/repository.ts';
import { Workshop } from '../support/workshop.ts';

const TOOLS = path.join(os.homedir(), '.cache', 'test-tools');

/** The program: named by $JJ, in the folder of test tools, or on the path. */
export const JJ = findProgram(process.env.JJ, path.join(TOOLS, 'jj', 'jj'), 'jj');
/** jj talks to remotes through a git of 2.42 or later. */
const GIT = findProgram(path.join(TOOLS, 'git255', 'git'), 'git') ?? 'git';

if (JJ === undefined) console.warn('jj is not there: its tests are skipped; name it in $JJ');
// the program under test runs in this process and looks for jj on the path
else if (path.isAbsolute(JJ)) process.env.PATH = `${path.dirname(JJ)}${path.delimiter}${process.env.PATH}`;

function findProgram(...names: (string | undefined)[]): string | undefined {
  return names.find((name) => name && spawnSync(name, ['--version']).status === 0);
}

const SAME_SECOND = /Newly-created commit \w+ already exists/;

export type Layout = 'colocated' | 'apart';

/** A jj repository in which a person and agents work. */
export async function openJjWorkshop(layout: Layout, init = true): Promise<JjWorkshop> {
  const [dir, home] = [makeFolder('jj'), makeFolder('home')];
  const config = path.join(home, 'jj.toml');
  const lines = ['[user]', 'name = "Ada"', 'email = "ada@example.com"', '[git]', `executable-path = "${GIT}"`];
  fs.writeFileSync(config, `${lines.join('\n')}\n`);
  process.env.JJ_CONFIG = config;
  const shop = new JjWorkshop(dir, home);
  shop.jj('git', 'init', layout === 'colocated' ? '--colocate' : '--no-colocate');
  if (init) await shop.init();
  return shop;
}

export class JjWorkshop extends Workshop {
  #root: string | undefined;

  override in(dir: string): JjWorkshop {
    return new JjWorkshop(fs.realpathSync(dir), this.home);
  }

  override get common(): string {
    this.#root ??= this.jj('git', 'root');
    return this.#root;
  }

  override gitWith(env: Record<string, string>, ...args: string[]): string {
    if (fs.existsSync(path.join(this.dir, '.git'))) return super.gitWith(env, ...args);
    return super.gitWith({ GIT_DIR: this.common, ...env }, ...args);
  }

  jj(...args: string[]): string {
    return this.jjSaying(...args).out;
  }

  /** With what jj says besides. */
  jjSaying(...args: string[]): { readonly out: string; readonly err: string } {
    const env = { ...process.env, HOME: this.home };
    const run = () => spawnSync(JJ ?? 'jj', args, { cwd: this.dir, env, encoding: 'utf8' });
    let answer = run();
    // jj's own clock knows seconds: what it makes twice in one is the same commit to it, and it gives up
    for (let tries = 0; tries < 3 && SAME_SECOND.test(answer.stderr); tries++) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000 - (Date.now() % 1000));
      answer = run();
    }
    const { status, stdout, stderr, error } = answer;
    if (status !== 0) throw new Error(`jj ${args.join(' ')}: ${stderr} ${error ?? ''}`);
    return { out: stdout.trimEnd(), err: stderr };
  }

  /** The full id of the only commit that a revset names. */
  id(revset: string): string {
    return this.jj('log', '--no-graph', '--ignore-working-copy', '-r', revset, '-T', 'commit_id');
  }

  change(revset: string): string {
    return this.jj('log', '--no-graph', '--ignore-working-copy', '-r', revset, '-T', 'change_id');
  }

  /** The letters of a file in a revision. */
  async letters(revset: string, file: string): Promise<string> {
    return this.blame(this.id(revset), '--', file);
  }

  /** Commits that have a note. */
  noted(): string[] {
    const out = execFileSync('git', ['--git-dir', this.common, 'notes', '--ref=agent/trace', 'list'], {
      encoding: 'utf8',
    });
    return out.split('\n').flatMap((line) => line.split(' ')[1] ?? []);
  }
}
