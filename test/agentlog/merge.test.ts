import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentLogDocument, AgentLogEvent } from '../../src/agentlog/document.ts';
import { measure } from '../../src/agentlog/measure.ts';
import { mergeDocuments } from '../../src/agentlog/merge.ts';
import { openCall } from '../../src/agentlog/open-call.ts';
import { parseDocument } from '../../src/agentlog/parse.ts';
import { printDocument } from '../../src/agentlog/print.ts';
import { rememberStated, STATED_PROPERTY } from '../../src/agentlog/stated.ts';

const time = fc.constantFrom(
  '2026-05-01T09:00:00Z',
  '2026-05-01T11:00:01+02:00',
  '2026-05-01T09:05:00Z',
  '2026-05-01T09:00:00.000Z',
);
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
const tokens = fc.record({ inputTokens: fc.nat(9), outputTokens: fc.nat(9), cacheReadTokens: fc.option(fc.nat(9)) });
const bag = fc.dictionary(
  fc.constantFrom('a', 'b', '__proto__'),
  fc.oneof(fc.nat(3), fc.constantFrom('x', 'yy', null, [1])),
  { maxKeys: 2 },
);

const event: fc.Arbitrary<AgentLogEvent> = fc.oneof(
  fc
    .record({
      id: fc.constantFrom('e1', 'e2', 'e3'),
      timestamp: time,
      content: fc.constantFrom('', 'hi', 'ho'),
      tokenUsage: maybe(tokens),
      estimatedCostUsd: maybe(fc.constantFrom(0.5, 0.25)),
    })
    .map((one) => clean({ type: 'message', role: 'user', ...one }) as AgentLogEvent),
  fc
    .record({
      id: fc.constantFrom('e1', 'e4'),
      timestamp: time,
      name: fc.constantFrom('Edit', 'Write'),
      model: maybe(fc.constant('a/b')),
      input: bag,
    })
    .map((one) => clean({ type: 'toolCall', status: 'success', ...one }) as AgentLogEvent),
  fc
    .record({ id: fc.constantFrom('e1', 'e4'), timestamp: time, input: bag })
    .map((one) => openCall({ type: 'toolCall', name: 'Edit', ...one })),
  fc
    .record({ id: fc.constantFrom('e1', ''), timestamp: time, x: fc.nat(2) })
    .map(({ id, timestamp, x }) => ({ type: 'opaque' as const, id, timestamp, raw: { type: 'x', id, timestamp, x } })),
);

const relationships = fc
  .record({
    commits: maybe(
      fc.array(fc.record({ sha: fc.constantFrom('a', 'b'), message: maybe(fc.constantFrom('m', 'mm')) }).map(clean), {
        maxLength: 3,
      }),
    ),
    pullRequests: maybe(fc.array(fc.record({ number: fc.nat(2), url: fc.constantFrom('u', null) }), { maxLength: 2 })),
    branches: maybe(
      fc.array(fc.record({ name: fc.constantFrom('m', 'n'), action: fc.constant('created') }), { maxLength: 2 }),
    ),
    childSessions: maybe(fc.array(fc.constantFrom('c1', 'c2'), { maxLength: 2 })),
    parentSession: maybe(fc.constantFrom('p', null)),
    properties: maybe(bag),
  })
  .map(clean);

const stated = fc
  .record({ toolCallCount: maybe(fc.nat(9)), tokenUsage: maybe(tokens), toolsUsed: maybe(fc.constantFrom(['x'], 7)) })
  .map(clean);

const documents: fc.Arbitrary<AgentLogDocument> = fc
  .record({
    startTime: time,
    endTime: maybe(fc.option(time)),
    status: fc.constantFrom('active' as const, 'completed' as const, 'timeout' as const),
    agent: fc
      .record({
        name: fc.constantFrom('claude-code', 'x'),
        version: fc.constantFrom('1', '2', null),
        properties: maybe(bag),
      })
      .map(clean),
    project: maybe(fc.constantFrom(null, { name: 'p' }, { name: 'p', branch: 'main' })),
    events: fc.array(event, { maxLength: 5 }),
    metrics: maybe(
      fc.option(
        fc.record({
          messageCount: fc.nat(3),
          toolCallCount: fc.nat(3),
          filesTouchedCount: fc.nat(3),
          tokenUsage: fc.option(tokens),
        }),
      ),
    ),
    relationships: maybe(fc.option(relationships)),
    properties: maybe(fc.oneof(bag, fc.record({ [STATED_PROPERTY]: stated }))),
  })
  .map((one) => clean({ specVersion: '0.2.0', id: 's', ...one }) as AgentLogDocument);

/** Absent means absent: no keys that are undefined. */
function clean<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as T;
}

describe('mergeDocuments', () => {
  it('law: commutative', () => {
    fc.assert(
      fc.property(documents, documents, (a, b) => {
        expect(printDocument(mergeDocuments(a, b))).toBe(printDocument(mergeDocuments(b, a)));
      }),
    );
  });

  it('law: associative', () => {
    fc.assert(
      fc.property(documents, documents, documents, (a, b, c) => {
        expect(mergeDocuments(mergeDocuments(a, b), c)).toEqual(mergeDocuments(a, mergeDocuments(b, c)));
      }),
      { numRuns: 200 },
    );
  });

  it('law: idempotent', () => {
    fc.assert(
      fc.property(documents, documents, (a, b) => {
        const both = mergeDocuments(a, b);
        expect(mergeDocuments(both, both)).toEqual(both);
        expect(mergeDocuments(both, a)).toEqual(both);
      }),
    );
  });

  it('law: what is printed is parsed to the same', () => {
    fc.assert(
      fc.property(documents, (a) => {
        const document = mergeDocuments(a, a);
        expect(parseDocument(printDocument(document))).toMatchObject({ kind: 'document', document });
      }),
    );
  });

  const hooks: AgentLogDocument = {
    specVersion: '0.2.0',
    id: 's',
    startTime: '2026-05-01T09:00:05Z',
    status: 'completed',
    endTime: '2026-05-01T09:30:00Z',
    agent: { name: 'claude-code' },
    events: [
      { type: 'toolCall', id: 't2', timestamp: '2026-05-01T09:02:00Z', name: 'Edit', input: {}, status: 'success' },
      { type: 'message', id: 'm1', timestamp: '2026-05-01T09:00:05Z', role: 'user', content: 'add it' },
    ],
    relationships: { commits: [{ sha: 'a' }], childSessions: ['c2', 'c1'] },
  };
  const transcript: AgentLogDocument = {
    specVersion: '0.2.0',
    id: 's',
    startTime: '2026-05-01T09:00:00Z',
    status: 'active',
    agent: { name: 'claude-code', version: '2.1.197', model: 'a/b' },
    events: [
      {
        type: 'toolCall',
        id: 't2',
        timestamp: '2026-05-01T09:02:00Z',
        name: 'Edit',
        input: { file_path: 'a.ts' },
        output: 'done',
        status: 'success',
        tokenUsage: { inputTokens: 3, outputTokens: 4 },
      },
      { type: 'fileOperation', id: 't2:1', timestamp: '2026-05-01T09:02:00Z', operation: 'edit', path: 'a.ts' },
    ],
    relationships: { commits: [{ sha: 'a', message: 'add it' }, { sha: 'b' }], parentSession: 'p' },
  };

  it('joins what hooks and transcript saw', () => {
    expect(mergeDocuments(hooks, transcript)).toEqual({
      ...transcript,
      endTime: '2026-05-01T09:30:00Z',
      status: 'completed',
      events: [hooks.events[1], ...transcript.events],
      metrics: {
        messageCount: 1,
        toolCallCount: 1,
        filesTouchedCount: 1,
        durationMinutes: 2,
        tokenUsage: { inputTokens: 3, outputTokens: 4 },
        filesTouched: ['a.ts'],
        toolsUsed: ['Edit'],
        modelsUsed: [],
      },
      relationships: {
        commits: [{ sha: 'a', message: 'add it' }, { sha: 'b' }],
        childSessions: ['c1', 'c2'],
        parentSession: 'p',
      },
    });
  });

  it('a prompt that the hook knows no id of is told once, however often it was said', () => {
    const prompt = (id: string, timestamp: string, content = 'go on') =>
      ({ type: 'message', id, timestamp, role: 'user', content }) as const;
    const seen = [
      prompt('prompt-1777626000000', '2026-05-01T09:00:00Z'),
      prompt('prompt-1777626300000', '2026-05-01T09:05:00Z', 'go on\n'),
      prompt('prompt-1777626600000', '2026-05-01T09:10:00Z', 'only the hook saw it'),
    ];
    const told = [prompt('u1', '2026-05-01T09:00:01Z'), prompt('u2', '2026-05-01T09:05:00Z')];
    const merged = mergeDocuments({ ...hooks, events: seen }, { ...transcript, events: told });
    expect(merged.events.map(({ id }) => id)).toEqual(['u1', 'u2', 'prompt-1777626600000']);
  });

  it('never counts fewer tokens than a total that was told, nor than the events give', () => {
    const told = (inputTokens: number) => ({
      ...transcript,
      metrics: { ...measure(transcript.events), tokenUsage: { inputTokens, outputTokens: 0 } },
    });
    const tokensOf = (input: number) => mergeDocuments(hooks, told(input)).metrics?.tokenUsage;
    // an answer that left no event is in the total alone
    expect(tokensOf(10)).toEqual({ inputTokens: 10, outputTokens: 4 });
    expect(tokensOf(1)).toEqual({ inputTokens: 3, outputTokens: 4 });
  });

  it('leaves the metrics that a document states as they are when its session has grown', () => {
    const metrics = {
      messageCount: 1,
      toolCallCount: 9,
      filesTouchedCount: 0,
      toolsUsed: ['Bash'],
      durationMinutes: 30,
    };
    const said = (id: string, timestamp: string) => ({
      ...({ type: 'message', role: 'user', content: 'x' } as const),
      ...{ id, timestamp },
    });
    const first = rememberStated({ ...hooks, events: [said('a', '2026-05-01T09:00:00Z')], metrics });
    const more = [...first.events, said('b', '2026-05-01T09:01:00Z')];
    const grown = rememberStated({ ...hooks, events: more, metrics: { ...metrics, messageCount: 2 } });
    const both = mergeDocuments(first, grown);
    expect(both.metrics).toMatchObject({ messageCount: 2, toolCallCount: 9, toolsUsed: ['Bash'], durationMinutes: 30 });
    // what its events give anyway is nothing that it states
    const { metrics: measured } = mergeDocuments(transcript, transcript);
    expect(rememberStated({ ...transcript, metrics: measured ?? null })).not.toHaveProperty('properties');
    // in whatever order its fields come, as after a way through CBOR
    const turned = Object.fromEntries(Object.entries(measured?.tokenUsage ?? {}).reverse());
    const came = { ...measured, tokenUsage: turned } as typeof measured;
    expect(Object.keys(turned)).toHaveLength(2);
    expect(rememberStated({ ...transcript, metrics: came ?? null })).not.toHaveProperty('properties');
  });

  it('a call that has ended is no open one any more, however much it was given', () => {
    const at = { id: 'e1', timestamp: '2026-05-01T09:00:00Z' };
    const given: AgentLogEvent = openCall({
      ...at,
      type: 'toolCall',
      name: 'Read',
      input: { file_path: '/repo/'.repeat(50) },
    });
    const done: AgentLogEvent = { ...at, type: 'fileOperation', operation: 'read', path: 'a' };
    const [before, after] = [
      { ...hooks, events: [given] },
      { ...hooks, events: [done] },
    ];
    expect(mergeDocuments(before, after).events).toEqual([done]);
    expect(mergeDocuments(after, before).events).toEqual([done]);
  });

  it('refuses two sessions', () => {
    expect(() => mergeDocuments(hooks, { ...hooks, id: 'other' })).toThrow(/are not one/);
  });
});

describe('measure', () => {
  it('counts nothing in nothing', () => {
    expect(measure([])).toEqual({
      messageCount: 0,
      toolCallCount: 0,
      filesTouchedCount: 0,
      filesTouched: [],
      toolsUsed: [],
      modelsUsed: [],
    });
  });

  it('leaves out what adds up to no number', () => {
    const event = (id: string) => ({
      ...{ type: 'message', role: 'user', content: 'x', id, timestamp: '2026-05-01T09:00:00Z' },
      tokenUsage: { inputTokens: Number.MAX_SAFE_INTEGER, outputTokens: 1 },
      estimatedCostUsd: 1.7e308,
    });
    const metrics = measure([event('a'), event('b')] as AgentLogEvent[]);
    expect(metrics).not.toHaveProperty('tokenUsage');
    expect(metrics).not.toHaveProperty('estimatedCostUsd');
  });

  it('adds up tokens and cost', () => {
    const message = { type: 'message', id: '1', timestamp: '', role: 'user', content: '' } as const;
    const { tokenUsage, estimatedCostUsd } = measure([
      { ...message, tokenUsage: { inputTokens: 1, outputTokens: 2 }, estimatedCostUsd: 0.5 },
      { ...message, tokenUsage: { inputTokens: 3, outputTokens: 4, cacheReadTokens: 5, cacheWriteTokens: null } },
    ]);
    expect(tokenUsage).toEqual({ inputTokens: 4, outputTokens: 6, cacheReadTokens: 5 });
    expect(estimatedCostUsd).toBe(0.5);
  });
});
