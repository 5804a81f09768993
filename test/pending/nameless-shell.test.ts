import { afterEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
afterEach(() => shop.remove());

const COMMAND = 'echo made > made.txt && git add -A && git commit -qm made';

test('a shell that tells its agent but no session: what it writes and commits in one call is the agent’s, also when joined again', async () => {
  shop = await openWorkshop();
  shop.human('start.txt', 'start\n').commit('start');
  shop.shell(COMMAND, 's1', { CLAUDE_CODE_SESSION_ID: '' });
  expect(await shop.blame('made.txt')).toBe('a');
  await shop.work();
  await shop.agent('join', 'HEAD');
  expect(await shop.blame('made.txt')).toBe('a');
});

test('a person who commits while such a command runs is nobody’s agent', async () => {
  shop = await openWorkshop();
  shop.human('start.txt', 'start\n').commit('start');
  const call = { tool_name: 'Bash', tool_use_id: 't1', tool_input: { command: COMMAND } };
  shop.hook('before', 's1', { hook_event_name: 'PreToolUse', ...call });
  shop.human('mine.txt', 'typed\n').commit('mine');
  shop.hook('after', 's1', { hook_event_name: 'PostToolUse', ...call, tool_response: { stdout: '', stderr: '' } });
  expect(await shop.blame('mine.txt')).not.toContain('a');
  await shop.work();
  expect(await shop.blame('mine.txt')).not.toContain('a');
});

test('a shell that tells nothing at all (env -i, a container), and commits what it wrote: nobody knows, but no person', async () => {
  shop = await openWorkshop();
  shop.human('start.txt', 'start\n').commit('start');
  const inside = 'env -u CLAUDECODE -u CLAUDE_CODE_SESSION_ID git commit -qm made';
  shop.shell(`echo made > made.txt && git add -A && ${inside}`);
  expect(await shop.blame('made.txt')).toBe('u');
  await shop.work();
  expect(await shop.blame('made.txt')).toBe('u');
});
