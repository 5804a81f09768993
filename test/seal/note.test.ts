import { describe, expect, it } from 'vitest';
import { appendLines, noteLines } from '../../src/notes/lines.ts';
import {
  type NoteSeal,
  openFor,
  parseNoteSeal,
  printNoteSeal,
  type RecordLine,
  type SealedRecord,
  sealRecord,
  verifyNote,
} from '../../src/seal/note.ts';
import { type Signer, sealBytes } from '../../src/seal/seal.ts';
import { parseNote, parseRecord } from '../../src/trace/parse.ts';
import { AT, allow, newPair, OPTIONS } from './ada.ts';

const [ada, bob] = [newPair('ssh-ed25519'), newPair('ecdsa-sha2-nistp256')];
const signers = [...allow(ada), ...allow(bob, '', 'bob@example.com')];
const HERE = 'c'.repeat(40);
const record = (id: string, extra = '', named: RecordLine['named'] = 'commit'): RecordLine => ({
  id,
  named,
  bytes: Buffer.from(`{"version":"0.1.0","id":"${id}","files":[]${extra}}`),
});
const as = (pair: typeof ada): Signer => ({ key: pair.key, from: 'file', sign: async (bytes) => pair.sign(bytes) });
const by = (pair: typeof ada, line: RecordLine, { principal = 'ada@example.com', commit = HERE } = {}) =>
  sealRecord(as(pair), line, { principal, at: AT, commit });
const byAda = (line: RecordLine, commit = HERE) => by(ada, line, { commit });
const parsed = (lines: readonly string[]) => lines.flatMap((line) => parseNoteSeal(line) ?? []);
const verify = (records: readonly RecordLine[], lines: readonly string[]) =>
  verifyNote({ commit: HERE, records, seals: parsed(lines), signers, now: AT });
const states = (...args: Parameters<typeof verify>) => verify(...args).records.map(({ state }) => state);

describe('a sealed record that others claim to replace', () => {
  const old = record('r-1');
  const replacing = (id: string, ...supersedes: string[]): RecordLine => ({ ...record(id), supersedes });
  const stateOfOld = async (records: readonly RecordLine[], sealed: readonly RecordLine[] = []) =>
    states([old, ...records], await Promise.all([old, ...sealed].map((one) => byAda(one))))[0];

  it('is overruled by those that nobody has sealed, also where they put each other aside', async () => {
    const forged = replacing('r-2', 'r-1', 'r-3');
    expect(await stateOfOld([forged])).toBe('overruled');
    expect(await stateOfOld([forged, replacing('r-3', 'r-2')])).toBe('overruled');
    const better = replacing('r-4', 'r-1');
    expect(verify([old, forged], [await byAda(old), await by(newPair('ssh-ed25519'), forged)]).records[0]?.state).toBe(
      'overruled',
    );
    expect(await stateOfOld([better], [better])).toBe('sealed');
    expect(await stateOfOld([forged, better], [better])).toBe('sealed');
  });

  it('is not by a copy from another commit', async () => {
    expect(await stateOfOld([{ ...replacing('r-2', 'r-1'), named: 'other' }])).toBe('sealed');
  });
});

describe('sealed notes', () => {
  const [first, second] = [record('r-1'), record('r-2')];

  it('hold one line for one seal of one record', async () => {
    const line = await byAda(first);
    expect(line).toMatch(
      /^\{"dev\.git-agent-blame":\{"seal":\{"record":"r-1","sha256":"[0-9a-f]{64}","cose":"[\w-]+"\}\}\}$/,
    );
    expect(states([first, second], [line])).toEqual(['sealed', 'unsealed']);
    // for readers of records such a line is none, should it ever stand among them
    expect(parseNote([line]).records).toEqual([]);
  });

  it('are as good after a union, whatever the order and whatever came with it', async () => {
    const lines = [await byAda(first), await by(bob, first, { principal: 'bob@example.com' })];
    const note = appendLines(appendLines(Buffer.alloc(0), lines) ?? Buffer.alloc(0), ['junk', '{"a":1}', ...lines]);
    const union = noteLines(note ?? Buffer.alloc(0));
    expect(union).toHaveLength(4);
    for (const order of [union, union.toReversed()]) {
      const [one] = verify([first], order).records;
      expect(one?.state).toBe('sealed');
      expect(one?.verdicts.map(({ proven }) => proven?.principal).toSorted()).toEqual([
        'ada@example.com',
        'bob@example.com',
      ]);
    }
  });

  it('sealing twice gives the same line: Ed25519 has no chance in it', async () => {
    expect(await byAda(first)).toBe(await byAda(first));
  });

  it('tell altered records, refused seals and seals astray apart', async () => {
    const line = await byAda(first);
    expect(states([record('r-1', ',"x":1')], [line])).toEqual(['altered']);
    expect(verify([second], [line])).toMatchObject({ records: [{ state: 'unsealed' }], gone: [{ id: 'r-1' }] });
    const stranger = await by(newPair('ssh-ed25519'), first);
    expect(verify([first], [stranger]).records).toMatchObject([
      { state: 'refused', verdicts: [{ reasons: [{ code: 'signer-unknown' }] }] },
    ]);
    // a seal of a stranger beside a good one takes nothing away
    expect(states([first], [stranger, line])).toEqual(['sealed']);
  });

  it('a seal is not moved to another record', async () => {
    const [seal] = parsed([await byAda(first)]);
    const [other] = parsed([await byAda(second)]);
    const moved = printNoteSeal({ ...(other as NoteSeal), cose: (seal as NoteSeal).cose });
    expect(states([first, second], [moved])).toEqual(['unsealed', 'refused']);
    const renamed = printNoteSeal({ ...(seal as NoteSeal), record: 'r-9' });
    expect(states([first], [renamed])).toEqual(['refused']);
  });

  it('every byte of a sealed record flipped once is noticed, whatever is left of the record', async () => {
    const line = await byAda(first);
    const quiet: number[] = [];
    for (let at = 0; at < first.bytes.length; at++) {
      const bytes = Buffer.from(first.bytes);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
      const parsed = parseRecord(bytes.toString('utf8'));
      const own = parsed.kind === 'record' ? [{ id: parsed.record.id, bytes, named: 'open' as const }] : [];
      const { records, gone } = verify(own, [line]);
      if (gone.length === 0 && records[0]?.state !== 'altered') quiet.push(at);
    }
    expect(quiet).toEqual([]);
  });

  it('a record that is gone is told of, also where another with its id is sealed', async () => {
    const line = await byAda(first);
    expect(verify([], [line, line])).toMatchObject({ records: [], gone: [{ id: 'r-1', seals: [{}, {}] }] });
    const changed = record('r-1', ',"x":1');
    expect(verify([changed], [line, await byAda(changed)])).toMatchObject({
      records: [{ state: 'sealed' }],
      gone: [{ id: 'r-1' }],
    });
    // what newer programs write and seal is there, though it is no record for us
    const question = { commit: HERE, records: [], others: [first.bytes], seals: parsed([line]), signers, now: AT };
    expect(verifyNote(question).gone).toEqual([]);
    const junk = printNoteSeal({ record: 'r-9', sha256: 'a'.repeat(64), cose: Buffer.from('AAAA', 'base64url') });
    expect(verify([], [junk]).gone).toEqual([]);
  });

  it.each<[string, RecordLine['named'], string, SealedRecord['state']]>([
    ['ours, of this commit', 'commit', HERE, 'sealed'],
    ['ours, copied from another with its seal', 'other', 'd'.repeat(40), 'elsewhere'],
    ['ours of another, sealed anew for this', 'other', HERE, 'elsewhere'],
    ['another tool’s that does not say', 'open', HERE, 'sealed'],
    ['the same, copied with its seal', 'open', 'd'.repeat(40), 'elsewhere'],
  ])('a seal counts for one commit: a record of %s', async (_, named, commit, state) => {
    const line = record('r-1', '', named);
    expect(states([line], [await byAda(line, commit)])).toEqual([state]);
  });

  it.each<[RecordLine['named'], SealedRecord['state']]>([
    ['commit', 'sealed'],
    ['open', 'refused'],
  ])('a seal that names no commit leaves it to the record: %s', async (named, state) => {
    const line = record('r-1', '', named);
    const { cose } = await sealBytes(as(ada), line.bytes, { ...OPTIONS, subject: 'r-1' });
    const [sealed] = parsed([await byAda(line)]) as [NoteSeal];
    expect(states([line], [printNoteSeal({ ...sealed, cose })])).toEqual([state]);
  });

  it('are open for a key until it has sealed, whoever else has and whatever junk is there', async () => {
    const mine = { commit: HERE, records: [first], now: AT, key: ada.key, principal: 'ada@example.com' };
    const open = (...lines: string[]) => openFor({ ...mine, seals: parsed(lines) }).length;
    const [own] = parsed([await byAda(first)]) as [NoteSeal];
    const junk = printNoteSeal({ ...own, cose: Buffer.from('AAAA', 'base64url') });
    expect(open()).toBe(1);
    expect(open(junk, await by(bob, first, { principal: 'bob@example.com' }))).toBe(1);
    expect(open(await by(ada, first, { principal: 'old@example.com' }))).toBe(1);
    expect(open(junk, await byAda(first))).toBe(0);
    expect(openFor({ ...mine, records: [record('r-2', '', 'other')], seals: [] })).toEqual([]);
    // and any good one is enough
    expect(verify([first], [junk, await byAda(first)]).records).toMatchObject([
      { state: 'sealed', verdicts: [{ ok: true }, { ok: false, reasons: [{ code: 'trailing-bytes' }] }] },
    ]);
  });

  it('records beyond 256 KiB are sealed by their hash', async () => {
    const large = record('r-3', `,"x":"${'y'.repeat(300_000)}"`);
    const line = await byAda(large);
    expect(line.length).toBeLessThan(1000);
    expect(states([large], [line])).toEqual(['sealed']);
  });

  it('no byte of a line can be changed', async () => {
    const line = Buffer.from(await byAda(first));
    const believed: number[] = [];
    for (let at = 0; at < line.length; at++) {
      const was = line[at] ?? 0;
      for (const mask of [1 << (at % 8), 0x20, 255]) {
        line[at] = was ^ mask;
        if (states([first], [line.toString('latin1')])[0] === 'sealed') believed.push(at);
      }
      line[at] = was;
    }
    expect(believed).toEqual([]);
  });

  it.each([
    'null',
    '[]',
    '{}',
    '{"dev.git-agent-blame":null}',
    '{"dev.git-agent-blame":{"seal":[]}}',
    '{"__proto__":{"dev.git-agent-blame":{"seal":{}}}}',
    `{"dev.git-agent-blame":{"seal":{"record":"a","sha256":"${'A'.repeat(64)}","cose":"AA"}}}`,
    `{"dev.git-agent-blame":{"seal":{"record":"a","sha256":"${'a'.repeat(64)}","cose":"AB"}}}`,
    `{"dev.git-agent-blame":{"seal":{"record":"a","sha256":"${'a'.repeat(64)}","cose":"${'A'.repeat(70_000)}"}}}`,
  ])('%.80s is no seal', (line) => expect(parseNoteSeal(line)).toBeUndefined());
});
