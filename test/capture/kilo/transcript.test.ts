import { expect, test } from 'vitest';
import { kilo } from '../../../src/capture/kilo/index.ts';
import { databaseOf } from '../opencode/rows.ts';
import { commandWords, editWords, recordedValues } from '../recorded.ts';

const rows = recordedValues('kilo/session.jsonl');
const [main, child] = kilo.decodeTranscript(databaseOf(rows));

test('a recorded session: Kilo tells by a diff what a file was before it was written over', () => {
  expect(main).toMatchObject({
    tool: { name: 'kilo', version: '7.7.9' },
    cwd: '/repo',
    childSessions: [child?.session],
    skipped: {},
  });
  expect(main && editWords(main)).toEqual([
    'full /repo/a.txt',
    'hunks /repo/a.txt',
    'full /repo/a.txt',
    'full /repo/b.txt',
    'full /repo/c.txt',
    'full /repo/new/deep.txt',
    'full /repo/rel.txt',
  ]);
  expect(main?.edits[2]?.change).toEqual({ kind: 'full', before: 'one\n2\n2b\nthree\n', after: 'ONE\n2\n2b\nthree\n' });
  expect(main && commandWords(main)).toEqual(['echo sh > sh.txt; ex 3', 'git add -A; git comm 0']);
  expect(child).toMatchObject({ parentSession: main?.session, tokens: { inputTokens: 200, outputTokens: 40 } });
});
