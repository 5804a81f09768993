import { expect, test } from 'vitest';
import { findCopies, wantedCopies } from '../../src/join/copies.ts';
import { splitString } from '../../src/lines/text.ts';

const SOURCE = 'typed one\ntyped two\n}\ntyped three\ntyped four\n';
const sources = [
  { path: 'other.txt', blob: '2', lines: splitString('typed two\n') },
  { path: 'p.txt', blob: '1', lines: splitString(SOURCE) },
  { path: 'named.txt', blob: '3', lines: splitString('a line of its own\nand so one\nshort\n') },
];

function copies(command: string, after: string, before = ''): string[] {
  const wanted = wantedCopies({ command, path: 'f.txt', before: splitString(before), after: splitString(after) });
  const named = (source: (typeof sources)[number]) => ({ ...source, named: command.includes(source.path) });
  const found = wanted ? findCopies(wanted, sources.map(named)) : [];
  return found.map(({ line, count, path, from }) => `${line}+${count} ${path}:${from}`);
}

test.each([
  ['python3 copy.py', 'mine\ntyped two\n}\ntyped three\ntyped four\nmine too\n', ['2+4 p.txt:2']],
  ['python3 two-alike.py', 'mine\ntyped three\ntyped four\nmine too\n', []],
  ['sed s/one/1/ named.txt > f.txt', 'a line of its own\nshort\nand so 1\n', ['1+1 named.txt:1']],
  ['sed s/one/1/ other.txt > f.txt', 'a line of its own\nshort\n', []],
  ['cat p.txt > f.txt', 'typed four\ntyped one\ntyped two\n', ['1+1 p.txt:5', '2+2 p.txt:1']],
  ['tail -1 p.txt > f.txt', '}\n', []],
  ["cat > f.txt <<'EOF'\ntyped one\ntyped two\n}\ntyped three\nEOF", 'typed one\ntyped two\n}\ntyped three\n', []],
  ['git checkout side', SOURCE, []],
])('%s', (command, after, expected) => {
  expect(copies(command, after)).toEqual(expected);
});

test('lines that stood in the file itself are not copied there', () => {
  expect(copies('cat p.txt >> f.txt', `typed two\n${SOURCE}`, 'typed two\n')).toEqual(['2+5 p.txt:1']);
});
