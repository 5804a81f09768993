import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ParsedGlob, parseGlob, parseNamePattern } from '../../src/report/glob.ts';

function matcher(parsed: ParsedGlob): (text: string) => boolean {
  if (!('glob' in parsed)) throw new Error(`${parsed.problem} at ${parsed.column}`);
  return parsed.glob.matches;
}

const matches = (pattern: string, text: string) => matcher(parseGlob(pattern))(text);
const matchesName = (pattern: string, text: string) => matcher(parseNamePattern(pattern))(text);

describe('patterns for paths', () => {
  it.each<[pattern: string, yes: string[], no: string[]]>([
    ['*.md', ['a.md', 'docs/a.md', 'docs/deep/.md'], ['a.mdx', 'md', 'a.md5/b']],
    ['**/*.lock', ['a.lock', 'x/a.lock', 'x/y/a.lock'], ['a.lock2', 'lock']],
    ['dist/**', ['dist/a', 'dist/x/y.js'], ['dist', 'packages/x/dist/a', 'dist2/a']],
    ['dist', ['dist', 'dist/a', 'packages/x/dist/a'], ['dist2/a', 'a/dista']],
    ['dist/', ['dist/a', 'x/dist/a'], ['dist', 'x/dist']],
    ['/dist', ['dist', 'dist/a/b'], ['x/dist']],
    ['/*.md', ['a.md'], ['x/a.md']],
    ['docs/*', ['docs/a'], ['docs/a/b', 'x/docs/a']],
    ['src/*.ts', ['src/a.ts', 'src/.ts'], ['src/a/b.ts', 'src/a.tsx']],
    ['src/**/test', ['src/test', 'src/a/test', 'src/a/b/test/c'], ['src/atest', 'test']],
    ['**', ['a', 'a/b'], []],
    ['a**b', ['ab', 'axb', 'x/ab'], ['a/b']],
    ['?.ts', ['a.ts', 'x/ü.ts', '😀.ts'], ['.ts', 'ab.ts', '/.ts']],
    ['[abc].ts', ['a.ts'], ['d.ts', 'ab.ts']],
    ['[!a-c].ts', ['d.ts', 'é.ts'], ['a.ts', 'b.ts', '/.ts']],
    ['[^a-c].ts', ['d.ts'], ['a.ts']],
    ['[]-]x', [']x', '-x'], ['ax']],
    ['[a\\]]x', [']x', 'ax'], ['\\x']],
    ['*.{js,ts}', ['a.js', 'x/a.ts'], ['a.{js,ts}', 'a.css']],
    ['{src,lib}/**/*.{a,b{c,d}}', ['src/x.a', 'lib/y/x.bd'], ['src/x.b', 'other/x.a']],
    ['{a,}b', ['ab', 'b'], ['cb']],
    ['{docs/**,*.md}', ['docs/a/b', 'a.md'], ['docs', 'x/a.md']],
    ['\\*.md', ['*.md'], ['a.md']],
    ['\\!a', ['!a'], ['a']],
    ['a}b]c,d', ['a}b]c,d'], ['abcd']],
    ['A.md', ['A.md'], ['a.md']],
    ['.*', ['.env', 'x/.git/y'], ['env']],
  ])('%s', (pattern, yes, no) => {
    expect(yes.filter((one) => !matches(pattern, one))).toEqual([]);
    expect(no.filter((one) => matches(pattern, one))).toEqual([]);
  });

  it.each([
    ['src/[ab', 'the [ is never closed', 5],
    ['/[ab', 'the [ is never closed', 2],
    ['a[]', 'the [ is never closed', 2],
    ['😀{a,b', 'the { is never closed', 2],
    ['{a,{b}', 'the { is never closed', 1],
    ['[z-a]', 'the range z-a runs backwards', 4],
    ['[[:alpha:]]', 'classes by name, such as [:alpha:], are not known', 2],
    ['a\\', 'nothing follows the \\', 2],
    ['', 'the pattern is empty', 1],
    ['/', 'the pattern is empty', 1],
    ['!a', 'a pattern cannot begin with !: nothing is taken back', 1],
    ['./a', 'patterns begin at the top of the repository, without ./ or ../', 1],
    ['a'.repeat(501), 'the pattern is longer than 500 characters', 501],
  ])('%s is no pattern', (pattern, problem, column) => expect(parseGlob(pattern)).toEqual({ problem, column }));

  it.each([
    '*a'.repeat(250),
    '{a,b}'.repeat(100),
    '**/'.repeat(166),
    '{'.repeat(250) + '}'.repeat(250),
    '{a,*}'.repeat(90),
  ])('no pattern is slow: %s', (pattern) => {
    const before = process.cpuUsage();
    matches(pattern, `${'a'.repeat(2000)}b${'/a'.repeat(1000)}c`);
    // time of the processor: the machine may be busy with other things
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(3);
  });

  it('never fails, whatever it is given', () => {
    const risky = fc.string({
      unit: fc.constantFrom('*', '?', '[', ']', '{', '}', ',', '/', '\\', '!', '-', 'a', ':'),
      maxLength: 30,
    });
    fc.assert(
      fc.property(risky, risky, (pattern, text) => {
        const parsed = parseGlob(pattern);
        if ('glob' in parsed) expect(typeof parsed.glob.matches(text)).toBe('boolean');
        else expect(parsed.column).toBeGreaterThan(0);
      }),
    );
  });
});

describe("git's own ignore rules", () => {
  let folder = '';
  beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'glob-'));
    spawnSync('git', ['init', '-q', folder]);
  });
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  const paths = [
    'a',
    'a/b',
    'b',
    'a/b/c',
    'c/a',
    'c/a/b.md',
    'a.md',
    'c/a.md',
    'ab',
    'c/ab/x',
    'b/c/b.md',
    '[a]',
    'x/y/z',
  ];

  it.each([
    'a',
    'a/',
    '/a',
    'a/b',
    '*.md',
    '/*.md',
    'a/**',
    '**/a',
    '**/b/c',
    'c/**/b.md',
    '?',
    '[ab]',
    '[!a]?',
    '\\[a\\]',
    '*b',
    '/c/a/',
    '**/',
  ])('say the same of %s', (pattern) => {
    fs.writeFileSync(path.join(folder, '.git/info/exclude'), `${pattern}\n`);
    const { stdout } = spawnSync('git', ['check-ignore', '--no-index', '-z', '--stdin'], {
      cwd: folder,
      input: paths.join('\0'),
      encoding: 'utf8',
    });
    expect(paths.filter((one) => matches(pattern, one))).toEqual(stdout.split('\0').filter(Boolean));
  });
});

describe('patterns for names', () => {
  it.each<[pattern: string, yes: string[], no: string[]]>([
    ['anthropic/*', ['anthropic/claude-opus-4-5', 'Anthropic/x', 'anthropic/a/b'], ['openai/gpt', 'anthropic']],
    ['*[bot]@*', ['dependabot[bot]@users.noreply.github.com'], ['b@x', 'bot@users.noreply.github.com']],
    ['*', ['', 'anything', 'a/b'], []],
    ['claude-code', ['claude-code', 'Claude-Code'], ['claude-code2', '']],
    ['gpt-?', ['gpt-5'], ['gpt-', 'gpt-55']],
    ['Ada <*>', ['Ada <ada@example.com>'], ['Ada', 'Bob <ada@example.com>']],
    ['{a}\\*', ['{a}\\', '{a}\\b'], ['a']],
  ])('%s', (pattern, yes, no) => {
    expect(yes.filter((one) => !matchesName(pattern, one))).toEqual([]);
    expect(no.filter((one) => matchesName(pattern, one))).toEqual([]);
  });

  it('an empty one is none', () => {
    expect(parseNamePattern('')).toEqual({ problem: 'the pattern is empty', column: 1 });
    expect(parseNamePattern('x'.repeat(501))).toMatchObject({ column: 501 });
  });

  it('agrees with trying out every way', () => {
    const tries = (pattern: string, text: string): boolean => {
      if (pattern === '') return text === '';
      if (pattern[0] === '*') return tries(pattern.slice(1), text) || (text !== '' && tries(pattern, text.slice(1)));
      return text !== '' && (pattern[0] === '?' || pattern[0] === text[0]) && tries(pattern.slice(1), text.slice(1));
    };
    const letters = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 7 });
    const patterns = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(patterns, letters, (pattern, text) => matchesName(pattern, text) === tries(pattern, text)),
      { numRuns: 500 },
    );
  });
});
