import { afterEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
afterEach(() => shop.remove());

test('init --policy writes one to begin with, which check understands, and leaves the team\u2019s own alone', async () => {
  shop = await openWorkshop({ agents: false });
  const dry = await shop.agent('init', '--agents', 'none', '--policy', '--dry-run');
  expect(dry.stdout).toContain('Would write .agent-policy.json');
  const first = await shop.agent('init', '--agents', 'none', '--policy');
  expect(first.stdout).toContain('Wrote .agent-policy.json: commit it');
  shop.human('a.ts', 'one\n').commit();
  const { status, stdout } = await shop.agent('check', 'HEAD');
  expect([status, stdout]).toEqual([0, expect.stringMatching(/The policy is kept/)]);
  shop.human('.agent-policy.json', '{}');
  const again = await shop.agent('init', '--agents', 'none', '--policy');
  expect(again.stdout).toContain('is there already: it stays as it is');
  expect(shop.read('.agent-policy.json')).toBe('{}');
});
