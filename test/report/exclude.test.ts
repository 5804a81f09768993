import { describe, expect, it } from 'vitest';
import { type ExcludeRules, parseGenerated, whyExcluded } from '../../src/report/exclude.ts';
import { parseGlob } from '../../src/report/glob.ts';

function rules(patterns: readonly string[], generated: Readonly<Record<string, boolean>> = {}): ExcludeRules {
  const globs = patterns.map(parseGlob).flatMap((parsed) => ('glob' in parsed ? [parsed.glob] : []));
  expect(globs).toHaveLength(patterns.length);
  return { patterns: globs, generated: new Map(Object.entries(generated)) };
}

describe('what is left out of counting', () => {
  it.each([
    ['package-lock.json', [], {}, 'lock file'],
    ['packages/x/yarn.lock', [], {}, 'lock file'],
    ['Cargo.lock', [], {}, 'lock file'],
    ['src/yarn.lock.ts', [], {}, undefined],
    ['my-Cargo.lock', [], {}, undefined],
    ['yarn.lock/a.ts', [], {}, undefined],
    ['src/a.ts', [], {}, undefined],
    ['src/a.ts', [], { 'src/a.ts': true }, 'generated'],
    ['src/a.ts', [], { 'src/a.ts': false }, undefined],
    ['go.sum', [], { 'go.sum': false }, undefined],
    ['go.sum', ['go.sum'], { 'go.sum': false }, 'policy'],
    ['go.sum', [], { 'go.sum': true }, 'generated'],
    ['dist/a.js', ['*.md', 'dist/**'], {}, 'policy'],
    ['dist/a.js', ['*.md', 'dist/**'], { 'dist/a.js': true }, 'policy'],
    ['"caf\\351/a.md"', ['*.md'], {}, 'policy'],
    ['"caf\\351/a.md"', ['caf?/*'], {}, 'policy'],
    ['"caf\\351/go.sum"', [], {}, 'lock file'],
  ] as const)('%s with %j and %j: %s', (path, patterns, generated, why) => {
    expect(whyExcluded(path, rules(patterns, generated))).toBe(why);
  });

  it.each([
    ['set', true],
    ['true', true],
    ['unset', false],
    ['false', false],
    ['unspecified', undefined],
  ])('linguist-generated: %s', (value, said) => expect(parseGenerated(value)).toBe(said));
});
