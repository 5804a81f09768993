import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault } from '../../src/fault.ts';
import { compilePattern } from '../../src/vac/cddl/pattern.ts';
import { vacGrammar } from '../../src/vac/validate.ts';

function sourceOf(name: string): string {
  const rule = vacGrammar().rules.get(name);
  return rule?.kind === 'literal' ? String(rule.value) : '';
}

const dateTime = sourceOf('date-time-regexp');
const uri = sourceOf('uri-regexp');

/** What JavaScript makes of it; the two dots are not the same. */
const native = (source: string) => new RegExp(`^(?:${source.replaceAll('(.*)', '([^\\n\\r]*)')})$`, 'u');

describe('compilePattern', () => {
  it.each([
    ['', '', true],
    ['', 'a', false],
    ['a|b', 'b', true],
    ['a|b', 'ab', false],
    ['(ab)*c', 'ababc', true],
    ['(a*)*b', 'aaab', true],
    ['a{3}', 'aaa', true],
    ['a{3}', 'aa', false],
    ['[^a-c.]+', 'xyz', true],
    ['[^a-c.]+', 'x.z', false],
    ['[+-]', '-', true],
    ['.', '\u{1f600}', true],
    ['.', '\n', false],
    ['\\?\\.', '?.', true],
  ])('%s on %j', (source, text, expected) => expect(compilePattern(source).test(text)).toBe(expected));

  it.each(['(a', 'a)', '[a', '^a', 'a$', '\\d', 'a{1,2}', '*'])('refuses %s', (source) => {
    expect(() => compilePattern(source)).toThrow(Fault);
  });

  it('law: says what JavaScript says of the patterns of the draft', () => {
    const texts = fc.oneof(
      fc.string({
        unit: fc.constantFrom(
          '0',
          '1',
          '2',
          '9',
          '-',
          ':',
          'T',
          'Z',
          '.',
          '+',
          '/',
          '?',
          '#',
          '\n',
          'a',
          'é',
          '\r',
          '\u2028',
          '\u{1f600}',
          '\ud800',
        ),
      }),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    );
    const pairs = [dateTime, uri].map((source) => [compilePattern(source), native(source)] as const);
    fc.assert(
      fc.property(texts, (text) => {
        for (const [ours, theirs] of pairs) expect(ours.test(text)).toBe(theirs.test(text));
      }),
      { numRuns: 400 },
    );
  });

  it('takes time in proportion to the text, where going back would take its square', () => {
    const hostile = `//${'a'.repeat(300_000)}#${'b'.repeat(300_000)}\n`;
    expect(compilePattern(uri).test(hostile)).toBe(false);
    expect(compilePattern(uri).test('é'.repeat(100_000))).toBe(true);
  }, 10_000);
});
