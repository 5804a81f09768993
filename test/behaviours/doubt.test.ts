import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';
import { told } from './told.ts';

let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('start.txt', 'start\n');
  shop.commit('start');
});
afterEach(() => shop.remove());

test('a payload that is cut off: the lines of that time are unknown, not a person’s', async () => {
  shop.human('a.txt', 'who wrote this\n');
  shop.raw('event', '{"session_id":"s1","hook_event_name":"PostToolUse","tool_name":"Write","tool_inp');
  shop.commit();
  expect(await shop.blame('a.txt')).toBe('u');
  await shop.work();
  expect(await shop.blame('a.txt')).toBe('u');
});

test('so are those of an agent that we do not know', async () => {
  shop.human('a.txt', 'who wrote this\n');
  shop.raw(
    'event',
    JSON.stringify({ session_id: 's', hook_event_name: 'x', transcript_path: '/home/.other/s.json', cwd: shop.dir }),
  );
  shop.commit();
  expect(await shop.blame('a.txt')).toBe('u');
});

test('an agent that is killed starts its hook and tells it nothing: that leaves no doubt', async () => {
  for (const mode of ['event', 'before', 'after', 'end']) {
    shop.human('a.txt', `typed\nup to ${mode}\n`);
    shop.raw(mode, '');
  }
  shop.commit();
  expect(await told(shop, 'a.txt')).toEqual(['hh']);
});

test('but a payload that was filed and is empty now, after a power cut perhaps, does', async () => {
  shop.human('a.txt', 'typed\n');
  const agent = path.join(shop.common, 'agent');
  const at = Date.now();
  fs.mkdirSync(path.join(agent, 'payloads'), { recursive: true });
  fs.writeFileSync(path.join(agent, 'payloads', `${at}-1-0`), '');
  const fact = { fact: 'payload', at, agent: 'claude-code', file: `${at}-1-0`, worktree: '' };
  fs.appendFileSync(path.join(agent, 'journal'), `${JSON.stringify(fact)}\n`);
  shop.commit();
  expect(await told(shop, 'a.txt')).toEqual(['u']);
  expect(fs.readdirSync(path.join(agent, 'payloads'))).toEqual([]);
});

test('a successful write whose answer looks different is the agent’s all the same', async () => {
  shop.human('a.txt', 'by the agent\n');
  const input = { file_path: `${shop.dir}/a.txt`, content: 'by the agent\n' };
  shop.hook('event', 's1', {
    hook_event_name: 'PostToolUse',
    tool_name: 'Write',
    tool_use_id: 'toolu_odd',
    tool_input: input,
    tool_response: 'ok',
  });
  shop.commit();
  expect(await shop.blame('a.txt')).toBe('a');
});

test('a job that outlives its command: what it writes later is unknown, not a person’s', async () => {
  shop.shell("(sleep 0.6; echo 'late by the agent' > late.txt) >/dev/null 2>&1 &");
  await new Promise((resolve) => setTimeout(resolve, 1200));
  shop.commit();
  expect(await shop.blame('late.txt')).toBe('u');
});

/** Puts junk in the place of the last lines that speak of this, in a file that the work has written. */
function damage(folder: string, about: string): void {
  const place = path.join(shop.common, 'agent', folder);
  const files = fs.statSync(place).isFile() ? [place] : fs.readdirSync(place).map((name) => path.join(place, name));
  for (const file of files) {
    const lines = fs.readFileSync(file, 'utf8').split('\n');
    fs.writeFileSync(file, lines.map((line) => (line.includes(about) ? line.replaceAll('"', '#') : line)).join('\n'));
  }
}

test('what an agent wrote is no longer to be read: those lines are unknown, not a person’s, and others stay theirs', async () => {
  shop.human('a.txt', 'person one\n');
  shop.ai('a.txt', 'person one\nagent two\n', 's1');
  shop.ai('a.txt', 'person one\nagent two\nagent three\n', 's2');
  await shop.work();
  damage('timelines', '"s2"');
  shop.human('b.txt', 'person alone\n');
  shop.commit();
  expect(await shop.blame('a.txt')).toBe('hau');
  await shop.work();
  expect(await shop.blame('a.txt')).toBe('hau');
});

test('so are those of a command that is no longer to be read', async () => {
  shop.human('a.txt', 'person one\n');
  shop.hook('event', 's1', {
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_use_id: 'toolu_shell',
    tool_input: { command: 'echo agent two >> a.txt' },
    tool_response: { stdout: '', stderr: '', interrupted: false },
  });
  shop.human('a.txt', 'person one\nagent two\n');
  await shop.work();
  shop.commit();
  expect(await shop.blame('a.txt')).not.toContain('h');
  damage('commands.jsonl', 'toolu_shell');
  expect(await shop.blame('a.txt')).not.toContain('h');
});
