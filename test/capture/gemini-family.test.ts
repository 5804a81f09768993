import { describe, expect, test } from 'vitest';
import { callId, callOf, exitCodeIn, isBackground, partsOf, typedText } from '../../src/capture/gemini-family.ts';

type Input = Record<string, unknown>;
const begun = { id: 'c1', at: 1, cwd: '/repo' };
const editOf = (input: Input, display: unknown, text = '', name = 'edit') =>
  callOf({ ...begun, name, input }, { end: { at: 2, outcome: 'done', text }, display }).edits?.[0];

describe('what an edit changed', () => {
  const path = { file_path: 'a.txt' };
  const both = { originalContent: 'x\n', newContent: 'y\n' };
  const cut = { truncatedForSession: true, originalContentLength: 20_000, newContentLength: 20_001 };
  const pair = { old_string: 'x', new_string: 'yy' };
  test.each<[string, Input, unknown, string, unknown]>([
    ['both texts', path, both, '', { kind: 'full', before: 'x\n', after: 'y\n' }],
    ['an empty file', path, { ...both, originalContent: '' }, 'Successfully overwrote file: a.txt.', { before: '' }],
    ['a new file', path, { ...both, originalContent: '', isNewFile: true }, '', { kind: 'full', before: null }],
    [
      'a new file in Qwen’s words',
      path,
      { ...both, originalContent: '' },
      'Successfully created and wrote to new file: a.txt.',
      { before: null },
    ],
    [
      'a new file by an edit',
      path,
      { ...both, originalContent: null },
      '',
      { kind: 'full', before: null, after: 'y\n' },
    ],
    [
      'a new file that only words tell of',
      { ...path, old_string: '', new_string: 'y\n' },
      'Created a.txt',
      'Created new file: /a.txt with provided content.',
      { kind: 'full', before: null, after: 'y\n' },
    ],
    [
      'a text over one that is not shown',
      { ...path, content: 'y\n' },
      undefined,
      'Successfully overwrote file',
      { kind: 'write', after: 'y\n' },
    ],
    ['a pair', { ...path, ...pair }, undefined, '', { kind: 'replace', pairs: [{ old: 'x', new: 'yy', all: false }] }],
    ['every match', { ...path, ...pair, allow_multiple: true }, '', '', { pairs: [{ all: true }] }],
    ['every match in Qwen’s words', { ...path, ...pair, replace_all: true }, '', '', { pairs: [{ all: true }] }],
    [
      'a large new file',
      { ...path, content: 'z'.repeat(20_001) },
      { ...both, ...cut, originalContent: '', newContentTruncated: true },
      'Successfully created and wrote to new file',
      { kind: 'full', before: null, after: 'z'.repeat(20_001) },
    ],
    [
      'a large text that is not what was asked for',
      { ...path, content: 'z' },
      { ...both, ...cut, originalContentTruncated: true, newContentTruncated: true },
      '',
      { kind: 'replace', pairs: [] },
    ],
    [
      'a pair in a large file',
      { ...path, ...pair },
      { ...both, ...cut, originalContentTruncated: true, newContentTruncated: true },
      '',
      { kind: 'replace', pairs: [{ old: 'x', new: 'yy' }] },
    ],
    [
      'a pair that does not fit the large file',
      { ...path, ...pair, new_string: 'yyy' },
      { ...both, ...cut, originalContentTruncated: true, newContentTruncated: true },
      '',
      { kind: 'replace', pairs: [] },
    ],
    [
      'a cell of a large notebook',
      { notebook_path: 'a.txt', new_source: 'x' },
      { ...both, ...cut, originalContentTruncated: true, newContentTruncated: true },
      '',
      { kind: 'replace', pairs: [] },
    ],
  ])('%s', (_, input, display, text, change) => {
    expect(editOf(input, display, text)).toMatchObject({ path: 'a.txt', change });
  });

  test.each<[string, Input, unknown]>([
    ['no path', { content: 'x' }, undefined],
    ['no text', path, undefined],
    ['wrong types', { file_path: 1, content: {} }, { newContent: [], originalContent: 3 }],
  ])('nothing that can be told: %s', (_, input, display) => {
    expect(callOf({ ...begun, name: 'write_file', input }, { end: { at: 2, outcome: 'done' }, display }).edits).toEqual(
      [],
    );
  });

  test('a person changed the proposal', () => {
    const stat = { user_added_lines: 1 };
    expect(editOf({ ...path, modified_by_user: true }, both)?.userModified).toBe(true);
    expect(editOf(path, { ...both, diffStat: stat })?.userModified).toBe(true);
    expect(editOf(path, { ...both, diffStat: { user_added_lines: 0 } })).not.toHaveProperty('userModified');
  });
});

test.each<[string, number | undefined]>([
  ['<untrusted_context>\nOutput: (empty)\nProcess Group PGID: 65\n</untrusted_context>', 0],
  ['<untrusted_context>\nOutput: x\nExit Code: 3\nProcess Group PGID: 65\n</untrusted_context>', 3],
  ['<untrusted_context>\nOutput: (empty)\nSignal: 9\nProcess Group PGID: 65\n</untrusted_context>', undefined],
  [
    'Command: x\nDirectory: (root)\nOutput: Exit Code: 5\nError: (none)\nExit Code: 0\nSignal: (none)\nProcess Group PGID: (none)',
    0,
  ],
  ['Command: x\nOutput: (empty)\nError: (none)\nExit Code: (none)\nSignal: 9\nProcess Group PGID: (none)', undefined],
  [`Output: Exit Code: 7\n${'more\n'.repeat(9)}Process Group PGID: 65`, 0],
  ['', undefined],
])('the exit code of %j is %s', (text, code) => {
  expect(exitCodeIn(text)).toBe(code);
});

test('a command ran where it says', () => {
  const cwdOf = (input: Input, cwd?: string) =>
    callOf({ id: 'c', at: 1, name: 'run_shell_command', input: { command: 'x', ...input }, ...(cwd && { cwd }) }).cwd;
  expect([cwdOf({}, '/r'), cwdOf({ dir_path: 'src' }, '/r'), cwdOf({ directory: '/r/src' }, '/r')]).toEqual([
    '/r',
    '/r/src',
    '/r/src',
  ]);
  expect([cwdOf({ dir_path: 'src' }), cwdOf({ dir_path: 7 }, '/r')]).toEqual([undefined, '/r']);
});

test('a command that goes on', () => {
  const said = (text: string) => ({ end: { at: 1, outcome: 'done' as const, text }, display: '' });
  expect(isBackground({ is_background: true }, undefined)).toBe(true);
  expect(isBackground({}, said('<untrusted_context>\nCommand moved to background (PID: 1).'))).toBe(true);
  expect(isBackground({}, said('Background shell started.\nid: 1'))).toBe(true);
  expect(isBackground({ is_background: 'yes' }, said('Output: done'))).toBe(false);
});

test.each<[string, unknown, string | undefined]>([
  ['a text', 'Do it.', 'Do it.'],
  ['parts', [{ text: 'Do ' }, { text: 'it.' }], 'Do it.'],
  ['one part', { text: 'Do it.' }, 'Do it.'],
  [
    'files that it names',
    [{ text: 'See @a' }, { text: '\n--- Content from referenced files ---' }, { text: 'secret' }],
    'See @a',
  ],
  ['a reminder in front', [{ text: '<system-reminder>\nx\n</system-reminder>' }, { text: 'Do it.' }], 'Do it.'],
  ['context', [{ text: '<session_context>\nx' }], undefined],
  ['a summary', '<state_snapshot>x', undefined],
  ['the program itself', 'System: Please continue.', undefined],
  ['a thought', [{ text: 'hm', thought: true }], undefined],
  ['a result', [{ functionResponse: { name: 'x' } }], undefined],
  ['nothing', undefined, undefined],
  ['anything', [null, 3, [], { text: {} }], undefined],
])('what was typed: %s', (_, content, text) => {
  expect(typedText(partsOf(content))).toBe(text);
});

test.each<[unknown, string | undefined]>([
  ['call_65156a7d4cdfb128', 'call_65156a7d4cdfb128'],
  ['write_file__fc6e364714f39232e7', 'write_file__fc6e364714f39232e7'],
  ['run_shell_command__run_shell_command_1794866231025_0', 'run_shell_command__run_shell_command_1794866231025_0'],
  ['b5qo7ls5', 'b5qo7ls5'],
  ['functions.write_file:0', 's1:functions.write_file:0'],
  ['toolcall12', 's1:toolcall12'],
  ['call_0', 's1:call_0'],
  ['../x', undefined],
  [7, undefined],
])('the id of call %j is %s', (id, told) => {
  expect(callId(id, 's1')).toBe(told);
});
