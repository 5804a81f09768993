import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
afterEach(() => shop.remove());

test('a commit that the work found before its hook told whose shell made it is asked about again', async () => {
  shop = await openWorkshop();
  shop.human('start.txt', 'start\n').commit('start');
  await shop.work();
  const call = {
    tool_name: 'Bash',
    tool_use_id: 't1',
    tool_input: { command: 'sh generate.sh && git commit -qam made' },
  };
  shop.hook('before', 's1', { hook_event_name: 'PreToolUse', ...call });
  shop.human('made.txt', 'made by a script\n');
  shop.git('add', '-A');
  shop.git('-c', 'core.hooksPath=/dev/null', 'commit', '-qm', 'made');
  await shop.work();
  expect(await shop.blame('made.txt')).toBe('u');
  const env = { ...process.env, HOME: shop.home, CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 's1' };
  spawnSync('sh', [path.join(shop.common, 'agent', 'hooks', 'post-commit')], { cwd: shop.dir, env });
  await shop.work();
  expect(await shop.blame('made.txt')).toBe('a');
});
