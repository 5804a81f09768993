import { describe, expect, it } from 'vitest';
import { code, cutPath, nameOf, pathOf } from '../../src/report/names.ts';

describe('a name', () => {
  it.each([
    ['Ada', 'Ada'],
    ['', '(no name)'],
    [' \n\u202e ', '(no name)'],
    ['\x1b[31mred\r\nx', 'red x'],
    [`${'x'.repeat(400)}end`, 'x'.repeat(300)],
  ])('%j is printed as %j', (name, printed) => expect(nameOf(name)).toBe(printed));

  it('of a file ends as the file does', () => {
    expect(pathOf(`${'x/'.repeat(400)}end`)).toMatch(/^(?:\/x)+\/end$/);
    expect(pathOf('\x07')).toBe('(no name)');
  });

  it.each([
    [19, 'src/report/table.ts'],
    [18, '…/report/table.ts'],
    [16, '…/table.ts'],
    [9, 'src/repo…'],
  ])('of a file is cut to %i cells', (width, shown) => expect(cutPath('src/report/table.ts', width)).toBe(shown));

  it('a long one is cut in no time', () => {
    const path = '山\u0301/'.repeat(100);
    expect(cutPath(path, 20)).toMatch(/^…(?:\/山\u0301){5,6}\/$/);
  });
});

describe('a code span', () => {
  it.each([
    ['src/a.ts', '`src/a.ts`'],
    ['a`b|c', '`a\\140b\\174c`'],
    ['<b> <!-- x -->', '`<b> \\074!-- x -->`'],
  ])('of %j is %s', (name, span) => expect(code(name)).toBe(span));
});
