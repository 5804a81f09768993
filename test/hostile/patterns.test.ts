import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findTagged } from '../../src/capture/tagged.ts';
import { PATTERNS } from '../../src/redact/rules.ts';

const SRC = path.join(import.meta.dirname, '..', '..', 'src');

interface Literal {
  readonly where: string;
  readonly pattern: RegExp;
}

/** A slash where an expression begins, up to the slash that ends it; in brackets a slash is a letter. */
const LITERAL =
  /(?<=[=(,:[!&|?{};]\s*|\breturn\s+)\/(?![*/])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+)\/([dgimsuvy]*)/g;

/** Every regular expression that stands in the sources; the plugins are texts, whose patterns have their backslashes twice. */
function literals(): Literal[] {
  const names = fs
    .readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!plugin)\.tsx?$/.test(name));
  return names.flatMap((name) => {
    const text = fs.readFileSync(path.join(SRC, name), 'utf8').replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
    return [...text.matchAll(LITERAL)].flatMap(([whole, source = '', flags]) => {
      try {
        return [{ where: `${name}: ${whole}`, pattern: new RegExp(source, flags) }];
      } catch {
        return []; // a division, or a slash in a text
      }
    });
  });
}

/**
 * Texts on which a pattern would run away: each of its own letters and pieces many times over, and something at the end that fits nothing.
 * A pattern that needs time in the square of the text's length takes minutes for these, one that needs more never ends.
 */
function attacks({ source }: RegExp, length: number): string[] {
  const pieces = source
    .replace(/\\[dDwWsSbB]|\(\?<?[=!:]?|\{\d*,?\d*\}/g, ' ')
    .replace(/\\x([0-9a-f]{2})|\\u([0-9a-f]{4})/gi, (_, x?: string, u?: string) =>
      String.fromCharCode(Number.parseInt(x ?? u ?? '20', 16)),
    )
    .replace(/\\n/g, '\n')
    .replace(/\\t/g, '\t')
    .replace(/\\r/g, '\r')
    .replace(/\\/g, '')
    .split(/[|()[\]?*+^$ ]/)
    .filter(Boolean);
  const words = [
    ...new Set([
      ...pieces.slice(0, 6),
      ...pieces.slice(0, 3).join('').split('\0'),
      ' ',
      'a',
      '0',
      '\t',
      '\n',
      '-',
      '/',
      'a ',
      '0a',
      '"',
      '\\',
      '..',
    ]),
  ];
  return words
    .filter(Boolean)
    .map((word) => word.repeat(Math.ceil(length / word.length)).slice(0, length))
    .map((text) => `${text}\u0000`);
}

/** Such a pattern is tried where something ends that is no shorter than this. */
const SHORTEST_NAME = 4;

function tryEverywhere(pattern: RegExp, text: string): void {
  for (let i = 0; i < text.length; i += SHORTEST_NAME) {
    pattern.lastIndex = i;
    pattern.test(text);
  }
}

function slowest(pattern: RegExp, length: number): number {
  let most = 0;
  for (const text of attacks(pattern, length)) {
    const started = spent();
    if (pattern.sticky) tryEverywhere(pattern, text);
    else if (pattern.global) for (const _ of text.matchAll(pattern));
    else pattern.test(text);
    pattern.lastIndex = 0;
    most = Math.max(most, spent() - started);
  }
  return most;
}

test('a repeat of nothing but a repeat, the way patterns run away, stands nowhere', () => {
  const nested = /\((?:\?:)?(?:\[(?:\\.|[^\]\\])*\]|\\?.)[+*]\)(?:[+*]|\{\d+,\})/;
  expect(['(a+)+', '(?:[^x]*)*', '(\\w+)*b'].filter((source) => !nested.test(source))).toEqual([]);
  const found = literals().filter(({ pattern }) => nested.test(pattern.source));
  expect(found.map(({ where }) => where)).toEqual([]);
});

/** Processor time of our own, in milliseconds: what others do does not count. */
function spent(): number {
  return process.cpuUsage().user / 1000;
}

test('no pattern in the sources runs away', { timeout: 120_000 }, () => {
  const all = [...literals(), ...PATTERNS.map((pattern) => ({ where: `redact/rules.ts: ${pattern}`, pattern }))];
  expect(all.length).toBeGreaterThan(300);
  // in steps, so that one that runs away is told and not waited for: ten times the text is a hundred times the time
  const slow = all.flatMap(({ where, pattern }) => {
    for (const [length, most] of [
      [200, 20],
      [2_000, 100],
      [10_000, 600],
    ] as const) {
      // a busy machine may disturb one look: what is slow is slow every time
      let time = slowest(pattern, length);
      for (let again = 0; again < 3 && time > most; again++) time = Math.min(time, slowest(pattern, length));
      if (time > most) return [`${time.toFixed(0)} ms for ${length} characters: ${where}`];
    }
    return [];
  });
  expect(slow).toEqual([]);
});

test('tags of Roo and Cline that never end cost no more than their length', () => {
  const text = `${'<read_file>\n'.repeat(100_000)}${'</read_file>x\n'.repeat(100_000)}`;
  const started = performance.now();
  expect([...findTagged(text, ['read_file', 'write_to_file'])]).toEqual([]);
  expect(performance.now() - started).toBeLessThan(2_000);
  const [one] = findTagged('say\n <read_file>\na</read_file> b\n</read_file> \nend', ['read_file']);
  expect(one).toEqual({ name: 'read_file', inside: 'a</read_file> b\n', start: 4, end: 46 });
});
