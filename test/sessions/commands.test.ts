import { expect, test } from 'vitest';
import { looseId } from '../../src/capture/print.ts';
import { mergeCommands, type StoredCommand } from '../../src/sessions/commands.ts';

const base = { session: 's', tool: { name: 'droid' }, worktree: '' };
const begins = (command: string, from: number, before?: string): StoredCommand => ({
  ...base,
  event: looseId('Execute', { command }),
  command,
  from,
  ...(before && { before }),
});
const ends = (command: string, to: number, after?: string): StoredCommand => {
  const { from: _, ...rest } = begins(command, 0);
  return { ...rest, to, ...(after && { after }) };
};
const short = ({ command, from, to, before, after, lent }: StoredCommand) =>
  [command, from, to, before, after, lent ? 'lent' : ''].join(' ').trim();
const told = (...sights: StoredCommand[]) => mergeCommands(sights).map(short);

test('a command whose end nobody tells has ended when its session goes on', () => {
  expect(told(begins('a', 1, 'x'), begins('b', 5, 'y'), ends('b', 6, 'z'))).toEqual(['a 1 5 x y lent', 'b 5 6 y z']);
  // at the end of a turn
  expect(told(begins('a', 1, 'x'), ends('true', 5, 'y'))).toContain('a 1 5 x y lent');
});

test('its own end counts, however late it comes', () => {
  expect(told(begins('a', 1, 'x'), begins('b', 2, 'x'), ends('b', 3, 'y'), ends('a', 4, 'z'))).toEqual([
    'a 1 4 x z',
    'b 2 3 x y',
  ]);
});

test('the transcript names it; until the snapshot anything may have come about', () => {
  const named: StoredCommand = { ...base, event: 'call_1', command: 'a', from: 0, to: 2 };
  const [one, ...others] = mergeCommands([named, begins('a', 1, 'x'), ends('true', 5, 'y')]);
  expect(one).toMatchObject({ event: 'call_1', from: 1, to: 5, before: 'x', after: 'y' });
  expect(others).toHaveLength(1);
});

test.each<[string, StoredCommand[]]>([
  ['another session', [begins('a', 1, 'x'), { ...begins('b', 5, 'y'), session: 't' }]],
  ['another work tree', [begins('a', 1, 'x'), { ...begins('b', 5, 'y'), worktree: 'w' }]],
  ['no snapshot', [begins('a', 1, 'x'), begins('b', 5)]],
  ['the next day', [begins('a', 1, 'x'), begins('b', 86_400_000, 'y')]],
  ['it runs in the background', [{ ...begins('a', 1, 'x'), background: true }, begins('b', 5, 'y')]],
])('nothing is lent: %s', (_, sights) => {
  expect(mergeCommands(sights)[0]?.to).toBeUndefined();
});

test('the transcript may know only when all calls of a response had run', () => {
  const named: StoredCommand = { ...base, event: 'call_1', command: 'a', from: 1000, to: 90_000 };
  const [one, ...others] = mergeCommands([named, begins('a', 60_000, 'x'), ends('a', 61_000, 'y')]);
  expect(one).toMatchObject({ event: 'call_1', before: 'x', after: 'y' });
  expect(others).toEqual([]);
  expect(mergeCommands([named, begins('a', 120_000, 'x')])).toHaveLength(2);
});
