import { expect, test } from 'vitest';
import { type KeptCommit, MAX_ENTRY, parseEntry, printEntry } from '../../src/kept/entry.ts';
import type { Origin } from '../../src/lines/origin.ts';
import type { ToldLines } from '../../src/report/lines.ts';
import type { Run } from '../../src/report/run.ts';
import fc, { anyCharacter } from '../support/laws.ts';

const ID = 'a'.repeat(40);
const text = fc.string({ unit: anyCharacter, maxLength: 12 });
const maybe = <K extends string, T>(key: K, value: fc.Arbitrary<T>) =>
  fc.option(value, { nil: undefined }).map((one) => (one === undefined ? {} : { [key]: one }) as { [P in K]?: T });
const both = <A extends object, B extends object>(a: fc.Arbitrary<A>, b: fc.Arbitrary<B>) =>
  fc.tuple(a, b).map(([one, other]) => ({ ...one, ...other }));

const tool = both(fc.record({ name: text }), maybe('version', text));
const agent = both(fc.record({ session: text, event: fc.constantFrom('', 'e'), tool }), maybe('model', text));
const origin: fc.Arbitrary<Origin> = fc
  .tuple(
    fc.record({ type: fc.constantFrom('ai', 'human', 'mixed', 'unknown') }),
    maybe('evidence', fc.constantFrom('observed', 'replayed', 'matched', 'declared', 'absent')),
    maybe('agent', agent),
    maybe('reason', text),
  )
  .map(([...parts]) => Object.assign({}, ...parts));
const said = fc
  .tuple(fc.record({ origin }), maybe('trace', fc.constantFrom('', 't')), maybe('conversation', text))
  .map(([...parts]): Pick<Run, 'origin' | 'trace' | 'conversation'> => Object.assign({}, ...parts));

/** A range of lines as the ends of its runs, each with one of a few hands. */
const range = fc.record({
  gap: fc.nat(3),
  cuts: fc.array(fc.tuple(fc.nat(4), fc.nat(3)), { minLength: 1, maxLength: 4 }),
});
const file = fc.record({
  path: text,
  mode: fc.constantFrom('100644', '100755', '120000', '160000', '000000'),
  before: fc.tuple(maybe('oldPath', text), maybe('otherPaths', fc.array(text, { maxLength: 2 }))),
  ranges: fc.array(range, { maxLength: 3 }),
});
const commit = fc.record({
  author: text,
  mail: text,
  time: fc.integer(),
  subject: text,
  recorded: fc.boolean(),
});
const kept = fc
  .record({
    files: fc.array(file, { maxLength: 4 }),
    told: fc.boolean(),
    about: commit,
    notes: fc.array(text, { maxLength: 2 }),
    hands: fc.array(said, { minLength: 4, maxLength: 4 }),
  })
  .map(({ files, told, about, notes, hands }): KeptCommit => {
    const lines: ToldLines[] = [];
    const changed = files.map(({ path, mode, before, ranges }) => {
      let last = 0;
      const added = ranges.map(({ gap, cuts }) => {
        const start = last + gap + 1;
        const runs: Run[] = [];
        last = start - 1;
        for (const [more, hand] of cuts) {
          const { origin, ...rest } = hands[hand] ?? { origin: { type: 'unknown' } };
          const [first, end] = [last + 1, last + 1 + more];
          runs.push({ commit: ID, path, start: first, end, origin, via: 'note', ...rest });
          last = end;
        }
        const written = { commit: ID, file: path, start, end: last };
        if (mode.startsWith('100')) lines.push({ lines: written, runs });
        return { start, end: last };
      });
      return { path, newMode: mode, binary: false, added, ...before[0], ...before[1] };
    });
    const entry = { id: ID, files: changed };
    return told ? { ...entry, told: { notes, commit: { id: ID, ...about }, lines } } : entry;
  });

test('what is parsed is what was printed', () => {
  fc.assert(
    fc.property(kept, (one) => {
      expect(parseEntry(ID, printEntry(one))).toEqual(one);
    }),
  );
});

test('each hand is said once', () => {
  const run = (start: number, who: Origin) =>
    ({ commit: ID, path: 'a', start, end: start, origin: { ...who }, via: 'note', trace: 't' }) as const;
  const [ai, person]: Origin[] = [
    { type: 'ai', evidence: 'observed', agent: { session: 's', event: 'e', tool: { name: 'x' } } },
    { type: 'human', evidence: 'absent' },
  ];
  const runs = [1, 2, 3, 4].map((line) => run(line, (line % 2 ? ai : person) as Origin));
  const lines = [{ lines: { commit: ID, file: 'a', start: 1, end: 4 }, runs }];
  const about = { id: ID, author: '', mail: '', time: 0, subject: '', recorded: true };
  const files = [{ path: 'a', newMode: '100644', binary: false, added: [{ start: 1, end: 4 }] }];
  const printed = printEntry({ id: ID, files, told: { notes: [], commit: about, lines } });
  expect(printed.match(/"type"/g)).toHaveLength(2);
});

const FILE = '["a","100644",[[1,2,0]]]';
const ABOUT = '["n","m",1,"s",true]';
const SAID = '[{"type":"human"},"t",null]';

test.each([
  ['nothing', ''],
  ['no JSON', '[[]'],
  ['no list', '{"a":1}'],
  ['no files', '[1]'],
  ['an empty list', '[]'],
  ['too long', `[["${'a'.repeat(MAX_ENTRY)}"]]`],
  ['too deep', '['.repeat(300) + ']'.repeat(300)],
  ['a file that is none', '[[1]]'],
  ['a path that is none', '[[[1,"100644",[]]]]'],
  ['a mode that is none', '[[["a",null,[]]]]'],
  ['ranges that are none', '[[["a","100644",1]]]'],
  ['a range that is none', '[[["a","100644",["12"]]]]'],
  ['a range of one number', '[[["a","100644",[[1]]]]]'],
  ['a range of three numbers, where nothing is told', '[[["a","100644",[[1,2,0]]]]]'],
  ['a range that ends before it begins', '[[["a","100644",[[2,1]]]]]'],
  ['a range that begins at nothing', '[[["a","100644",[[0,1]]]]]'],
  ['a range of parts of lines', '[[["a","100644",[[1,1.5]]]]]'],
  ['a former path that is none', '[[["a","100644",[],1]]]'],
  ['other paths that are none', '[[["a","100644",[],null,[1]]]]'],
  ['notes that are none', `[[${FILE}],[1],${ABOUT},[${SAID}]]`],
  ['a commit that is none', `[[${FILE}],[],1,[${SAID}]]`],
  ['a commit without a time', `[[${FILE}],[],["n","m",null,"s",true],[${SAID}]]`],
  ['a commit without a name', `[[${FILE}],[],[0,"m",1,"s",true],[${SAID}]]`],
  ['a commit that may be recorded', `[[${FILE}],[],["n","m",1,"s",1],[${SAID}]]`],
  ['no table', `[[${FILE}],[],${ABOUT}]`],
  ['a place that is not in the table', `[[["a","100644",[[1,2,1]]]],[],${ABOUT},[${SAID}]]`],
  ['a place that is no number', `[[["a","100644",[[1,2,"length"]]]],[],${ABOUT},[${SAID}]]`],
  ['a run that ends before it begins', `[[["a","100644",[[1,3,0,2,0,4,0]]]],[],${ABOUT},[${SAID}]]`],
  ['a run that ends nowhere', `[[["a","100644",[[1,null,0,2,0]]]],[],${ABOUT},[${SAID}]]`],
  ['a range that nothing is told of', `[[["a","100644",[[1,2]]]],[],${ABOUT},[${SAID}]]`],
  ['an origin that is none', `[[${FILE}],[],${ABOUT},[["human","t",null]]]`],
  ['an origin of no kind', `[[${FILE}],[],${ABOUT},[[{"type":"toString"},"t",null]]]`],
  ['an evidence that is none', `[[${FILE}],[],${ABOUT},[[{"type":"ai","evidence":"sworn"},"t",null]]]`],
  ['a reason that is none', `[[${FILE}],[],${ABOUT},[[{"type":"unknown","reason":1},"t",null]]]`],
  ['an agent without a tool', `[[${FILE}],[],${ABOUT},[[{"type":"ai","agent":{"session":"","event":""}},"t",null]]]`],
  [
    'an agent without a session',
    `[[${FILE}],[],${ABOUT},[[{"type":"ai","agent":{"event":"","tool":{"name":""}}},"t",null]]]`,
  ],
  ['a trace that is none', `[[${FILE}],[],${ABOUT},[[{"type":"human"},1,null]]]`],
  ['a conversation that is none', `[[${FILE}],[],${ABOUT},[[{"type":"human"},"t",{}]]]`],
])('%s is no entry', (_, entry) => {
  expect(parseEntry(ID, entry)).toBeUndefined();
});

test('what these are made of is one', () => {
  expect(parseEntry(ID, `[[${FILE}],["b"],${ABOUT},[${SAID}]]`)?.told?.lines[0]?.runs).toHaveLength(1);
  expect(parseEntry(ID, '[[["a","100644",[[1,2]]]]]')?.files).toHaveLength(1);
});
