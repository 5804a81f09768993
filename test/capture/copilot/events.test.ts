import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeEvents, decodeTranscript } from '../../../src/capture/copilot/transcript.ts';
import { commandWords, editWords, linesOf, recorded, recordedValues, spoiled, transcriptOf } from '../recorded.ts';

const decode = (values: readonly unknown[]) => decodeEvents(linesOf(values).split('\n'));
const [main, agent, ...none] = decodeEvents(recorded('copilot/cli.jsonl').split('\n'));
const [patched] = decodeEvents(recorded('copilot/cli-patch.jsonl').split('\n'));
if (!main || !agent || !patched) throw new Error('three sessions');

describe('a recorded session of the CLI', () => {
  test('only what succeeded is an edit', () => {
    expect(editWords(main)).toEqual([
      'full /repo/src/greet.ts',
      'replace /repo/crlf.txt',
      'full /repo/rel.txt',
      'replace /repo/long.txt',
    ]);
    expect(editWords(patched)).toEqual([
      'full /repo/fresh.txt',
      'hunks /repo/long.txt',
      'hunks /repo/src/main.ts',
      'write /repo/src/app.ts',
      'full /repo/nonl.txt',
      'hunks /repo/dup.txt',
    ]);
    expect(main.edits[0]?.change).toEqual({ kind: 'full', before: null, after: "export const greet = 'hello';\n" });
    expect(main.edits[1]?.change).toEqual({ kind: 'replace', pairs: [{ old: 'b', new: 'B\nBB', all: false }] });
    expect(patched.edits[4]?.change).toEqual({ kind: 'full', before: 'one\ntwo\nthree\n', after: null });
  });

  test('the hunks of a patch are the file’s own lines, without one behind its end', () => {
    const change = patched.edits[1]?.change;
    expect(change?.kind === 'hunks' && change.hunks.map(({ lines }) => lines)).toEqual([
      [' 1', '-2', '+two', ' 3', ' 4', ' 5'],
      [' 10', ' 11', ' 12', '-13', '+thirteen', '+and a half', ' 14'],
    ]);
    expect(patched.edits[5]?.change).toMatchObject({
      hunks: [{ oldStart: 1, oldLines: 3, newLines: 3, lines: ['-same', '+other', ' x', ' same'] }],
    });
  });

  test('commands, with exit codes; one goes on in the background', () => {
    expect(commandWords(main)).toEqual(['echo par > par.txt;  3', 'sleep 1; echo late > ?', 'sleep 2 0']);
    expect(main.commands.map(({ background }) => background)).toEqual([false, true, false]);
  });

  test('prompts, answers, tokens, place', () => {
    const said = main.events.flatMap((event) => (event.type === 'message' ? [`${event.role}: ${event.content}`] : []));
    expect(said).toEqual([
      'user: Make the first things.',
      'assistant: The first things are there.',
      'user: One more.',
      'assistant: One more is there.',
    ]);
    expect(main).toMatchObject({
      tool: { name: 'copilot', version: '1.0.102' },
      cwd: '/repo',
      branch: 'main',
      ended: true,
      childSessions: [agent.session],
      // eleven calls of the model, of a hundred tokens each, forty of them from the cache
      tokens: { inputTokens: 660, outputTokens: 220, cacheReadTokens: 440, cacheWriteTokens: 0 },
      skipped: {},
    });
  });

  test('a sub-agent is a session of its own, as its hooks say', () => {
    expect(none).toEqual([]);
    expect(editWords(agent)).toEqual(['full /repo/sub.txt']);
    expect(agent).toMatchObject({ parentSession: main.session, cwd: '/repo', tokens: { inputTokens: 120 } });
    expect(agent.events.some((event) => event.type === 'message' && event.role === 'user')).toBe(false);
  });

  test('with a key of the user’s own no model is certain', () => {
    expect([main.model, agent.model, ...main.models.values()]).toEqual([undefined, undefined]);
    // what it was called is told all the same
    expect([main.modelName, agent.modelName]).toEqual(['claude-sonnet-4.5', 'claude-sonnet-4.5']);
  });
});

describe('whose model it was', () => {
  const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;
  const call = (model: string) => [
    {
      type: 'tool.execution_start',
      timestamp: at(3),
      data: { toolCallId: 't', toolName: 'create', arguments: { path: '/repo/a', file_text: 'a\n' } },
    },
    { type: 'tool.execution_complete', timestamp: at(4), data: { toolCallId: 't', success: true, model } },
  ];
  const usage = (model: string, isByok: boolean) => ({
    type: 'session.usage_record',
    timestamp: at(2),
    data: { usage: { model, isByok, inputTokens: 1 } },
  });
  const answer = {
    type: 'assistant.message',
    timestamp: at(2),
    data: { requestId: 'EAA6:19D0BE:5FB9C79:6A4D1BD:69EA' },
  };
  test.each([
    ['GitHub’s, by the record of the call', [usage('claude-sonnet-4.5', false)], 'github-copilot/claude-sonnet-4.5'],
    ['GitHub’s, by the id of its request', [answer], 'github-copilot/claude-sonnet-4.5'],
    ['the user’s own', [usage('claude-sonnet-4.5', true)], undefined],
    ['both', [usage('claude-sonnet-4.5', true), usage('claude-sonnet-4.5', false)], undefined],
    ['the user’s own, after GitHub’s answer', [answer, usage('claude-sonnet-4.5', true)], undefined],
    ['another one’s', [usage('gpt-5.5', false)], undefined],
    ['nobody says', [], undefined],
  ])('%s', (_, before, model) => {
    const [captured] = decode([...before, ...call('claude-sonnet-4.5')]);
    expect(captured?.edits[0]?.model).toBe(model);
  });

  test.each(['auto', 'My Model', '../x', 'GPT', ''])('%j is none', (name) => {
    expect(decode([answer, ...call(name)])[0]?.edits[0]?.model).toBeUndefined();
  });
});

describe('older and odd events', () => {
  const at = '2026-01-01T00:00:00.000Z';
  const edit = (data: object, args: unknown = { path: 'a', old_str: 'x', new_str: 'y' }, name = 'edit') =>
    decode([
      { type: 'session.start', timestamp: at, data: { sessionId: 's', context: { cwd: '/repo' } } },
      {
        type: 'assistant.message',
        timestamp: at,
        data: { toolRequests: [{ toolCallId: 't', name, arguments: args }] },
      },
      { type: 'tool.execution_complete', timestamp: at, data: { toolCallId: 't', ...data } },
    ])[0];
  test.each([
    ['asked for only, its arguments as JSON', { success: true }, ['replace /repo/a']],
    ['a result type', { result: { result_type: 'success' } }, ['replace /repo/a']],
    ['failed', { success: false, error: { code: 'failure' } }, []],
    ['not said', {}, []],
    ['said wrongly', { success: 'true' }, []],
  ])('%s', (_, data, words) => {
    expect(editWords(edit(data, JSON.stringify({ path: 'a', old_str: 'x', new_str: 'y' })) ?? { edits: [] })).toEqual(
      words,
    );
  });

  test.each([
    ['create', { command: 'create', path: '/repo/a', file_text: 'a\n' }, ['write /repo/a']],
    ['str_replace', { command: 'str_replace', path: '/repo/a', old_str: 'a' }, ['replace /repo/a']],
    ['insert', { command: 'insert', path: '/repo/a', insert_line: 2, new_str: 'b\nc' }, ['hunks /repo/a']],
    ['view', { command: 'view', path: '/repo/a' }, []],
  ])('the one editor: %s', (_, args, words) => {
    const captured = edit({ success: true }, args, 'str_replace_editor');
    expect(editWords(captured ?? { edits: [] })).toEqual(words);
    expect(captured?.commands).toEqual([]);
  });

  test('a tool that changed files in a way that is not told, and a rewind: something happened', () => {
    const unknown = edit({ success: true, fileEdits: [{ path: '/repo/a', kind: 'edit' }] }, {}, 'new_tool');
    expect([unknown?.edits.length, unknown?.commands.map(({ command }) => command)]).toEqual([0, ['']]);
    const [rewound] = decode([{ type: 'session.snapshot_rewind', id: 'r', timestamp: at, data: {} }]);
    expect(rewound?.commands).toMatchObject([{ command: '', event: 'r' }]);
  });

  test('a command that was not allowed did not run', () => {
    const captured = edit({ success: false, error: { code: 'denied' } }, { command: 'rm x' }, 'bash');
    expect(captured?.commands).toMatchObject([{ command: 'rm x', refused: true }]);
  });

  test.each([
    ['/home/user/.copilot/session-state/abc/events.jsonl', 'abc'],
    ['/home/user/.copilot/session-state/abc.jsonl', 'abc'],
    ['C:\\Users\\u\\transcripts\\abc.jsonl', 'abc'],
  ])('a file whose beginning is lost is known by its name: %s', (path, session) => {
    const [captured] = decodeTranscript(transcriptOf(linesOf([{ type: 'abort', timestamp: at }]), { path }));
    expect(captured?.session).toBe(session);
    expect(decodeTranscript(transcriptOf('', { path }))[0]?.session).toBe('');
  });

  test('what is not known is counted', () => {
    const [captured] = decode([{ type: 'new.kind', timestamp: at }, { type: 'session.start' }, [], 'x']);
    expect(captured?.skipped).toEqual({ 'event new.kind': 1, 'event without type or time': 1, 'broken line': 2 });
  });
});

describe('VS Code’s transcript', () => {
  const storage = '/home/user/.config/Code/User/workspaceStorage/ab12';
  const path = `${storage}/GitHub.copilot-chat/transcripts/s.jsonl`;
  const beside = { [`${storage}/workspace.json`]: '{"folder":"file:///repo"}' };
  const [captured] = decodeTranscript(transcriptOf(recorded('copilot/vscode-transcript.jsonl'), { path, beside }));

  test('edits by the tools’ own answers; what is told in part is untold', () => {
    expect(captured && editWords(captured)).toEqual([
      'full /repo/src/hello.ts',
      'replace /repo/src/app.ts',
      'replace /repo/a.ts',
      'replace /repo/b.ts',
      'replace /repo/src/app.ts',
    ]);
    expect(captured?.commands.map(({ event, command }) => `${event} ${command}`.trim())).toEqual([
      'call_partly',
      'call_sketch',
      'call_shell npm test',
    ]);
    expect(captured).toMatchObject({ cwd: '/repo', tool: { version: '0.47.0' }, skipped: {} });
    expect(captured?.model).toBeUndefined();
  });
});

test.each(['copilot/cli.jsonl', 'copilot/cli-patch.jsonl', 'copilot/vscode-transcript.jsonl'])(
  'law: %s, spoiled anywhere, never throws',
  (name) => {
    fc.assert(
      fc.property(spoiled(recordedValues(name)), (values) => decode(values).length > 0),
      { numRuns: 100 },
    );
  },
);
