import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appendSegment, handedOn, parseChain, printChain } from '../../src/activity/chain.ts';
import type { ActivityEvent } from '../../src/activity/event.ts';
import { activityOf } from '../../src/activity/from-session.ts';
import { isOwnTelling } from '../../src/activity/own-telling.ts';
import { parseStream } from '../../src/activity/parse.ts';
import { printStream } from '../../src/activity/print.ts';
import { sessionsOf } from '../../src/activity/to-session.ts';
import { validateStream } from '../../src/activity/validate.ts';
import { calledToolOf, withTool } from '../../src/agentlog/call-name.ts';
import type { AgentLogDocument } from '../../src/agentlog/document.ts';
import { parseDocument } from '../../src/agentlog/parse.ts';
import { printDocument } from '../../src/agentlog/print.ts';
import { events, pageExample, session, T } from './streams.ts';

const same = (text: string) => text;
const options = { version: '0.1.0', scrub: same };
const AT = Date.UTC(2026, 0, 1);

describe('the actor chain', () => {
  const chain = pageExample.actor_chain;

  it.each(['json', 'base64'] as const)('crosses a process as %s', (form) => {
    expect(parseChain(printChain(chain, form))).toEqual({ chain });
  });

  it('is read from base64 of either alphabet, with or without padding, and keeps what it does not know', () => {
    const odd = [{ type: 'user', id: 'ÿ?>', more: { a: [1] } }];
    const base64 = Buffer.from(JSON.stringify(odd)).toString('base64');
    for (const text of [
      base64,
      base64.replace(/=+$/, ''),
      base64.replaceAll('+', '-').replaceAll('/', '_'),
      ` ${base64}\n`,
    ])
      expect(parseChain(text)).toEqual({ chain: odd });
  });

  it.each([
    ['%%%', 'neither JSON nor base64 of it'],
    ['/////w==', 'neither JSON nor base64 of it'],
    ['[{', 'not JSON'],
    ['{"type":"user"}', 'not a list of segments'],
    ['[1]', 'not sound: segment 1 must be an object'],
    [JSON.stringify(Array(1001).fill({})), 'more than 1000 segments'],
    [
      '[{"type":"user","id":"a"},{"type":"robot","id":"b"}]',
      'not sound: segment 2/type must be one of user, agent, tool, workload',
    ],
    ['x'.repeat(1024 * 1024 + 1), 'longer than 1048576 characters'],
  ])('%# is not read by halves', (text, problem) => {
    expect(parseChain(text)).toEqual({ problem });
  });

  it('is kept in order, and gets our own segment and no other', () => {
    const { events: emitted } = activityOf(session, { ...options, inbound: chain });
    for (const { actor_chain: out } of emitted) {
      expect(out?.slice(0, 2)).toEqual(chain);
      expect(out?.slice(2)).toEqual([
        {
          type: 'tool',
          id: 'git-agent-blame',
          display_name: 'git-agent-blame',
          session_id: 's1',
          attested_by: 'git-agent-blame',
          occurred_at: T(0),
        },
      ]);
    }
  });

  it.each(['json', 'base64'] as const)('is handed on in the form that it came in: %s', (form) => {
    const own = { type: 'tool', id: 'us' };
    const text = handedOn(printChain(chain, form), own);
    expect(parseChain(text)).toEqual({ chain: [...chain, own] });
    expect(text.startsWith('[')).toBe(form === 'json');
    expect(['', '[{', 'x'].map((odd) => handedOn(odd, own))).toEqual(['', '[{', 'x']);
  });

  it('does not put us behind ourselves', () => {
    const once = appendSegment(chain, { type: 'tool', id: 'us' });
    expect(appendSegment(once, { type: 'tool', id: 'us' })).toBe(once);
    expect(appendSegment([], { type: 'tool', id: 'us' })).toEqual([{ type: 'tool', id: 'us' }]);
  });
});

describe('activityOf', () => {
  const { events: emitted, left } = activityOf(session, { ...options, teamId: 'team' });

  it('tells a session in the nine types, covering the core profile', () => {
    expect(emitted.map((one) => [one.event_type, one.event_id])).toEqual([
      ['session.started', 's1/started'],
      ['model.completed', 's1/m2/model'],
      ['tool.started', 's1/c1/started'],
      ['tool.finished', 's1/c1/finished'],
      ['tool.started', 's1/f1/started'],
      ['tool.finished', 's1/f1/finished'],
      ['agent_run_audit.file_change', 's1/f1/change'],
      ['agent_run_audit.file_change', 's1/f1/1/change'],
      ['tool.started', 's1/f2/started'],
      ['tool.finished', 's1/f2/finished'],
      ['tool.started', 's1/t1/started'],
      ['tool.finished', 's1/t1/finished'],
      ['approval.requested', 's1/a1/decision'],
      ['hook.blocked', 's1/a2/decision'],
      ['agent_run_audit.source_snapshot', 's1/k1/snapshot'],
      [`agent_run_audit.source_snapshot`, `s1/commit/${'5e1f'.padEnd(40, '0')}`],
      ['session.finished', 's1/finished'],
    ]);
    expect(validateStream(printStream(emitted), 'core')).toMatchObject({ problems: [], missing: [], conforms: true });
  });

  it('says what it left out, and lets no prompt and no address through', () => {
    expect(left).toEqual({ message: 1, reasoning: 1 });
    expect(printStream(emitted)).not.toMatch(/please write|ada@example/);
    expect(emitted.find((one) => one.event_id === 's1/c1/finished')).toMatchObject({
      occurred_at: T(5).replace('.000', '.500'),
      team_id: 'team',
      attributes: { command_preview: 'mail [REDACTED:email]...', status: 'error', exit_code: 1, duration_ms: 1500 },
    });
  });

  it('comes back as the same calls, changes and decisions under the same ids', () => {
    const { documents } = sessionsOf(parseStream(printStream(emitted)).events, AT);
    expect(documents).toHaveLength(1);
    const [back] = documents;
    expect(back).toMatchObject({
      id: 's1',
      startTime: T(0),
      endTime: T(50),
      status: 'completed',
      developer: { id: 'ada' },
    });
    expect(back?.agent).toEqual(session.agent);
    const brief = (one: object) =>
      ['id', 'type', 'path', 'operation', 'decision', 'linesAdded'].map((key) => Reflect.get(one, key));
    const kept = new Set(['c1', 'f1', 'f1/1', 'f2', 't1', 'a1', 'a2', 'k1']);
    expect(back?.events.filter((one) => kept.has(one.id)).map(brief)).toEqual(
      session.events.filter((one) => kept.has(one.id)).map(brief),
    );
  });
});

describe('events that came with what the page does not allow', () => {
  const broken = (more: object) => parseStream(JSON.stringify({ ...pageExample, ...more })).events;
  const out = (more: object) => {
    const [document] = sessionsOf(broken(more), 0).documents;
    return activityOf(document ?? expect.fail(), { version: '1.0.0', scrub: (text) => text });
  };

  it.each<[string, object, object]>([
    ['a part of the source', { source: { kind: 'x', version: true } }, { source: { kind: 'x' } }],
    ['a time that is none', { occurred_at: 'noon' }, {}],
    ['a chain with a broken segment', { actor_chain: [{ type: 'robot', id: 'x' }] }, {}],
  ])('%s is left out, the rest goes out', (_, more, kept) => {
    const { events, mended } = out(more);
    const { source: _s, actor_chain: _c, ...rest } = pageExample;
    expect(mended).toBe(1);
    expect(events[0]).toMatchObject({ ...rest, ...kept });
    expect(printStream(events)).toContain('evt-custom-session-started');
    expect(events[0]).not.toHaveProperty('source.version', true);
  });
});

describe('older events whose fields are of other kinds', () => {
  const odd = { source: 'cli', developer: 'dev-9', agent: 'old', team_id: 7, attributes: 'free', actor_chain: 'none' };
  const line = { event_type: 'tool.finished', session_id: 's', occurred_at: 1_767_225_601_000, ...odd };

  it('keep them beside the others, out and in again', () => {
    const [document] = sessionsOf(parseStream(JSON.stringify(line)).events, AT).documents;
    expect(document?.startTime).toBe('2026-01-01T00:00:01.000Z');
    const { events: told, mended } = activityOf(document ?? expect.fail(), options);
    expect(mended).toBe(0);
    const kept = { ...odd, occurred_at: line.occurred_at };
    expect(told).toMatchObject([{ event_type: 'tool.finished', 'git-agent-blame:as-it-came': kept }]);
    expect(parseStream(printStream(told)).events).toEqual(told);
  });
});

describe('from AgentLog and back', () => {
  it('calls a tool what its agent calls it', () => {
    const at = (id: string) => ({ id, timestamp: T(1) });
    const events = [
      withTool({ ...at('w'), type: 'fileOperation', operation: 'create', path: 'a.ts' }, 'Write'),
      withTool({ ...at('r'), type: 'fileOperation', operation: 'read', path: 'b.ts' }, 'Read'),
      withTool({ ...at('b'), type: 'terminalCommand', command: 'npm test', exitCode: 0 }, 'Bash'),
      { ...at('c'), type: 'terminalCommand', command: 'ls', exitCode: 0 },
      { ...at('d'), type: 'fileOperation', operation: 'read', path: 'b.ts' },
    ] as const;
    const told = activityOf({ ...session, events, relationships: {} }, options).events;
    const calls = told.filter((one) => one.event_type === 'tool.finished');
    expect(calls.map((one) => one.attributes?.tool_name)).toEqual(['Write', 'Read', 'Bash', 'shell', 'read']);
    const back = sessionsOf(parseStream(printStream(told)).events, AT).documents[0]?.events ?? [];
    expect(back.map(calledToolOf).toSorted()).toEqual(['Bash', 'Read', 'Write', undefined, undefined]);
    for (const { properties: _, ...event } of events.map((one) => ({ properties: {}, ...one })))
      expect(back.find((one) => one.id === event.id)).toMatchObject(event);
  });

  it('keeps how long calls took, also those that changed a file', () => {
    const timed = session.events.map((event) => ({ ...event, durationMs: 40 }));
    const told = activityOf({ ...session, events: timed as typeof session.events }, options).events;
    const back = sessionsOf(told, AT).documents[0]?.events ?? [];
    const calls = back.filter(({ type }) => ['fileOperation', 'terminalCommand', 'toolCall'].includes(type));
    expect(calls.map((event) => 'durationMs' in event && event.durationMs)).toEqual([40, 40, 40, 40, 40]);
  });

  it('keeps what the stream carries of the session itself', () => {
    const project = { name: 'demo', repository: 'owner/demo', branch: 'main', commitSha: 'a'.repeat(40) };
    const metrics = { messageCount: 7, toolCallCount: 5, filesTouchedCount: 3, estimatedCostUsd: 0.5 };
    const tokenUsage = { inputTokens: 9, outputTokens: 8 };
    const commits = [{ sha: 'b'.repeat(40), repository: 'owner/demo' }];
    const relationships = { commits, parentSession: 'p' };
    const whole = { ...session, project, metrics: { ...metrics, tokenUsage }, relationships };
    const { events: told } = parseStream(printStream(activityOf(whole, options).events));
    const { documents } = sessionsOf(told, AT);
    expect(documents).toMatchObject([{ id: 's1', project, metrics: { ...metrics, tokenUsage }, relationships }]);
  });
});

describe('our own stream, taken in where its session is', () => {
  const heard = (events: readonly ActivityEvent[]) => sessionsOf(events, AT).documents[0] ?? session;
  const own = activityOf(session, options).events;

  it('tells nothing new, whatever notes have told since', () => {
    expect(isOwnTelling(session, heard(own))).toBe(true);
    expect(isOwnTelling({ ...session, status: 'active', relationships: {} }, heard(own))).toBe(true);
  });

  it('is more where it has a call that is not here, or nothing but the stream is', () => {
    expect(isOwnTelling({ ...session, events: session.events.slice(0, -5) }, heard(own))).toBe(false);
    expect(isOwnTelling(heard(own), heard(own))).toBe(false);
    expect(isOwnTelling(session, session)).toBe(false);
  });
});

describe('what the nine types have no word for', () => {
  const through = (document: AgentLogDocument) => {
    const told = activityOf(document, options);
    expect(validateStream(printStream(told.events), 'default').problems).toEqual([]);
    return { ...told, back: sessionsOf(parseStream(printStream(told.events)).events, AT).documents[0] };
  };

  it('relationships go along as they are', () => {
    const relationships = {
      commits: [{ sha: 'b'.repeat(40), message: 'm', timestamp: '2026-05-25T12:00:00+02:00', repository: 'o/r' }],
      pullRequests: [{ number: 12, title: 't', url: 'https://x/12', status: 'open' }],
      issues: [{ id: '#3', tracker: 'github' }],
      errors: [{ id: 'E1' }],
      deployments: [{ id: 'd1' }],
      reviews: [{ id: 'rv' }],
      parentSession: 'p',
      childSessions: ['c1', 'c2'],
      properties: { r: 1 },
    };
    expect(through({ ...session, relationships }).back?.relationships).toEqual(relationships);
    expect(through({ ...session, relationships: {} }).back?.relationships).toBeUndefined();
  });

  it('of somebody else the field means nothing', () => {
    const attributes = { 'git-agent-blame:relationships': { commits: 1 } };
    expect(sessionsOf([{ ...pageExample, attributes }], AT).documents[0]?.relationships).toBeUndefined();
  });

  it('a message of a person is no call of a model, whatever it cost', () => {
    const tokenUsage = { inputTokens: 1, outputTokens: 2 };
    const said = { type: 'message', id: 'u', timestamp: T(1), role: 'user', content: 'x', tokenUsage } as const;
    const { events: told, left, back } = through({ ...session, events: [said] });
    expect(told.map((one) => one.event_type)).not.toContain('model.completed');
    expect(left).toEqual({ message: 1 });
    expect(back?.events).toEqual([]);
  });

  it('properties are counted, but for those that are told', () => {
    const call = { type: 'toolCall', name: 'X', input: {}, status: 'success', timestamp: T(1) } as const;
    const events = [
      { ...call, id: 'a', properties: { 'x:k': 1 } },
      { ...call, id: 'b', properties: { 'git-agent-blame:tool': 'X' } },
    ];
    expect(through({ ...session, events, properties: { y: 1 } }).properties).toBe(2);
    expect(through({ ...session, events: events.slice(1) }).properties).toBe(0);
  });
});

describe('sessionsOf', () => {
  const of = (type: string, attributes: object, second?: number): ActivityEvent => ({
    schema_version: 'agent_activity.v1',
    event_id: `${type}-${second}`,
    event_type: type,
    session: { id: 's' },
    ...(second === undefined ? {} : { occurred_at: T(second) }),
    attributes: { ...attributes },
  });

  it('pairs calls by id, then by name; one without an end was cut off', () => {
    const stream = [
      of('tool.started', { tool_call_id: 'x', tool_name: 'A' }, 1),
      of('tool.started', { tool_name: 'B' }, 2),
      of('tool.started', { tool: { name: 'C' } }, 3),
      of('tool.finished', { tool_name: 'B', status: 'failed' }, 4),
      of('tool.finished', { tool_call_id: 'x', tool_name: 'A', outcome: 'ok' }, 5),
      of('tool.finished', { tool_name: 'D' }, 6),
    ];
    expect(sessionsOf(stream, AT).documents[0]?.events).toMatchObject([
      { type: 'toolCall', id: 'x', name: 'A', status: 'success', durationMs: 4000 },
      { name: 'B', status: 'error', durationMs: 2000 },
      { name: 'C', status: 'cancelled' },
      { name: 'D', status: 'success', timestamp: T(6) },
    ]);
  });

  it('an approval that nobody is known to have granted was not granted', () => {
    expect(sessionsOf([of('approval.requested', { tool_name: 'Bash' }, 1)], AT).documents[0]?.events).toMatchObject([
      { type: 'approval', decision: 'denied', approver: 'system', toolName: 'Bash' },
    ]);
  });

  it('takes times from the chain, from numbers, or from the event before; else the fallback', () => {
    const [document] = sessionsOf([pageExample], AT).documents;
    expect(document).toMatchObject({ startTime: '2026-05-25T10:00:01.000Z', status: 'active' });
    const numbers = [of('model.completed', { timestamp: 1_779_703_200 }), of('model.completed', {})];
    expect(sessionsOf(numbers, AT).documents[0]?.events.map((one) => one.timestamp)).toEqual([T(0), T(0)]);
    expect(sessionsOf([of('model.completed', {})], AT).documents[0]?.startTime).toBe('2026-01-01T00:00:00.000Z');
  });

  it('counts events that name no session', () => {
    const { session: _, ...homeless } = of('tool.started', {}, 1);
    expect(sessionsOf([homeless, of('session.finished', { status: 'error' }, 2)], AT)).toMatchObject({
      homeless: 1,
      documents: [{ status: 'failed' }],
    });
  });

  it('law: every document is conformant, and gives its events back as they came', () => {
    fc.assert(
      fc.property(fc.array(events, { minLength: 1, maxLength: 8 }), (all) => {
        const plain: ActivityEvent[] = JSON.parse(JSON.stringify(all));
        const { documents } = sessionsOf(plain, AT);
        const back = documents.flatMap((document) => {
          const parsed = parseDocument(printDocument(document));
          if (parsed.kind === 'foreign') throw new Error(parsed.problem);
          expect([parsed.opaque, parsed.skipped]).toEqual([0, { parts: [], events: 0 }]);
          return JSON.parse(printDocument(parsed.document)).properties['git-agent-blame:activity'];
        });
        const ids = documents.map((document) => document.id);
        expect(back).toEqual(ids.flatMap((id) => plain.filter((one) => one.session?.id === id)));
        const emitted = documents.flatMap((document) => activityOf(document, options).events);
        expect(emitted.map((one) => one.event_id)).toEqual(back.map((one: ActivityEvent) => one.event_id));
      }),
    );
  });
});
