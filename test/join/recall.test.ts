import { expect, test } from 'vitest';
import { Pool } from '../../src/join/pool.ts';
import { recall } from '../../src/join/recall.ts';
import { play } from '../../src/join/timeline.ts';
import { unknown } from '../../src/lines/origin.ts';

test('what a command says beside what it copies is remembered when the file has been clean since', () => {
  const before = ['typed by a person one {', '}', 'typed by a person two'];
  const fresh = ['written by the agent one {', '}', '', 'written by the agent two'];
  const after = [...before.slice(0, 2), ...fresh, ...before.slice(2)];
  const command = `{ head -n 2 f.ts\ncat <<'END'\n${fresh.join('\n')}\nEND\ntail -n +3 f.ts\n} > f.new && mv f.new f.ts`;
  const agent = { session: 's1', event: 'e1', tool: { name: 'claude-code' } };
  const pool = new Pool();
  const edit = { agent, at: 2, change: { kind: 'full' as const, before, after }, shell: { command, from: 1 } };
  recall(new Set(before), edit, { pool, path: 'f.ts', doubted: true });
  const found = pool.find(after, new Set([2, 3, 4, 5]), { origin: unknown('git put it there'), gap: true });
  expect([...found].map(([i, { type }]) => [i, type]).sort()).toEqual([2, 3, 4, 5].map((i) => [i, 'ai']));
});

test.each([
  ['npm test', true],
  ['node make.mjs', false],
])('what changed while %s ran is no agent’s to come back later: %s', (command, doubted) => {
  const [base, typed] = [['a line of the base'], ['a person typed this one', 'a person typed that one']];
  const agent = { session: 's1', event: 'e1', tool: { name: 'claude-code' } };
  const change = { kind: 'full' as const, before: base, after: [...base, ...typed] };
  const settled = [{ agent, at: 2, change, shell: { command, from: 1 } }];
  const context = { path: 'f.ts', baseTime: 5, captureSince: 0, shellSeconds: 10, commands: [], settled };
  expect(play(base, [], context).pool.empty).toBe(doubted);
});

test('what an edit only moved within the file is not remembered as its own', () => {
  const typed = ['typed by a person one {', '  }', 'typed by a person two', '}'];
  const rest = ['the rest of the file one', 'the rest of the file two', 'the rest of the file three'];
  const own = 'written by the agent';
  const agent = { session: 's1', event: 'e1', tool: { name: 'claude-code' } };
  const change = { kind: 'full' as const, before: [...rest, ...typed], after: [own, ...typed, ...rest] };
  const pool = new Pool();
  recall(new Set(), { agent, at: 2, change }, { pool, path: 'f.ts', doubted: false, undone: true });
  const found = pool.find([own, ...typed], new Set([0, 1, 2, 3, 4]), { origin: unknown('gone'), gap: true });
  expect([...found.keys()]).toEqual([0]);
});
