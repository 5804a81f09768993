import fc from 'fast-check';
import { expect, test } from 'vitest';
import { alignRuns, placesOf } from '../../src/anchor/align.ts';
import type { SourceFile } from '../../src/anchor/source.ts';
import { targetFile } from '../../src/anchor/target.ts';
import { diffLines } from '../../src/lines/diff.ts';
import { lineHash } from '../../src/lines/hash.ts';
import { isInformative } from '../../src/lines/text.ts';

const human = { type: 'human', evidence: 'observed' } as const;

function source(lines: readonly string[]): SourceFile {
  const all = lines.map((text, i) => ({ line: i + 1, hash: lineHash(text), origin: human, record: 'r' }));
  return { path: 'a.ts', lines: all };
}

const aligned = (older: readonly string[], newer: readonly string[]) => {
  const target = targetFile({ path: 'a.ts', added: [{ start: 1, lines: newer }] });
  const from = source(older);
  return alignRuns(from, target, placesOf(target, [from])).map(({ pairs }) =>
    pairs.map(({ from, to }) => [from.line, to.line]),
  );
};

test('weak lines ride along with a line that says something, and stay away elsewhere', () => {
  expect(aligned(['alpha here', '}'], ['new one', '}', 'new two', 'alpha here', '}', 'new three'])).toEqual([
    [
      [1, 4],
      [2, 5],
    ],
  ]);
  expect(aligned(['}'], ['}'])).toEqual([]);
  expect(aligned(['alpha here'], [])).toEqual([]);
});

test('looking only at lines that both have finds what a look at all lines finds', () => {
  // lines that say something stand once on each side: those hold the rest in place
  const once = fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { maxLength: 12 });
  const text = once.chain((numbers) =>
    fc
      .array(fc.constantFrom('', '}', '  }'), { minLength: numbers.length, maxLength: numbers.length })
      .map((weak) => numbers.flatMap((n, i) => [`const line${n} = ${n};`, ...(weak[i] ? [weak[i]] : [])])),
  );
  fc.assert(
    fc.property(text, text, (older, newer) => {
      const pairs = diffLines(older, newer).flatMap((old, i) => (old < 0 ? [] : [[old + 1, i + 1] as const]));
      const said = pairs.filter(([, to]) => isInformative(newer[to - 1] ?? ''));
      const found = aligned(older, newer).flat();
      expect(found.filter(([, to = 0]) => isInformative(newer[to - 1] ?? ''))).toEqual(said);
      for (const [from, to] of found) expect(older[(from ?? 0) - 1]).toBe(newer[(to ?? 0) - 1]);
    }),
  );
});
