import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeSegments, startGathering } from '../../src/anchor/gather.ts';
import { changeKey, type NoteKeys } from '../../src/anchor/keys.ts';
import { decodeSegment, type Kind, MAX_FOUND, type Segment } from '../../src/anchor/segment.ts';
import { lineHash, splitHashes } from '../../src/lines/hash.ts';

const commit = (n: number) => createHash('sha1').update(`${n}`).digest('hex');
const patch = (n: number) => createHash('sha256').update(`${n}`).digest('hex').slice(0, 16);

const note = (n: number, more: Partial<NoteKeys> = {}): NoteKeys => ({
  commit: commit(n),
  hashes: lineHash(`line ${n}`) + lineHash('}'),
  patches: [patch(n)],
  changes: [`change ${n}`],
  time: 1000 + n,
  ...more,
});

function open(bytes: Buffer): Segment {
  const segment = decodeSegment(bytes);
  if (!segment) throw new Error('broken');
  return segment;
}
function encodeSegment(notes: readonly NoteKeys[], idBytes: number): Buffer {
  const gathering = startGathering(idBytes);
  for (const one of notes) gathering.add(one);
  return gathering.encode();
}
const build = (notes: readonly NoteKeys[]) => open(encodeSegment(notes, 20));
const merge = (...segments: Segment[]) => open(mergeSegments(segments, 20));

function commitsIn(segment: Segment, kind: Kind, key: Buffer) {
  const { notes, many } = segment.find(kind, key);
  return { commits: notes.map(segment.commitAt), many };
}
const byLine = (segment: Segment, hash: string) => commitsIn(segment, 'lines', Buffer.from(hash, 'base64url'));

describe('a segment', () => {
  it('finds notes by line, patch and change', () => {
    const segment = build([1, 2, 3].map((n) => note(n)));
    expect(byLine(segment, lineHash('line 2'))).toEqual({ commits: [commit(2)], many: false });
    expect(byLine(segment, lineHash('}'))).toEqual({ commits: [1, 2, 3].map(commit).sort(), many: false });
    expect(byLine(segment, lineHash('other'))).toEqual({ commits: [], many: false });
    expect(commitsIn(segment, 'patches', Buffer.from(patch(3), 'hex')).commits).toEqual([commit(3)]);
    expect(commitsIn(segment, 'changes', changeKey('change 1')).commits).toEqual([commit(1)]);
    expect(commitsIn(segment, 'changes', changeKey('change 9')).commits).toEqual([]);
    expect([segment.notes, segment.since]).toEqual([3, 1001]);
  });

  it('takes the key from where it is told', () => {
    const keys = Buffer.from(['x', 'line 2', 'line 1'].map(lineHash).join(''), 'base64url');
    const segment = build([note(1), note(2)]);
    const found = [0, 6, 12].map((at) => segment.find('lines', keys, at).notes.map(segment.commitAt));
    expect(found).toEqual([[], [commit(2)], [commit(1)]]);
  });

  it('keeps some of the notes that all have one line, always the same ones, and says so', () => {
    const of = (count: number) => byLine(build(Array.from({ length: count }, (_, n) => note(n))), lineHash('}'));
    const first = (count: number) =>
      Array.from({ length: count }, (_, n) => commit(n))
        .sort()
        .slice(0, MAX_FOUND);
    for (const count of [63, 64]) expect(of(count)).toEqual({ commits: first(count), many: false });
    for (const count of [65, 66, 500]) expect(of(count)).toEqual({ commits: first(count), many: true });
    const size = (count: number) => build(Array.from({ length: count }, (_, n) => note(n))).bytes.length / count;
    expect(size(2000)).toBeLessThan(28 + 10 + 12 + 12 + 1);
  });

  it('of many notes, which are sorted by digits, is what those of a few at a time become', () => {
    const many = Array.from({ length: 3000 }, (_, n) => note((n * 7) % 2500, { patches: [patch(n % 40)] }));
    const parts = Array.from({ length: 6 }, (_, n) => build(many.slice(n * 500, (n + 1) * 500)));
    expect(build(many).bytes.equals(merge(...parts).bytes)).toBe(true);
  });

  it('leaves out notes that say nothing', () => {
    const silent = note(1, { hashes: '', patches: [], changes: [], time: undefined });
    expect(build([silent]).notes).toBe(0);
    expect(build([silent, note(2)]).bytes).toEqual(build([note(2)]).bytes);
    expect(build([]).since).toBe(Number.POSITIVE_INFINITY);
  });

  it('has ids of SHA-256 repositories too, and does not mix the two', () => {
    const long = 'ab'.repeat(32);
    const segment = open(encodeSegment([note(1, { commit: long })], 32));
    expect(byLine(segment, lineHash('}')).commits).toEqual([long]);
    expect(() => mergeSegments([segment, build([note(1)])], 32)).toThrow(/two kinds/);
    expect(() => encodeSegment([note(1, { commit: 'not hex'.padEnd(40, '!') })], 20)).toThrow(/no id/);
  });
});

describe('what is broken is no segment', () => {
  const { bytes } = build([1, 2, 3].map((n) => note(n)));

  it('cut off anywhere, or longer', () => {
    for (let length = 0; length < bytes.length; length++)
      expect(decodeSegment(bytes.subarray(0, length))).toBeUndefined();
    expect(decodeSegment(Buffer.concat([bytes, Buffer.alloc(1)]))).toBeUndefined();
  });

  it('any byte altered', () => {
    for (let at = 0; at < bytes.length; at++) {
      const altered = Buffer.from(bytes);
      altered[at] = (altered[at] ?? 0) ^ (1 << (at % 8));
      expect(decodeSegment(altered), `byte ${at}`).toBeUndefined();
    }
  });

  it('any bytes at all', () => {
    const header = bytes.subarray(0, 36);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (garbage, headed) => {
        expect(decodeSegment(Buffer.concat([headed ? header : Buffer.alloc(0), garbage]))).toBeUndefined();
      }),
    );
  });
});

describe('laws', () => {
  const words = fc.constantFrom('}', '', 'a', 'b', 'c', 'd');
  const keyed = fc.record({ n: fc.nat(90), lines: fc.array(words, { maxLength: 4 }), p: fc.nat(5), time: fc.nat(9) });
  const notes = fc.array(
    keyed.map(({ n, lines, p, time }) => note(n, { hashes: lines.map(lineHash).join(''), patches: [patch(p)], time })),
    { maxLength: 150 },
  );
  const all = ['}', '', 'a', 'b', 'c', 'd', 'none'].map(lineHash);

  it('finds what a plain search finds', () => {
    fc.assert(
      fc.property(notes, (some) => {
        for (const hash of all) {
          const having = some.filter(({ hashes }) => splitHashes(hashes).includes(hash)).map((one) => one.commit);
          const commits = [...new Set(having)].sort();
          expect(byLine(build(some), hash)).toEqual({ commits: commits.slice(0, 64), many: commits.length > 64 });
        }
      }),
    );
  });

  it('the order of the notes does not matter', () => {
    const shuffled = notes.chain((some) =>
      fc.tuple(fc.constant(some), fc.shuffledSubarray(some, { minLength: some.length })),
    );
    fc.assert(
      fc.property(shuffled, ([a, b]) => {
        expect(build(a).bytes.equals(build(b).bytes)).toBe(true);
      }),
    );
  });

  it('what was gathered before leaves nothing behind', () => {
    fc.assert(
      fc.property(notes, notes, (a, b) => {
        const gathering = startGathering(20);
        const encode = (some: readonly NoteKeys[]) => {
          for (const one of some) gathering.add(one);
          const size = gathering.size();
          const bytes = Buffer.from(gathering.encode());
          expect(bytes.length).toBeLessThanOrEqual(size + 36 + 32);
          return bytes;
        };
        expect([encode(a), encode(b), encode(a)]).toEqual([build(a).bytes, build(b).bytes, build(a).bytes]);
      }),
    );
  });

  it('merging is commutative, associative, idempotent, and the same as building from all', () => {
    fc.assert(
      fc.property(notes, notes, notes, (a, b, c) => {
        const [x, y, z] = [build(a), build(b), build(c)];
        const whole = build([...a, ...b, ...c]).bytes;
        const merged = [
          merge(x, y, z),
          merge(z, x, y),
          merge(merge(x, y), z),
          merge(x, merge(y, z)),
          merge(x, y, z, y),
        ];
        for (const one of merged) expect(one.bytes.equals(whole)).toBe(true);
        expect(merge(x).bytes.equals(x.bytes)).toBe(true);
      }),
    );
  });
});
