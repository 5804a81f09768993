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

  test('a text of such lines only is not written anew by an agent that moves one', () => {
    const told = story('return null;\n\nreturn null;\n')
      .human('}\nreturn null;\nreturn null;\nreturn null;\n\n')
      .ai('}\n\nreturn null;\nreturn null;\nreturn null;\n');
    expect(told.commit()[0]).toBe('h');
  });

  test('one that a second diff calls a person’s is not the agent’s, also where the first calls another that', () => {
    const [head, blanks] = ['typed by a person first\nreturn null;\n', '\n\n\n'];
    const [typed, agents] = ['typed by a person second\nreturn null;\n', 'an agent says this one\n'];
    const common = 'return null;\n}\nreturn null;\nreturn null;\n';
    const told = story('typed by a person first\nreturn null;\n}\nreturn null;\n')
      .ai(`typed by a person first\n${agents}return null;\n}\nreturn null;\n`)
      .human(`${head}${typed}${agents}${common}${blanks}`)
      .ai(`${head}${common}\n${typed}${agents}\n\n`, 's2');
    expect([...told.answers().values()].map((answer) => 'agent' in answer && answer.agent?.session)).not.toContain(
      's2',
    );
  });

  test('two that a person wrote, an agent took away and an agent writes elsewhere: nobody knows', () => {
    const [a, b, c] = ['first of the file\n', 'second of the file\n', 'third of the file\n'];
    const told = story(`${a}${b}${c}`)
      .human(`${a}break;\nreturn null;\n${b}${c}`)
      .ai(`${a}${b}${c}`)
      .ai(`${a}${b}break;\nreturn null;\n${c}`, 's2');
    expect(told.commit()).toBe('..uu.');
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

  test('an old brace is the agent’s only where its block may have been put in higher: nothing else lies between', () => {
    const text = 'break;\n\nthird line here\n\n';
    const told = story('third line here\nbreak;\n\n').ai('third line here\n\n').ai(text);
    expect(told.commit(text, { added: [{ start: 3, end: 4 }] })).toBe('..vv');
    const slid = 'third line here\n}\nagent says hello\n}\nlast line here\n';
    const block = story('third line here\n}\nlast line here\n').ai(slid);
    expect(block.commit(slid, { added: [{ start: 3, end: 4 }] })).toBe('..aa.');
  });

  test('where lines only went, what is left was not written anew', () => {
    const base = 'first line here\nsecond line here\n';
    expect(story(base).ai(`${base}agent says hello\n  }\n`).human('  }\n').commit()).toBe('a');
  });

  test('the same line twice is no run: a person may have typed it twice as well', () => {
    const told = story('first line here\n')
      .ai('break;\nbreak;\nfirst line here\n')
      .ai('first line here\n', 's2')
      .human('first line here\nbreak;\nbreak;\n');
    expect(told.commit()).toBe('.uu');
  });

  test('between a brace and the end of the file one line may be typed anew where such a line had stood', () => {
    const told = story('}\n').ai('}\nreturn null;\n').ai('}\n', 's2').human('person types this\n}\nreturn null;\n');
    expect(told.commit()).toBe('h.u');
  });

  test('a line goes past several braces: these were not typed, and may be whose they were', () => {
    const told = story('first line here\n')
      .ai('first line here\n\n}\nagent says hello\n', 's1')
      .ai('first line here\nagent says hello\n\n}\n', 's2');
    expect(told.commit()).toBe('.auu');
  });

  test('a line that everybody writes is on the other side of what stayed: it may be typed anew', () => {
    const base = '\n\nreturn null;\n';
    const told = story(base).ai(`${base}agent says hello\n`).human('return null;\n\n\nagent says hello\n');
    const doubt = { movedFrom: { path: 'src/a.ts', line: 3 }, or: { type: 'human', evidence: 'absent' } };
    expect(told.answers(undefined, { added: [{ start: 1, end: 1 }] }).get(1)).toEqual(doubt);
  });

  test('two blocks change places: each brace goes with its own', () => {
    const told = story('return null;\n')
      .human('return null;\nperson types this\n}\n')
      .ai('agent says hello\nreturn null;\n}\nperson types this\n}\n')
      .human('person types this\n}\nagent says hello\nreturn null;\n}\n');
    expect(told.commit()).toBe('hha.a');
  });

  test('a function that is moved past another takes its last lines along, or nobody knows whose they are', () => {
    const of = (name: string) => `function ${name}() {\n  return null;\n}\n\n`;
    const agents = 'function ag() {\n  thing();\n  return null;\n}\n\n';
    const told = story(`import x\n\n${of('p1')}${of('p2')}`)
      .ai(`import x\n\n${of('p1')}${agents}${of('p2')}`)
      .human(`import x\n\n${agents}${of('p1')}${of('p2')}`);
    expect(told.commit()).toMatch(/^\.\.[au]{5}\.{8}$/);
  });
});
