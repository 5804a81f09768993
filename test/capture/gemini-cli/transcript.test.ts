import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOpen } from '../../../src/agentlog/open-call.ts';
import { geminiCli } from '../../../src/capture/gemini-cli/index.ts';
import { hashOf } from '../../../src/capture/gemini-cli/locate.ts';
import type { Captured } from '../../../src/capture/session.ts';
import { commandWords, editWords, linesOf, recorded, recordedValues, spoiled, transcriptOf } from '../recorded.ts';

const CHATS = '/home/user/.gemini/tmp/repo/chats';
const SESSION = '7b158b87-7616-42a9-9c22-72aeb416c763';
type Beside = Parameters<typeof transcriptOf>[1];

function decode(text: string, more: Beside = {}): Captured {
  const [captured] = geminiCli.decodeTranscript(transcriptOf(text, { path: `${CHATS}/session-x.jsonl`, ...more }));
  if (!captured) throw new Error('nothing');
  return captured;
}
const session = decode(recorded('gemini-cli/session.jsonl'));
const helper = decode(recorded('gemini-cli/subagent.jsonl'), { path: `${CHATS}/${SESSION}/s.jsonl` });
const texts = (captured: Captured, role: string) =>
  captured.events.flatMap((event) => (event.type === 'message' && event.role === role ? [event.content] : []));

describe('the recorded session', () => {
  test('tells all edits whole, also those made before it was resumed', () => {
    expect(editWords(session)).toEqual(
      ['src/app.ts', 'fresh.txt', 'crlf.txt', 'multi.txt', 'par.txt', 'lf.txt', 'par.txt'].map(
        (name) => `full ${name}`,
      ),
    );
    expect(session.edits.map(({ change }) => change.kind === 'full' && change.before === null)).toEqual([
      false,
      true,
      false,
      false,
      true,
      false,
      false,
    ]);
    expect(session.edits[0]).toMatchObject({ event: 'write_file__fc1ee94865b191e114', model: 'google/gemini-3-pro' });
  });

  test('tells commands, with those that never ran', () => {
    expect(commandWords(session)).toEqual([
      'sleep 0.5; echo p1 > 0',
      'echo p2 > p2.txt 0',
      'pwd > where.txt 0',
      'sleep 2; echo late > ?',
      '? refused',
      'kill -9 $$ ?',
    ]);
    expect(session.commands.map(({ background, endedAt }) => background === (endedAt === undefined))).not.toContain(
      false,
    );
    expect(session.commands[2]?.cwd).toBe('/repo/src');
  });

  test('tells who, where, what was said, and tokens once', () => {
    expect(session).toMatchObject({
      session: SESSION,
      tool: { name: 'gemini-cli' },
      cwd: '/repo',
      model: 'google/gemini-3-pro',
      tokens: { inputTokens: 1330, outputTokens: 380, cacheReadTokens: 570, reasoningTokens: 133 },
      skipped: {},
    });
    expect(texts(session, 'user')).toEqual(['Do many things.', 'And one more.']);
    expect(texts(session, 'assistant')).toEqual(['I will begin.', 'All done.', 'Done again.']);
    expect(session.events[1]).toMatchObject({ type: 'reasoning', rationale: 'Planning\nI think first.' });
    expect(new Set(session.events.map(({ id }) => id)).size).toBe(session.events.length);
  });

  test('a sub-agent’s calls are its session’s, its prompt is nobody’s, its tokens are not the session’s', () => {
    expect(helper).toMatchObject({ session: SESSION, cwd: '/repo' });
    expect([editWords(helper), commandWords(helper)]).toEqual([['full helper.txt'], ['echo helper > helper 0']]);
    expect(texts(helper, 'user')).toEqual([]);
    expect(helper.tokens).toBeUndefined();
  });
});

const META = { sessionId: 's1', projectHash: hashOf('/repo'), startTime: '2026-05-01T10:00:00.000Z', kind: 'main' };
const display = { originalContent: 'x', newContent: 'y', filePath: '/repo/a' };
const call = (more: Record<string, unknown> = {}) => ({
  id: 'write_file__1a2b3c4d5e',
  name: 'write_file',
  args: { file_path: '/repo/a', content: 'y' },
  status: 'success',
  timestamp: '2026-05-01T10:00:03.000Z',
  resultDisplay: display,
  ...more,
});
const message = (more: Record<string, unknown> = {}) => ({
  id: 'm1',
  timestamp: '2026-05-01T10:00:02.000Z',
  type: 'gemini',
  content: '',
  model: 'gemini-2.5-pro',
  toolCalls: [call()],
  ...more,
});
const told = (...records: unknown[]) => decode(linesOf([META, ...records]));
const error = (text: string) => [{ functionResponse: { response: { error: text } } }];

describe('records', () => {
  test('old files are one document', () => {
    const text = JSON.stringify({ ...META, messages: [message()] });
    const old = decode(text, { path: `${CHATS}/session-x.json` });
    expect(old).toMatchObject({ session: 's1', cwd: '/repo', model: 'google/gemini-2.5-pro' });
    expect(editWords(old)).toEqual(['full /repo/a']);
    expect(decode('[', { path: `${CHATS}/session-x.json` }).skipped).toEqual({ document: 1 });
  });

  test('a poorer version of a message takes nothing away, nor does a shorter list, nor going back', () => {
    const poor = { id: 'm1', timestamp: '2026-06-01T10:00:00.000Z', type: 'gemini', content: [{ functionCall: {} }] };
    const again = told(message(), { $set: { messages: [] } }, { $set: { messages: [poor] } }, { $rewindTo: 'm1' });
    expect(again).toEqual(told(message()));
  });

  test('a call counts as it ended', () => {
    const early = message({ toolCalls: [call({ status: 'executing', resultDisplay: undefined })] });
    expect(told(early).edits).toEqual([]);
    expect(told(early, message())).toEqual(told(message()));
    expect(told(message(), early)).toEqual(told(message()));
  });

  test('what the user saw is what was typed', () => {
    const prompt = { id: 'u1', timestamp: META.startTime, type: 'user', content: [{ text: 'see a\nTEXT OF a' }] };
    expect(texts(told({ ...prompt, displayContent: 'see @a' }), 'user')).toEqual(['see @a']);
    expect(texts(told({ ...prompt, displayContent: [{ functionResponse: {} }] }), 'user')).toEqual([]);
  });

  test.each<[string, Record<string, unknown>, string, boolean]>([
    ['no match', { status: 'error', result: error('Could not find an exact match') }, 'error', false],
    [
      'not let',
      { status: 'cancelled', result: error('[Operation Cancelled] Reason: User did not allow it') },
      'cancelled',
      false,
    ],
    ['no word of how it ended', { status: undefined }, 'cancelled', true],
    ['an end that is none', { status: 7 }, 'cancelled', true],
  ])('no edit: %s', (_, more, status, open) => {
    const captured = told(message({ toolCalls: [call(more)] }));
    expect([captured.edits, captured.commands]).toEqual([[], []]);
    const event = captured.events.find(({ type }) => type === 'toolCall');
    expect(event).toMatchObject({ status });
    expect(isOpen(event ?? {})).toBe(open);
  });

  test('stopped when it was done: an edit all the same', () => {
    const result = [
      { functionResponse: { response: { output: 'Successfully overwrote', error: '[Operation Cancelled]' } } },
    ];
    expect(told(message({ toolCalls: [call({ status: 'cancelled', result })] })).edits).toHaveLength(1);
  });

  test('an edit that cannot be told is something that happened', () => {
    const captured = told(message({ toolCalls: [call({ args: {}, resultDisplay: 'Done' })] }));
    expect([captured.edits, captured.commands]).toMatchObject([[], [{ command: '' }]]);
  });

  test.each<[string, string, boolean]>([
    ['error', 'Tool "run_shell_command" not found.', true],
    ['error', 'Tool execution denied by policy.', true],
    ['error', 'Tool execution blocked: a hook', false],
    ['cancelled', '[Operation Cancelled] Reason: x', true],
    ['cancelled', '[Operation Cancelled] User cancelled tool execution.', false],
  ])('a command, %s, %s: refused %s', (status, text, refused) => {
    const shell = {
      id: 'a1b2c3d4e5',
      name: 'run_shell_command',
      args: { command: 'make' },
      status,
      result: error(text),
    };
    expect(told(message({ toolCalls: [shell] })).commands[0]?.refused === true).toBe(refused);
  });

  test.each<[unknown, string | undefined]>([
    ['gemini-3.1-pro-preview', 'google/gemini-3.1-pro-preview'],
    ['gemini-flash-latest', undefined],
    ['my-own-model', undefined],
    [7, undefined],
  ])('model %s is %s', (model, id) => {
    expect(told(message({ model })).model).toBe(id);
  });
});

describe('its folder', () => {
  const root = (hash: string, beside: Record<string, string> = {}, worktrees = ['/w/tree']) =>
    decode(linesOf([{ ...META, projectHash: hash }]), { beside, worktrees }).cwd;
  const own = '/home/user/.gemini/tmp/repo/.project_root';
  const list = '/home/user/.gemini/projects.json';
  test('is the one whose hash fits', () => {
    expect(root(hashOf('/w/tree'))).toBe('/w/tree');
    expect(root(hashOf('/w'))).toBe('/w');
    expect(root(hashOf('/w/tree/sub'), { [own]: '/w/tree/sub\n' })).toBe('/w/tree/sub');
    expect(root(hashOf('/b'), { [list]: '{"projects":{"/a":"x","/b":"repo"}}' })).toBe('/b');
    expect(root(hashOf('/b'), { [own]: '/a', [list]: '{"projects":{"/b":"repo"}}' })).toBe('/b');
  });
  test('is what Gemini wrote beside it, where none fits; else nobody knows', () => {
    expect(root('x', { [own]: '/a' })).toBe('/a');
    expect(root('x', { [list]: 'broken' })).toBeUndefined();
    expect(root('x', { [list]: '{"projects":[1]}' })).toBeUndefined();
  });
});

test.each([
  '',
  'x',
  '[]',
  '{}',
  '{"id":1}',
  '{"id":"m","timestamp":"2026-05-01T10:00:00Z","type":"news"}',
  '{"$set":{"messages":[null]}}',
])('%j is counted', (line) => {
  expect(Object.keys(decode(`${line}\n{`).skipped).length).toBe(line === '' || line === 'x' || line === '[]' ? 1 : 2);
});

test('law: no record is fatal', () => {
  const values = recordedValues('gemini-cli/session.jsonl').slice(60);
  fc.assert(
    fc.property(spoiled(values), (broken) => void decode(linesOf(broken))),
    { numRuns: 200 },
  );
});
