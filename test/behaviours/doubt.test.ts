import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

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
