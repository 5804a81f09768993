import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codex } from '../../../src/capture/codex/index.ts';
import { commandWords, editWords, linesOf, recordedValues, spoiled, transcriptOf } from '../recorded.ts';
import { call, decode, decodeAll, event, HEAD, item, meta, record, time } from './rollout.ts';

describe('recorded sessions', () => {
  test.each(['session', 'heredoc'])('%s: what succeeded, what ran, what was said, over two turns', (name) => {
    const captured = decode(recordedValues(`codex/${name}.jsonl`));
    expect(captured).toMatchObject({
      tool: { name: 'codex', version: '0.166.0' },
      cwd: '/repo',
      branch: 'main',
      tokens: { inputTokens: 1300, outputTokens: 260 },
      skipped: {},
    });
    expect(captured.model).toBeUndefined();
    expect(editWords(captured)).toEqual([
      'write /repo/src/greet.ts',
      'hunks /repo/src/app.ts',
      'hunks /repo/src/greet.ts',
      'write /repo/src/config.ts',
    ]);
    expect(commandWords(captured)).toEqual([
      "printf 'first note b 0",
      "printf 'left behind  3",
      'cat src/app.ts 0',
      'cat src/greet.ts 0',
      'mkdir -p src/gen &&  0',
      "sed -i 's/second not 0",
    ]);
    expect(captured.events.map(({ type }) => type).join(' ')).toBe(
      'message fileOperation terminalCommand terminalCommand terminalCommand toolCall fileOperation message ' +
        'message terminalCommand fileOperation terminalCommand terminalCommand fileOperation message',
    );
    const said = captured.events.flatMap((event) => (event.type === 'message' ? [event.content] : []));
    expect(said).toEqual([
      'Create the greeting and note the port.',
      'Greeting and port are there.',
      'Now add a farewell and list the items.',
      'Done.',
    ]);
  });

  test('scripts that call tools: what they did has ids of its own', () => {
    const captured = decode(recordedValues('codex/code.jsonl'));
    expect(editWords(captured)).toEqual(['write /repo/src/greet.ts', 'hunks /repo/src/app.ts']);
    expect(commandWords(captured)).toEqual(["printf 'a\\n' > notes 3", 'echo b > b.txt 0']);
    expect([...captured.edits, ...captured.commands].every(({ event }) => event.startsWith('exec-'))).toBe(true);
    expect(captured.tokens).toEqual({
      inputTokens: 300,
      outputTokens: 100,
      cacheReadTokens: 200,
      cacheWriteTokens: 0,
      reasoningTokens: 25,
    });
  });

  test('several files in one patch, a file moved, line ends, a file overwritten, a patch in another folder', () => {
    const captured = decode(recordedValues('codex/odd.jsonl'));
    expect(editWords(captured)).toEqual([
      'write /repo/a.txt',
      'write /repo/gone.txt',
      'write /repo/old/name.txt',
      'hunks /repo/a.txt',
      'hunks /repo/crlf.txt',
      'full /repo/gone.txt',
      'hunks /repo/long.txt',
      'full /repo/new/name.txt',
      'hunks /repo/nonl.txt',
      'hunks /repo/long.txt',
      'write /repo/a.txt',
      'write /repo/src/inner.txt',
    ]);
    expect(captured.edits[7]?.change).toEqual({ kind: 'full', before: null, after: 'n1\nN2\nn3\n' });
    expect(captured.edits[5]?.change).toEqual({ kind: 'full', before: 'gone\n', after: null });
    const late = captured.commands.find(({ command }) => command.includes('late.txt'));
    expect((late?.endedAt ?? 0) - (late?.startedAt ?? 0)).toBeGreaterThan(2500);
    expect(captured.commands.find(({ command }) => command.includes('w.txt'))?.cwd).toBe('/repo/src');
  });

  test('sub-agents are sessions of their own; what a fork was told before is not its doing', () => {
    const [helper, main] = ['subagent', 'delegating'].map((name) => decode(recordedValues(`codex/${name}.jsonl`)));
    expect(helper?.parentSession).toBe(main?.session);
    expect(main?.childSessions).toEqual([helper?.session]);
    expect(editWords(helper ?? { edits: [] })).toEqual(['write /repo/helper.txt']);
    const fork = decode(recordedValues('codex/forked.jsonl'));
    expect([fork.session === fork.forkedFrom, fork.forkedFrom === fork.parentSession]).toEqual([false, true]);
    expect(fork.events.map((event) => event.type)).toEqual(['message']);
  });

  test('a session of another folder is not read to its end', () => {
    let read = 0;
    const lines = function* () {
      for (const value of recordedValues('codex/session.jsonl')) {
        read++;
        yield JSON.stringify(value);
      }
    };
    expect(codex.decodeTranscript(transcriptOf('', { lines, worktrees: ['/other'] }))).toEqual([]);
    expect(read).toBe(1);
  });
});

describe('what was said', () => {
  const prompts = (values: readonly object[]) =>
    decode([...HEAD, ...values]).events.flatMap((one) =>
      one.type === 'message' && one.role === 'user' ? [`${one.id} ${one.content}`] : [],
    );
  const user = (text: string, more: object = {}) => ({
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text }],
    ...more,
  });

  test('a prompt has the id of its turn; a second one in it has its own', () => {
    const typed = (text: string, id: string) => ({ type: 'UserMessage', id, content: [{ type: 'text', text }] });
    const said = [
      event(1, { type: 'task_started', turn_id: 't1' }),
      item(1, user('first')),
      event(1, { type: 'item_completed', item: typed('first', 'm1') }),
      event(2, { type: 'item_completed', item: typed('and this', 'm2') }),
    ];
    expect(prompts(said)).toEqual(['t1 first', 'm2 and this']);
    expect(prompts([event(1, { type: 'user_message', message: 'old' })])).toEqual(['line-3 old']);
  });

  test('without better words, what the user sent and no program made', () => {
    const kinds = (kind: string) => ({ internal_chat_message_metadata_passthrough: { content_item_kinds: [kind] } });
    const said = ['<environment_context>x', '# AGENTS.md instructions for x', 'typed'].map((text) =>
      item(1, user(text)),
    );
    expect(prompts(said)).toEqual(['line-5 typed']);
    expect(prompts([item(1, user('a', kinds('user.text'))), item(1, user('b', kinds('x')))])).toEqual(['line-3 a']);
  });

  test('what an editor puts in front is not typed', () => {
    const message = '# Context from my IDE setup:\n\n## Open tabs:\n- a.ts\n\n## My request for Codex:\nmend it\n';
    expect(prompts([event(1, { type: 'user_message', message })])).toEqual(['line-3 mend it']);
  });

  test('thoughts', () => {
    const thought = { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'Hm.' }] };
    expect(decode([...HEAD, item(1, thought)]).events).toMatchObject([{ type: 'reasoning', id: 'r', intent: 'Hm.' }]);
  });
});

describe('models and tokens', () => {
  const modelOf = (provider: unknown, model: unknown, more: readonly object[] = []) =>
    decode([
      record(0, 'session_meta', { ...meta, model_provider: provider }),
      record(0, 'turn_context', { model }),
      ...more,
      item(1, call('shell', { command: ['ls'] })),
    ]).model;

  test.each([
    ['openai', 'gpt-5.5', 'openai/gpt-5.5'],
    ['openai', 'gpt-5.2-codex', 'openai/gpt-5.2-codex'],
    ['openai', 'aide-gpt-5', undefined],
    ['azure', 'gpt-5.5', undefined],
    ['ollama', 'gpt-oss:20b', undefined],
    [undefined, 'gpt-5.5', undefined],
    ['openai', 7, undefined],
  ])('%s %s', (provider, model, id) => {
    expect(modelOf(provider, model)).toBe(id);
  });

  test('a session that goes on with another provider', () => {
    const settings = { type: 'thread_settings_applied', thread_settings: { model_provider_id: 'mine' } };
    expect(modelOf('openai', 'gpt-5.5', [event(1, settings)])).toBeUndefined();
  });

  const usage = (input: number) => ({ input_tokens: input, cached_input_tokens: 10, output_tokens: 5 });
  const count = (input: number) =>
    event(1, { type: 'token_count', info: { total_token_usage: usage(input), last_token_usage: usage(input) } });
  const used = (id: string, input: number) => record(1, 'token_usage_record', { response_id: id, usage: usage(input) });

  test('of each answer once, or else of the whole; never both', () => {
    const tokens = (values: readonly object[]) => decode([...HEAD, ...values]).tokens;
    expect(tokens([count(100), event(1, { type: 'token_count', info: null }), count(300)])).toMatchObject({
      inputTokens: 290,
      cacheReadTokens: 10,
      outputTokens: 5,
    });
    expect(tokens([used('a', 100), count(100), used('b', 100), used('a', 100), count(200)])).toMatchObject({
      inputTokens: 180,
      cacheReadTokens: 20,
      outputTokens: 10,
    });
    expect(tokens([])).toBeUndefined();
  });
});

describe('what is not understood', () => {
  test('is counted', () => {
    const odd = [
      { timestamp: time(1), type: 'novelty', payload: {} },
      { timestamp: time(1), type: 'event_msg', payload: null },
      item(1, { type: 'novelty' }),
      item(1, { type: 'function_call', name: 'shell' }),
      item(1, { type: 'function_call_output', output: 'x' }),
      event(1, { type: 'patch_apply_end', success: true }),
      event(1, { type: 'item_completed', item: { type: 'Novelty' } }),
    ];
    const captured = codex.decodeTranscript(transcriptOf(`${linesOf([...HEAD, ...odd])}\n{"torn`))[0];
    expect(captured?.skipped).toEqual({
      'record novelty': 1,
      'line without type or payload': 1,
      'item novelty': 1,
      'call without id or name': 1,
      'answer without id': 1,
      'patch without id': 1,
      'item Novelty': 1,
      'broken line': 1,
    });
  });

  test('no session, no words', () => {
    expect(decodeAll([])).toEqual([]);
    expect(decodeAll([{ id: 'old', timestamp: time(0), instructions: null }])).toEqual([]);
    expect(decodeAll([record(0, 'session_meta', { cwd: '/repo', id: '../x' })])).toEqual([]);
  });

  test.each(['session', 'code', 'odd', 'delegating'])('never throws: %s', (name) => {
    fc.assert(
      fc.property(spoiled(recordedValues(`codex/${name}.jsonl`)), (values) => {
        decodeAll(values);
      }),
      { numRuns: 100 },
    );
  });
});

const SAMPLES = path.join(import.meta.dirname, '..', '..', '..', '..', 'shared/samples/codex');
const samples = fs.existsSync(SAMPLES)
  ? fs.readdirSync(SAMPLES, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))
  : [];

/** Of others: read, never copied. */
describe.skipIf(samples.length === 0)(
  'rollouts of many versions (left out where they are not beside the repository)',
  () => {
    test.each(samples)('%s: ids are unique, a cut-off end loses only itself', (name) => {
      const lines = fs.readFileSync(path.join(SAMPLES, name), 'utf8').split('\n');
      const read = (some: readonly string[]) =>
        codex.decodeTranscript(transcriptOf(some.join('\n'), { worktrees: ['/'] }))[0];
      const captured = read(lines);
      const ids = captured?.events.map(({ id }) => id) ?? [];
      expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
      const edits = captured?.edits.length ?? 0;
      const cut = lines.slice(0, -2).concat((lines.at(-2) ?? '').slice(0, 50));
      expect(read(cut)?.edits.length ?? 0).toBeGreaterThanOrEqual(edits - 1);
    });
  },
);
