import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

// What an agent wrote and nobody has committed goes on: moved by a person, then by another agent, or out of a copy. It becomes no person's.
let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
});
afterEach(() => shop.remove());

const textOf = (words: string) =>
  Array.from({ length: 5 }, (_, i) => `export const ${words}${i} = ${words}Of(limit, ${i + 7}, "${words}");\n`).join(
    '',
  );
const [LEFT, RIGHT, WRITTEN] = ['left', 'right', 'written'].map(textOf) as [string, string, string];
const heredocs = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts)
    .map(([file, text]) => `cat > ${file} <<'EOF'\n${text}EOF\n`)
    .join('');

test('a person moves an agent’s lines to another file, and another agent moves them back in one command', async () => {
  shop.human('a.js', LEFT).human('b.js', RIGHT).commit('base');
  shop.ai('a.js', LEFT + WRITTEN, 's1');
  shop.human('a.js', LEFT).human('b.js', RIGHT + WRITTEN);
  shop.shell(heredocs({ 'a.js': LEFT + WRITTEN, 'b.js': RIGHT }), 's2');
  expect(await shop.blame('a.js')).toBe('hhhhhuuuuu');
});

test.each(['tool', 'command'])(
  'a person copies a file, and an agent takes an agent’s lines out of the copy: %s',
  async (by) => {
    shop.human('a.js', LEFT).commit('base');
    shop.ai('a.js', LEFT + WRITTEN, 's1');
    fs.copyFileSync(path.join(shop.dir, 'a.js'), path.join(shop.dir, 'b.js'));
    if (by === 'tool') shop.edit('b.js', [WRITTEN, ''], 's2');
    else shop.shell(heredocs({ 'b.js': LEFT }), 's2');
    expect(await shop.blame('a.js')).not.toContain('h'.repeat(6));
    shop.commit('both');
    await shop.work();
    expect(await shop.blame('a.js')).toBe('hhhhhaaaaa');
  },
);

test('a person moves an agent’s lines to where what stands before them stood already', async () => {
  shop
    .human('a.js', LEFT + RIGHT)
    .human('b.js', '// b\n')
    .commit('base');
  shop.ai('b.js', `// b\n${RIGHT}`, 's1');
  shop.ai('a.js', LEFT + RIGHT + WRITTEN, 's1');
  shop.human('b.js', `// b\n${RIGHT}${WRITTEN}`).human('a.js', LEFT + RIGHT);
  expect(await shop.blame('b.js')).toBe('haaaaaaaaaa');
});

test('a person moves lines there and back with an agent’s among them, and an agent moves them on within the file', async () => {
  const among = `${LEFT.slice(0, LEFT.indexOf('\n') + 1)}${WRITTEN}${LEFT.slice(LEFT.indexOf('\n') + 1)}`;
  const [last, first] = ['// last\n', textOf('first')];
  shop
    .human('a.js', LEFT + last)
    .human('b.js', first + RIGHT)
    .commit('base');
  shop.human('a.js', first + LEFT + last).human('b.js', RIGHT);
  shop.ai('a.js', first + among + last, 's1');
  shop.human('b.js', among + RIGHT).human('a.js', first + last);
  shop.shell(heredocs({ 'b.js': RIGHT }), 's1');
  shop.shell(heredocs({ 'b.js': RIGHT + among }), 's1');
  shop.commit('all');
  await shop.work();
  expect(await shop.blame('b.js')).toBe('hhhhhhuuuuuhhhh');
});

test('so does a line among them that says nothing, and may have been there before', async () => {
  const [top, ...rest] = LEFT.split(/(?<=\n)/);
  const written = WRITTEN.split(/(?<=\n)/);
  const mine = `${top}});\n${rest.join('')}`;
  const among = [top, ...written.slice(0, 2), '});\n', ...written.slice(2), ...rest].join('');
  const [last, first] = ['// last\n', textOf('first')];
  shop
    .human('a.js', mine + last)
    .human('b.js', first + RIGHT)
    .commit('base');
  shop.human('a.js', first + mine + last).human('b.js', RIGHT);
  shop.ai('a.js', first + among + last, 's1');
  shop.human('b.js', among + RIGHT).human('a.js', first + last);
  shop.shell(heredocs({ 'b.js': RIGHT }), 's1');
  shop.shell(heredocs({ 'b.js': RIGHT + among }), 's1');
  shop.commit('all');
  await shop.work();
  expect(await shop.blame('b.js')).toBe('hhhhhhuuuuuuhhhh');
});

test('and one that a diff takes for a person’s, which stood in its place before', async () => {
  const written = WRITTEN.split(/(?<=\n)/);
  const block = [...written.slice(0, 2), '});\n', ...written.slice(2)].join('');
  const mine = `${RIGHT}});\n`;
  shop
    .human('a.js', LEFT + mine)
    .human('b.js', textOf('other'))
    .commit('base');
  shop.edit('a.js', [mine, ''], 's1');
  shop.edit('b.js', ['export const other0', `${mine}export const other0`], 's1');
  const b = shop.read('b.js');
  shop.shell(heredocs({ 'b.js': b + block }), 's1');
  shop.human('b.js', b).human('a.js', LEFT + block);
  shop.shell(heredocs({ 'a.js': LEFT }), 's1');
  shop.ai('a.js', block + LEFT, 's1');
  shop.commit('all');
  await shop.work();
  expect(await shop.blame('a.js')).toBe('uuuuuuhhhhh');
});
