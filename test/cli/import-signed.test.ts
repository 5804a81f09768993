import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeCbor } from '../../src/seal/cbor.ts';
import { decodeSign1, encodeSign1, LABEL, sigStructure } from '../../src/seal/cose.ts';
import { printKey } from '../../src/seal/keys.ts';
import { AT, newPair, sealWith } from '../seal/ada.ts';
import { openWorkshop, type Workshop } from '../support/workshop.ts';

const ada = newPair('ssh-ed25519');
const record = (text = '') =>
  Buffer.from(
    JSON.stringify({
      ...{ version: '3.0.0-draft', id: 'r-1' },
      session: {
        ...{ format: 'interactive', 'session-id': 's-9', 'session-start': new Date(AT).toISOString() },
        'agent-meta': { 'model-id': 'm', 'model-provider': 'p' },
        entries: [{ type: 'user', content: `hello${text}` }],
      },
    }),
  );
const good = sealWith(ada, record(), { form: 'attached' });

/** The same with another protected header, signed as it should be. */
function withHeader(header: Uint8Array, unprotected = new Map<unknown, unknown>()): Uint8Array {
  const payload = record();
  return encodeSign1({
    ...{ protectedBytes: header, unprotected, payload },
    signature: ada.sign(sigStructure(header, payload)),
  });
}

const labels = () => new Map(decodeSign1(good).header);

function withoutAlg(): Map<unknown, unknown> {
  const header = labels();
  header.delete(LABEL.alg);
  return header;
}

/** The key's id a second time, under the same label. */
function twice(): Uint8Array {
  const bytes = encodeCbor(labels());
  const more = Buffer.concat([encodeCbor(LABEL.kid), encodeCbor(Buffer.from('another'))]);
  return Buffer.concat([Uint8Array.of((bytes[0] ?? 0) + 1), bytes.subarray(1), more]);
}

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
  const signers = path.join(shop.home, 'allowed');
  fs.writeFileSync(signers, `ada@example.com ${printKey(ada.key)}\n`);
  shop.git('config', 'gpg.ssh.allowedSignersFile', signers);
  shop.human('a.ts', 'typed\n').commit('start');
});
afterAll(() => shop.remove());

async function imported(cose: Uint8Array) {
  fs.writeFileSync(path.join(shop.dir, 'sealed.cose'), cose);
  const { status, stdout, stderr } = await shop.agent('import', '-n', 'sealed.cose');
  return { status, said: stdout + stderr };
}

test('a good seal is taken, and said to be one', async () => {
  expect(await imported(good)).toEqual({
    status: 0,
    said: expect.stringContaining('signed by ada@example.com: verified'),
  });
});

test.each<[string, Uint8Array, string]>([
  [
    'has its algorithm outside',
    withHeader(encodeCbor(withoutAlg()), new Map([[LABEL.alg, -8]])),
    'The algorithm stands outside the protected header',
  ],
  [
    'demands what nobody knows',
    withHeader(encodeCbor(labels().set(LABEL.crit, [4711]).set(4711, 1))),
    'The seal demands something that is not understood',
  ],
  ['says a label twice', withHeader(twice()), 'A label is there twice'],
])('a seal that %s is not taken', async (_, cose, why) => {
  const { status, said } = await imported(cose);
  expect([status, said]).toEqual([1, expect.stringContaining(why)]);
});

test('a hash envelope is said to be one', async () => {
  const large = record('x'.repeat(300_000));
  for (const form of ['attached', 'detached'] as const) {
    const { status, said } = await imported(sealWith(ada, large, { form }));
    expect([status, said]).toEqual([1, expect.stringContaining('the signature carries only the hash of its record')]);
    expect(said).not.toContain('CBOR');
  }
  expect((await imported(sealWith(ada, record()))).said).toContain('the signature does not carry its record');
});
