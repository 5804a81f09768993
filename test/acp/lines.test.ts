import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changeOf } from '../../src/acp/change.ts';
import { LineCutter } from '../../src/acp/lines.ts';

test('law: however the bytes come, the lines are the same', () => {
  const bytes = fc.uint8Array({ maxLength: 60 }).map((one) => Buffer.from(one.map((b) => (b % 5 === 0 ? 10 : b))));
  fc.assert(
    fc.property(bytes, fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 40 }), (whole, steps) => {
      const cutter = new LineCutter(1000);
      const lines: string[] = [];
      let at = 0;
      for (const step of [...steps, whole.length]) {
        for (const line of cutter.take(whole.subarray(at, at + step))) lines.push(line?.toString('hex') ?? '-');
        at += step;
      }
      const hex = whole.toString('latin1').split('\n').slice(0, -1);
      expect(lines).toEqual(hex.map((line) => Buffer.from(line, 'latin1').toString('hex')));
    }),
  );
});

test('a line that is too long is passed over, and the next one is seen', () => {
  const cutter = new LineCutter(4);
  expect(cutter.take(Buffer.from('12345\nok\n123')).map((line) => line?.toString())).toEqual([undefined, 'ok']);
  expect(cutter.take(Buffer.from('456\nend\n')).map((line) => line?.toString())).toEqual([undefined, 'end']);
});

test.each([
  ['the disk alone tells', 'a\n', 'a\nb\n', [], { kind: 'full', before: 'a\n', after: 'a\nb\n' }, false],
  ['all new lines were spoken of', 'a\n', 'a\nb\n', ['b\n'], { kind: 'full', before: 'a\n', after: 'a\nb\n' }, false],
  ['nothing changed', 'a\n', 'a\n', ['a\n'], undefined, false],
  [
    'a person typed too',
    'a\n',
    'a\nb\nmine\n',
    ['b\n'],
    { kind: 'replace', pairs: [{ old: '', new: 'b\n', all: false }] },
    true,
  ],
  ['nobody looked in time, all of it was spoken of', undefined, 'b\n', ['b\n'], { kind: 'write', after: 'b\n' }, false],
  [
    'nobody looked in time, a part was spoken of',
    undefined,
    'a\nb\n',
    ['b\n'],
    { kind: 'replace', pairs: [{ old: '', new: 'b\n', all: false }] },
    true,
  ],
  ['nobody looked in time, and what was spoken of is not there', undefined, 'a\n', ['b\n'], undefined, true],
  ['nobody looked in time, and there is no file', undefined, null, ['b\n'], undefined, false],
])('%s', (_, before, after, texts, change, rest) => {
  const stated = texts.map((text) => ({ path: '/repo/a', new: text }));
  expect(changeOf({ before, after, stated })).toEqual({ ...(change && { change }), rest });
});
