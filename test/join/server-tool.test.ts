import { expect, test } from 'vitest';
import { isServerCall, serverCallLooks, serverCallMoves, serverDoubt } from '../../src/join/server-tool.ts';

test.each([
  ["mcp__files__write_file 'a'", 'wrote it'],
  ["mcp_ide_createTextFile 'a'", 'wrote it'],
  ["mcp__serena__replace_symbol_body 'a'", 'wrote it'],
  ["mcp__serena__rename_symbol 'a'", 'wrote it'],
  ["mcp__files-edit_file 'a'", 'wrote it'],
  ["mcp__files__read_file 'a'", 'looks'],
  ["mcp__docs__list_updates 'a'", 'looks'],
  ['mcp__playwright__browser_click', 'looks'],
  ["mcp__playwright__browser_pdf_save 'a'", 'wrote it'],
  ["mcp__files__get_or_create 'a'", 'wrote it'],
  ["mcp__lab__run 'a'", 'who knows'],
  ["mcp__address__look_up 'a'", 'who knows'],
  ["mcp__files__move_file 'a'", 'moved'],
  ["mcp__files__rename_file 'a'", 'moved'],
  ['mcp__git__git_checkout', 'moved'],
])('%s: %s', (command, what) => {
  expect(isServerCall(command)).toBe(true);
  expect(serverCallMoves(command)).toBe(what === 'moved');
  expect(serverCallLooks(command)).toBe(what === 'looks');
  if (what !== 'moved') expect(serverDoubt(command, 'a') === undefined).toBe(what === 'wrote it');
});

test.each([
  ['src/a.ts', true],
  ['./src/a.ts', true],
  ['/home/me/repo/src/a.ts', true],
  ['file:///home/me/repo/src/a.ts', true],
  ['a.ts', true],
  ['lib/a.ts', false],
  ['/home/me/repo/lib/a.ts', false],
  ['src/b-a.ts', false],
  ['src', false],
  ['', false],
])('a writer of %s wrote src/a.ts: %s', (place, wrote) => {
  const doubt = serverDoubt(`mcp__files__write_file 'x' '${place}'`, 'src/a.ts');
  expect(doubt).toBe(wrote ? undefined : 'changed while a tool of an MCP server ran');
});

test('a program of that name is none', () => {
  expect(isServerCall('./mcp__files__write_file a')).toBe(false);
});
