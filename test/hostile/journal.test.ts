import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { JOURNAL_START, readJournal, steady } from '../../src/sessions/journal.ts';
import { readState } from '../../src/sessions/state.ts';
import type { Store } from '../../src/sessions/store.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder } from '../support/repository.ts';
import { JUNK, junk } from './junk.ts';

let agent: string;
beforeEach(() => {
  agent = makeFolder('store');
});
afterEach(() => removeFolder(agent));

test.each(JUNK)('a journal with %s loses no fact around it', (_, bytes) => {
  const commit = (digit: string) => `{"fact":"commit","at":1,"commit":"${digit.repeat(40)}","worktree":""}\n`;
  const whole = Buffer.concat([bytes, commit('1'), bytes, commit('2')].map((part) => Buffer.from(part)));
  fs.writeFileSync(path.join(agent, 'journal'), whole);
  const { facts, journal } = readJournal({ dir: agent, format: 'sha1' }, JOURNAL_START, Date.now());
  expect(journal).toBe(whole.length);
  const ids = facts.flatMap((fact) =>
    fact.fact === 'commit' && /^([12])\1+$/.test(fact.commit) ? [fact.commit[0]] : [],
  );
  expect(ids).toEqual(['1', '2']);
});

test.each<[string, string | Buffer]>([
  ['nothing', ''],
  ['junk', junk],
  ['another value', '[]'],
  ['half of itself', '{"journal":5,"trans'],
  ['a journal longer than there is', '{"journal":99999999,"tips":{}}'],
  ['a journal below zero', '{"journal":-5}'],
  ['half a byte', '{"journal":1.5}'],
  ['tables of other kinds', '{"journal":0,"transcripts":7,"tips":"x","failures":[],"skipped":null}'],
  [
    'other values in tables',
    '{"journal":0,"transcripts":{"a":null},"tips":{"a":7},"failures":{"a":"b"},"skipped":{"a":{}}}',
  ],
  ['prototype keys', '{"journal":0,"__proto__":{"tips":{}},"tips":{"__proto__":"x"}}'],
])('state.json that holds %s: everything is worked in again', (_, text) => {
  fs.writeFileSync(path.join(agent, 'state.json'), text);
  fs.writeFileSync(path.join(agent, 'journal'), `{"fact":"commit","at":1,"commit":"${'1'.repeat(40)}"}\n`);
  const store: Store = { dir: agent, format: 'sha1' };
  const state = readState(store);
  expect(readJournal(store, state, Date.now()).facts).toHaveLength(1);
  const values = [state.transcripts, state.tips, state.failures, state.skipped].flatMap(Object.values);
  expect(values.filter((value) => value !== 'x')).toEqual([]);
});

test.each([
  ['in order', [10, 20, 30], [10, 20, 30]],
  ['a slow hook', [200_000, 100_000, 300_000], [200_000, 100_000, 300_000]],
  ['an hour back', [7_200_000, 3_600_000, 3_700_000, 7_300_000], [7_200_000, 7_200_000, 7_200_000, 7_300_000]],
  ['years ahead for a moment', [1_000_000, 9e14, 1_000_500], [1_000_000, 9e14, 1_000_500]],
])('times of facts: %s', (_, told, expected) => {
  const facts = told.map((at, seq) => ({ fact: 'payload' as const, at, seq, agent: 'a', file: 'f', tree: 't' }));
  const steadied = steady(facts, 0, 10_000_000);
  expect(steadied.facts.map(({ at }) => at)).toEqual(expected);
  expect(steadied.latest).toBe(Math.max(...expected.filter((at) => at < 1e9)));
});

test.each([
  ['at the same time as another', [200_000, 199_500], [200_000, 199_500]],
  ['three seconds back', [200_000, 197_000, 198_000], [200_000, 200_000, 200_000]],
])('times of facts without a snapshot: %s', (_, told, expected) => {
  const facts = told.map((at, seq) => ({ fact: 'commit' as const, at, seq, commit: 'c' }));
  expect(steady(facts, 0, 10_000_000).facts.map(({ at }) => at)).toEqual(expected);
});

test.each([
  ['that took as long as it is back', [200_000, 195_000], 5000, [200_000, 195_000]],
  [
    'and the clock was set back by more than that',
    [200_000, 195_000, 195_100, 199_500],
    40,
    [200_000, 200_000, 200_000, 200_000],
  ],
  ['and the clock was set back by less than a second', [200_000, 199_600], 40, [200_000, 200_000]],
])('times of facts with a snapshot %s', (_, [first = 0, ...rest], took, expected) => {
  const facts = [
    { fact: 'commit' as const, at: first, seq: 0, commit: 'c' },
    ...rest.map((at, i) => ({ fact: 'payload' as const, at, seq: i + 1, agent: 'a', file: 'f', tree: 't', took })),
  ];
  expect(steady(facts, 0, 10_000_000).facts.map(({ at }) => at)).toEqual(expected);
});

test('where the clock was set back, what follows keeps its order until it is where it was', () => {
  const payload = { fact: 'payload' as const, agent: 'a', file: 'f' };
  const commit = { fact: 'commit' as const, commit: '1'.repeat(40) };
  const facts = [
    { ...commit, at: 200_000, seq: 0 },
    { ...payload, at: 198_000, seq: 1 },
    { ...commit, at: 199_200, seq: 2 },
    { ...payload, at: 200_001, seq: 3 },
  ];
  expect(steady(facts, 0, 10_000_000).facts.map(({ at }) => at)).toEqual([200_000, 200_000, 200_000, 200_001]);
});

test('where the clock knows seconds only, the place in the journal decides within one', () => {
  const payload = { fact: 'payload' as const, agent: 'a', file: 'f' };
  const commit = { fact: 'commit' as const, commit: '1'.repeat(40) };
  const facts = [
    { ...payload, at: 5000, seq: 0 },
    { ...commit, at: 5999, seq: 1 },
    { ...payload, at: 5000, seq: 2, tree: 't' },
    { ...payload, at: 6000, seq: 3 },
  ];
  expect(steady(facts, 0, 10_000_000).facts.map(({ at }) => at)).toEqual([5000, 5999, 5999, 6000]);
  // the commit was read before
  expect(steady(facts.slice(2), 5999, 10_000_000).facts.map(({ at }) => at)).toEqual([5999, 6000]);
});
