import { afterEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
afterEach(() => shop.remove());

const BASE = 'first line of the base\nlast line of the base\n';

/** An agent's command begins (the agent may wait until it is allowed to run), a person saves, the command is over. */
function savedDuring(command: string): void {
  const call = { tool_name: 'Bash', tool_use_id: 'toolu_during', tool_input: { command } };
  shop.tell('s1', call.tool_use_id, call.tool_name, call.tool_input);
  shop.hook('before', 's1', { hook_event_name: 'PreToolUse', ...call });
  shop.human('f.ts', `${BASE}a person typed this line\n`);
  const tool_response = { stdout: '', stderr: '', interrupted: false };
  shop.hook('after', 's1', { hook_event_name: 'PostToolUse', ...call, tool_response });
}

test.each([
  ["sed -n '1,120p' f.ts", 'hhh'],
  ['npx vitest run f.ts', 'hhu'],
  ['npx eslint f.ts && npx prettier --check f.ts', 'hhu'],
  ['code --wait f.ts', 'hhu'],
  ["awk '{ print $1 }' f.ts", 'hhh'],
])('what a person saves while %s runs is not the agent’s, though it names the file', async (command, expected) => {
  shop = await openWorkshop();
  shop.human('f.ts', BASE).commit('start');
  savedDuring(command);
  shop.commit('saved');
  expect(await shop.blame('f.ts')).toBe(expected);
});

test.each(['npm install', 'npm ci && npm test'])(
  'what a person saves while %s runs is not the agent’s',
  async (command) => {
    shop = await openWorkshop();
    shop.human('f.ts', BASE).commit('start');
    savedDuring(command);
    shop.commit('saved');
    expect(await shop.blame('f.ts')).toBe('hhu');
  },
);
