import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layoutOf, lineAtCursor, type Model } from '../../src/tui/model.ts';
import type { FileShare } from '../../src/tui/source.ts';
import { update } from '../../src/tui/state.ts';
import { fileOf, lines, modelOf, press, SMALL, storyOf, typed } from './words.ts';

/** The number of the line that the cursor is on. */
const at = (model: Model) => lineAtCursor(model)?.blamed.line;
const LONG = 'h'.repeat(20);

describe('moving', () => {
  it.each([
    [['j'], 2, 0],
    [['down', 'down', 'up'], 2, 0],
    [['k'], 1, 0],
    [[' '], 6, 1],
    [['pagedown', 'pagedown'], 11, 6],
    [['G'], 20, 15],
    [['G', 'k'], 19, 15],
    [['G', 'j'], 20, 15],
    [['G', 'b'], 15, 14],
    [['G', 'g'], 1, 0],
    [['ctrl-d'], 4, 0],
    [['G', 'ctrl-u'], 17, 15],
    [[':', ...typed('12')], 12, 9],
    [[':', ...typed('999')], 20, 15],
    [[':', '1', '2', 'escape'], 1, 0],
    [['?', 'x', 'j'], 2, 0],
  ] as const)('%j', (keys, line, top) => {
    const { model } = press(modelOf(LONG), ...keys);
    expect([at(model), model.visit.top]).toEqual([line, top]);
  });

  it('says what is no line number', () => {
    expect(press(modelOf(LONG), ':', ...typed('1x')).model.message).toBe('1x is no line number.');
    expect(press(modelOf(LONG), ':', ...typed('')).model.message).toBe('Nothing is no line number.');
  });

  it('to the side, not beyond the beginning', () => {
    expect(press(modelOf('h'), 'right', 'right', 'left').model.left).toBe(8);
    expect(press(modelOf('h'), 'left').model.left).toBe(0);
  });
});

describe('jumping between hands', () => {
  // 1 2 3 4 5 6 7 8 9 10
  // h h a a b u h i m a
  const FILE = 'hhaabuhima';
  it.each([
    [[']'], 3],
    [[']', ']'], 5],
    [[']', ']', ']', ']'], 7],
    [[']', ']', ']', ']', ']'], 8],
    [['G', '['], 9],
    [['j', '['], 1],
    [['a'], 3],
    [['a', 'a'], 5],
    [['a', 'a', 'a'], 10],
    [['G', 'A'], 5],
    [['G', 'A', 'A'], 3],
    [['h'], 7],
    [['h', 'h'], 8],
    [['u'], 6],
    [['G', 'U'], 6],
    [['m'], 9],
    [['G', 'M'], 9],
  ] as const)('%j', (keys, line) => expect(at(press(modelOf(FILE), ...keys).model)).toBe(line));

  it('says that there is none, until the next key', () => {
    const { model } = press(modelOf('hha'), 'u');
    expect([at(model), model.message]).toEqual([1, 'No unknown line further down.']);
    expect(press(model, 'j').model.message).toBeUndefined();
    expect(press(modelOf('hh'), '[').model.message).toBe('No other hand further up.');
  });
});

describe('searching', () => {
  const text = (i: number) => ['one', 'Two', 'three', 'two', 'ünd \u6f22'][i] ?? '';
  const model = modelOf('hhhhh', SMALL, text);
  it.each([
    [['/', ...typed('two')], 2],
    [['/', ...typed('two'), 'n'], 4],
    [['/', ...typed('two'), 'n', 'n'], 2],
    [['/', ...typed('Two'), 'n'], 2],
    [['/', ...typed('two'), 'N'], 4],
    [['/', ...typed('\u6f22')], 5],
    [['/', ...typed('two'), 'g', '/', 'enter'], 2],
    [['/', 't', 'x', 'backspace', 'h', 'enter'], 3],
    [['/', 'backspace', 'j'], 2],
    [['/', 'x', 'ctrl-u', ...typed('three')], 3],
  ] as const)('%j', (keys, line) => expect(at(press(model, ...keys).model)).toBe(line));

  it('says when it went around, and when there is none', () => {
    expect(press(model, 'G', '/', ...typed('one')).model.message).toBe('On from the top.');
    expect(press(model, '/', ...typed('nope')).model).toMatchObject({ message: 'There is no nope here.' });
    expect(press(model, 'n').model.message).toMatch(/Nothing was sought/);
  });

  it('keys are letters while one types', () => {
    const { model: typing, wants } = press(model, '/', 'q', '?', 'p');
    expect([typing.prompt?.text, wants]).toEqual(['q?p', []]);
  });
});

describe('the conversation', () => {
  it('is asked for when the panel opens and when the cursor moves, once for each line', () => {
    const { model, wants } = press(modelOf('ha'), 'enter', 'j', 'j', 'x');
    expect(wants.map((want) => want.kind === 'story' && want.line.blamed.line)).toEqual([1, 2]);
    expect(model.panel).toBe(true);
    expect(press(model, 'enter').model.panel).toBe(false);
    expect(press(model, 'escape').model.panel).toBe(false);
  });

  it('only the story of the line under the cursor is taken', () => {
    const { model } = press(modelOf('ha'), 'enter', 'j');
    const [first, second] = model.visit.file.lines;
    if (!first || !second) throw new Error('no lines');
    expect(update(model, { kind: 'told', of: first, story: storyOf(first) }).model.story).toBeUndefined();
    expect(update(model, { kind: 'told', of: second, story: storyOf(second) }).model.story?.told.line).toBe(2);
  });

  it('scrolls with the keys of the file, as far as there is something to see', () => {
    const open = press(modelOf('a'), 'tab').model;
    const line = lineAtCursor(open);
    if (!line) throw new Error('no line');
    const { model } = update(open, { kind: 'told', of: line, story: storyOf(line) });
    expect(model.mode).toBe('story');
    const end = press(model, 'G').model;
    expect(end.storyTop).toBeGreaterThan(3);
    expect(press(end, 'j').model.storyTop).toBe(end.storyTop);
    expect(press(end, 'k').model.storyTop).toBe(end.storyTop - 1);
    expect(press(end, 'g').model.storyTop).toBe(0);
    expect(press(end, 'tab').model).toMatchObject({ mode: 'file', panel: true });
  });

  it('takes the whole of a narrow screen, with the keys', () => {
    const narrow = modelOf('a', { columns: 40, rows: 10 });
    const open = press(narrow, 'enter').model;
    expect([open.mode, layoutOf(open)]).toMatchObject(['story', { file: 0, panel: 40 }]);
    expect(press(open, 'tab').model).toMatchObject({ mode: 'file', panel: false });
    const wide = update(open, { kind: 'resized', size: SMALL }).model;
    expect(layoutOf(wide).file).toBeGreaterThan(0);
  });
});

describe('walking back', () => {
  it('asks for the file before the line, goes there, and returns', () => {
    const { model, wants } = press(modelOf('hah'), 'j', 'p', 'p');
    expect(wants).toMatchObject([{ kind: 'before', line: { blamed: { line: 2 } } }]);
    expect(model.busy).toBe('walking back');
    const older = fileOf(lines(LONG), 'old.ts', 'abc');
    const there = update(model, { kind: 'opened', file: older, line: 9 }).model;
    expect([there.visit.file.path, at(there), there.busy]).toEqual(['old.ts', 10, undefined]);
    expect([there.visit.top, there.visits.length]).toEqual([7, 1]);
    const back = press(there, 'backspace').model;
    expect([back.visit.file.path, at(back), back.visits]).toEqual(['a.ts', 2, []]);
    expect(press(back, 'backspace').model.message).toBe('This is where you began.');
  });

  it('another file begins at its first column, an older version of the same one stays where it is', () => {
    const { model } = press(modelOf('hah'), 'right', 'p');
    const open = (path: string) =>
      update(model, { kind: 'opened', file: fileOf(lines('h'), path, 'abc'), line: 0 }).model;
    expect(open('a.ts').left).toBe(8);
    expect(open('old.ts').left).toBe(0);
    expect(press(open('a.ts'), 'right', 'backspace').model.left).toBe(16);
    expect(press(open('old.ts'), 'right', 'backspace').model.left).toBe(0);
  });

  it('says why not', () => {
    const { model } = press(modelOf('h'), 'p');
    const failed = update(model, { kind: 'failed', of: 'before', why: 'Nothing before.' }).model;
    expect([failed.busy, failed.message]).toEqual([undefined, 'Nothing before.']);
  });
});

describe('filters', () => {
  it('are what the lines can be told apart by', () => {
    const { model } = press(modelOf('hhhaabmu'), 'f');
    expect(model.mode).toBe('filter');
    expect(
      model.choices.map(({ filter, count }) => `${filter ? `${filter.by} ${filter.label}` : 'all'} ${count}`),
    ).toEqual([
      'all 8',
      'kind H human 3',
      'kind A ai 3',
      'kind M mixed 1',
      'kind ? unknown 1',
      'model model-a 2',
      'model model-b 1',
      'model model-m 1',
      'session s-a (codex) 2',
      'session s-b (codex) 1',
      'session s-m (codex) 1',
      'author Ada 3',
    ]);
  });

  it.each([
    [0, [1, 2, 3, 4, 5, 6, 7, 8]],
    [2, [4, 5, 6]],
    [5, [4, 5]],
    [9, [6]],
    [11, [1, 2, 3]],
  ])('the choice %i leaves %j', (down, left) => {
    const chosen = press(modelOf('hhhaabmu'), 'f', ...Array<string>(down).fill('j'), 'enter').model;
    expect(chosen.visit.rows.map((row) => row + 1)).toEqual(left);
    expect(chosen.mode).toBe('file');
  });

  it('the cursor stays where it was, or goes to the next line that is left; escape shows all again', () => {
    const model = press(modelOf('hhhaabmu'), 'j', 'f', 'j', 'j', 'enter').model;
    expect(at(model)).toBe(4);
    const all = press(model, 'j', 'escape').model;
    expect([at(all), all.visit.rows.length, all.visit.filter]).toEqual([5, 8, undefined]);
    expect(press(model, 'f', 'escape').model.visit.filter?.value).toBe('ai');
  });
});

describe('the list of files', () => {
  const counts = { total: 1, ai: 1, human: 0, mixed: 0, unknown: 0 };
  const files: FileShare[] = ['0.ts', 'a.ts', 'b.ts'].map((path) => ({ path, counts, why: undefined }));

  const names = files.map(({ path }): FileShare => ({ path, counts: undefined, why: undefined }));
  const listed = (model: Model) => update(model, { kind: 'listed', revision: null, files: names }).model;
  const countedAll = (model: Model) =>
    update(update(listed(model), { kind: 'counted', files }).model, { kind: 'all counted' }).model;

  it('is there before it is counted: the cursor stays where it is put, files are found and opened', () => {
    const { model } = press(listed(press(modelOf('h'), 'o').model), 'j');
    expect([model.list.at, model.counting]).toEqual([2, 'counting']);
    const part = update(model, { kind: 'counted', files: files.slice(1, 2) }).model;
    expect(part.list.at).toBe(2);
    expect(part.shares?.files.map(({ counts }) => counts?.ai)).toEqual([undefined, 1, undefined]);
    const { wants } = press(part, '/', ...typed('0'), 'enter', 'escape', 'o');
    expect(wants).toEqual([{ kind: 'open', path: '0.ts', revision: null }]);
  });

  it('of another commit is asked for though one is still being counted', () => {
    const model = listed(press(modelOf('h'), 'o').model);
    const elsewhere = update(model, { kind: 'opened', file: fileOf(lines('h'), 'a.ts', 'c0ffee'), line: 0 }).model;
    const again = press(elsewhere, 'o');
    expect(again.wants).toEqual([{ kind: 'shares', revision: 'c0ffee' }]);
    expect(again.model.shares).toEqual({ revision: 'c0ffee', files: [] });
  });

  it('that could not be counted keeps its names, and is counted again when it is asked for again', () => {
    const failed = { kind: 'failed', of: 'shares', why: 'no' } as const;
    const model = update(listed(press(modelOf('h'), 'o').model), failed).model;
    expect([model.shares?.files, model.message]).toEqual([names, 'no']);
    expect(press(model, 'escape', 'o').wants).toEqual([{ kind: 'shares', revision: null }]);
    expect(update(press(modelOf('h'), 'o').model, failed).model.shares).toBeUndefined();
  });

  it('is counted once, begins at the file that is shown, opens another', () => {
    const { model, wants } = press(modelOf('h'), 'o', 'escape', 'o');
    expect(wants).toEqual([{ kind: 'shares', revision: null }]);
    expect(update(model, { kind: 'progress', done: 1, of: 3 }).model.counting).toBe('1 of 3 files counted');
    const counted = countedAll(model);
    expect(counted.list.at).toBe(1);
    expect(counted.shares?.files).toEqual(files);
    expect(press(counted, 'escape', 'o').wants).toEqual([]);
    expect(press(counted, 'j', 'enter').wants).toEqual([{ kind: 'open', path: 'b.ts', revision: null }]);
    expect(press(counted, '/', ...typed('0'), 'enter').wants).toEqual([{ kind: 'open', path: '0.ts', revision: null }]);
  });
});

describe('leaving', () => {
  it.each([
    [['q'], ['quit']],
    [['ctrl-c'], ['quit']],
    [['/', 'ctrl-c'], ['quit']],
    [['?', 'q'], []],
    [['f', 'q'], ['quit']],
    [['ctrl-z'], ['suspend']],
    [['ctrl-l'], ['redraw']],
    [['escape'], []],
  ])('%j wants %j', (keys, wants) => expect(press(modelOf('h'), ...keys).wants.map(({ kind }) => kind)).toEqual(wants));
});

describe('whatever is pressed', () => {
  const KEYS = [...'jk bgGaAhHmMuU][/:nNpfo?q1x', 'enter', 'tab', 'escape', 'backspace', 'up', 'end', 'ctrl-d', 'left'];
  const action = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...KEYS).map((key) => ({ kind: 'key', key }) as const) },
    {
      weight: 1,
      arbitrary: fc
        .record({ columns: fc.integer({ min: 1, max: 120 }), rows: fc.integer({ min: 1, max: 40 }) })
        .map((size) => ({ kind: 'resized', size }) as const),
    },
  );

  it('the cursor is on a line that is shown, and on the screen', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[abhimu]{0,30}$/), fc.array(action, { maxLength: 40 }), (letters, actions) => {
        let model = modelOf(letters);
        for (const message of actions) model = update(model, message).model;
        const { visit, list } = model;
        const { body } = layoutOf(model);
        expect(visit.at).toBeGreaterThanOrEqual(visit.top);
        expect(visit.at).toBeLessThan(visit.top + body);
        expect(visit.at).toBeLessThan(Math.max(1, visit.rows.length));
        expect(visit.top).toBeGreaterThanOrEqual(0);
        expect(list.at).toBeGreaterThanOrEqual(list.top);
        expect(model.storyTop).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 200 },
    );
  });
});
