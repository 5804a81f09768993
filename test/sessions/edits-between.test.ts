import { afterEach, beforeEach, expect, test } from 'vitest';
import { readEdits, type WhichEdits } from '../../src/sessions/edits-between.ts';
import { appendEdits, type StoredEdit } from '../../src/sessions/timelines.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder } from '../support/repository.ts';

let dir = '';
beforeEach(() => {
  dir = makeFolder('edits');
});
afterEach(() => removeFolder(dir));

const edit = (at: number, path: string, worktree = ''): StoredEdit => ({
  ...{ path, worktree, at, session: 's', event: `toolu_${at}`, tool: { name: 'claude-code' } },
  ...{ source: 'hook', kind: 'full', before: null, after: 'f'.repeat(40) },
});

test('of many edits, in whatever files they are kept, the latest that are asked for', () => {
  const store = { dir, format: 'sha1' as const };
  // told late: not in the order of time
  const times = [5, 1, 9, 3, 7, 2, 8, 4, 6, 10];
  appendEdits(
    store,
    times.flatMap((at) => [edit(at, `file${at % 4}.ts`), edit(at, 'beside.ts', 'linked')]),
  );
  const timesOf = (which: Partial<WhichEdits>) =>
    readEdits(store, { from: 2, to: 9, worktree: '', ...which })
      .map(({ at }) => at)
      .sort((a, b) => a - b);
  expect(timesOf({})).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  expect(timesOf({ latest: 3 })).toEqual([7, 8, 9]);
  // those that are left out take nobody's place
  expect(timesOf({ latest: 3, except: new Set(['file0.ts', 'file1.ts']) })).toEqual([3, 6, 7]);
  expect(readEdits(store, { from: 2, to: 9, latest: 2 }).map(({ at }) => at)).toEqual([9, 9]);
  expect(timesOf({ ofTexts: true })).toEqual([]);
});
