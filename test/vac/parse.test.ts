import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault } from '../../src/fault.ts';
import { printCanonical } from '../../src/vac/as-json.ts';
import { encodeCbor, Tagged } from '../../src/vac/cbor.ts';
import { vacOf } from '../../src/vac/from-agentlog.ts';
import { parseVac } from '../../src/vac/parse.ts';
import { encodeVacCbor, printVacJson } from '../../src/vac/print.ts';
import type { VacRecord } from '../../src/vac/record.ts';
import { sessionFrom } from '../../src/vac/to-agentlog.ts';
import { validateVac } from '../../src/vac/validate.ts';
import { CASES } from '../support/cases.ts';
import { allEvents, ownTraces } from './samples.ts';

const record = vacOf({ document: allEvents, records: ownTraces });
const text = printVacJson(record);
const bytes = encodeVacCbor(record);
const envelope = (payload: unknown) =>
  encodeCbor(new Tagged(18, [Buffer.alloc(0), new Map(), payload, Buffer.alloc(64)]));

describe('parseVac', () => {
  it('knows JSON, in text and in bytes, and CBOR', () => {
    expect(parseVac(text)).toMatchObject({ kind: 'record', form: 'json' });
    expect(parseVac(Buffer.from(`\uFEFF \n${text}`))).toMatchObject({ kind: 'record', form: 'json' });
    expect(parseVac(bytes)).toMatchObject({ kind: 'record', form: 'cbor' });
    expect(parseVac(encodeCbor(new Tagged(55799, record)))).toMatchObject({ kind: 'record', form: 'cbor' });
  });

  it('looks into a signature, and proves nothing', () => {
    expect(parseVac(envelope(bytes))).toMatchObject({ kind: 'signed', payload: { kind: 'record', form: 'cbor' } });
    expect(parseVac(envelope(Buffer.from(text)))).toMatchObject({ kind: 'signed', payload: { form: 'json' } });
    expect(parseVac(envelope(null))).not.toHaveProperty('payload');
    expect(parseVac(envelope(envelope(bytes)))).toMatchObject({ payload: { problem: 'signed within a signature' } });
    expect(parseVac(encodeCbor(new Tagged(18, 1)))).toEqual({ kind: 'foreign', problem: 'tag 18, but no COSE_Sign1' });
  });

  it.each([
    ['not JSON', '{'],
    ['no session', '{}'],
    ['no session', '[]'],
    ['no session id', '{"session":{"session-id":"","entries":[]}}'],
    ['no entries', '{"session":{"session-id":"s","entries":{}}}'],
    ['nested deeper than 200', '['.repeat(300)],
  ])('says %s of %s', (problem, input) => expect(parseVac(input)).toEqual({ kind: 'foreign', problem }));

  it('says what bytes are not', () => {
    expect(parseVac(Buffer.from([0x7b, 0xff]))).toEqual({ kind: 'foreign', problem: 'not UTF-8' });
    expect(parseVac(new Uint8Array())).toEqual({ kind: 'foreign', problem: 'not CBOR: it ends too early (byte 0)' });
    expect(parseVac(bytes.subarray(0, -1))).toMatchObject({ kind: 'foreign' });
  });
});

describe('printing', () => {
  it('writes nothing that the draft does not allow', () => {
    const wrong = { ...record, version: 3 } as unknown as VacRecord;
    expect(() => printVacJson(wrong)).toThrow(Fault);
    expect(() => encodeVacCbor(wrong)).toThrow('breaks vac verifiable-agent-record version at /version: must be text');
  });

  it('the two forms say the same, in fewer bytes', () => {
    const parsed = parseVac(bytes);
    expect(parsed.kind === 'record' && parsed.record).toEqual(JSON.parse(text));
    expect(bytes.length).toBeLessThan(text.length);
    expect(printVacJson(JSON.parse(text))).toBe(text);
  });
});

/** Reading and holding against the rules must end well, whatever comes: with an answer, and no exception. */
function survive(input: string | Uint8Array): void {
  const parsed = parseVac(input);
  if (parsed.kind === 'foreign') return;
  expect(validateVac(parsed.value).length).toBeLessThanOrEqual(1000);
  if (parsed.kind !== 'record') return;
  const session = sessionFrom(parsed.record);
  if ('problem' in session) return;
  // what was read can be written, and is read the same again
  const again = sessionFrom(JSON.parse(printVacJson(vacOf(session))));
  expect(printCanonical('problem' in again ? again.problem : again.document)).toBe(printCanonical(session.document));
}

describe('mutilated records', () => {
  const small = vacOf({
    document: { ...allEvents, events: allEvents.events.slice(0, 9) },
    records: ownTraces.slice(0, 1),
  });
  const paths = pathsIn(small);
  const smallBytes = encodeVacCbor(small);

  it('law: with values exchanged', () => {
    const odd = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(-1, 1e300, '', [], {}, { type: 'user' }, [[]]));
    const changes = fc.array(fc.tuple(fc.nat(paths.length - 1), odd), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(changes, (all) => {
        const value = structuredClone(small) as unknown;
        // a later change may be inside an earlier one: the same object twice would hold itself
        for (const [at, replacement] of all) put(value, paths[at] ?? [], structuredClone(replacement));
        survive(JSON.stringify(value));
      }),
      { numRuns: CASES / 2 },
    );
  });

  it('law: with bytes exchanged, cut or put in', () => {
    const changes = fc.array(
      fc.tuple(fc.nat(smallBytes.length - 1), fc.nat(255), fc.constantFrom('set', 'cut', 'add')),
      {
        minLength: 1,
        maxLength: 3,
      },
    );
    fc.assert(
      fc.property(changes, (all) => {
        const list = [...smallBytes];
        for (const [at, byte, how] of all) list.splice(at, how === 'add' ? 0 : 1, ...(how === 'cut' ? [] : [byte]));
        survive(Uint8Array.from(list));
      }),
      { numRuns: CASES / 2 },
    );
  });
});

type Path = readonly (string | number)[];

function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return [path, ...keys.flatMap((key) => pathsIn((value as Record<string | number, unknown>)[key], [...path, key]))];
}

function put(value: unknown, path: Path, replacement: unknown): void {
  let at = value;
  for (const key of path.slice(0, -1)) at = typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined;
  const last = path.at(-1);
  if (typeof at === 'object' && at !== null && last !== undefined) Reflect.set(at, last, replacement);
}
