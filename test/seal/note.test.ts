import { describe, expect, it } from 'vitest';
import { appendLines, noteLines } from '../../src/notes/lines.ts';
import {
  type NoteSeal,
  parseNoteSeal,
  printNoteSeal,
  type RecordLine,
  sealRecord,
  verifyNote,
} from '../../src/seal/note.ts';
import type { Signer } from '../../src/seal/seal.ts';
import { parseNote } from '../../src/trace/parse.ts';
import { AT, allow, newPair } from './ada.ts';

const [ada, bob] = [newPair('ssh-ed25519'), newPair('ecdsa-sha2-nistp256')];
const signers = [...allow(ada), ...allow(bob, '', 'bob@example.com')];
const record = (id: string, extra = ''): RecordLine => ({
  id,
  bytes: Buffer.from(`{"version":"0.1.0","id":"${id}","files":[]${extra}}`),
});
const as = (pair: typeof ada): Signer => ({ key: pair.key, from: 'file', sign: async (bytes) => pair.sign(bytes) });
const byAda = (line: RecordLine) => sealRecord(as(ada), line, { principal: 'ada@example.com', at: AT });
const parsed = (lines: readonly string[]) => lines.flatMap((line) => parseNoteSeal(line) ?? []);
const verify = (records: readonly RecordLine[], lines: readonly string[]) =>
  verifyNote({ records, seals: parsed(lines), signers, now: AT });
const states = (...args: Parameters<typeof verify>) => verify(...args).records.map(({ state }) => state);

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
    const lines = [await byAda(first), await sealRecord(as(bob), first, { principal: 'bob@example.com', at: AT })];
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
    expect(verify([second], [line])).toMatchObject({ records: [{ state: 'unsealed' }], astray: [{ record: 'r-1' }] });
    const stranger = await sealRecord(as(newPair('ssh-ed25519')), first, { principal: 'ada@example.com', at: AT });
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
