import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildPrograms, type Programs } from '../cli/program.ts';

let programs: Programs;
beforeAll(async () => {
  programs = await buildPrograms();
});
afterAll(() => programs.remove());

const argsFor = (...command: string[]) => [path.join(programs.dir, 'git-agent.js'), 'acp', '--', ...command];

const SIGNALS = ['HUP', 'INT', 'QUIT', 'USR1', 'USR2', 'WINCH', 'CONT', 'ALRM', 'TERM'] as const;
/** An agent that says which signals have reached it, and ends with the last of them. */
const AGENT = `
  for (const name of ${JSON.stringify(SIGNALS)})
    process.on('SIG' + name, () => { console.log(name); if (name === 'TERM') process.exit(7); });
  setInterval(() => {}, 1000);
  console.log('ready');`;

test('every signal that can be caught reaches the agent, and opens no debugger', async () => {
  const tap = spawn(process.execPath, argsFor(process.execPath, '-e', AGENT), { stdio: ['pipe', 'pipe', 'pipe'] });
  let complaints = '';
  tap.stderr.on('data', (chunk) => {
    complaints += chunk;
  });
  const ended = once(tap, 'exit');
  const heard: string[] = [];
  for await (const line of createInterface({ input: tap.stdout })) {
    heard.push(line);
    const next = SIGNALS[heard.length - 1];
    if (next) tap.kill(`SIG${next}`);
  }
  expect(heard).toEqual(['ready', ...SIGNALS]);
  expect((await ended)[0]).toBe(7);
  expect(complaints).toBe('');
}, 20_000);

test('a program that is not there: 127, and a sentence that says so', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, argsFor('no-such-program'), { encoding: 'utf8' });
  expect([status, stdout]).toEqual([127, '']);
  expect(stderr).toMatch(/^git agent: cannot start no-such-program: there is no such program; check .*PATH\n$/);
});
