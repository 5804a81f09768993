import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentLogDocument } from '../../src/agentlog/document.ts';
import { type KnownDocument, parseDocument } from '../../src/agentlog/parse.ts';
import { printDocument } from '../../src/agentlog/print.ts';
import { validateDocument } from '../../src/agentlog/validate.ts';
import { Fault } from '../../src/fault.ts';
import { CASES } from '../support/cases.ts';

const text = readFileSync(new URL('../../fixtures/agentlog/all-events.agentlog.json', import.meta.url), 'utf8');

function known(raw: string): KnownDocument {
  const parsed = parseDocument(raw);
  if (parsed.kind === 'foreign') throw new Error(parsed.problem);
  return parsed;
}

const minimal = {
  specVersion: '0.2.0',
  id: 's1',
  startTime: '2026-05-01T09:00:00Z',
  status: 'completed',
  agent: { name: 'x' },
  events: [],
} as const satisfies AgentLogDocument;

const base = { id: 'e', timestamp: '2026-05-01T09:00:00Z' };

describe('parseDocument', () => {
  it('reads all twelve event types, and keeps what it does not understand as it came', () => {
    const { document, opaque, skipped, raw } = known(text);
    expect(new Set(document.events.map((event) => event.type)).size).toBe(13);
    expect([opaque, skipped, raw]).toEqual([2, { parts: [], events: 0 }, text]);
    expect(document.events[12]).toEqual({
      type: 'opaque',
      id: 'e13',
      timestamp: '2026-05-01T09:05:00Z',
      raw: { type: 'telepathy', id: 'e13', timestamp: '2026-05-01T09:05:00Z', strength: 11 },
    });
    expect(document.events[13]).toMatchObject({ type: 'opaque', raw: { role: 'robot' } });
    expect(document).toHaveProperty('unknownPart', { kept: true });
  });

  it('loses nothing from parse to print', () => {
    const printed = printDocument(known(text).document);
    expect(JSON.parse(printed)).toEqual(JSON.parse(text));
    expect(printed).not.toContain('\n');
    expect(printDocument(known(printed).document)).toBe(printed);
  });

  it.each([
    ['not JSON', '{'],
    ['not an object', '[]'],
    ['no session id', JSON.stringify({ ...minimal, id: '' })],
    ['no status of a session', JSON.stringify({ ...minimal, status: 'done' })],
    ['no agent', JSON.stringify({ ...minimal, agent: { name: 1 } })],
    ['no list of at most 1000000 events', JSON.stringify({ ...minimal, events: {} })],
    ['nested deeper than 200', `{"id":${'['.repeat(201)}`],
  ])('says %s', (problem, raw) => {
    expect(parseDocument(raw)).toEqual({ kind: 'foreign', raw, problem });
  });

  it('reads loosely written documents, and says what it left out', () => {
    const loose = {
      id: 's',
      status: 'interrupted',
      agent: 'x',
      metrics: 5,
      project: { name: 'p', branch: 7 },
      events: [null, base],
    };
    const { document, skipped, opaque } = known(JSON.stringify(loose));
    expect(skipped).toEqual({ parts: ['project', 'metrics'], events: 1 });
    expect(opaque).toBe(1);
    expect(document).toMatchObject({
      agent: { name: 'x' },
      status: 'interrupted',
      startTime: base.timestamp,
      specVersion: '0.2.0',
    });
    expect(document).not.toHaveProperty('metrics');
  });

  it('law: never throws, and keeps the text', () => {
    const part = fc.jsonValue();
    const event = fc.oneof(
      part,
      fc.record({ type: fc.constantFrom('message', 'plan', 'x'), id: part, timestamp: part, role: part, steps: part }),
    );
    const document = fc.record({
      id: part,
      status: fc.constant('active'),
      agent: fc.constant('x'),
      events: fc.array(event),
      metrics: part,
      relationships: part,
      ['__proto__']: part,
    });
    const raws = fc.oneof(
      fc.string(),
      fc.json(),
      document.map((value) => JSON.stringify(value)),
      document.map((value) => JSON.stringify({ ...value, id: 's' })),
    );
    fc.assert(
      fc.property(raws, (raw) => {
        expect(parseDocument(raw).raw).toBe(raw);
      }),
      { numRuns: CASES },
    );
  });
});

describe('printDocument', () => {
  it('prints known keys in order and the others after them, on one line', () => {
    const event = { content: 'a\nb', zeta: 1, role: 'user', type: 'message', ...base } as const;
    expect(printDocument({ extra: 1, ...minimal, events: [event] } as AgentLogDocument)).toBe(
      '{"specVersion":"0.2.0","id":"s1","startTime":"2026-05-01T09:00:00Z","status":"completed","agent":{"name":"x"},' +
        '"events":[{"type":"message","id":"e","timestamp":"2026-05-01T09:00:00Z","role":"user","content":"a\\nb","zeta":1}],"extra":1}',
    );
  });

  it('prints a key called __proto__ like any other', () => {
    const raw = JSON.stringify(minimal).replace('{', '{"__proto__":{"a":1},');
    expect(printDocument(known(raw).document)).toContain('"__proto__":{"a":1}');
  });

  it('prints what is nested too deep to be read as text inside it, and reads that', () => {
    const deep = JSON.parse('['.repeat(198) + ']'.repeat(198));
    const { document } = known(JSON.stringify(minimal));
    const printed = printDocument({ ...document, properties: { 'a:b': { c: deep } } });
    const again = known(printed).document;
    expect(printDocument(again)).toBe(printed);
    expect(JSON.stringify(again.properties)).toContain('"[[[[');
  });

  it('refuses what 0.2.0 does not allow, as a bug of ours', () => {
    const broken = () => printDocument({ ...minimal, startTime: 'today' });
    expect(broken).toThrow(Fault);
    expect(broken).toThrow(/agentlog 2 startTime at \/startTime/);
  });
});

const named = { specVersion: '0.2.0', ...base };

describe('events of strangers', () => {
  it.each<[string, object]>([
    ['a kind of reasoning', { type: 'reasoning', intent: 'i', rationale: 'r', reasoningType: 'planning-ahead' }],
    ['a part of a millisecond', { type: 'message', role: 'user', content: '', durationMs: 1.5 }],
    ['a local time', { type: 'message', role: 'user', content: '', timestamp: '2026-05-01 10:00' }],
    ['parts of lines', { type: 'fileOperation', operation: 'edit', path: 'a', linesAdded: 1.5, linesRemoved: 0.5 }],
    ['parts of items', { type: 'contextLoad', source: 'web', itemCount: 0.5, tokenCount: 2.5 }],
  ])('that hold %s which 0.2.0 does not have are printed as they came', (_, event) => {
    const raw = JSON.stringify({ ...minimal, events: [{ ...named, ...event }] });
    const { document } = known(raw);
    expect(JSON.parse(printDocument(document))).toEqual(JSON.parse(raw));
    expect(JSON.parse(printDocument(known(printDocument(document)).document))).toEqual(JSON.parse(raw));
  });
});

describe('validateDocument', () => {
  it.each<[string, object]>([
    ['/team', { team: 't' }],
    ['/profile', { profile: 'p' }],
    ['/classification', { classification: 'secret' }],
    ['/relationships/testRuns/0/passed', { relationships: { testRuns: [{}] } }],
    ['/relationships/branches/0/name', { relationships: { branches: [{ name: -1 }] } }],
    ['/relationships/reviews/0/url', { relationships: { reviews: [{ url: 0 }] } }],
    [
      '/events/0/reasoningType',
      { events: [{ ...base, type: 'reasoning', intent: 'i', rationale: 'r', reasoningType: 'planning-ahead' }] },
    ],
    ['/events/0/model', { events: [{ ...base, type: 'message', role: 'user', content: '', model: 5 }] }],
    [
      '/events/0/steps/0/status',
      {
        events: [
          { ...base, type: 'plan', title: '', status: 'draft', steps: [{ id: '1', description: '', status: 'todo' }] },
        ],
      },
    ],
  ])('notes %s, of which only the JSON Schema speaks: the text wins', (path, more) => {
    const found = validateDocument({ ...minimal, ...more });
    expect(found.map(({ kind }) => kind)).not.toContain('value');
    expect(found.map(({ kind }) => kind)).not.toContain('shape');
    expect(found[0]).toMatchObject({ path, kind: 'note', rule: expect.stringContaining('agentlog.schema.json ') });
    expect(JSON.parse(printDocument(known(JSON.stringify({ ...minimal, ...more })).document))).toMatchObject(more);
  });

  it('finds nothing wrong with a minimal document', () => {
    expect(validateDocument(minimal)).toEqual([]);
  });

  it('finds exactly what is wrong with the recorded one', () => {
    expect(validateDocument(JSON.parse(text)).map(({ rule, path }) => [rule, path])).toEqual([
      ['agentlog 1.3 event type', '/events/12/type'],
      ['agentlog 3.2 message role', '/events/13/role'],
      ['agentlog 3.2 message content', '/events/13/content'],
    ]);
  });

  it.each<[string, string, object]>([
    ['agentlog 2 specVersion', '/specVersion', { specVersion: '0.1.0' }],
    ['agentlog 2 id', '/id', { id: undefined }],
    ['agentlog 2 startTime', '/startTime', { startTime: '2026-05-01' }],
    ['agentlog 2 endTime', '/endTime', { endTime: 5 }],
    ['agentlog 2 status', '/status', { status: 'done' }],
    ['agentlog 2.3 agent name', '/agent/name', { agent: {} }],
    ['agentlog 2.4 project name', '/project/name', { project: {} }],
    ['agentlog 2.5 developer id', '/developer/id', { developer: { name: 'x' } }],
    ['agentlog 2 events', '/events', { events: null }],
    ['agentlog 3.1 id', '/events/0/id', { events: [{ type: 'x', timestamp: base.timestamp }] }],
    [
      'agentlog 3.3 toolCall status',
      '/events/0/status',
      { events: [{ type: 'toolCall', name: 'x', input: {}, status: 'ok', ...base }] },
    ],
    [
      'agentlog 3.8 error recovery',
      '/events/0/recovery',
      { events: [{ type: 'error', message: '', resolved: true, recovery: 'prayer', ...base }] },
    ],
    [
      'agentlog 3.11 plan step status',
      '/events/0/steps/0/status',
      { events: [{ type: 'plan', title: '', status: 'draft', steps: [{ id: '1', description: '' }], ...base }] },
    ],
    ['agentlog 4 messageCount', '/metrics/messageCount', { metrics: { toolCallCount: 0, filesTouchedCount: 0 } }],
    [
      'agentlog 4.1 inputTokens',
      '/metrics/tokenUsage/inputTokens',
      {
        metrics: {
          messageCount: 0,
          toolCallCount: 0,
          filesTouchedCount: 0,
          tokenUsage: { inputTokens: 0.5, outputTokens: 1 },
        },
      },
    ],
    ['agentlog 5.1 commit sha', '/relationships/commits/0/sha', { relationships: { commits: [{}] } }],
    [
      'agentlog 5.2 pull request number',
      '/relationships/pullRequests/0/number',
      { relationships: { pullRequests: [{ number: '7' }] } },
    ],
    ['agentlog 5.4 error source', '/relationships/errors/0/source', { relationships: { errors: [{ id: '1' }] } }],
    [
      'agentlog 5.4 error url',
      '/relationships/errors/0/url',
      { relationships: { errors: [{ id: '1', source: 's', url: 0 }] } },
    ],
    [
      'agentlog 5.5 deployment status',
      '/relationships/deployments/0/status',
      { relationships: { deployments: [{ id: '1', status: {} }] } },
    ],
  ])('names %s at %s', (rule, path, more) => {
    expect(validateDocument({ ...minimal, ...more }).map((problem) => [problem.rule, problem.path])).toContainEqual([
      rule,
      path,
    ]);
  });

  it('sees an id that two events have, and notes a time that goes back', () => {
    const said = (id: string, second: number) => ({
      ...{ type: 'message', role: 'user', content: '', id },
      timestamp: `2026-05-01T09:00:0${second}Z`,
    });
    const events = [said('a', 2), said('b', 1), said('a', 2), said('c', 3)];
    expect(validateDocument({ ...minimal, events })).toMatchObject([
      { rule: 'agentlog 3 timestamp', path: '/events/1/timestamp', kind: 'note' },
      { rule: 'agentlog 3.1 id', path: '/events/2/id', kind: 'value' },
    ]);
  });

  it('takes the statuses of the JSON Schema, with a note', () => {
    expect(validateDocument({ ...minimal, status: 'paused' })).toMatchObject([
      { rule: 'agentlog 2 status', kind: 'note' },
    ]);
  });
});

const peers = process.env.PEER_SAMPLES ?? '';

describe.skipIf(!existsSync(`${peers}/agentlog-example-minimal-session.json`))(
  'published examples (set PEER_SAMPLES to their folder)',
  () => {
    it.each(['minimal', 'debugging', 'multi-agent'])('%s loses nothing', (name) => {
      const example = readFileSync(`${peers}/agentlog-example-${name}-session.json`, 'utf8');
      const { document, opaque } = known(example);
      expect(opaque).toBe(0);
      // one of them tells of an event after a later one
      expect(validateDocument(JSON.parse(example)).filter(({ kind }) => kind !== 'note')).toEqual([]);
      expect(JSON.parse(printDocument(document))).toEqual(JSON.parse(example));
    });
  },
);
