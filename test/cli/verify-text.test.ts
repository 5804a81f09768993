import { describe, expect, it } from 'vitest';
import { recordLines } from '../../src/commands/seals.ts';
import { fileJson, isRefused, jsonOf, type Row, rowsOf } from '../../src/commands/verify-rows.ts';
import { printFile, printRows } from '../../src/commands/verify-text.ts';
import { reason } from '../../src/seal/reason.ts';
import { refusedSeal, type SealVerdict } from '../../src/seal/verify.ts';

const AT = Date.UTC(2026, 9, 1);
const good: SealVerdict = {
  ok: true,
  reasons: [],
  proven: { signer: 'SHA256:a', principal: 'ada@example.com', alg: 'EdDSA', subject: 'r', hashed: false },
  at: AT,
  kid: 'SHA256:a',
  claimed: new Map([['session-id', 's-1']]),
  certificates: 0,
  receipts: [
    { state: 'proven', signer: 'SHA256:log', treeSize: 9, leaf: 2 },
    { state: 'unknown-key', kid: 'SHA256:x', line: 4 },
    { state: 'wrong', problem: 'another root' },
  ],
};
const bad = refusedSeal(reason('signature-wrong'));

describe('what verify says of a file', () => {
  it('receipts and claims are told apart from what is proven, in text', () => {
    expect(printFile(good).split('\n')).toEqual([
      'sealed by ada@example.com at 2026-10-01T00:00:00.000Z',
      '    receipt: entry 3 of 9 in the log of SHA256:log',
      '    receipt: not checked by SHA256:x: line 4 has not its key with namespaces="agent-receipt"',
      '    receipt: WRONG: another root',
      '    claimed, not proven: session-id "s-1"',
      '',
    ]);
    expect(printFile(bad)).toBe('The signature is not that of these bytes by this key.\n');
  });

  it('and in JSON, where a time is a text as it is for notes', () => {
    expect(fileJson(good)).toMatchObject({
      at: '2026-10-01T00:00:00.000Z',
      claimed: { 'session-id': 's-1' },
      receipts: [{ state: 'proven', leaf: 2 }, { state: 'unknown-key' }, { state: 'wrong' }],
    });
    const row: Row = { commit: 'c', record: 'r', state: 'sealed', verdicts: [good, bad], idle: false };
    expect(jsonOf([row]).records).toMatchObject([
      { at: '2026-10-01T00:00:00.000Z', kid: 'SHA256:a', seals: [{ ok: true, receipts: [{}, {}, {}] }, { ok: false }] },
    ]);
  });
});

it('a seal of another record beside a good one is told of', () => {
  const row: Row = {
    commit: 'c'.repeat(40),
    record: 'r-1',
    state: 'sealed',
    verdicts: [{ ...good, receipts: [] }, bad],
    idle: false,
  };
  expect(printRows([row], { trusted: true, foreign: 0 })).toBe(
    [
      'cccccccccc r-1 sealed by ada@example.com at 2026-10-01T00:00:00.000Z',
      '    claimed, not proven: session-id "s-1"',
      '    another seal is refused: The signature is not that of these bytes by this key.',
      '1 record: 1 sealed, 0 refused, 0 altered, 0 not sealed.\n',
    ].join('\n'),
  );
});

it.each<[Row['state'], boolean, boolean, boolean, boolean]>([
  // state, with a seal, beside a sealed record that replaces it: no; no with --all
  ['sealed', true, false, false, false],
  ['unsealed', false, false, false, true],
  ['unsealed', false, true, false, false],
  ['refused', true, false, true, true],
  ['altered', false, false, true, true],
  ['overruled', true, false, true, true],
  ['gone', false, false, true, true],
  ['elsewhere', true, false, true, true],
  ['elsewhere', false, false, false, true],
  ['elsewhere', true, true, false, false],
])('%s (seal %s, beside a sealed one %s) is a no: %s, with --all %s', (state, seal, beside, no, noWithAll) => {
  const record = { id: 'r', bytes: Buffer.from('r'), named: 'commit', replaced: beside } as const;
  const other = { record, state: 'sealed', verdicts: [good] } as const;
  const verdicts = seal ? [bad] : [];
  const note =
    state === 'gone'
      ? { records: [], gone: [{ id: 'r', seals: [] }] }
      : { records: [{ record, state, verdicts }, ...(beside ? [other] : [])], gone: [] };
  const rows = rowsOf(new Map([['c', note]]));
  expect([false, true].map((all) => rows.some((row) => isRefused(row, all)))).toEqual([no, noWithAll]);
});

it('a record is replaced by one of its own commit, not by a copy of another’s', () => {
  const [here, there] = ['c'.repeat(40), 'd'.repeat(40)];
  const line = (id: string, commit: string, supersedes: readonly string[]) =>
    JSON.stringify({
      version: '0.1.0',
      id,
      files: [],
      metadata: { 'dev.git-agent-blame': { schema: 1, commit, supersedes } },
    });
  const { records, others } = recordLines(
    [line('a', here, []), line('b', here, ['a']), line('c', there, ['b']), 'no record'],
    here,
  );
  expect(records.map(({ id, named, replaced }) => [id, named, replaced])).toEqual([
    ['a', 'commit', true],
    ['b', 'commit', false],
    ['c', 'other', false],
  ]);
  expect(others).toEqual([Buffer.from('no record')]);
});
