import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildPrograms, type Programs } from '../cli/program.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';
import { auditNotes, leftovers, runningWork } from './audit.ts';

const HOOKS = path.join(import.meta.dirname, '..', '..', 'git-hooks');
const WORKTREES = 8;
const COMMITS = 12;

let shop: Workshop;
let programs: Programs;
beforeEach(async () => {
  programs = await buildPrograms();
  shop = await openWorkshop();
});
afterEach(() => {
  shop.remove();
  programs.remove();
});

const run = promisify(execFile);

/** One process after the other, as a person and an agent at one desk start them. */
class Desk {
  readonly dir: string;
  readonly name: string;
  #calls = 0;

  constructor(name: string) {
    this.name = name;
    this.dir = path.join(shop.home, name);
  }

  #env() {
    return { ...process.env, HOME: shop.home };
  }

  async git(...args: string[]): Promise<void> {
    await run('git', args, { cwd: this.dir, env: this.#env() });
  }

  async agent(file: string, text: string): Promise<void> {
    const full = path.join(this.dir, file);
    const before = fs.existsSync(full) ? fs.readFileSync(full, 'utf8') : null;
    fs.writeFileSync(full, text);
    const payload = {
      session_id: `session-${this.name}`,
      transcript_path: path.join(shop.home, '.claude', 'projects', this.name, `session-${this.name}.jsonl`),
      cwd: this.dir,
      permission_mode: 'default',
      hook_event_name: 'PostToolUse',
      tool_name: 'Write',
      tool_use_id: `${this.name}-${++this.#calls}`,
      tool_input: { file_path: full, content: text },
      tool_response: { type: 'update', filePath: full, content: text, structuredPatch: [], originalFile: before },
    };
    const child = run('sh', [path.join(HOOKS, 'agent-hook'), 'claude-code', 'event'], {
      cwd: this.dir,
      env: this.#env(),
    });
    child.child.stdin?.end(JSON.stringify(payload));
    await child;
  }

  /** Each commit changes a file of its own and one that all desks have under the same name. */
  async commit(n: number): Promise<void> {
    const shared = path.join(this.dir, 'shared.txt');
    const had = fs.existsSync(shared) ? fs.readFileSync(shared, 'utf8') : '';
    fs.writeFileSync(shared, `${had}person ${this.name} in round ${n}\n`);
    await this.agent('shared.txt', `${had}person ${this.name} in round ${n}\nagent ${this.name} in round ${n}\n`);
    fs.writeFileSync(path.join(this.dir, `own-${n}.txt`), `person ${this.name} wrote ${n}\n`);
    await this.git('add', '-A');
    await this.git('commit', '-q', '-m', `round ${n}`);
  }
}

async function quiet(): Promise<void> {
  for (let calm = 0; calm < 4; ) {
    await sleep(250);
    calm = runningWork(shop.common).length === 0 ? calm + 1 : 0;
  }
}

test(`${WORKTREES * COMMITS} commits by ${WORKTREES} at once: each has a whole note, nothing is left running or locked`, {
  timeout: 180_000,
}, async () => {
  shop.human('start.txt', 'person begins\n').commit('start');
  const hooks = path.join(shop.common, 'agent', 'hooks');
  fs.copyFileSync(path.join(HOOKS, 'wake'), path.join(hooks, 'wake'));
  fs.writeFileSync(path.join(hooks, 'program'), `${process.execPath}\n${path.join(programs.dir, 'git-agent.js')}\n`);
  const desks = Array.from({ length: WORKTREES }, (_, i) => new Desk(`desk-${i}`));
  for (const { name, dir } of desks) shop.git('worktree', 'add', '-q', '-b', name, dir);
  await Promise.all(
    desks.map(async (desk) => {
      for (let n = 0; n < COMMITS; n++) await desk.commit(n);
    }),
  );
  await quiet();
  const { status, stderr } = await shop.agent('join');
  expect([status, stderr]).toEqual([0, '0 commits joined\n']); // the background has done it all
  const { commits, lines, faults } = auditNotes(shop.dir);
  expect(faults).toEqual([]);
  expect([commits, lines]).toEqual([WORKTREES * COMMITS + 1, WORKTREES * COMMITS * 3 + 1]);
  expect(leftovers(shop.common)).toEqual([]);
  expect(runningWork(shop.common)).toEqual([]);
  expect(shop.git('fsck', '--no-dangling')).toBe('');
});
