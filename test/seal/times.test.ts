import { describe, expect, it } from 'vitest';
import { openFor, parseNoteSeal, type RecordLine, sealRecord, verifyNote } from '../../src/seal/note.ts';
import { verifySeal } from '../../src/seal/verify.ts';
import { vacMadeAt } from '../../src/vac/made-at.ts';
import { AT, allow, newPair, sealWith } from './ada.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const ada = newPair('ssh-ed25519');
// the key has run out: whoever has it now can only seal by setting the time back
const signers = allow(ada, 'valid-before="20260930Z"');
const EARLIER = Date.UTC(2026, 8, 1);

describe('a seal that sets its time back', () => {
  const judged = (payload: string, at: number) => {
    const cose = sealWith(ada, Buffer.from(payload), { form: 'attached', at });
    const { ok, reasons, proven } = verifySeal({ cose, signers, now: AT, madeAt: vacMadeAt });
    expect(proven).not.toHaveProperty('at');
    return ok ? 'ok' : reasons.map(({ code }) => code).join();
  };
  const made = (at: number) => new Date(at).toISOString();
  const session = (more: object) => ({ 'session-id': 's', entries: [], ...more });

  it('to before 1970 is refused, whatever it seals', () => {
    expect(judged('anything', -1000)).toBe('issued-before');
    expect(judged('anything', EARLIER)).toBe('ok');
  });

  it.each<[string, (at: number) => object]>([
    ['the creation of a record', (at) => ({ created: made(at), session: session({}) })],
    ['the end of its session', (at) => ({ session: session({ 'session-start': 5, 'session-end': at }) })],
    ['the time of a trace', (at) => ({ version: '0.1.0', id: 'r', timestamp: made(at), files: [] })],
  ])('to before %s is refused; clocks may differ by a minute', (_, record) => {
    const text = JSON.stringify(record(EARLIER));
    expect(judged(text, EARLIER)).toBe('ok');
    expect(judged(text, EARLIER - MINUTE)).toBe('ok');
    expect(judged(text, EARLIER - MINUTE - 1000)).toBe('issued-before');
    expect(judged(JSON.stringify(record(AT)), EARLIER)).toBe('issued-before');
    expect(judged(JSON.stringify(record(AT)), AT)).toBe('key-expired');
  });
});

describe('a sealed note', () => {
  const commit = 'c'.repeat(40);
  const line = (madeAt?: number): RecordLine => ({
    ...{ id: 'r', named: 'commit', bytes: Buffer.from('{"id":"r"}') },
    ...(madeAt !== undefined && { madeAt }),
  });
  const signer = { key: ada.key, from: 'file', sign: async (bytes: Uint8Array) => ada.sign(bytes) } as const;
  const seal = async (at: number, home = commit) => {
    const text = await sealRecord(signer, line(), { principal: 'ada@example.com', at, commit: home });
    return [text].flatMap((one) => parseNoteSeal(one) ?? []);
  };
  const judged = async (record: RecordLine, committedAt: number, home = commit) => {
    const question = { commit, committedAt, records: [record], seals: await seal(EARLIER, home), signers, now: AT };
    const [found] = verifyNote(question).records;
    return [found?.state, ...(found?.verdicts[0]?.reasons.map(({ message }) => message) ?? [])];
  };

  it('is refused where its seal is older than the record, or than the commit', async () => {
    const why = (at: string) =>
      `It was sealed before it was made, by the time that the seal says: 2026-09-01T00:00:00.000Z, and it is of ${at}.`;
    expect(await judged(line(EARLIER), EARLIER)).toEqual(['sealed']);
    expect(await judged(line(EARLIER + DAY), EARLIER)).toEqual(['refused', why('2026-09-02T00:00:00.000Z')]);
    expect(await judged(line(), EARLIER + 2 * DAY)).toEqual(['refused', why('2026-09-03T00:00:00.000Z')]);
  });

  it('of another commit is told as that: the time of this one has no say', async () => {
    const [state] = await judged({ ...line(EARLIER), named: 'open' }, EARLIER + DAY, 'd'.repeat(40));
    expect(state).toBe('elsewhere');
  });

  it('is sealed again where our own seal came too early, and not for ever where the record is from the future', async () => {
    const own = { commit, key: ada.key, principal: 'ada@example.com', seals: await seal(EARLIER), now: AT };
    expect(openFor({ ...own, records: [line(EARLIER)] })).toEqual([]);
    expect(openFor({ ...own, records: [line(AT)] })).toHaveLength(1);
    expect(openFor({ ...own, records: [line(AT + DAY)] })).toEqual([]);
  });
});
