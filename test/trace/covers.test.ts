import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentHash } from '../../src/lines/hash.ts';
import type { Origin } from '../../src/lines/origin.ts';
import type { AttributedRange } from '../../src/trace/attribution.ts';
import { buildRecords } from '../../src/trace/build.ts';
import { compareStanding, coverOf, originsOf } from '../../src/trace/covers.ts';
import { hashVerdict } from '../../src/trace/hashes.ts';
import { input, lost, origins, typed, written } from './samples.ts';

const range = (start: number, end: number, more: Partial<AttributedRange> = {}): AttributedRange => ({
  path: 'a',
  start,
  end,
  origin: written,
  record: 'r',
  time: 0,
  ...more,
});

const ranges = fc.array(
  fc
    .tuple(fc.integer({ min: 1, max: 12 }), fc.nat(6), origins, fc.constantFrom('r1', 'r2'), fc.nat(1))
    .map(([start, length, origin, record, time]) => range(start, start + length, { origin, record, time })),
  { maxLength: 12 },
);

describe('coverOf', () => {
  it.each([
    [
      'stronger evidence',
      { origin: written, time: 1 },
      { origin: { ...written, evidence: 'replayed' as const }, time: 2 },
    ],
    ['any known type, before unknown', { origin: typed, time: 1 }, { origin: lost, time: 2 }],
    ['the later one', { time: 2, record: 'a' }, { time: 1, record: 'b' }],
    ['the greater id', { record: 'b' }, { record: 'a' }],
  ])('gives a line to %s', (_, better, worse) => {
    const [a, b] = [range(1, 5, better), range(3, 9, worse)];
    for (const order of [
      [a, b],
      [b, a],
    ]) {
      expect(coverOf(order).parts).toEqual([
        { start: 1, end: 5, by: a },
        { start: 6, end: 9, by: b },
      ]);
    }
  });

  it('lets a strong range cut a weak one in two, and leaves the rest uncovered', () => {
    const [weak, strong] = [range(2, 9, { origin: lost }), range(4, 5)];
    const cover = coverOf([weak, strong]);
    expect(cover.parts.map(({ start, end }) => [start, end])).toEqual([
      [2, 3],
      [4, 5],
      [6, 9],
    ]);
    expect([1, 3, 4, 6, 9, 10].map((line) => cover.at(line))).toEqual([undefined, weak, strong, weak, weak, undefined]);
  });

  it('does not count lines one by one', () => {
    const huge = range(1, Number.MAX_SAFE_INTEGER);
    expect(coverOf([huge]).at(2 ** 50)).toBe(huge);
    const many = Array.from({ length: 50_000 }, (_, i) => range(i + 1, 100_000 - i, { time: i }));
    expect(coverOf(many).at(50_000)?.time).toBe(49_999);
  });

  it('law: every line has the best of the ranges that hold it', () => {
    fc.assert(
      fc.property(ranges, (all) => {
        const cover = coverOf(all);
        for (let line = 0; line <= 20; line++) {
          const holding = all.filter(({ start, end }) => start <= line && line <= end).sort(compareStanding);
          const [best] = holding;
          const rivals = holding.filter(
            (one) => best && one.time === best.time && one.origin.evidence === best.origin.evidence,
          );
          const hands = new Set(rivals.map(({ origin }) => `${origin.type} ${origin.agent?.session}`));
          if (hands.size > 1 && best?.origin.evidence) expect(cover.at(line)?.origin.type).toBe('unknown');
          else expect(cover.at(line)).toEqual(best);
        }
      }),
    );
  });

  it('two records of the same strength and time that contradict each other: nobody knows', () => {
    const claim = (record: string, origin: Origin, start: number, end: number): AttributedRange => ({
      path: 'a',
      start,
      end,
      origin,
      record,
      time: 1,
    });
    const agent = { session: 's', event: 'e', tool: { name: 'x' } };
    const ai: Origin = { type: 'ai', evidence: 'observed', agent };
    const human: Origin = { type: 'human', evidence: 'observed' };
    for (const [a, b] of [
      ['1', '2'],
      ['2', '1'],
    ] as const) {
      const cover = coverOf([claim(a, ai, 1, 6), claim(b, human, 4, 9)]);
      const types = [1, 3, 4, 6, 7, 9].map((line) => cover.at(line)?.origin.type);
      expect(types).toEqual(['ai', 'ai', 'unknown', 'unknown', 'human', 'human']);
      expect(cover.at(5)?.origin.reason).toBe('two records contradict each other');
    }
  });

  it('law: the order of the ranges does not matter', () => {
    const shuffled = ranges.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    fc.assert(
      fc.property(shuffled, ([one, other]) => {
        expect(coverOf(other).parts).toEqual(coverOf(one).parts);
      }),
    );
  });
});

describe('originsOf', () => {
  it('leaves out records that another one replaces, and no others', () => {
    const runs = (origin = written) => [{ start: 1, lines: ['x'], origin }];
    const file = (origin = written) => [{ path: 'a', blob: 'b', runs: runs(origin) }];
    const old = buildRecords(input(file()));
    const better = buildRecords(input(file(lost), { supersedes: old.map((record) => record.id) }));
    expect(originsOf(old, 'a').at(1)?.origin).toEqual(written);
    for (const order of [
      [...old, ...better],
      [...better, ...old],
    ])
      expect(originsOf(order, 'a').at(1)?.origin).toEqual(lost);
    expect(originsOf([...old, ...better], 'b').parts).toEqual([]);
    const [first] = old;
    const selfish = { ...first, metadata: { 'dev.git-agent-blame': { schema: 1, supersedes: [first?.id] } } };
    expect(originsOf([selfish as (typeof old)[number]], 'a').at(1)?.origin.type).toBe('ai');
  });
});

describe('hashVerdict', () => {
  const lines = ['one', 'tw\xc3\xb6'];
  const sha = (text: string) => createHash('sha256').update(Buffer.from(text, 'latin1')).digest('hex');
  it.each([
    ['LF joined', contentHash(lines)],
    ['upper case', contentHash(lines).toUpperCase()],
    ['a final LF', contentHash([`${lines.join('\n')}\n`])],
    ['CR LF joined', contentHash([lines.join('\r\n')])],
    ['SHA-256', `sha256:${sha(lines.join('\n'))}`],
    ['SHA-256, 16 digits', `sha256:${sha(lines.join('\n')).slice(0, 16)}`],
    ['SHA-256 of the first line', `sha256:${sha('one')}`],
  ])('recognises %s', (_, hash) => {
    expect(hashVerdict(hash, lines)).toBe('match');
    expect(hashVerdict(hash, ['other', 'lines'])).toBe('silent');
  });

  it.each([
    undefined,
    '',
    'murmur3:',
    'murmur3:0123456789abcdef0123456789abcdef',
    'sha256:ab',
    'fnv1a:0000000000000000',
    'cafe',
  ])('says nothing about %j', (hash) => {
    expect(hashVerdict(hash, lines)).toBe('silent');
  });
});

describe('a record that has taken the id of another', () => {
  const fileBy = (origin: Origin) => ({ path: 'a', blob: 'b', runs: [{ start: 1, lines: ['one', 'two'], origin }] });
  const [genuine] = buildRecords(input([fileBy(typed)]));
  if (!genuine) throw new Error('no record');
  const claimed = buildRecords(input([fileBy(written)]));
  const impostor = { ...claimed[0], id: genuine.id } as typeof genuine;

  it('has no say, though its evidence is stronger, in whatever order they come', () => {
    for (const records of [
      [genuine, impostor],
      [impostor, genuine],
      [impostor, genuine, impostor],
    ])
      expect(originsOf(records, 'a').at(1)?.origin.type).toBe('human');
  });

  it('cannot replace it either', () => {
    const greedy = { ...impostor, metadata: { 'dev.git-agent-blame': { schema: 1, supersedes: [genuine.id] } } };
    expect(originsOf([greedy, genuine], 'a').at(1)?.origin.type).toBe('human');
  });

  it('counts where nobody can tell which is which: other tools choose ids as they like', () => {
    const other = { ...genuine, id: '11111111-1111-4111-8111-111111111111' };
    expect(originsOf([other, { ...impostor, id: other.id }], 'a').at(1)?.origin.type).toBe('ai');
  });
});
