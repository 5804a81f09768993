import { expect, test } from 'vitest';
import { Story } from './story.ts';

/** A formatter and a person in the same save: what only has another form is still the agent's. */
const AGENTS = 'function three(){ return compute(3) }\nfunction four(){ return compute(4) }\n';
const FORMED = 'function three() {\n  return compute(3);\n}\nfunction four() {\n  return compute(4);\n}\n';
const TYPED = 'const typed = "by a person";\n';

test.each([
  ['after it', `${FORMED}${TYPED}`, 'aaaaaah'],
  ['before it', `${TYPED}${FORMED}`, 'haaaaaa'],
  ['in between', FORMED.replace('}\nfunction four', `}\n${TYPED}function four`), 'aaahaaa'],
])('a line is typed %s', (_, text, expected) => {
  expect(new Story().ai(AGENTS).human(text).commit()).toBe(expected);
});

test('committed lines that are given another form by hand are the person’s, the agent’s beside them the agent’s', () => {
  const base = 'function one(){ return compute(1) }\n';
  const formed = 'function one() {\n  return compute(1);\n}\n';
  const file = new Story(base).ai(base + AGENTS).human(formed + FORMED + TYPED);
  expect(file.commit()).toBe('hhhaaaaaah');
});

test('a few signs in common prove nothing', () => {
  expect(new Story().ai('x = {\n  y\n}\n').human('x =\n{\nother words of a person\n}\n').commit()).not.toMatch(/^a/);
});

test.each(['}', 'break;', 'return null;'])(
  '%s typed below a block that the same save indents leaves the block whole',
  (weak) => {
    const block = ['the first line of the agent', weak, 'the second line of the agent', 'the third line of the agent'];
    const typed = ['a line that a person types', weak, 'another line that a person types'];
    const saved = [...block.map((line) => `    ${line}`), ...typed];
    const file = new Story().ai(`${block.join('\n')}\n`).human(`${saved.join('\n')}\n`);
    expect(file.commit()).toMatch(/^aaaah[hu]h$/);
  },
);
