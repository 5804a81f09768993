import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withTool } from '../../src/agentlog/call-name.ts';
import type { AgentLogDocument, AgentLogEvent } from '../../src/agentlog/document.ts';
import { parseDocument } from '../../src/agentlog/parse.ts';
import { printTraces, tracesOf } from '../../src/otlp/from-session.ts';
import { nanoOf, spanIdOf, traceIdOf } from '../../src/otlp/ids.ts';
import { modelOf, providerOf } from '../../src/otlp/names.ts';
import type { KeyValue, Span, TracesData } from '../../src/otlp/span.ts';

const session: AgentLogDocument = {
  specVersion: '0.2.0',
  id: 's1',
  startTime: '2026-05-25T10:00:00Z',
  endTime: '2026-05-25T10:00:20.5Z',
  status: 'failed',
  agent: { name: 'claude-code', version: '2.1.197', model: 'anthropic/claude-opus-4-5' },
  project: { name: 'demo', repository: 'acme/demo', branch: 'main', commitSha: '1111111' },
  events: [
    { type: 'message', id: 'm1', timestamp: '2026-05-25T10:00:00Z', role: 'user', content: 'SECRET PROMPT' },
    {
      type: 'toolCall',
      id: 't1',
      timestamp: '2026-05-25T10:00:01.123456789Z',
      durationMs: 1500,
      name: 'Task',
      input: { prompt: 'SECRET INPUT' },
      output: 'SECRET OUTPUT',
      status: 'error',
    },
    {
      type: 'fileOperation',
      id: 'f1',
      parentId: 't1',
      timestamp: '2026-05-25T10:00:02Z',
      operation: 'edit',
      path: 'a.ts',
      linesAdded: 2,
    },
    {
      type: 'terminalCommand',
      id: 'c1',
      parentId: 't1',
      timestamp: '2026-05-25T10:00:02Z',
      command: 'false',
      exitCode: 1,
    },
    { type: 'fileOperation', id: 'f2', timestamp: '2026-05-25T10:00:03Z', operation: 'create', path: 'b.ts' },
    { type: 'fileOperation', id: 'f2/1', timestamp: '2026-05-25T10:00:03Z', operation: 'create', path: 'c.ts' },
  ],
  metrics: {
    messageCount: 1,
    toolCallCount: 1,
    filesTouchedCount: 3,
    tokenUsage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 100, cacheWriteTokens: 20 },
  },
  relationships: { parentSession: 's0' },
};

const spansOf = (data: TracesData): readonly Span[] =>
  data.resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans));
const plain = (attributes: readonly KeyValue[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

describe('tracesOf', () => {
  it('names a span by the tool that was called, where the event says it', () => {
    const events = session.events.map((event) => withTool(event, 'Write'));
    const names = spansOf(tracesOf([{ ...session, events }], { version: '0.1.0' })).map(({ name }) => name);
    expect(names).toContain('execute_tool Write');
    expect(names).not.toContain('execute_tool create');
  });

  const data = tracesOf([session], { version: '0.1.0' });
  const [root, task, shell, create, ...others] = spansOf(data);

  it('makes one invoke_agent of a session', () => {
    expect(root).toMatchObject({
      traceId: traceIdOf('s1'),
      spanId: spanIdOf('s1'),
      name: 'invoke_agent claude-code',
      kind: 1,
      startTimeUnixNano: '1779703200000000000',
      endTimeUnixNano: '1779703220500000000',
      status: { code: 2 },
      links: [{ traceId: traceIdOf('s0'), spanId: spanIdOf('s0'), attributes: [] }],
    });
    expect(root).not.toHaveProperty('parentSpanId');
    expect(plain(root?.attributes ?? [])).toEqual({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.agent.name': 'claude-code',
      'gen_ai.agent.version': '2.1.197',
      'gen_ai.conversation.id': 's1',
      'gen_ai.request.model': 'claude-opus-4-5',
      'gen_ai.usage.input_tokens': '130',
      'gen_ai.usage.output_tokens': '5',
      'gen_ai.usage.cache_read.input_tokens': '100',
      'gen_ai.usage.cache_creation.input_tokens': '20',
      'error.type': 'failed',
    });
    expect(data.resourceSpans[0]?.scopeSpans[0]?.scope).toEqual({ name: 'git-agent-blame', version: '0.1.0' });
    expect(plain(data.resourceSpans[0]?.resource.attributes ?? [])).toMatchObject({ 'service.name': 'claude-code' });
  });

  it('makes an execute_tool of each call, below what called it', () => {
    expect(others).toEqual([]);
    expect(task).toMatchObject({
      spanId: spanIdOf('s1', 't1'),
      parentSpanId: root?.spanId,
      name: 'execute_tool Task',
      startTimeUnixNano: '1779703201123456789',
      endTimeUnixNano: '1779703202623456789',
      status: { code: 2 },
      events: [{ name: 'file.edit', timeUnixNano: '1779703202000000000' }],
    });
    expect(plain(task?.attributes ?? [])).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'Task',
      'gen_ai.tool.call.id': 't1',
      'gen_ai.tool.type': 'function',
      'gen_ai.conversation.id': 's1',
      'gen_ai.agent.name': 'claude-code',
      'error.type': '_OTHER',
    });
    expect(shell).toMatchObject({ name: 'execute_tool shell', parentSpanId: task?.spanId });
    expect(plain(shell?.attributes ?? [])).toMatchObject({ 'process.exit.code': '1', 'error.type': 'exit_1' });
    expect(create?.events?.map((event) => plain(event.attributes)['file.path'])).toEqual(['b.ts', 'c.ts']);
  });

  it('tells what was said and given only when asked, and what was said not even then', () => {
    expect(printTraces(data)).not.toMatch(/SECRET/);
    const full = printTraces(tracesOf([session], { version: '0.1.0', content: true }));
    expect(full).toMatch(/SECRET INPUT.*SECRET OUTPUT/);
    expect(full).not.toMatch(/SECRET PROMPT/);
  });

  it('is one line, and the same each time', () => {
    expect(printTraces(data)).toBe(printTraces(tracesOf([structuredClone(session)], { version: '0.1.0' })));
    expect(printTraces(data)).not.toContain('\n');
  });

  it('reads every event type of AgentLog', () => {
    const url = new URL('../../fixtures/agentlog/all-events.agentlog.json', import.meta.url);
    const parsed = parseDocument(readFileSync(url, 'utf8'));
    if (parsed.kind === 'foreign') throw new Error(parsed.problem);
    const names = spansOf(tracesOf([parsed.document], { version: '0' })).map((span) => span.name);
    expect(names).toEqual([
      'invoke_agent claude-code',
      'execute_tool load file',
      'execute_tool Grep',
      'execute_tool Edit',
      'execute_tool shell',
      'execute_tool handoff',
    ]);
  });
});

describe('names and numbers', () => {
  it.each([
    ['1970-01-01T00:00:00.000000001Z', 1n],
    ['2026-05-25T12:00:00.5+02:00', 1779703200500000000n],
    ['1969-01-01T00:00:00Z', 0n],
    ['9999-12-31T23:59:59Z', 9223372036854775807n],
    ['yesterday', undefined],
  ])('%s is %s', (text, nano) => expect(nanoOf(text)).toBe(nano));

  it.each([
    [{ provider: 'google' }, 'gcp.gen_ai'],
    [{ model: 'xai/grok-4' }, 'x_ai'],
    [{ provider: 'acme', model: 'openai/x' }, 'acme'],
    [{ provider: '__proto__' }, '__proto__'],
    [{ model: 'gpt' }, '_OTHER'],
    [{}, '_OTHER'],
  ])('the provider of %j is %s', (agent, name) => expect(providerOf(agent)).toBe(name));

  it('a model is named as its provider names it', () => {
    expect([modelOf('a/b/c'), modelOf('gpt'), modelOf('a/'), modelOf(null)]).toEqual([
      'b/c',
      'gpt',
      undefined,
      undefined,
    ]);
  });
});

describe('laws', () => {
  const id = fc.constantFrom('a', 'b', 'c', 'a/1', 'c/2', '', '__proto__', '\ud800');
  const time = fc.constantFrom(
    '2026-05-25T10:00:00Z',
    '2026-05-25T09:00:00Z',
    'never',
    '9999-12-31T23:59:59.999999999Z',
  );
  const base = {
    id,
    timestamp: time,
    parentId: fc.option(id),
    durationMs: fc.option(fc.oneof(fc.integer(), fc.double())),
  };
  const event: fc.Arbitrary<AgentLogEvent> = fc.oneof(
    fc.record({
      ...base,
      type: fc.constant('toolCall' as const),
      name: fc.string(),
      input: fc.constant({}),
      status: fc.constantFrom('success' as const, 'error' as const),
    }),
    fc.record({
      ...base,
      type: fc.constant('fileOperation' as const),
      operation: fc.constant('edit' as const),
      path: fc.string(),
    }),
    fc.record({
      ...base,
      type: fc.constant('terminalCommand' as const),
      command: fc.string(),
      exitCode: fc.option(fc.integer()),
    }),
    fc.record({ ...base, type: fc.constant('opaque' as const), raw: fc.constant({}) }),
  );

  it('every span is sound OTLP/JSON, inside its trace, once, and no file is lost', () => {
    const documents = fc.record({
      id,
      startTime: time,
      endTime: fc.option(time),
      events: fc.array(event, { maxLength: 12 }),
    });
    fc.assert(
      fc.property(documents, (fields) => {
        const spans = spansOf(
          JSON.parse(printTraces(tracesOf([{ ...session, ...fields }], { version: '0', content: true }))),
        );
        const ids = new Set(spans.map((span) => span.spanId));
        expect(ids.size).toBe(spans.length);
        for (const span of spans) {
          expect(span.traceId).toMatch(/^[0-9a-f]{32}$/);
          expect(span.spanId).toMatch(/^[0-9a-f]{16}$/);
          expect([span.startTimeUnixNano, span.endTimeUnixNano]).toEqual([
            expect.stringMatching(/^\d{1,19}$/),
            expect.stringMatching(/^\d{1,19}$/),
          ]);
          expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
          expect(BigInt(span.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(spans[0]?.startTimeUnixNano ?? 0));
          expect(BigInt(span.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(spans[0]?.endTimeUnixNano ?? 0));
          if (span !== spans[0]) expect(ids).toContain(span.parentSpanId);
          expect(span.name).not.toMatch(/\p{Surrogate}/u);
        }
        const first = new Set<string>();
        const files = fields.events.filter((one) => {
          const again = first.has(one.id);
          first.add(one.id);
          return one.type === 'fileOperation' && !again;
        });
        expect(spans.flatMap((span) => span.events ?? []).length).toBeGreaterThanOrEqual(files.length);
      }),
    );
  });
});
