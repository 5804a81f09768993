import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutoffOf, isAtLeastAYear, parseRetention, printRetention } from '../../src/setup/retention.ts';

const before = (text: string, now: string) => {
  const retention = parseRetention(text);
  const cutoff = retention && cutoffOf(retention, Date.parse(now));
  return cutoff === undefined ? undefined : new Date(cutoff).toISOString().slice(0, 10);
};

test.each([
  ['12 months', '2026-11-17T00:00:00Z', '2025-11-17'],
  ['1 year', '2024-02-29T12:00:00Z', '2023-02-28'],
  ['1 month', '2026-03-31T00:00:00Z', '2026-02-28'],
  ['90 days', '2026-04-01T00:00:00Z', '2026-01-01'],
  ['2 Weeks', '2026-01-15T00:00:00Z', '2026-01-01'],
  ['18.months', '2026-01-15T00:00:00Z', '2024-07-15'],
  ['never', '2026-01-15T00:00:00Z', undefined],
])('%s before %s', (text, now, day) => expect(before(text, now)).toBe(day));

test.each([
  '',
  '0 days',
  '-1 years',
  '12',
  'months',
  'one year',
  '1e3 days',
  '1 year ago',
  '999999 days',
  'never ever',
])('%j is no period', (text) => expect(parseRetention(text)).toBeUndefined());

test.each([
  ['12 months', true],
  ['11 months', false],
  ['1 year', true],
  ['365 days', true],
  ['364 days', false],
  ['52 weeks', false],
  ['53 weeks', true],
  ['never', true],
])('%s are a year or more: %s', (text, isSo) => {
  const retention = parseRetention(text);
  expect(retention && isAtLeastAYear(retention)).toBe(isSo);
});

test('law: what is printed is read again, and a longer period never removes more', () => {
  const unit = fc.constantFrom('day' as const, 'week' as const, 'month' as const, 'year' as const);
  const now = fc.integer({ min: Date.UTC(2001, 0), max: Date.UTC(2100, 0) });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5000 }), unit, now, (count, one, at) => {
      const [retention, longer] = [
        { count, unit: one },
        { count: count + 1, unit: one },
      ];
      expect(parseRetention(printRetention(retention))).toEqual(retention);
      expect(cutoffOf(longer, at)).toBeLessThanOrEqual(cutoffOf(retention, at) ?? 0);
      expect(cutoffOf(retention, at)).toBeLessThan(at);
    }),
  );
});
