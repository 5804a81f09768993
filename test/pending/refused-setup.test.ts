import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { told } from '../behaviours/told.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
afterEach(() => shop.remove());

const settings = () => path.join(shop.home, '.claude/settings.json');

/** Settings that are not JSON: `init` leaves them alone. */
async function openRefused(): Promise<void> {
  shop = await openWorkshop({ agents: false });
  shop.human('first.ts', 'first\n').commit('first');
  fs.mkdirSync(path.dirname(settings()));
  fs.writeFileSync(settings(), '{"a":');
  await expect(shop.init()).rejects.toThrow('it is not JSON');
}

test('where the only agent was refused, nobody can tell whose the lines are', async () => {
  await openRefused();
  shop.human('a.ts', 'made by a shell that nobody saw\n').commit('there');
  expect(await told(shop, 'a.ts')).toEqual(['u']);
  expect((await shop.json('a.ts')).lines[0]).toMatchObject({ reason: 'capture was not active' });
  expect((await shop.agent('status')).stdout).not.toContain('claude-code');
});

test('what stood there before the set-up succeeded stays unknown, and what is typed afterwards is the person’s', async () => {
  await openRefused();
  shop.human('a.ts', 'made by a shell that nobody saw\n');
  fs.writeFileSync(settings(), '{}');
  await shop.init();
  shop.human('h.ts', 'typed\n').commit('there');
  expect(await told(shop, 'a.ts', 'h.ts')).toEqual(['u', 'h']);
});
