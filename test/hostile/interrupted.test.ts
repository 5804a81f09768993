import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

// A hook that cannot record at all, or is killed on the way: no transcript tells what it would have told.
let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('a.txt', 'person zero\n').commit();
  await shop.work();
});
afterEach(() => shop.remove());

const at = (...names: string[]) => path.join(shop.common, 'agent', ...names);
const missed = () => fs.readFileSync(path.join(shop.common, 'agent-missed'), 'utf8');

/** The agent's edit, and what its hook is told. */
function edit(file: string, text: string): string {
  const full = path.join(shop.dir, file);
  const before = fs.existsSync(full) ? fs.readFileSync(full, 'utf8') : null;
  fs.writeFileSync(full, text);
  const payload = {
    session_id: 's1',
    transcript_path: shop.transcript('s1'),
    cwd: shop.dir,
    hook_event_name: 'PostToolUse',
    tool_name: 'Write',
    tool_use_id: 'toolu_1',
    tool_input: { file_path: full, content: text },
    tool_response: { type: 'update', filePath: full, content: text, structuredPatch: [], originalFile: before },
  };
  return JSON.stringify(payload);
}

/** Root may do everything: it has to be told not to. */
const AS_A_USER =
  process.getuid?.() === 0
    ? 'exec setpriv --bounding-set -dac_override,-dac_read_search --inh-caps -dac_override,-dac_read_search'
    : 'exec';

function hook(input: string, { before = '', bin = '' } = {}): ReturnType<typeof spawnSync> {
  const shim = path.join(shop.home, '.local/share/git-agent-blame/agent-hook');
  const PATH = bin === '' ? process.env.PATH : `${bin}:${process.env.PATH}`;
  const env = { ...process.env, HOME: shop.home, TMPDIR: shop.home, PATH };
  return spawnSync('sh', ['-c', `${before}\n${AS_A_USER} sh "$1" claude-code event`, 'sh', shim], {
    cwd: shop.dir,
    env,
    input,
    encoding: 'utf8',
  });
}

/** What was not recorded is nobody's, before the work and after it; what comes next is somebody's again. */
async function expectDoubt(letters: string): Promise<void> {
  shop.commit();
  expect(await shop.blame('a.txt')).toBe(letters);
  await shop.work();
  expect(await shop.blame('a.txt')).toBe(letters);
  expect(missed()).toBe('-\n');
  const { stdout } = await shop.agent('doctor');
  expect(stdout).toContain('hooks were called and could not record it');
  await new Promise((done) => setTimeout(done, 1100)); // git's clock knows seconds
  shop.human('b.txt', 'person\n').commit();
  shop.human('a.txt', `${shop.read('a.txt')}person two\n`).commit();
  expect(await shop.blame('a.txt')).toBe(`${letters}h`);
}

describe('nothing can be recorded', () => {
  test('while agent/ may not be entered, a hook leaves a mark beside it, and its lines are no person’s', async () => {
    const told = edit('a.txt', 'person zero\nagent one\n');
    fs.chmodSync(at(), 0);
    const { status, stdout, stderr } = hook(told);
    fs.chmodSync(at(), 0o700);
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(missed()).toMatch(/^-\n\d{13}\n$/);
    await expectDoubt('hu');
  });

  test('so it does where a commit was made meanwhile', async () => {
    const told = edit('a.txt', 'person zero\nagent one\n');
    fs.chmodSync(at(), 0);
    hook(told);
    shop.git('-c', 'core.hooksPath=/dev/null', 'commit', '-qam', 'unseen');
    fs.chmodSync(at(), 0o700);
    expect(await shop.blame('a.txt')).toBe('hu');
    await shop.work();
    expect(await shop.blame('a.txt')).toBe('hu');
  });

  test('on a disk with not one byte left the mark is cut, which needs none', async () => {
    const told = edit('a.txt', 'person zero\nagent one\n');
    const { status, stdout, stderr } = hook(told, { before: `trap '' XFSZ; ulimit -f 0` });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(missed()).toBe('');
    await expectDoubt('hu');
  });

  test('no mark is left where agent/ is gone, nor after deinit', async () => {
    await shop.agent('deinit');
    expect(fs.existsSync(path.join(shop.common, 'agent-missed'))).toBe(false);
    fs.writeFileSync(path.join(shop.common, 'agent-missed'), '-\n');
    fs.rmSync(at(), { recursive: true, force: true });
    hook(edit('a.txt', 'person zero\nagent one\n'));
    expect(missed()).toBe('-\n');
  });
});

/** A program that kills the hook that starts it, instead of doing its work. */
function deadly(name: string): string {
  const bin = path.join(shop.home, 'bin');
  fs.mkdirSync(bin);
  fs.writeFileSync(path.join(bin, name), DEADLY, { mode: 0o755 });
  return bin;
}

/** Not before the hook has read what it is told: until then there is nothing that it could leave. */
const DEADLY = `#!/bin/sh
for try in 1 2 3 4 5 6 7 8 9 10; do
  for left in "$TMPDIR"/agent-hook.*; do [ ! -s "$left" ] || break 2; done
  sleep 0.2
done
kill -9 $PPID
sleep 1
`;

/** As if it had happened some time ago: a hook that is not killed needs a moment. */
function age(file: string): void {
  const then = Date.now() / 1000 - 60;
  fs.utimesSync(file, then, then);
}

describe('a hook is killed with -9', () => {
  test.each(['date', 'mv'])('when it starts %s: the edit is worked in from what it has left', async (name) => {
    const bin = deadly(name);
    const told = edit('a.txt', 'person zero\nagent one\n');
    hook(told, { bin });
    expect(fs.existsSync(at('payloads')) ? fs.readdirSync(at('payloads')) : []).toEqual([]);
    const [left = ''] = fs.readdirSync(shop.home).filter((one) => one.startsWith('agent-hook.'));
    age(path.join(shop.home, left));
    shop.commit();
    expect(await shop.blame('a.txt')).toBe('ha');
    expect(fs.existsSync(path.join(shop.home, left))).toBe(true); // readers write nothing
    await shop.work();
    expect(await shop.blame('a.txt')).toBe('ha');
    expect(fs.existsSync(path.join(shop.home, left))).toBe(false);
  });

  test('between its two renames: the file with a dot counts', async () => {
    const told = edit('a.txt', 'person zero\nagent one\n');
    const file = at('payloads', `.${Date.now() - 60_000}-999999999-0`);
    fs.writeFileSync(file, told);
    age(file);
    shop.commit();
    expect(await shop.blame('a.txt')).toBe('ha');
    await shop.work();
    expect(fs.readdirSync(at('payloads'))).toEqual([]);
  });

  test('a path of a million folders: it is none, and nobody looks for each', async () => {
    const long = '/a'.repeat(1_000_000);
    for (const [pid, told] of [
      ['999999998', { cwd: long, tool_input: { file_path: 'a.txt' } }],
      ['999999999', { cwd: shop.dir, tool_input: { file_path: `${shop.dir}${long}` } }],
    ] as const) {
      const left = path.join(shop.home, `agent-hook.${pid}`);
      fs.writeFileSync(left, JSON.stringify({ hook_event_name: 'PostToolUse', tool_name: 'Write', ...told }));
      age(left);
    }
    hook(JSON.stringify({ ...JSON.parse(edit('a.txt', 'agent one\n')), cwd: long }));
    shop.commit();
    const began = Date.now();
    await shop.blame('a.txt');
    expect(Date.now() - began).toBeLessThan(20_000);
  });

  test('what was told to another repository stays where it is, also when that lies inside ours', async () => {
    const inner = path.join(shop.dir, 'inner');
    shop.git('init', '-q', inner);
    const told = edit('inner/a.txt', 'agent one\n');
    const left = path.join(shop.home, 'agent-hook.999999999');
    fs.writeFileSync(left, told);
    age(left);
    shop.human('b.txt', 'person\n');
    shop.git('add', 'b.txt');
    shop.git('commit', '-qm', 'b');
    await shop.work();
    expect(fs.existsSync(left)).toBe(true);
    expect(await shop.blame('b.txt')).toBe('h');
  });
});
