import { expect, test } from 'vitest';
import { decodeHook as cline } from '../../src/capture/cline/hook.ts';
import { decodeHook as codex } from '../../src/capture/codex/hook.ts';
import { decodeHook as copilot } from '../../src/capture/copilot/hook.ts';
import { decodeHook as droid } from '../../src/capture/droid/hook.ts';
import { decodeHook as gemini } from '../../src/capture/gemini-cli/hook.ts';
import { callOf as opencodeCall } from '../../src/capture/opencode-family/tools.ts';
import { decodeHook as qwen } from '../../src/capture/qwen-code/hook.ts';
import { serverCommand } from '../../src/capture/server-tool.ts';
import type { JsonObject } from '../../src/json.ts';

const deep = { a: { b: { c: { d: { e: { path: 'too deep' } } } } } };

test.each<[string, JsonObject, string[]]>([
  ['a path', { path: 'src/a.ts', content: 'see "path": b.ts' }, ['src/a.ts']],
  [
    'other words for it',
    { relative_path: 'a', filePath: 'b', uri: 'file:///c', destination: 'd' },
    ['a', 'b', 'file:///c', 'd'],
  ],
  ['several', { paths: ['a', 'b'], files: [{ file_name: 'c', text: 'x' }] }, ['a', 'b']],
  ['edits that name theirs', { edits: [{ filePath: 'a', newText: 'b' }] }, ['a']],
  ['quotes', { path: "it's" }, ['its']],
  ['texts, numbers, nothing', { text: 'a', query: 'b', path: 3, file: null, target: 'two\nlines' }, []],
  ['no end of it', deep, []],
])('names %s', (_, input, places) => {
  expect(serverCommand('mcp__s__t', input)).toBe(['mcp__s__t', ...places.map((one) => `'${one}'`)].join(' '));
});

/** As the programs call one tool of one server, and where they say so; measured on each of them. */
const at = 1000;
const input = { path: 'a.ts', content: 'x' };
const call = { session_id: 's', cwd: '/repo', tool_input: input };
const before = { ...call, hook_event_name: 'PreToolUse' };
const root = { hookName: 'tool_call', taskId: 's', workspaceRoots: ['/repo'] };

test.each([
  ['Codex', codex({ ...before, tool_name: 'mcp__files__write', tool_use_id: 'c' }, { at }), 'mcp__files__write'],
  [
    'Gemini CLI',
    gemini({ ...call, hook_event_name: 'BeforeTool', tool_name: 'mcp_files_write' }, { at }),
    'mcp_files_write',
  ],
  ['Qwen Code', qwen({ ...before, tool_name: 'mcp__files__write' }, { at }), 'mcp__files__write'],
  ['Droid', droid({ ...before, tool_name: 'files___write' }, { at }), 'mcp__files___write'],
  [
    'Copilot CLI',
    copilot({ sessionId: 's', cwd: '/repo', toolName: 'files-write', toolArgs: input }, { at }),
    'mcp__files-write',
  ],
  [
    'Copilot in VS Code',
    copilot({ ...before, tool_name: 'mcp_files_write', tool_use_id: 'c' }, { at }),
    'mcp_files_write',
  ],
  ['Cline', cline({ ...root, tool_call: { id: 'c', name: 'files__write', input } }, { at }), 'mcp__files__write'],
])('%s', (_, { commands, edits, skipped }, name) => {
  expect([edits, skipped]).toEqual([[], {}]);
  expect(commands).toMatchObject([{ command: `${name} 'a.ts'`, startedAt: at, background: false }]);
  expect(commands[0]).not.toHaveProperty('endedAt');
});

test.each([
  ['files_write', "mcp__files_write 'a.ts'"],
  ['apply_patch', undefined],
  ['plan_exit', undefined],
  ['bash', undefined],
])('opencode: %s', (name, server) => {
  expect(opencodeCall({ id: 'c', at, name, input }).server).toBe(server);
});
