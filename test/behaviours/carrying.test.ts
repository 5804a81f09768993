import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
});
afterEach(() => shop.remove());

describe('what the agent’s shell only gives another form', () => {
  test('committed lines, indented: each keeps its owner', async () => {
    shop.human('a.py', 'typed one\ntyped two\n').ai('a.py', 'typed one\nagent between\ntyped two\n', 's1');
    shop.commit();
    shop.shell("sed -i 's/^/    /' a.py", 's2');
    shop.commit();
    expect(await shop.blame('a.py')).toBe('hah');
    expect((await shop.json('a.py')).lines[1]?.session).toBe('s1');
  });
});
