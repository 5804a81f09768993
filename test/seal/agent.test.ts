import { createPublicKey } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { Sign1 } from '@auth0/cose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentSigner, readAgentKeys } from '../../src/seal/agent.ts';
import { parseAllowedSigners } from '../../src/seal/allowed-signers.ts';
import { openSigner } from '../../src/seal/key-files.ts';
import { jwkOf, printKey } from '../../src/seal/keys.ts';
import { maxSigned, sealBytes } from '../../src/seal/seal.ts';
import { verifySeal } from '../../src/seal/verify.ts';
import { AT, newPair, OPTIONS, RECORD } from './ada.ts';
import { type Agent, makeFolder, makeKey, missing, startAgent, titled } from './openssh.ts';

const KINDS: [string, string[]][] = [
  ['ed25519', ['ed25519']],
  ['p256', ['ecdsa', '-b', '256']],
];

describe.skipIf(missing)(titled('a real ssh-agent'), () => {
  const folder = makeFolder();
  let agent: Agent;
  beforeAll(async () => {
    agent = await startAgent(folder);
  });
  afterAll(async () => {
    await agent.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it.each(KINDS)('seals with %s, and everybody believes it', async (name, type) => {
    const file = makeKey({ folder, name, type });
    agent.add(file);
    const line = fs.readFileSync(`${file}.pub`, 'utf8');
    const signer = await openSigner({ signingKey: `key::${line}`, socket: agent.socket, home: folder, folder });
    expect(signer.from).toBe('agent');
    const { signers } = parseAllowedSigners(`ada@example.com ${line}`);
    const publicKey = createPublicKey({ key: jwkOf(signer.key), format: 'jwk' });
    // often enough to meet numbers of ECDSA that are shorter than most
    for (let i = 0; i < 30; i++) {
      const { cose } = await sealBytes(signer, RECORD, { ...OPTIONS, form: 'attached', at: AT + i * 1000 });
      expect(verifySeal({ cose, signers, now: AT + 60_000 })).toMatchObject({ ok: true });
      await Sign1.decode(cose).verify(publicKey);
    }
  });

  it.each(KINDS)('signs as much as we give it with %s, and not a byte more', async (name) => {
    const [key] = (await readAgentKeys(agent.socket)).filter(({ type }) =>
      type.includes(name === 'p256' ? 'ecdsa' : name),
    );
    if (!key) throw new Error('the key of the test before is not there');
    const signer = agentSigner(agent.socket, key);
    expect(await signer.sign(Buffer.alloc(maxSigned(key)))).toHaveLength(64);
    await expect(signer.sign(Buffer.alloc(maxSigned(key) + 1))).rejects.toThrow(/ssh-agent/);
    const large = Buffer.alloc(4_000_000, 'x');
    const sealed = await sealBytes(signer, large, OPTIONS);
    const { signers } = parseAllowedSigners(`ada@example.com ${printKey(key)}`);
    expect(sealed.hashed).toBe(true);
    expect(verifySeal({ cose: sealed.cose, payload: large, signers, now: AT }).ok).toBe(true);
  });

  it('is asked first: no file is needed, nor its passphrase', async () => {
    const locked = makeKey({ folder, name: 'locked', type: ['ed25519'], passphrase: 'secret' });
    await expect(openSigner({ signingKey: locked, socket: agent.socket, home: folder, folder })).rejects.toThrow(
      /locked with a passphrase: run ssh-add/,
    );
    const open = makeKey({ folder, name: 'open', type: ['ed25519'] });
    agent.add(open);
    fs.rmSync(open);
    const signer = await openSigner({ signingKey: `${open}.pub`, socket: agent.socket, home: folder, folder });
    expect(signer.from).toBe('agent');
    expect(await signer.sign(RECORD)).toHaveLength(64);
  });

  it('without a setting its first key seals, and a key that was taken away does not', async () => {
    const places = { socket: agent.socket, home: folder, folder };
    const signer = await openSigner(places);
    agent.removeAll();
    await expect(signer.sign(RECORD)).rejects.toThrow(/refused to sign/);
    await expect(openSigner(places)).rejects.toThrow(/There is no key to seal with/);
    const literal = printKey(signer.key);
    await expect(openSigner({ ...places, signingKey: literal })).rejects.toThrow(
      /No ssh-agent has the signing key SHA256:/,
    );
  });
});

describe('something else behind the socket', () => {
  const folder = makeFolder();
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
  let count = 0;

  /** Answers every connection with the same bytes. */
  async function answering(bytes: Uint8Array, ask: (socket: string) => Promise<unknown>): Promise<unknown> {
    const socket = path.join(folder, `${count++}.sock`);
    const server = net.createServer((connection) => {
      connection.on('error', () => {});
      connection.end(bytes);
    });
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    try {
      return await ask(socket).catch((error: Error) => error.message);
    } finally {
      server.close();
    }
  }
  const hex = (text: string) => Buffer.from(text, 'hex');

  it.each([
    ['nothing', '', /hung up/],
    ['half a length', '0000', /hung up/],
    ['an empty message', '00000000', /strange size/],
    ['a huge message', '7fffffff0c', /strange size/],
    ['a refusal', '0000000105', /does not list/],
    ['fewer keys than it says', '000000050c00000001', /fewer keys/],
    ['four thousand million keys', '000000050cffffffff', /fewer keys/],
  ])('that says %s is told as it is', async (_, bytes, message) => {
    expect(await answering(hex(bytes), readAgentKeys)).toMatch(message);
  });

  it('that says there are no keys has none', async () => {
    expect(await answering(hex('000000050c00000000'), readAgentKeys)).toEqual([]);
  });

  it('that signs wrongly makes no seal', async () => {
    const { key } = newPair('ssh-ed25519');
    const signature = Buffer.concat([hex('0000000b'), Buffer.from('ssh-ed25519'), hex('00000040'), Buffer.alloc(64)]);
    const body = Buffer.concat([hex('0e'), hex('00000053'), signature]);
    const answer = Buffer.concat([hex('00000058'), body]);
    expect(body.length).toBe(0x58);
    const seal = (socket: string) => sealBytes(agentSigner(socket, key), RECORD, OPTIONS);
    expect(await answering(answer, seal)).toMatch(/not one by the chosen key/);
    expect(await answering(hex('000000050e00000000'), seal)).toMatch(/signature of another kind/);
  });

  it('no agent at all is no error, but has no keys', async () => {
    expect(await readAgentKeys(undefined)).toEqual([]);
    expect(await readAgentKeys(path.join(folder, 'nowhere'))).toEqual([]);
  });
});
