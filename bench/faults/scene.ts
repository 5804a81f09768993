import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Workshop } from '../../test/support/workshop.ts';
import { Pen } from '../truth/line.ts';

const FALL = path.join(process.cwd(), 'bench', 'faults', 'fall.mjs');

/** What becomes of a program while it runs. */
export interface Fate {
  readonly killAfter?: number;
  /** Words of the shell that starts it. */
  readonly before?: string;
  /** `fall.mjs` has the meaning. */
  readonly fall?: { readonly at: number; readonly how: 'kill' | 'full' | 'power' };
}

/** A workshop in which every line's writer is known, and a program to be killed. */
export class Scene {
  readonly shop: Workshop;
  readonly pen: Pen;
  /** Node and the script of `git-agent`. */
  readonly program: readonly [string, string];
  /** Who truly wrote each line of a file: `me`, or an agent's session. */
  readonly truth = new Map<string, readonly string[]>();
  /** Records that were broken on purpose: nobody can ask for them again. */
  readonly broken = new Set<string>();
  /** Sessions that are old or to be forgotten: they may go. */
  readonly passing = new Set<string>();
  #count = 0;

  constructor(shop: Workshop, seed: number, script: string) {
    this.shop = shop;
    this.pen = new Pen('unique', seed);
    this.program = [process.execPath, script];
  }

  /** Nothing starts in the background: what is broken stays so until somebody looks. The program is there, all the same. */
  still(): void {
    const nothing = path.join(this.shop.home, 'nothing.js');
    fs.writeFileSync(nothing, '');
    fs.writeFileSync(this.at('hooks', 'program'), `${process.execPath}\n${nothing}\n`);
    fs.writeFileSync(this.at('hooks', 'wake'), '#!/bin/sh\n');
  }

  at(...names: string[]): string {
    return path.join(this.shop.dir, '.git', 'agent', ...names);
  }

  /** A hand adds a line to the end of a file. */
  add(file: string, by: string): void {
    const hands = this.truth.get(file) ?? [];
    const had = hands.length > 0 ? this.shop.read(file) : '';
    const text = `${had}${by} ${++this.#count} ${this.pen.own(by).text}\n`;
    this.truth.set(file, [...hands, by]);
    if (by === 'me') this.shop.human(file, text);
    else this.agent(file, text, by);
  }

  /** The tool and its result in the transcript, and the hook. */
  agent(file: string, text: string, by: string): void {
    const full = path.join(this.shop.dir, file);
    const before = fs.existsSync(full) ? fs.readFileSync(full, 'utf8') : null;
    const id = this.shop.ai(file, text, by);
    this.shop.tellResult(by, id, {
      type: before === null ? 'create' : 'update',
      filePath: full,
      content: text,
      structuredPatch: [],
      originalFile: before,
    });
  }

  /** The background work in a process of its own; tells its exit code, or null where it was killed. */
  work(how: Fate = {}): Promise<number | null> {
    return this.run(['work', this.shop.common], how);
  }

  /** Any verb in a process of its own. It is killed with all that it has started. */
  async run(words: readonly string[], { killAfter, before = '', fall }: Fate = {}): Promise<number | null> {
    const [node, script] = this.program;
    const args = ['-c', `${before}\nexec "$@"`, 'sh', node, ...(fall ? ['--import', FALL] : []), script, ...words];
    const env = { ...this.env(), ...(fall && { FALL_AT: String(fall.at), FALL_HOW: fall.how }) };
    const child = spawn('sh', args, { cwd: this.shop.dir, env, stdio: 'ignore', detached: true });
    const timer = killAfter === undefined ? undefined : setTimeout(() => killGroup(child.pid), killAfter);
    const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
    clearTimeout(timer);
    if (code !== null) return code;
    killGroup(child.pid);
    await isGone(child.pid);
    // a git that was killed leaves the locks of refs that it was about to move: some time goes by until somebody looks
    const then = Date.now() / 1000 - 1200;
    for (const file of this.refLocks()) fs.utimesSync(file, then, then);
    return code;
  }

  /** Locks of refs: no git is at work where they are asked for. */
  refLocks(): string[] {
    const refs = path.join(this.shop.common, 'refs');
    const names = fs.readdirSync(refs, { recursive: true, encoding: 'utf8' });
    return names.filter((name) => name.endsWith('.lock')).map((name) => path.join(refs, name));
  }

  /** Some time in which a program is at work, on a machine that is as busy as this one. */
  moment(): number {
    const began = performance.now();
    spawnSync(this.program[0], ['-e', '0']);
    return this.pen.below(1000) * 0.015 * (performance.now() - began);
  }

  /** Where a program is to be killed: at a step of its own, or while git works for it. */
  fate(): Fate {
    const at = this.pen.below(this.pen.pick([6, 20, 60]));
    return this.pen.below(4) > 0 ? { fall: { at, how: 'kill' } } : { killAfter: this.moment() };
  }

  env(): NodeJS.ProcessEnv {
    return { ...process.env, HOME: this.shop.home };
  }
}

/** What it has started goes with it. */
export function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // it has ended by itself
  }
}

/** Until none of them is left: what is killed may still be in the middle of something. */
async function isGone(pid: number | undefined): Promise<void> {
  for (let tries = 0; pid !== undefined && tries < 500; tries++) {
    try {
      process.kill(-pid, 0);
    } catch {
      return;
    }
    await sleep(10);
  }
}

/** What a strike leaves to be done when it is over. */
export interface Struck {
  /** Names of checks of which `doctor` has to say something; any of them will do. None: there is nothing to see. */
  readonly named?: readonly string[];
  /** Gives back what was taken away. */
  lift?(): void | Promise<void>;
}

export type Strike = (scene: Scene) => Struck | Promise<Struck>;
