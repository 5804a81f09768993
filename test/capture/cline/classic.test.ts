import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cline } from '../../../src/capture/cline/index.ts';
import { commandWords, editWords, spoiled, transcriptOf } from '../recorded.ts';

const root = '/home/user/.config/Code/User/globalStorage/saoudrizwan.claude-dev';
const task = '1769053680585';
const folder = `${root}/tasks/${task}`;
const modified = 1769053999000;

const decode = (messages: unknown, beside: Record<string, unknown> = {}) => {
  const path = `${folder}/api_conversation_history.json`;
  const files = Object.fromEntries(Object.entries(beside).map(([name, value]) => [name, JSON.stringify(value)]));
  const [captured] = cline.decodeTranscript(transcriptOf(JSON.stringify(messages), { path, modified, beside: files }));
  if (!captured) throw new Error('nothing was decoded');
  return captured;
};

const user = (...texts: string[]) => ({ role: 'user', content: texts.map((text) => ({ type: 'text', text })) });
const modelInfo = { modelId: 'claude-sonnet-4-5-20250929', providerId: 'anthropic', mode: 'act' };
const metrics = { tokens: { prompt: 10, completion: 5, cached: 99 } };
const native = (name: string, input: object, id = 'toolu_1') => ({
  role: 'assistant',
  content: [
    { type: 'text', text: 'So be it.' },
    { type: 'tool_use', id, name, input },
  ],
  modelInfo,
  metrics,
});
const details = '<environment_details>\n# Current Working Directory (/repo) Files\na.ts\n</environment_details>';
const begin = user('<task>\nMake it\n</task>', '# task_progress RECOMMENDED\nx', details);
const saved = (text: string) =>
  `The content was successfully saved to a.ts.\n\nHere is the full, updated content of the file that was saved:\n\n<final_file_content path="a.ts">\n${text}\n</final_file_content>\n\nIMPORTANT: x`;
const result = (name: string, text: string) => user(`[${name} for 'a.ts'] Result:\n${text}`, details);
const diff = '------- SEARCH\nold line\n=======\nnew line\nanother\n+++++++ REPLACE';

test('a task: who, where, when, what', () => {
  const ui = [
    { ts: 1769053680628, say: 'text', conversationHistoryIndex: -1 },
    { ts: 1769053681000, say: 'api_req_started', conversationHistoryIndex: -1 },
    { ts: 1769053682000, say: 'text', conversationHistoryIndex: 0 },
    { ts: 1769053684000, say: 'api_req_started', conversationHistoryIndex: 1 },
  ];
  const captured = decode(
    [begin, native('write_to_file', { path: 'a.ts', content: 'x' }), result('write_to_file', saved('x\n'))],
    {
      [`${folder}/ui_messages.json`]: ui,
      [`${folder}/task_metadata.json`]: { environment_history: [{ cline_version: '3.58.0' }] },
    },
  );
  expect(captured).toMatchObject({
    session: task,
    tool: { name: 'cline', version: '3.58.0' },
    cwd: '/repo',
    startedAt: 1769053681000,
    model: 'anthropic/claude-sonnet-4-5-20250929',
    tokens: { inputTokens: 10, outputTokens: 5 },
    edits: [{ path: 'a.ts', event: 'toolu_1', at: 1769053684000, change: { kind: 'write', after: 'x\n' } }],
    skipped: {},
  });
  expect(captured.events).toMatchObject([{ content: 'Make it' }, { content: 'So be it.' }, { operation: 'edit' }]);
});

describe('edits', () => {
  test.each<[string, object, string, unknown[]]>([
    [
      'the whole after is shown',
      { path: 'a.ts', diff },
      saved('top\nnew line\nanother\nend\n'),
      [{ change: { kind: 'full', before: 'top\nold line\nend\n', after: 'top\nnew line\nanother\nend\n' } }],
    ],
    [
      'the new lines stand there twice',
      { path: 'a.ts', diff },
      saved('new line\nanother\nnew line\nanother\n'),
      [{ change: { kind: 'replace', pairs: [{ old: 'old line\n', new: 'new line\nanother\n' }] } }],
    ],
    [
      'formatted on saving',
      { path: 'a.ts', diff },
      saved('new line;\n').replace('Here is', 'auto-formatting\n\nHere is'),
      [{ change: { kind: 'replace' } }],
    ],
    [
      'older marks',
      { path: 'a.ts', diff: diff.replace('------- ', '<<<<<<< ').replace('+++++++ ', '>>>>>>> ') },
      'The content was successfully saved to a.ts.',
      [{ change: { kind: 'replace' } }],
    ],
    [
      'a person changed it',
      { path: 'a.ts', diff },
      `The user made the following updates to your content:\n\n@@\n\nhas been successfully saved to a.ts.\n\n<final_file_content path="a.ts">\nmine\n</final_file_content>`,
      [{ userModified: true }],
    ],
    [
      'not found',
      { path: 'a.ts', diff },
      'The tool execution failed with the following error:\n<error>\nno\n</error>',
      [],
    ],
    ['denied', { path: 'a.ts', diff }, 'The user denied this operation.', []],
  ])('%s', (_, input, told, expected) => {
    const { edits } = decode([begin, native('replace_in_file', input), result('replace_in_file', told)]);
    expect(edits).toMatchObject(expected);
    expect(edits).toHaveLength(expected.length);
  });
});

test('calls as tags in words, results in blocks of their own', () => {
  const xml = (text: string) => ({ role: 'assistant', content: [{ type: 'text', text }] });
  const captured = decode([
    begin,
    xml('I write.\n\n<write_to_file>\n<path>a.ts</path>\n<content>\n<b>x</b>\n</content>\n</write_to_file>'),
    user("[write_to_file for 'a.ts'] Result:", 'The content was successfully saved to a.ts.', details),
    xml('<execute_command>\n<command>make</command>\n<requires_approval>false</requires_approval>\n</execute_command>'),
    user("[execute_command for 'make'] Result:", 'Command failed with exit code 2.\nOutput:\nno', details),
  ]);
  expect(captured.edits).toMatchObject([{ event: `${task}-1-1`, change: { kind: 'write', after: '<b>x</b>' } }]);
  expect(captured.commands).toMatchObject([{ command: 'make', exitCode: 2, event: `${task}-3-0` }]);
  expect(captured.events[1]).toMatchObject({ content: 'I write.' });
});

describe('commands', () => {
  test.each<[string, object]>([
    ['Command executed successfully (exit code 0).\nOutput:\nx', { exitCode: 0 }],
    ['Command executed.', { background: false }],
    ["Command is still running in the user's terminal.", { background: true }],
    ['The user denied this operation.', { refused: true }],
  ])('%s', (told, expected) => {
    const lines = [begin, native('execute_command', { command: 'make' }), result('execute_command', told)];
    expect(decode(lines).commands).toMatchObject([expected]);
  });
});

test('two calls in one message have a result each', () => {
  const two = {
    role: 'assistant',
    content: ['a', 'b'].map((id) => ({ type: 'tool_use', id, name: 'execute_command', input: { command: id } })),
  };
  const both = user(
    "[execute_command for 'a'] Result:\nCommand executed successfully (exit code 0).",
    "[execute_command for 'b'] Result:\nCommand failed with exit code 1.",
  );
  expect(commandWords(decode([begin, two, both]))).toEqual(['a 0', 'b 1']);
  const byId = {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'b', content: 'Command failed with exit code 1.' }],
  };
  expect(commandWords(decode([begin, two, byId]))).toEqual(['a ?', 'b 1']);
});

test('later words of the person; a file with such tags is none', () => {
  const { events } = decode([
    begin,
    native('read_file', { path: 'a.ts' }),
    user("[read_file for 'a.ts'] Result:\n<task>not typed</task>"),
    native('attempt_completion', { result: 'Done' }, 'toolu_2'),
    user('[attempt_completion] Result: Done', '<feedback>\nGo on\n</feedback>', details),
  ]);
  expect(events.flatMap((event) => ('role' in event && event.role === 'user' ? [event.content] : []))).toEqual([
    'Make it',
    'Go on',
  ]);
});

test('without a list of times the last message is as young as the file', () => {
  const { edits, startedAt } = decode([
    begin,
    native('write_to_file', { path: 'a.ts', content: 'x' }),
    result('write_to_file', saved('x')),
  ]);
  expect([startedAt, edits[0]?.at]).toEqual([Number(task), modified]);
  const stamped = [
    begin,
    { ...native('write_to_file', { path: 'a.ts', content: 'x' }), ts: 1769053690000 },
    { ...result('write_to_file', saved('x')), ts: 1769053691000 },
  ];
  expect(decode(stamped).edits[0]?.at).toBe(1769053691000);
});

test('where it was begun, and which model it had, may stand beside it', () => {
  const { modelInfo: _, ...nameless } = native('write_to_file', { path: 'a.ts', content: 'x' });
  const captured = decode([user('<task>x</task>'), nameless, result('write_to_file', saved('x'))], {
    [`${root}/state/taskHistory.json`]: [{ id: task, cwdOnTaskInitialization: '/elsewhere' }],
    [`${folder}/task_metadata.json`]: {
      model_usage: [{ model_id: 'claude-opus-4-6', model_provider_id: 'anthropic' }],
    },
  });
  expect(captured).toMatchObject({ cwd: '/repo', model: 'anthropic/claude-opus-4-6' });
  expect(
    decode([user('<task>x</task>')], {
      [`${root}/state/taskHistory.json`]: [{ id: task, cwdOnTaskInitialization: '/elsewhere' }],
    }).cwd,
  ).toBe('/elsewhere');
  expect(editWords(captured)).toEqual(['write a.ts']);
});

test.each([null, {}, 'x', [null, 1, {}]])('%j is counted', (value) => {
  expect(Object.keys(decode(value).skipped)).toHaveLength(1);
});

test('law: nothing that stands in the files is fatal', () => {
  const lines = [
    begin,
    native('replace_in_file', { path: 'a.ts', diff }),
    result('replace_in_file', saved('new line\nanother\n')),
  ];
  const ui = [{ ts: 1, say: 'api_req_started', conversationHistoryIndex: 1 }];
  fc.assert(
    fc.property(spoiled([lines, ui]), ([messages, shown]) => {
      expect(decode(messages, { [`${folder}/ui_messages.json`]: shown }).edits.length).toBeLessThanOrEqual(1);
    }),
    { numRuns: 500 },
  );
});
