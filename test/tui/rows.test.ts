import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDateFormat } from '../../src/blame/date.ts';
import { widthOf } from '../../src/terminal/width.ts';
import { crop, fold, spread } from '../../src/tui/cells.ts';
import { fileRows, headerRow } from '../../src/tui/file-rows.ts';
import { footerRow } from '../../src/tui/footer.ts';
import { keysOf } from '../../src/tui/keys.ts';
import { filterRows, helpRows } from '../../src/tui/list-rows.ts';
import { layoutOf } from '../../src/tui/model.ts';
import { storyRows } from '../../src/tui/panel.ts';
import { printFrame } from '../../src/tui/screen.ts';
import { printRow, type Row } from '../../src/tui/spans.ts';
import { lines, modelOf, press, storyOf } from './words.ts';

const date = parseDateFormat('short', { now: 0, zoneAt: () => '+0000' }, true);
const bare = (row: Row) => printRow(row, (_, text) => text);
const CONTROL = /[\x00-\x1f\x7f-\x9f\u202e]/;
/** Letters, wide ones, pictures of several parts, marks without a width, tabs, escapes. */
const hostile = fc
  .array(fc.constantFrom('a', ' ', '漢', '👩‍💻', 'e\u0301', '\t', '\x1b[31m', '\x1b]0;t\x07', '\u202e', '\x9b', 'ÿ'))
  .map((parts) => parts.join(''));
const printable = fc.array(fc.constantFrom('a', 'b', ' ', '漢', '👩‍💻', 'e\u0301')).map((parts) => parts.join(''));

describe('cells', () => {
  it.each([
    ['abc', 5, 0, 'abc  '],
    ['abcdef', 3, 2, 'cde'],
    ['漢字', 3, 0, '漢 '],
    ['漢字', 2, 1, '  '],
    ['漢字', 3, 1, ' 字'],
    ['a漢', 4, 9, '    '],
    ['abc', 0, 0, ''],
  ])('crop %j to %i from %i', (text, width, from, expected) => expect(crop(text, width, from)).toBe(expected));

  it('crop gives exactly as many cells as asked for', () => {
    fc.assert(
      fc.property(printable, fc.nat(30), fc.nat(30), (text, width, from) => {
        expect(widthOf(crop(text, width, from))).toBe(width);
      }),
    );
  });

  it('fold loses nothing and is never too wide', () => {
    fc.assert(
      fc.property(printable, fc.integer({ min: 2, max: 20 }), (text, width) => {
        const pieces = fold(text, width);
        expect(pieces.join('')).toBe(text);
        for (const piece of pieces) expect(widthOf(piece)).toBeLessThanOrEqual(width);
      }),
    );
  });

  it.each([
    ['\ta', '        a'],
    ['ab\tc\td', 'ab      c       d'],
    ['漢\tc', '漢      c'],
  ])('spread %j', (text, expected) => expect(spread(text)).toBe(expected));

  it('a line without end costs no more than a long one', () => {
    expect(spread('x'.repeat(1_000_000)).length).toBe(20_000);
  });
});

describe('every row', () => {
  const size = fc.record({ columns: fc.integer({ min: 1, max: 150 }), rows: fc.integer({ min: 1, max: 12 }) });

  it('of the file is as wide as its place, whatever the text; nothing in it can move a cursor', () => {
    fc.assert(
      fc.property(size, hostile, fc.boolean(), (some, text, panel) => {
        const model = press(
          modelOf('ahmu', some, () => text),
          ...(panel ? ['enter'] : []),
        ).model;
        const { file, body } = layoutOf(model);
        const rows = fileRows(model, date).map(bare);
        expect(rows).toHaveLength(body);
        for (const row of rows) {
          expect(widthOf(row)).toBe(file);
          expect(row).not.toMatch(CONTROL);
        }
        const others = [headerRow(model), footerRow(model), ...helpRows(model), ...filterRows(press(model, 'f').model)];
        for (const row of others) expect(widthOf(bare(row))).toBe(some.columns);
      }),
    );
  });

  it('of a conversation is not wider than the panel', () => {
    const [line] = lines('a');
    if (!line) throw new Error('no line');
    fc.assert(
      fc.property(hostile, fc.integer({ min: 12, max: 80 }), (text, width) => {
        const edits = [
          { id: 'x', timestamp: '', type: 'fileOperation', operation: 'edit', path: text, diff: `+${text}` },
        ] as const;
        const told = storyOf(line, {
          file: text,
          summary: text,
          behind: { prompt: text, message: `${text}\n${text}`, command: text, call: null, edits },
        });
        for (const row of storyRows(told, width)) {
          expect(bare(row)).not.toMatch(CONTROL);
          expect(widthOf(bare(row).trimEnd())).toBeLessThanOrEqual(width);
        }
      }),
    );
  });
});

describe('what is drawn', () => {
  it('kinds are told by letters', () => {
    const rows = fileRows(modelOf('ahmu', { columns: 30, rows: 6 }), date).map(bare);
    expect(rows.map((row) => row.slice(0, 6))).toEqual(['>A 1│l', ' H 2│l', ' M 3│l', ' ? 4│l']);
  });

  it('ten thousand lines cost no more than a screen of them', () => {
    const model = modelOf('a'.repeat(10_000), { columns: 100, rows: 30 });
    expect(fileRows(model, date)).toHaveLength(28);
  });

  it('a long prompt is cut, and says so', () => {
    const [line] = lines('a');
    if (!line) throw new Error('no line');
    const behind = { prompt: 'word\n'.repeat(50_000), message: null, command: null, call: null, edits: [] };
    const rows = storyRows(storyOf(line, { behind }), 40).map(bare);
    expect(rows.length).toBeLessThan(1100);
    expect(rows.at(-1)).toBe(' … the rest: git agent show');
  });

  it('only rows that changed, each at its place', () => {
    expect(printFrame([], ['a', 'b'])).toBe('\x1b[1;1H\x1b[0m\x1b[2Ka\x1b[2;1H\x1b[0m\x1b[2Kb');
    expect(printFrame(['a', 'b'], ['a', 'c'])).toBe('\x1b[2;1H\x1b[0m\x1b[2Kc');
    expect(printFrame(['a', 'b', 'c'], ['a'])).toBe('\x1b[2;1H\x1b[0m\x1b[J');
    expect(printFrame(['a'], ['a'])).toBe('');
  });
});

describe('keys', () => {
  const none = Object.fromEntries(
    ['upArrow', 'downArrow', 'return', 'escape', 'ctrl', 'meta', 'tab', 'backspace', 'delete'].map((name) => [
      name,
      false,
    ]),
  ) as unknown as Parameters<typeof keysOf>[1];
  it.each([
    ['j', {}, ['j']],
    ['jjG', {}, ['j', 'j', 'G']],
    ['ab\r', {}, ['a', 'b', 'enter']],
    ['j\x1a\x03', {}, ['j', 'ctrl-z', 'ctrl-c']],
    ['漢', {}, ['漢']],
    ['', { upArrow: true }, ['up']],
    ['c', { ctrl: true }, ['ctrl-c']],
    ['', { delete: true }, ['backspace']],
    ['x', { meta: true }, []],
    ['\x1b\x00', {}, []],
  ])('%j %j', (input, key, expected) => expect(keysOf(input, { ...none, ...key })).toEqual(expected));
});
