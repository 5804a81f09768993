import { expect, test } from 'vitest';
import { Story } from './story.ts';

const story = (base = '') => new Story(base);

/** Lines that a person typed and nobody committed; an agent takes them out and puts them back. They are still the person's. */
const BASE = 'first line of the base\nlast line of the base\n';
const TYPED = 'first line of the base\nconst typed = byHand(1);\nconst more = byHand(2);\nlast line of the base\n';

test('by two edits', () => {
  expect(story(BASE).human(TYPED).ai(BASE).ai(TYPED).commit()).toBe('.hh.');
});

test('with a line of its own beside them', () => {
  expect(story(BASE).human(TYPED).ai(BASE).ai(`${TYPED}const own = ofTheAgent();\n`).commit()).toBe('.hh.a');
});

test('by writing the whole file over, and over again', () => {
  expect(story(BASE).human(TYPED).ai('something else entirely\n').ai(TYPED).commit()).toBe('.hh.');
});

test('in a file that it removes and makes anew', () => {
  expect(story().human(TYPED).ai('').ai(TYPED).commit()).toBe('hhhh');
});

test('the other way round nothing is the person’s: the agent was seen to write it', () => {
  expect(story(BASE).ai(TYPED, 's1').human(BASE).ai(TYPED, 's2').commit()).toBe('.aa.');
});

test('a line that everybody writes comes back only to where it stood', () => {
  const brief = (text: string) => `${text}first line of the base\nlast line of the base\n`;
  expect(story(BASE).human(brief('return;\n')).ai(BASE).ai(`${BASE}return;\n`).commit()).toBe('..a');
});

test('what git put aside an edit tool does not bring back: a line that everybody writes is the agent’s', () => {
  const typed = BASE.replace('\n', '\n  return null;\n');
  const lines = BASE.trimEnd().split('\n');
  const told = story(BASE)
    .human(typed)
    .ai(`${typed}tail of the agent\n`)
    .human(BASE)
    .ai(BASE.replace('\n', '\nconst own = ofTheAgent();\n  return null;\n'), 's2');
  expect(told.commit(undefined, { placed: [{ at: 12_500, text: lines, over: lines }] })).toBe('.aa.');
});

test('what git put aside comes back once: such a line elsewhere may be a person’s', () => {
  const lines = BASE.trimEnd().split('\n');
  const back = `${BASE.replace('\n', '\n  return null;\n}\n')}const typed = byHand(1);\n  return null;\n`;
  const told = story(BASE).ai(BASE.replace('\n', '\n  return null;\n}\n')).human(BASE).human(back);
  expect(told.commit(undefined, { placed: [{ at: 11_500, text: lines, over: lines }] })).toBe('.aa.hu');
});

test('what git put aside has not moved to where the commit has such a line', () => {
  const other = `import x;\n${BASE}`;
  const written = BASE.replace('\n', '\n}\nimport x;\nconst own = ofTheAgent();\n');
  const told = story(other).human(BASE).ai(written).human(other).human(`import x;\n${written}`);
  const texts = [BASE, other].map((text) => text.trimEnd().split('\n'));
  const [base = [], away = []] = texts;
  const placed = [
    { at: 10_500, text: base, over: away },
    { at: 12_500, text: away, over: base },
  ];
  expect(told.commit(undefined, { placed })).toBe('..aaa.');
});

test('what git put aside and has brought back already: such a line elsewhere is whoever types it', () => {
  const written = `${BASE}const own = ofTheAgent();\nbreak;\nconst last = ofTheAgent();\n`;
  const told = story(BASE)
    .ai(written)
    .shell('git checkout -q main', BASE)
    .shell('git merge -q topic', written)
    .human(written.replace('\n', '\nconst typed = byHand(1);\nbreak;\nconst more = byHand(2);\n'));
  expect(told.commit()).toBe('.hhh.aaa');
});

test('what the commit before has, went and came back: a person who types around it has not typed it', () => {
  const base = 'top of the file\nagent begins here\n}\n});\n});\nagent ends here\n';
  const text =
    'top of the file\nperson begins here\n}\nperson goes on\n}\n});\n});\nperson ends here\n});\nthat is all\nagent ends here\n';
  // as git sees it
  const added = [2, 4, 5, 6, 8, 10].map((line) => ({ start: line, end: line }));
  const told = story(base).shell('git stash push -q', 'top of the file\n').human(text);
  expect(told.commit(text, { added })).toBe('.h.hvv.h.h.');
});
