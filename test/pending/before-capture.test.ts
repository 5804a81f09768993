import { expect, test } from 'vitest';
import { openWorkshop } from '../support/workshop.ts';

test('a command that ran before capture began, perhaps in another clone at the same place, casts no doubt on what a person types then', async () => {
  const shop = await openWorkshop({ agents: false });
  try {
    shop.human('a.ts', 'person one\n').commit('before');
    shop.tell('s1', 'toolu_9001', 'Bash', { command: 'make everything' });
    shop.tellResult('s1', 'toolu_9001', { stdout: '', stderr: '', interrupted: false });
    await new Promise((done) => setTimeout(done, 1100)); // git's clock knows seconds
    await shop.init();
    shop.human('a.ts', 'person one\nperson two\n').commit('after');
    expect((await shop.blame('a.ts')).at(-1)).toBe('h');
  } finally {
    shop.remove();
  }
});
