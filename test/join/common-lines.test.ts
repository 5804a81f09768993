import { describe, expect, test } from 'vitest';
import { originOf } from '../../src/join/commit.ts';
import { diffLines } from '../../src/lines/diff.ts';
import { Story } from './story.ts';

const story = (base = '') => new Story(base);

describe('lines that everybody writes', () => {
  const committed = 'alpha line one\n  return null;\nbeta line two\ngamma line three\n';

  test('one goes and another comes elsewhere: whether it is the same depends on whom it belonged to', () => {
    const moved = 'alpha line one\nbeta line two\ngamma line three\n  return null;\n';
    const told = story(committed).ai(`${committed}tail of the agent\n`).human(`${moved}tail of the agent\n`);
    const doubt = { movedFrom: { path: 'src/a.ts', line: 2 }, or: { type: 'human', evidence: 'absent' } };
    expect([...told.answers().values()]).toContainEqual(doubt);
    const [before, or] = [
      { type: 'ai', evidence: 'observed' },
      { type: 'human', evidence: 'absent' },
    ] as const;
    const doubtful = { movedFrom: { path: 'src/a.ts', line: 2 }, or };
    expect(originOf(doubtful, () => before)).toMatchObject({ type: 'unknown' });
    expect(originOf(doubtful, () => or)).toEqual(or);
  });

  test('a person replaces what stood before and after one: it may be typed anew', () => {
    const told = story('top of the file\nend of the file\n')
      .ai('top of the file\nagent says hello\nimport x;\nagent says goodbye\nend of the file\n')
      .human('top of the file\nsomebody types this\nimport x;\nand that as well\nend of the file\n');
    expect(told.commit()).toBe('.huh.');
  });

  test('or puts such a line on either side of it: which of them is the agent’s, nobody knows', () => {
    const told = story('top of the file\nend of the file\n')
      .ai('top of the file\nagent says hello\nbreak;\nagent says goodbye\nend of the file\n')
      .human(
        'top of the file\nagent says hello\nsomebody typed\nbreak;\nthis and\nbreak;\nthat\nagent says goodbye\nend of the file\n',
      );
    expect(told.commit()).toBe('.ahuhuha.');
  });

  test('or takes away what stood on the one side and replaces the other', () => {
    const told = story('top of the file\nend of the file\n')
      .ai('top of the file\nagent says hello\nbreak;\nagent says goodbye\nend of the file\n')
      .human('top of the file\nsomebody types this\nbreak;\nend of the file\n');
    expect(told.commit()).toBe('.hu.');
  });

  test('but one between lines that were only edited stays whose it was', () => {
    const told = story('top of the file\nend of the file\n')
      .ai('top of the file\nagent says hello\nimport x;\nagent says goodbye\nend of the file\n')
      .human('top of the file\nagent says hello there\nimport x;\nagent says goodbye now\nend of the file\n');
    expect(told.commit()).toBe('.mam.');
  });

  test('a brace holds nothing in place that a line which says something does not', () => {
    const older = ['first line here', '}', 'second line here', 'last line here'];
    const newer = ['first line here', 'second line here', 'something new', '}', 'last line here'];
    expect(diffLines(older, newer)).toEqual([0, 2, -1, -1, 3]);
  });

  test('git takes the agent’s brace for the old one, over lines of two hands: the old one stays a person’s', () => {
    const base = 'first line here\n});\nlast line here\n';
    const text = 'person typed\n});\nsecond agent\nfirst agent a\n});\nfirst agent b\nlast line here\n';
    const told = story(base)
      .ai('first line here\n});\nfirst agent a\n});\nfirst agent b\nlast line here\n', 's1')
      .ai('first line here\n});\nsecond agent\nfirst agent a\n});\nfirst agent b\nlast line here\n', 's2')
      .human(text);
    const added = [
      { start: 1, end: 4 },
      { start: 6, end: 6 },
    ];
    expect(told.commit(text, { added })).toBe('hvaa.a.');
  });
});
