import { expect, test } from 'vitest';
import { believed } from '../../src/join/drops.ts';
import type { TimelineEdit } from '../../src/join/timeline.ts';

const BASE = ['base one', 'base two'];
const wrote = (at: number, before: string[], after: string[]): TimelineEdit => ({
  agent: { session: 's1', event: `e${at}`, tool: { name: 'claude-code' } },
  at,
  change: { kind: 'full', before, after },
});
const first = wrote(10, BASE, [...BASE, 'agent wrote this', '}']);
const drop = { at: 20, text: BASE, drops: true };

test.each<[string, readonly TimelineEdit[], string[], number]>([
  ['nothing of the agent’s is left', [first], [...BASE, 'person wrote that', '}'], 1],
  ['a line of the agent’s still stands', [first], ['person wrote that', 'agent wrote this'], 0],
  ['the agent had written nothing that is gone', [wrote(10, [], BASE)], ['base one'], 0],
  ['the agent wrote only later', [wrote(30, BASE, [...BASE, 'agent wrote this'])], BASE, 0],
  ['the next edit found the base again', [first, wrote(30, BASE, ['agent wrote this'])], ['agent wrote this'], 1],
  ['the next edit found the lines still there', [first, wrote(30, ['agent wrote this'], ['other'])], ['other'], 0],
  ['in the same second a person went on from the agent’s', [first], [...BASE, 'agent wrote this, too'], 0],
  ['a person changed a line that the agent had changed', [wrote(10, BASE, ['base one, two'])], ['base one, three'], 1],
])('lines may have been thrown away: %s', (_, edits, text, count) => {
  expect(believed({ placed: [drop], edits, text })).toHaveLength(count);
});

test('what git surely put there is always believed', () => {
  const sure = { at: 20, text: BASE };
  expect(believed({ placed: [sure, drop], edits: [], text: [] })).toEqual([sure]);
});

test('a line that was gone before the content was committed was not thrown away by git', () => {
  expect(believed({ placed: [{ ...drop, born: 15 }], edits: [first], text: [...BASE, 'person wrote that'] })).toEqual(
    [],
  );
});
