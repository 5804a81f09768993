import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/workshop.ts';
import { told } from './told.ts';

/** Agents also write by tools of MCP servers, of which nothing is known but their names and what they are given. */
let shop: Workshop;
beforeEach(async () => {
  shop = await openWorkshop();
  shop.human('src/a.ts', 'typed first\ntyped second\n').commit('first');
});
afterEach(() => shop.remove());

const write = (file: string, text: string) => () => {
  const whole = path.join(shop.dir, file);
  fs.mkdirSync(path.dirname(whole), { recursive: true });
  fs.writeFileSync(whole, text);
};

describe('a tool that is called a writer, and names the file', () => {
  test.each([
    ['mcp__files__write_file', () => ({ path: path.join(shop.dir, 'src/a.ts'), content: 'x' })],
    ['mcp__serena__replace_symbol_body', () => ({ name_path: 'f', relative_path: 'src/a.ts', body: 'x' })],
    ['mcp__files__edit_file', () => ({ edits: [{ filePath: 'src/a.ts', newText: 'x' }] })],
    ['mcp__ide__createTextFile', () => ({ uri: `file://${shop.dir}/src/a.ts` })],
    ['mcp__files__write_files', () => ({ paths: ['b.ts', 'src/a.ts'] })],
  ])('wrote it (%s)', async (name, input) => {
    shop.human('mine.ts', 'typed before\n');
    const id = shop.server(name, input(), write('src/a.ts', 'typed first\nwritten by the tool\ntyped second\n'));
    shop.human('mine.ts', 'typed before\ntyped after\n').commit('second');
    expect(await told(shop, 'src/a.ts', 'mine.ts')).toEqual(['hah', 'hh']);
    const { lines } = await shop.json('src/a.ts');
    expect(lines[1]).toMatchObject({ session: 's1', event: id, evidence: 'observed' });
  });
});

describe('nobody knows who wrote what changed while a tool ran', () => {
  test.each([
    ['that does who knows what', 'mcp__lab__run', { path: 'src/a.ts' }],
    ['that writes another file', 'mcp__files__write_file', { path: 'b.ts', content: 'see src/a.ts' }],
    ['that names no file', 'mcp__browser__update', { url: 'https://example.com/src/a.ts' }],
    ['that brings what stood elsewhere', 'mcp__files__move_file', { source: 'b.ts', destination: 'src/a.ts' }],
  ])('%s', async (_, name, input) => {
    shop.server(name, input, write('src/a.ts', 'typed first\nby whom\ntyped second\n'));
    shop.human('mine.ts', 'typed after\n').commit('second');
    expect(await told(shop, 'src/a.ts', 'mine.ts')).toEqual(['huh', 'h']);
  });
});

test('what changes while a tool looks is a person’s', async () => {
  shop.server(
    'mcp__files__read_file',
    { path: 'src/a.ts' },
    write('src/a.ts', 'typed first\nand more\ntyped second\n'),
  );
  shop.commit('second');
  expect(await told(shop, 'src/a.ts')).toEqual(['hhh']);
});

test('a file that a tool moves keeps its writers', async () => {
  const text = 'const first = one(1);\nconst second = two(2);\nconst third = three(3);\n';
  shop.human('mine.ts', text).commit('mine');
  shop.server('mcp__files__move_file', { source: 'mine.ts', destination: 'moved.ts' }, () =>
    fs.renameSync(path.join(shop.dir, 'mine.ts'), path.join(shop.dir, 'moved.ts')),
  );
  shop.commit('moved');
  expect(await told(shop, 'moved.ts')).toEqual(['hhh']);
});

test('without snapshots a call is a doubt, not a person', async () => {
  shop.tell('s1', 'toolu_mcp', 'mcp__files__write_file', { path: 'src/a.ts', content: 'x' });
  write('src/a.ts', 'typed first\nby whom\ntyped second\n')();
  shop.hook('event', 's1', { hook_event_name: 'UserPromptSubmit', prompt: 'go on' });
  shop.commit('second');
  expect(await told(shop, 'src/a.ts')).toEqual(['huh']);
});
