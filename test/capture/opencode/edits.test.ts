import { expect, test } from 'vitest';
import { opencode } from '../../../src/capture/opencode/index.ts';
import { toldEdits } from '../../../src/capture/opencode-family/edits.ts';
import { withMargin } from '../../../src/capture/opencode-family/margin.ts';
import { parseUnified } from '../../../src/capture/unified.ts';
import { editWords, recordedValues } from '../recorded.ts';
import { databaseOf } from './rows.ts';

const decode = (name: string) => opencode.decodeTranscript(databaseOf(recordedValues(name)))[0];

test('a recorded patch: each of its files; one that does not fit is no edit', () => {
  const session = decode('opencode/patch.jsonl');
  expect(session && editWords(session)).toEqual([
    'write p/new.txt',
    'replace old.txt',
    'replace p/moved.txt',
    'write mv.txt',
    'write gone.txt',
    'write old.txt',
  ]);
});

test('recorded diffs get back the margin that opencode took off', () => {
  const session = decode('opencode/margin.jsonl');
  expect(session && editWords(session)).toEqual([
    'full /repo/i.py',
    'hunks /repo/i.py',
    'hunks /repo/crlf.txt',
    'replace /repo/bom.txt',
    'replace /repo/i.py',
  ]);
  const change = session?.edits[1]?.change;
  expect(change?.kind === 'hunks' && change.hunks[0]?.lines.slice(3, 7)).toEqual([
    '         q = 4',
    '-        r = 5',
    '+        r = 55',
    '+        rr = 56',
  ]);
});

const diff = (...lines: string[]) => {
  const count = (signs: string) => lines.filter((line) => signs.includes(line[0] ?? '')).length;
  return `@@ -1,${count(' -')} +1,${count(' +')} @@\n${lines.join('\n')}\n`;
};
const margin = (words: string, ...lines: string[]) =>
  withMargin(parseUnified(diff(...lines)) ?? [], words)?.flatMap((hunk) => hunk.lines);

test.each<[string, string, string[], string[] | undefined]>([
  ['none was taken', 'a\nb\n', [' x', '+a', '+b'], [' x', '+a', '+b']],
  ['all of it', '  a\n', [' x', '+a'], ['   x', '+  a']],
  ['tabs', '\t\ta\n', [' \tx', '+\ta'], [' \t\tx', '+\t\ta']],
  ['empty lines have none', '  a\n', [' x', ' ', '+a'], ['   x', ' ', '+  a']],
  ['the last word may be the middle of a line', '    a = 1', [' x', '+a = 1 + 2'], ['     x', '+    a = 1 + 2']],
  ['the first word may be', 'a = 1', [' x', '+a = 1'], undefined],
  ['a later line tells it', 'a(\n    b\n', [' x', '+a(', '+  b'], ['   x', '+  a(', '+    b']],
  ['one line leaves it open, another does not', '    }\n    y\n', [' }', '+  }', '+  y'], ['   }', '+    }', '+    y']],
  ['it stays open', '    }\n', [' }', '+  }'], undefined],
  ['a formatter wrote it otherwise', '  a=1\n', [' x', '+a = 1'], undefined],
  ['nothing was said', '', [' x', '-y'], undefined],
])('margin: %s', (_, words, lines, expected) => expect(margin(words, ...lines)).toEqual(expected));

const change = (tool: string, input: object, metadata: object = {}) =>
  toldEdits(tool, { filePath: '/a', ...input }, { ...metadata })[0]?.change;

test('a patch of older versions that deletes and moves', () => {
  const files = [
    { filePath: '/a', type: 'delete', before: '1', after: '' },
    { filePath: '/b', movePath: '/c', type: 'move', before: '1', after: '2' },
    { filePath: '/d' },
  ];
  expect(toldEdits('apply_patch', {}, { files })).toEqual([
    { path: '/a', change: { kind: 'full', before: '1', after: null } },
    { path: '/c', change: { kind: 'full', before: null, after: '2' } },
    { path: '/b', change: { kind: 'full', before: '1', after: null } },
  ]);
});

test.each<[string, unknown, unknown]>([
  [
    'both texts, of older versions',
    change('edit', {}, { filediff: { before: 'x', after: 'y' } }),
    { kind: 'full', before: 'x', after: 'y' },
  ],
  ['a new file', change('edit', { oldString: '', newString: 'x\n' }), { kind: 'full', before: null, after: 'x\n' }],
  [
    'written over, where a diff tells what was there',
    change('write', { content: '  a\n  B\n' }, { exists: true, diff: diff(' a', '-b', '+B') }),
    { kind: 'full', before: '  a\n  b\n', after: '  a\n  B\n' },
  ],
  [
    'written over, and the diff is of something else',
    change('write', { content: 'z\n' }, { exists: true, diff: diff(' a', '-b', '+B') }),
    { kind: 'write', after: 'z\n' },
  ],
  ['written over', change('write', { content: 'z' }, { exists: true }), { kind: 'write', after: 'z' }],
  ['nobody says whether it was there', change('write', { content: 'z' }), { kind: 'write', after: 'z' }],
  [
    'many at once',
    change('multiedit', { edits: [{ oldString: 'a', newString: 'b', replaceAll: true }] }),
    { kind: 'replace', pairs: [{ old: 'a', new: 'b', all: true }] },
  ],
  [
    'many, with texts',
    change(
      'multiedit',
      {},
      { results: [{ filediff: { before: '1', after: '2' } }, { filediff: { before: '2', after: '3' } }] },
    ),
    { kind: 'full', before: '1', after: '3' },
  ],
  [
    'a patch of older versions',
    change('apply_patch', {}, { files: [{ filePath: '/a', before: '1', after: '2' }] }),
    { kind: 'full', before: '1', after: '2' },
  ],
  ['no words', change('edit', { oldString: 1 }), undefined],
  ['one of many has no words', change('multiedit', { edits: [{ oldString: 'a', newString: 'b' }, 1] }), undefined],
  ['no patch', change('apply_patch', { patchText: 'x' }), undefined],
])('%s', (_, told, expected) => expect(told).toEqual(expected));
