import { describe, expect, test } from 'vitest';
import { decodeTranscript } from '../../../src/capture/claude-code/transcript.ts';

const at = '2026-10-01T10:00:00.000Z';
let serial = 0;

function line(type: string, more: object): string {
  return JSON.stringify({
    type,
    uuid: `u${++serial}`,
    sessionId: 'S',
    cwd: '/w',
    version: '2.1.0',
    timestamp: at,
    ...more,
  });
}

function call(name: string, input: object, id = 't1', model = 'claude-opus-4-5-20251101'): string {
  return line('assistant', { message: { id: `m-${id}`, model, content: [{ type: 'tool_use', id, name, input }] } });
}

function result(
  more: object,
  { id = 't1', data, outer }: { id?: string; data?: unknown; outer?: object } = {},
): string {
  const content = [{ type: 'tool_result', tool_use_id: id, content: 'ok', ...more }];
  return line('user', { message: { content }, ...(data === undefined ? {} : { toolUseResult: data }), ...outer });
}

const EDIT = { file_path: '/w/a.ts', old_string: '1', new_string: '2' };

describe('what became of an edit', () => {
  const cases: [string, string[], number][] = [
    ['done', [call('Edit', EDIT), result({})], 1],
    ['an error', [call('Edit', EDIT), result({ is_error: true })], 0],
    ['a result that is a text', [call('Edit', EDIT), result({}, { data: 'Error: no' })], 0],
    [
      'rejected by a person',
      [call('Edit', EDIT), result({ is_error: true, content: "The user doesn't want to proceed with this tool use." })],
      0,
    ],
    ['denied, and said so', [call('Edit', EDIT), result({}, { outer: { toolDenialKind: 'user-rejected' } })], 0],
    ['no answer', [call('Edit', EDIT)], 0],
    ['an answer without a call', [result({}, { data: { filePath: '/w/a.ts', oldString: '1', newString: '2' } })], 0],
    [
      'a notebook’s own error',
      [
        call('NotebookEdit', { notebook_path: '/w/n.ipynb', new_source: 'x' }),
        result({}, { data: { error: 'no such cell' } }),
      ],
      0,
    ],
  ];
  test.each(cases)('%s', (_, lines, edits) => {
    expect(decodeTranscript(lines).edits).toHaveLength(edits);
  });

  test('changed by a person before it was accepted', () => {
    const data = { filePath: '/w/a.ts', oldString: '1', newString: '3', originalFile: '1\n', userModified: true };
    const [edit] = decodeTranscript([call('Edit', EDIT), result({}, { data })]).edits;
    expect(edit).toMatchObject({ userModified: true, change: { kind: 'full', before: '1\n', after: '3\n' } });
  });

  test('undecodable bytes make it lossy', () => {
    const data = { filePath: '/w/a.ts', oldString: '1', newString: '2', originalFile: '1\n\uFFFD\n' };
    expect(decodeTranscript([call('Edit', EDIT), result({}, { data })]).edits[0]?.lossy).toBe(true);
  });

  test('a patch that says otherwise than the strings wins', () => {
    const patch = [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-1', '+9'] }];
    const data = { filePath: '/w/a.ts', oldString: '1', newString: '2', originalFile: '1\n', structuredPatch: patch };
    expect(decodeTranscript([call('Edit', EDIT), result({}, { data })]).edits[0]?.change).toEqual({
      kind: 'hunks',
      hunks: patch,
    });
  });

  test('MultiEdit replaces one after the other', () => {
    const input = {
      file_path: '/w/a.ts',
      edits: [
        { old_string: 'a', new_string: 'b' },
        { old_string: 'b', new_string: 'c', replace_all: true },
      ],
    };
    const [edit] = decodeTranscript([
      call('MultiEdit', input),
      result({}, { data: { originalFileContents: 'a b\n' } }),
    ]).edits;
    expect(edit?.change).toEqual({ kind: 'full', before: 'a b\n', after: 'c c\n' });
  });

  test('spaces in a patch that may be tabs are not trusted', () => {
    const patch = [{ oldStart: 5, oldLines: 1, newStart: 5, newLines: 1, lines: ['-  x = 1;', '+  x = 2;'] }];
    const [edit] = decodeTranscript([
      call('Edit', EDIT),
      result({}, { data: { structuredPatch: patch, originalFile: null } }),
    ]).edits;
    expect(edit?.change).toEqual({ kind: 'replace', pairs: [{ old: '1', new: '2', all: false }] });
  });
});

describe('tools that claude-code-acp puts in the place of Claude Code’s own', () => {
  const WRITE = { file_path: '/w/a.ts', content: '1\n' };
  const written = 'The file /w/a.ts has been updated successfully.';
  const patch = 'Index: /w/a.ts\n===\n--- /w/a.ts\n+++ /w/a.ts\n@@ -1,1 +1,1 @@\n-1\n+2\n';
  const gone = 'The user has left the building';
  const told = (tool: string, input: object, text: string, error?: boolean) => {
    const content = [{ type: 'text', text }];
    const answer = { content, ...(error === undefined ? {} : { is_error: error }) };
    return decodeTranscript([call(`mcp__acp__${tool}`, input), result(answer, { data: content })]);
  };

  test.each<[string, object, string, boolean | undefined, object | undefined]>([
    ['Write', WRITE, written, undefined, { kind: 'write', after: '1\n' }],
    ['Edit', EDIT, patch, undefined, { kind: 'replace', pairs: [{ old: '1', new: '2', all: false }] }],
    ['Write', WRITE, 'Writing file failed: no', true, undefined],
    ['Edit', EDIT, 'Editing file failed: no', true, undefined],
    ['Write', WRITE, gone, undefined, undefined],
    ['Edit', EDIT, gone, undefined, undefined],
    ['Edit', EDIT, patch, true, undefined],
  ])('%s %j that answers %j', (tool, input, text, error, change) => {
    const { edits, events } = told(tool, input, text, error);
    // the id is the one that the tap saw: seen twice it is one
    expect(edits).toMatchObject(change ? [{ event: 't1', path: '/w/a.ts', change }] : []);
    expect(edits).toHaveLength(change ? 1 : 0);
    expect(events).toMatchObject([
      change ? { id: 't1', type: 'fileOperation', path: 'a.ts' } : { id: 't1', type: 'toolCall', status: 'error' },
    ]);
  });

  test.each<[string, number | undefined]>([
    ['Exited with code 0.Final output:\n\n', 0],
    ['Exited with code 3.Final output:\n\nExit code 7', 3],
    ['Killed. Final output:\n\n', undefined],
    [gone, undefined],
  ])('a command that answers %j', (text, exitCode) => {
    const { commands, events } = told('Bash', { command: 'make' }, text);
    expect(commands).toMatchObject([{ event: 't1', command: 'make' }]);
    expect([commands[0]?.exitCode, events[0]]).toMatchObject([exitCode, { type: 'terminalCommand', command: 'make' }]);
  });

  test('a file that was read; other servers’ tools are what they are', () => {
    const read = told('Read', { file_path: '/w/a.ts' }, '1\n').events;
    expect(read).toMatchObject([{ type: 'fileOperation', operation: 'read' }]);
    const other = decodeTranscript([call('mcp__other__Write', WRITE), result({ content: written })]);
    expect([other.edits, other.events]).toMatchObject([[], [{ type: 'toolCall', name: 'mcp__other__Write' }]]);
  });
});

describe('models', () => {
  const cases: [string, string | undefined][] = [
    ['claude-opus-4-5-20251101', 'anthropic/claude-opus-4-5-20251101'],
    ['claude-3-5-sonnet-20241022', 'anthropic/claude-3-5-sonnet-20241022'],
    ['claude-opus-4-6', 'anthropic/claude-opus-4-6'],
    ['claude-opus-5', 'anthropic/claude-opus-5'],
    ['claude-sonnet-4', undefined],
    ['claude-3-5-sonnet-latest', undefined],
    ['opus', undefined],
    ['us.anthropic.claude-opus-4-5-20251101-v1:0', undefined],
    ['claude-opus-4-5@20251101', undefined],
    ['gpt-5', undefined],
  ];
  test.each(cases)('%s', (raw, known) => {
    const captured = decodeTranscript([call('Edit', EDIT, 't1', raw), result({})]);
    expect(captured.edits[0]?.model).toBe(known);
    expect(captured.models.get('t1')).toBe(known);
    expect(captured.model).toBe(known);
    expect(captured.modelName).toBe(raw);
    const [event] = captured.events;
    if (!known) expect(event).toHaveProperty(['properties', 'claude-code:model'], raw);
  });

  test('texts that the program made itself are nobody’s', () => {
    const message = {
      id: 'm',
      model: '<synthetic>',
      content: [{ type: 'text', text: 'No response requested.' }],
      usage: { input_tokens: 9, output_tokens: 9 },
    };
    const captured = decodeTranscript([line('assistant', { message })]);
    expect(captured).toMatchObject({ events: [] });
    expect(captured.tokens).toBeUndefined();
    const failed = decodeTranscript([line('assistant', { message, isApiErrorMessage: true })]);
    expect(failed.events).toMatchObject([{ type: 'error', resolved: false }]);
  });
});

describe('what a message cost', () => {
  const said = (block: object, output: number) =>
    line('assistant', {
      message: { id: 'm', model: 'x', content: [block], usage: { input_tokens: 7, output_tokens: output } },
    });
  const lines = [
    said({ type: 'thinking', thinking: 'hm' }, 1),
    said({ type: 'text', text: 'yes' }, 5),
    said({ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } }, 5),
  ];
  const costs = (some: readonly string[]) =>
    decodeTranscript(some).events.map((event) => ('tokenUsage' in event ? event.tokenUsage?.outputTokens : undefined));

  test('stands at the first of its events, the largest of its lines once, and stays there as the transcript grows', () => {
    expect(costs(lines.slice(0, 1))).toEqual([1]);
    expect(costs(lines)).toEqual([5, undefined, undefined]);
    expect(costs(lines.slice(2))).toEqual([5]);
  });

  test('a message that leaves no event is in the total alone', () => {
    const captured = decodeTranscript([
      said({ type: 'redacted_thinking' }, 3),
      line('user', { message: { content: 'x' } }),
    ]);
    expect(captured.events).toMatchObject([{ role: 'user' }]);
    expect(captured.events[0]).not.toHaveProperty('tokenUsage');
    expect(captured.tokens).toMatchObject({ inputTokens: 7, outputTokens: 3 });
  });
});

describe('damage', () => {
  const good = [call('Edit', EDIT, 'tz'), result({}, { id: 'tz' })];
  const cases: [string, string, object][] = [
    ['a torn line', good[0]?.slice(0, 80) ?? '', { 'broken line': 1 }],
    ['junk', 'not json', { 'broken line': 1 }],
    ['a line of NUL', '\0\0\0', { 'line of NUL': 1 }],
    ['another value', '[1]', { 'broken line': 1 }],
    ['no type', '{"a":1}', { 'line without type': 1 }],
    ['a type of tomorrow', '{"type":"tomorrow"}', { 'line type tomorrow': 1 }],
    ['a type called like a prototype', '{"type":"__proto__"}', { 'line type __proto__': 1 }],
    ['too deep', `{"type":"user","x":${'['.repeat(5000)}${']'.repeat(5000)}}`, { 'broken line': 1 }],
    ['wrong shapes', '{"type":"user","message":7,"uuid":{},"timestamp":[]}', {}],
  ];
  test.each(cases)('%s is counted and the rest is read', (_, bad, skipped) => {
    const captured = decodeTranscript([bad, ...good, bad.replace(/"uuid":"u\d+"/, '"uuid":"x"')].slice(0, 3));
    expect(captured.edits).toHaveLength(1);
    expect({ ...captured.skipped }).toEqual(skipped);
  });

  test('NUL in front of a line does not lose it', () => {
    expect(decodeTranscript([`\0\0\0${good[0]}`, good[1] ?? '']).edits).toHaveLength(1);
  });

  test('a line over 64 MiB is not parsed', () => {
    const long = `{"type":"user","x":"${'x'.repeat(64 * 1024 * 1024)}"}`;
    expect({ ...decodeTranscript([long, ...good]).skipped }).toEqual({ 'line too long': 1 });
  });
});

test('queued prompts count, notices do not; pull requests are kept', () => {
  const captured = decodeTranscript([
    line('attachment', { attachment: { type: 'queued_command', prompt: 'And tests, please.' } }),
    line('attachment', { attachment: { type: 'queued_command', prompt: '<task-notification>x</task-notification>' } }),
    line('user', { isMeta: true, message: { content: 'meta' } }),
    line('user', { message: { content: [{ type: 'text', text: '[Request interrupted by user]' }] } }),
    line('pr-link', { prNumber: 7, prUrl: 'https://example.com/pull/7', prRepository: 'a/b' }),
  ]);
  expect(captured.events).toMatchObject([{ type: 'message', role: 'user', content: 'And tests, please.' }]);
  expect(captured.pullRequests).toEqual([{ number: 7, url: 'https://example.com/pull/7', repository: 'a/b' }]);
});

test('lines of an earlier session in front tell where it came from', () => {
  const old = line('user', { sessionId: 'OLD', message: { content: 'one' } });
  expect(decodeTranscript([old, line('user', { message: { content: 'two' } })])).toMatchObject({
    session: 'S',
    forkedFrom: 'OLD',
  });
});

test('searches, plans and questions to the web have their own events', () => {
  const captured = decodeTranscript([
    call('Grep', { pattern: 'port' }, 'a'),
    result({}, { id: 'a', data: { numFiles: 1, filenames: ['x.ts'] } }),
    call(
      'TodoWrite',
      {
        todos: [
          { content: 'one', status: 'completed' },
          { content: 'two', status: 'pending' },
        ],
      },
      'b',
    ),
    result({}, { id: 'b', data: {} }),
    call('WebFetch', { url: 'https://example.com' }, 'c'),
    result({}, { id: 'c', data: {} }),
    call('mcp__x__y', { q: 1 }, 'd'),
    result({}, { id: 'd', data: 'plain text' }),
  ]);
  expect(captured.events).toMatchObject([
    { id: 'a', type: 'search', query: 'port', resultCount: 1, topResults: ['x.ts'] },
    { id: 'b', type: 'plan', status: 'active', steps: [{ status: 'completed' }, { status: 'pending' }] },
    { id: 'c', type: 'contextLoad', source: 'web' },
    { id: 'd', type: 'toolCall', name: 'mcp__x__y', status: 'success' },
  ]);
});
