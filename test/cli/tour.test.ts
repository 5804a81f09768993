import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePlace } from '../../src/tour/place.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder } from '../support/repository.ts';
import { hasTmux, Terminal } from '../tui/tmux.ts';
import { buildPrograms, call, type Programs } from './program.ts';

let programs: Programs;
let root: string;
/** The tour's own temporary folder, in a name with a space and a quote. */
let temporary: string;
beforeAll(async () => {
  const built = await buildPrograms();
  root = makeFolder('tour');
  temporary = path.join(root, "it's a folder");
  fs.mkdirSync(temporary);
  // the shims lie beside the programs' folder, as in the package
  const dir = path.join(root, 'dist');
  fs.cpSync(built.dir, dir, { recursive: true, verbatimSymlinks: true });
  fs.cpSync(path.join(import.meta.dirname, '..', '..', 'git-hooks'), path.join(root, 'git-hooks'), { recursive: true });
  built.remove();
  const env = { ...process.env, PATH: `${dir}${path.delimiter}${process.env.PATH}` };
  programs = { dir, env, remove: () => removeFolder(root) };
});
afterAll(() => {
  programs?.remove();
});

const surroundings = () => ({ TMPDIR: temporary, HOME: root });

it('a place goes also while the background work writes into it', async () => {
  const place = makePlace(
    { node: process.execPath, script: '/nowhere/git-agent.js' },
    { colour: false, columns: undefined },
  );
  const busy = 'i=0; while [ $i -lt 20000 ] && [ -d "$1" ]; do i=$((i+1)); : > "$1/$i"; done 2>/dev/null';
  const writer = spawn('sh', ['-c', busy, 'sh', place.dir], { stdio: 'ignore' });
  const over = once(writer, 'exit');
  await sleep(200);
  await place.remove();
  await over;
  expect(fs.existsSync(place.dir)).toBe(false);
});

describe('git agent tour', () => {
  it('plays the story without a terminal, shows every command, and leaves nothing behind', () => {
    for (const left of fs.readdirSync(temporary)) removeFolder(`${temporary}/${left}`);
    const { status, stdout, stderr } = call(programs, temporary, ['git-agent', 'tour'], surroundings());
    expect([status, stderr]).toEqual([0, '']);
    for (const shown of [
      '$ git agent init --agents claude-code',
      '$ git agent-blame src/retry.mjs',
      '$ git agent show src/retry.mjs:9',
      '$ git rebase -q main',
      '$ git agent report --standing',
      '  person   > Respect the limit that I added.',
    ])
      expect(stdout).toContain(shown);
    expect(stdout).toMatch(/claude-code claude-opus-4-5\S* .*if \(--left <= 0\) throw error;/);
    const [, before, after] = /before the rewrite: (.+); after it: (.+)\.\n$/.exec(stdout) ?? [];
    expect(before).toMatch(/1[67] lines/);
    expect(after).toBe(before);
    expect(fs.readdirSync(temporary)).toEqual([]);
  });

  it('goes away when it is interrupted', async () => {
    const child = spawn('git-agent', ['tour', '--fast'], {
      cwd: temporary,
      env: { ...programs.env, ...surroundings() },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const end = new Promise<number | null>((resolve) => child.once('close', resolve));
    await new Promise<void>((resolve) => {
      child.stdout?.on('data', (chunk: Buffer) => chunk.includes('git agent init') && resolve());
    });
    child.kill('SIGINT');
    expect(await end).toBe(130);
    await sleep(100);
    expect(fs.readdirSync(temporary)).toEqual([]);
  });

  it.skipIf(!hasTmux)('Ctrl-C where it waits for Enter ends it at once (needs tmux)', async () => {
    for (const left of fs.readdirSync(temporary)) removeFolder(`${temporary}/${left}`);
    const terminal = new Terminal({ cwd: root, env: { ...programs.env, ...surroundings(), NO_COLOR: '1' } });
    try {
      await terminal.until('$');
      terminal.type('git-agent tour; echo code $?');
      await terminal.until(/^Enter goes on/m);
      terminal.keys('C-c');
      const screen = await terminal.until(/^code \d+$/m);
      expect(screen).toMatch(/^Enter goes on\ncode 130$/m);
      expect(screen).not.toContain('A recorded Claude Code session');
      expect(fs.readdirSync(temporary)).toEqual([]);
    } finally {
      terminal.close();
    }
  });

  const script = spawnSync('script', ['--version']).error !== undefined;
  it.skipIf(script)('stops for Enter on a terminal, and knows its width (needs script of util-linux)', async () => {
    const command = ['-qec', 'stty cols 100; git-agent tour', '/dev/null'];
    const env = { ...programs.env, ...surroundings(), NO_COLOR: '1', TERM: 'xterm' };
    const child = spawn('script', command, { cwd: temporary, env, stdio: ['pipe', 'pipe', 'ignore'] });
    let shown = '';
    child.stdout.on('data', (chunk: Buffer) => {
      const before = shown.split('Enter goes on').length;
      shown += chunk.toString();
      if (shown.split('Enter goes on').length > before) child.stdin.write('\r');
    });
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    expect(code).toBe(0);
    expect(shown.split('Enter goes on').length - 1).toBe(6);
    expect(shown).toContain('after it:');
    // on a wider one, or in a pipe, dates have hours and zones
    expect(shown).toMatch(/ A \(claude-code claude-opus-4-5 \d{4}-\d\d-\d\d {2}1\) const wait/);
  });
});
