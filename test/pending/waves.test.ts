import { expect, test } from 'vitest';
import { wavesOf } from '../../src/pending/rewritten.ts';

/** `after` by commit; those in capitals are new. */
function waves(after: Readonly<Record<string, readonly string[]>>): string {
  const order = wavesOf(Object.keys(after), {
    after: (id) => after[id] ?? [],
    isNew: (id) => id === id.toUpperCase(),
  });
  return order.map((wave) => wave.join('')).join(' ');
}

test.each([
  ['new ones first, then what is made of others', { a: ['N'], N: [] }, 'N a'],
  ['each after what it stems from', { c: ['b'], b: ['a'], a: [] }, 'a b c'],
  ['what nothing is told of waits until no other can go', { s: [], N: [], r: ['N'] }, 'N r s'],
  // made by plumbing of a new commit that stands on another one made by plumbing, all found at once
  ['of those first what others wait for', { q: [], p: [], N: ['p'] }, 'p N q'],
  ['a circle of undo and redo: all at once', { a: ['b'], b: ['a'] }, 'ab'],
])('%s', (_, after, expected) => {
  expect(waves(after)).toBe(expected);
});
