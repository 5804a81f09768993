import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../src/agentlog/parse.ts';
import { printDocument } from '../../src/agentlog/print.ts';
import { redactDocument } from '../../src/redact/redact.ts';
import { decodeCbor, encodeCbor, Tagged, WholeFloat } from '../../src/vac/cbor.ts';
import { originalOf } from '../../src/vac/original.ts';
import { parseVac } from '../../src/vac/parse.ts';
import { encodeVacCbor, printVacJson } from '../../src/vac/print.ts';
import { sessionFrom } from '../../src/vac/to-agentlog.ts';

const entries = [
  {
    type: 'user',
    content: [{ type: 'text', text: 'hi' }, { type: 'image' }],
    timestamp: 1767225600000,
    'parent-id': 'p',
  },
  {
    type: 'assistant',
    content: 'yo',
    'model-id': 'm2',
    'token-usage': { input: 1, total: 10 },
    children: [
      { type: 'tool-call', name: 'Bash', input: { command: 'ls' }, 'call-id': 'c1', id: 'c' },
      { type: 'tool-result', output: 'x', 'call-id': 'c1', status: 'success' },
    ],
  },
  {
    type: 'tool-call',
    name: 'Edit',
    input: ['list'],
    children: [{ type: 'tool-result', output: 1 }, { type: 'user' }],
  },
  { type: 'tool-call', name: 'Late', input: 1, 'call-id': 'c2', children: [{ type: 'user', content: 'between' }] },
  { type: 'tool-result', output: { k: [1] }, 'call-id': 'c2', 'is-error': true },
  { type: 'tool-result', output: null, 'call-id': 'nobody' },
  { type: 'system-event', 'event-type': 'token-count', data: { a: 1 }, children: [] },
  { type: 'assistant', content: null },
];
const other = {
  version: '3.0.0',
  id: 'orig-id',
  created: 1700000000000.5,
  'x-top': { a: [1, null, 2.5] },
  vcs: { type: 'git', revision: 'abc', branch: 'b', zz: 1 },
  'recording-agent': { name: 'rec', version: '9', foo: 1 },
  'file-attribution': {
    files: [{ path: 'a.ts', conversations: [{ url: 'https://x', ranges: [{ 'start-line': 1, 'end-line': 3 }] }] }],
  },
  session: {
    format: 'interactive',
    'session-id': 'vv-1',
    'session-end': 1767225600000,
    'agent-meta': { 'model-id': 'm1', 'model-provider': 'prov', models: ['m1'], 'cli-name': 'cli', x: 2 },
    environment: { 'working-dir': '/w', vcs: { type: 'git', branch: 'q' }, sandboxes: ['/s'], e: 1 },
    entries,
  },
};

/** Imported, redacted, stored, and read again. */
async function stored(input: string | Uint8Array) {
  const parsed = parseVac(input);
  if (parsed.kind !== 'record' || parsed.marks === 'too many') throw new Error('no record');
  const session = sessionFrom(parsed.record, parsed.marks);
  if ('problem' in session) throw new Error(session.problem);
  const read = parseDocument(printDocument(await redactDocument(session.document)));
  if (read.kind === 'foreign') throw new Error(read.problem);
  return { document: read.document, records: session.records };
}

describe('originalOf', () => {
  it('gives the record of another tool back as it came', async () => {
    const { document, records } = await stored(JSON.stringify(other));
    const original = originalOf(document, records);
    expect(original && JSON.parse(printVacJson(original.record))).toEqual(other);
    // also where its attribution is of no commit that is here
    expect(originalOf(document, [])).toEqual(original);
  });

  it.each<[string, unknown]>([
    ['bytes', new Uint8Array([0, 255])],
    ['a tag', new Tagged(1234, 'x')],
    ['a tag of bytes', new Tagged(23, new Uint8Array([171, 205]))],
    [
      'integers for keys',
      new Map<unknown, unknown>([
        [1, 2],
        ['1', 3],
        [-5, new Map([[7, null]])],
      ]),
    ],
    ['integers beyond 2^53', { u: 2n ** 64n - 1n, v: 2n ** 60n, n: -(2n ** 64n) }],
    ['integers beyond 2^64', [2n ** 70n, -(2n ** 70n)]],
    ['floats that are whole', [new WholeFloat(1), 1, new WholeFloat(-0)]],
    ['numbers that JSON has not', [Number.POSITIVE_INFINITY, Number.NaN, undefined]],
  ])('gives %s of CBOR back', async (_, content) => {
    const timeless = { ...other.session, entries: [{ type: 'user', content }, ...entries] };
    const bytes = encodeCbor({ ...other, session: timeless, open: content });
    const { document } = await stored(bytes);
    const original = originalOf(document, []);
    expect(original && decodeCbor(encodeVacCbor(original.record, original.marks))).toEqual(decodeCbor(bytes));
  });

  it('is silent of a session of which more is known by now, and of our own', async () => {
    const { document } = await stored(JSON.stringify(other));
    expect(originalOf({ ...document, status: 'failed' }, [])).toBeUndefined();
    expect(originalOf({ ...document, properties: {} }, [])).toBeUndefined();
  });
});
