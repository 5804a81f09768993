import { expect, test } from 'vitest';
import { looseEditId, printOf } from '../../src/capture/print.ts';
import { mergeEdits, type StoredEdit } from '../../src/sessions/timelines.ts';

const input = (text: string) => ({ file_path: 'a.txt', content: text });
const base = { path: 'a.txt', worktree: '', session: 's', tool: { name: 'gemini-cli' }, kind: 'full' as const };
const hook = (text: string, at: number): StoredEdit => ({
  ...base,
  event: looseEditId('write_file', input(text), at),
  print: printOf('write_file', input(text)),
  at,
  source: 'hook',
});
const transcript = (event: string, text: string, at: number): StoredEdit => ({
  ...base,
  event,
  print: printOf('write_file', input(text)),
  at,
  source: 'transcript',
  model: 'google/gemini-3-pro',
});
const told = (...edits: StoredEdit[]) =>
  mergeEdits(edits).map(({ event, at, model }) => `${event.replace(/^hook-.*/, 'hook')} ${at}${model ? '' : ' ?'}`);

test.each<[string, StoredEdit[], string[]]>([
  ['is the same', [transcript('c1', 'x', 1010), hook('x', 1000)], ['c1 1000']],
  ['whose response went on for long', [transcript('c1', 'x', 90_000), hook('x', 1000)], ['c1 1000']],
  ['was told twice', [hook('x', 1000), hook('x', 1000), transcript('c1', 'x', 1010)], ['c1 1000']],
  ['is another, of before', [transcript('c1', 'x', 1000), hook('x', 90_000)], ['c1 1000', 'hook 90000 ?']],
  ['wrote something else', [transcript('c1', 'y', 1010), hook('x', 1000)], ['hook 1000 ?', 'c1 1010']],
  [
    'is another session’s',
    [{ ...transcript('c1', 'x', 1010), session: 't' }, hook('x', 1000)],
    ['hook 1000 ?', 'c1 1010'],
  ],
  [
    'was done again, and the transcript knows the first one only',
    [transcript('c1', 'x', 1010), hook('x', 1000), hook('x', 5000)],
    ['c1 1000', 'hook 5000 ?'],
  ],
  [
    'was done again, and the nearest of both is meant',
    [transcript('c1', 'x', 1010), transcript('c2', 'x', 5010), hook('x', 5000), hook('x', 1000)],
    ['c1 1000', 'c2 5000'],
  ],
])('an edit that a hook tells without an id and a transcript with one: %s', (_, edits, expected) => {
  expect(told(...edits)).toEqual(expected);
  expect(told(...[...edits].reverse())).toEqual(expected);
});
