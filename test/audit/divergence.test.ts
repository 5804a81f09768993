import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { countEdits, type EditSight, findDivergences, type Watched } from '../../src/audit/divergence.ts';
import { placeOf } from '../../src/audit/place.ts';
import { command, decision, edit, session } from './session.ts';

const sight = (event: string, source: EditSight['source'], rest: Partial<EditSight> = {}): EditSight => ({
  ...{ session: 's', agent: 'claude-code', event, path: 'a.ts', worktree: '', at: 1000, source },
  ...rest,
});
const watched = (rest: Partial<Watched>): Watched => ({
  documents: [],
  edits: [],
  ranRefused: [],
  roots: ['/repo'],
  hooks: { agents: new Set(['claude-code']), since: 0 },
  isShown: () => false,
  ...rest,
});
const kinds = (rest: Partial<Watched>) => findDivergences(watched(rest)).map(({ kind, event }) => `${kind} ${event}`);

describe('what a transcript claims', () => {
  it.each<[string, EditSight[], Partial<Watched>, string[]]>([
    ['and nobody saw', [sight('1', 'transcript')], {}, ['claimed-not-shown 1']],
    ['and a hook saw', [sight('1', 'transcript'), sight('1', 'hook')], {}, []],
    [
      'and a hook saw that tells no ids',
      [sight('1', 'transcript', { print: 'p' }), sight('hook-p-7', 'hook', { print: 'p' })],
      {},
      [],
    ],
    [
      'and a later snapshot shows',
      [sight('1', 'transcript', { after: 'T' }), sight('2', 'hook', { before: 'T', at: 9000 })],
      {},
      [],
    ],
    ['of an agent whose hooks were not there', [sight('1', 'transcript', { agent: 'zed' })], {}, []],
    [
      'before hooks were there',
      [sight('1', 'transcript')],
      { hooks: { agents: new Set(['claude-code']), since: 2000 } },
      [],
    ],
    ['and git holds', [sight('1', 'transcript')], { isShown: ({ event }) => event === '1' }, []],
    [
      'of another path than the hook saw',
      [sight('1', 'transcript', { path: 'b.ts' }), sight('1', 'hook')],
      {},
      ['claimed-not-shown 1', 'shown-not-claimed 1'],
    ],
  ])('%s', (_, edits, rest, found) => expect(kinds({ edits, ...rest })).toEqual(found));
});

describe('what the disk showed', () => {
  it('is not held against a transcript that has not come so far', () => {
    expect(kinds({ edits: [sight('1', 'hook')] })).toEqual([]);
    const later = [sight('2', 'transcript', { at: 5000 }), sight('2', 'hook', { at: 5000 })];
    expect(kinds({ edits: [sight('1', 'hook'), ...later] })).toEqual(['shown-not-claimed 1']);
  });

  it('while a command ran is told where the command does not name it', () => {
    const ran = (expected: boolean) => [sight('1', 'hook', { shell: { command: 'make', expected } })];
    expect(kinds({ edits: ran(false) })).toEqual(['shown-not-claimed 1']);
    expect(kinds({ edits: ran(true) })).toEqual([]);
  });
});

describe("a hook's word", () => {
  const isShown = ({ event }: EditSight) => event === 'committed';
  const sights = [
    sight('told', 'hook'),
    sight('committed', 'hook'),
    sight('ran', 'hook', { shell: { command: 'make', expected: true } }),
    sight('hook-p-7', 'hook', { print: 'p' }),
    sight('claimed', 'transcript'),
  ];

  it('is not counted as shown until a snapshot or a commit shows it', () => {
    expect(countEdits(sights, isShown)).toEqual({ all: 5, seen: 4, shown: 2 });
    const known = sight('committed', 'transcript', { print: 'p' });
    expect(countEdits([...sights, known], isShown)).toMatchObject({ all: 5, seen: 4, shown: 2 });
    expect(countEdits([...sights, { ...known, event: 'id' }], ({ event }) => event === 'id').shown).toBe(2);
  });

  it('is no divergence where neither does: a person may have undone it', () => {
    expect(kinds({ edits: sights.slice(0, 1) })).toEqual([]);
  });
});

describe('what was denied', () => {
  const found = (...events: Parameters<typeof session>[1]) => kinds({ documents: [session('s', events)] });
  it.each([
    ['the same command', [decision('d', 1, 'make  all'), command('c', 2, 'make all')], ['denied-and-done c']],
    ['as a part of another', [decision('d', 1, 'make'), command('c', 2, 'cd x && make; ls')], ['denied-and-done c']],
    ['another command', [decision('d', 1, 'make'), command('c', 2, 'make-it')], []],
    ['before it was denied', [command('c', 1, 'make'), decision('d', 2, 'make')], []],
    [
      'approved in between',
      [decision('d', 1, 'make'), decision('y', 2, 'make', 'approved'), command('c', 3, 'make')],
      [],
    ],
    [
      'denied again after that',
      [decision('y', 1, 'make', 'approved'), decision('d', 2, 'make'), command('c', 3, 'make')],
      ['denied-and-done c'],
    ],
    ['a file, told from elsewhere', [decision('d', 1, '/repo/src/a.ts'), edit('e', 2, 'a.ts')], ['denied-and-done e']],
    ['reading it is another thing', [decision('d', 1, '/repo/src/a.ts'), edit('e', 2, 'a.ts', 'read')], []],
  ])('%s', (_, events, expected) => expect(found(...events)).toEqual(expected));

  it('and has run all the same, as a hook tells', () => {
    const ran = { session: 's', agent: 'claude-code', event: 'c', command: 'rm x', at: 1 };
    expect(findDivergences(watched({ ranRefused: [ran] }))).toMatchObject([
      { kind: 'denied-and-done', event: 'c', time: '1970-01-01T00:00:00.001Z' },
    ]);
  });
});

test.each([
  ['a.ts', '/repo/src', { inside: true, path: 'src/a.ts' }],
  ['../a.ts', '/repo/src', { inside: true, path: 'a.ts' }],
  ['../../a.ts', '/repo/src', { inside: false, path: '/a.ts' }],
  ['/repository/a.ts', '/repo', { inside: false, path: '/repository/a.ts' }],
  ['/repo/a/../b.ts', undefined, { inside: true, path: 'b.ts' }],
  ['b.ts', undefined, { inside: true, path: 'b.ts' }],
  ['../b.ts', undefined, { inside: false, path: '../b.ts' }],
])('%s from %s', (told, folder, place) => expect(placeOf(['/repo'], folder, told)).toEqual(place));

describe('edits outside the repository', () => {
  const outside = (workingDirectory: string, ...paths: string[]) => {
    const one = session(
      's',
      paths.map((path, i) => edit(path, i, path)),
    );
    return kinds({ documents: [{ ...one, project: { name: 'p', workingDirectory } }] });
  };

  it('are those that lie in none of its work trees', () => {
    expect(outside('/repo/src', 'a', '../b', '../../c', '/etc/hosts')).toEqual([
      'outside ../../c',
      'outside /etc/hosts',
    ]);
  });

  it('of a session of another clone: not what may be a file of its project', () => {
    expect(outside('/home/other/app', 'f', '../up', '/home/other/app/g', '/etc/hosts')).toEqual(['outside /etc/hosts']);
  });

  it('of a session that began above the work tree are known', () => {
    expect(outside('/', 'repo/in', 'etc/hosts')).toEqual(['outside etc/hosts']);
  });
});

test('law: shuffled sights give the same facts and figures', () => {
  const anySight = fc
    .record({
      event: fc.constantFrom('1', '2', '3'),
      path: fc.constantFrom('a', 'b'),
      source: fc.constantFrom('hook' as const, 'transcript' as const),
      at: fc.constantFrom(1, 2, 3),
    })
    .map(({ event, source, ...rest }) => sight(event, source, rest));
  const shuffled = fc
    .array(anySight, { maxLength: 8 })
    .chain((edits) => fc.tuple(fc.constant(edits), fc.shuffledSubarray(edits, { minLength: edits.length })));
  fc.assert(
    fc.property(shuffled, ([edits, others]) => {
      expect(findDivergences(watched({ edits: others }))).toEqual(findDivergences(watched({ edits })));
      const isShown = ({ event }: EditSight) => event !== '3';
      const { all, seen, shown } = countEdits(edits, isShown);
      expect(countEdits(others, isShown)).toEqual({ all, seen, shown });
      expect(seen).toBeLessThanOrEqual(all);
      expect(shown).toBeLessThanOrEqual(seen);
    }),
  );
});
