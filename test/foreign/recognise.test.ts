import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recognise } from '../../src/foreign/recognise.ts';
import { CASES } from '../support/cases.ts';
import { agentblameNotes, gitAiNote } from './notes.ts';

const FIXTURES = path.join(import.meta.dirname, '../../fixtures');
const of = (value: unknown, name = 'x') =>
  recognise(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)), name);
const formatOf = (value: unknown, name?: string) => of(value, name).format;

const activity = {
  schema_version: 'agent_activity.v1',
  event_id: 'e',
  event_type: 'tool.started',
  session: { id: 's' },
};
const record = { version: '3.0.0-draft', id: 'r', session: { 'session-id': 's', 'agent-meta': {}, entries: [] } };
const trace = { version: '0.1.0', id: 'x', timestamp: '', files: [{ path: 'a', conversations: [] }] };
const agentlog = { specVersion: '0.2.0', id: 's', startTime: '', status: 'active', agent: { name: 'x' }, events: [] };
const lines = (...values: unknown[]) => values.map((one) => JSON.stringify(one)).join('\n');

/** Just enough of CBOR: maps of texts, lists, byte strings. */
function cbor(value: unknown): Buffer {
  const head = (major: number, length: number) =>
    length < 24 ? Buffer.from([(major << 5) | length]) : Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  if (value === null) return Buffer.from([0xf6]);
  const entries = Object.entries(value as object);
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(([key, inner]) => [cbor(key), cbor(inner)])]);
}

describe('recognise', () => {
  it.each([
    ['agentlog', agentlog],
    ['agentlog', { ...agentlog, specVersion: undefined }],
    ['agentlog', { ...agentlog, status: 'done' }],
    ['agentlog', { ...agentlog, status: undefined }],
    ['agent-trace', trace],
    ['agent-trace', [trace, trace]],
    ['agent-trace', JSON.stringify(trace, null, 2)],
    ['agent-trace', `\uFEFF${lines(trace, trace)}\n{"torn`],
    ['agent-trace', { version: '1.0', id: 'x', timestamp: 't', files: [] }],
    ['agent-activity', activity],
    ['agent-activity', lines(activity, { ...activity, event_type: 'prompt.submitted' })],
    ['agent-activity', { event_type: 'hook.blocked', session_id: 's' }],
    ['vac-json', record],
    ['agentblame-note', agentblameNotes[1]],
    ['agentblame-note', agentblameNotes[2]],
    ['git-ai-note', gitAiNote],
    ['git-ai-note', '---\n{"schema_version":"authorship/3.0.0"}'],
  ])('%s: %#', (format, value) => {
    expect(of(value)).toEqual({ format });
  });

  it('sees records in CBOR, and signed ones', () => {
    const map = cbor(record);
    const signed = cbor([Buffer.from([0xa1, 1, 0x27]), {}, map, Buffer.alloc(64)]);
    const detached = cbor([Buffer.alloc(0), {}, null, Buffer.alloc(64)]);
    const self = Buffer.from([0xd9, 0xd9, 0xf7]);
    for (const bytes of [map, Buffer.concat([self, map])])
      expect(recognise(bytes, 'x')).toEqual({ format: 'vac-cbor' });
    for (const bytes of [signed, Buffer.concat([Buffer.from([0xd2]), signed]), detached])
      expect(recognise(bytes, 'x')).toEqual({ format: 'vac-signed' });
    expect(recognise(map.subarray(0, -1), 'x').format).toBe('none');
    expect(recognise(cbor({ a: 'b' }), 'x')).toEqual({
      format: 'none',
      reason: 'it is CBOR, and no verifiable-agent-record',
    });
  });

  it.each([
    ['', 'x', 'the file is empty'],
    [' \n', 'x', 'the file is empty'],
    ['hello', 'x', 'it is not JSON'],
    ['[]', 'x', 'it is JSON of no form that we know'],
    [lines({ type: 'user' }, { type: 'assistant' }), 'x.jsonl', 'it is JSON of no form that we know'],
    [lines(trace, activity), 'x', 'it mixes agent-trace and agent-activity'],
    [lines({}, {}, {}, trace), 'x', 'only some of it is agent-trace'],
    ['{}', 's.agentlog.json', 'its name says AgentLog, but it is JSON of no form that we know'],
    ['{}', 'r/.agent-trace/traces.jsonl', 'its name says Agent Trace, but it is JSON of no form that we know'],
    [`${'['.repeat(300)}`, 'x', 'it is nested deeper than 200'],
  ])('%j, called %s: %s', (text, name, reason) => {
    expect(of(text, name)).toEqual({ format: 'none', reason });
  });

  it('does not go by the name', () => {
    expect(formatOf(trace, 's.agentlog.json')).toBe('agent-trace');
    expect(recognise(Buffer.from([0xff, 0xfe, 0x7b, 0]), 'a.json')).toMatchObject({ format: 'none' });
  });

  it('no agent’s own transcript is taken for one of the formats', () => {
    const own = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' }).filter(
      (file) => /\.(jsonl?|md)$/.test(file) && !/^(agentlog|traces|store)\//.test(file),
    );
    expect(own.length).toBeGreaterThan(40);
    const taken = own.filter((file) => recognise(readFileSync(path.join(FIXTURES, file)), file).format !== 'none');
    expect(taken).toEqual([]);
  });

  it('knows our own fixtures', () => {
    const at = (file: string) => recognise(readFileSync(path.join(FIXTURES, file)), file).format;
    expect([at('agentlog/all-events.agentlog.json'), at('traces/own.jsonl'), at('traces/odd.jsonl')]).toEqual([
      'agentlog',
      'agent-trace',
      'agent-trace',
    ]);
  });

  const peers = process.env.PEER_SAMPLES ?? '';
  it.skipIf(!existsSync(`${peers}/agentdiff-meta-traces.jsonl`))(
    'files of other tools (set PEER_SAMPLES to their folder)',
    () => {
      const at = (file: string) => recognise(readFileSync(`${peers}/${file}`), file).format;
      expect(at('agentdiff-meta-traces.jsonl')).toBe('agent-trace');
      expect(at('agentlog-example-minimal-session.json')).toBe('agentlog');
      expect(at('agentlog-example-multi-agent-session.json')).toBe('agentlog');
      // labelled agent-trace, and not its form
      expect(at('lazyusage-traces.jsonl')).toBe('none');
    },
  );

  it('law: any bytes are recognised as something, or as nothing with a reason', () => {
    const samples = [
      gitAiNote,
      ...[agentlog, trace, activity, record, agentblameNotes[2]].map((one) => JSON.stringify(one)),
    ].map((one) => Buffer.from(one));
    const all = [...samples, cbor(record), cbor([Buffer.alloc(3), {}, null, Buffer.alloc(64)])];
    const bent = fc
      .tuple(fc.constantFrom(...all), fc.nat(), fc.nat({ max: 20 }), fc.uint8Array({ maxLength: 8 }))
      .map(([bytes, at, length, put]) => {
        const from = at % bytes.length;
        return Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(from + length)]);
      });
    fc.assert(
      fc.property(fc.oneof(bent, fc.uint8Array({ maxLength: 40 })), (bytes) => {
        const found = recognise(bytes, 'x');
        if (found.format === 'none') expect(found.reason).not.toBe('');
      }),
      { numRuns: CASES },
    );
  });
});
