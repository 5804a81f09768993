import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllowedSigners } from '../../src/seal/allowed-signers.ts';
import { openSigner, readAllowedSigners } from '../../src/seal/key-files.ts';
import {
  coseKeyOf,
  decodeBlob,
  findKey,
  isSignedBy,
  jwkOf,
  keyFromCose,
  keyFromJwk,
  keyId,
  printKey,
  printKeyId,
} from '../../src/seal/keys.ts';
import { decodePrivateKey } from '../../src/seal/private-key.ts';
import { sealBytes } from '../../src/seal/seal.ts';
import { fixedWidth } from '../../src/seal/ssh-wire.ts';
import { judgeSigner } from '../../src/seal/trust.ts';
import { verifySeal } from '../../src/seal/verify.ts';
import { AT, newPair, OPTIONS, RECORD, TYPES } from './ada.ts';
import { makeFolder, makeKey, missing, titled } from './openssh.ts';

describe.each(TYPES)('a public key, %s', (type) => {
  const { key } = newPair(type);

  it('is the same in every form', () => {
    for (const form of [findKey(`${printKey(key)} comment`), keyFromJwk(jwkOf(key)), keyFromCose(coseKeyOf(key))]) {
      expect(form && printKey(form)).toBe(printKey(key));
      expect(form?.type).toBe(type);
    }
  });

  it('cut short or with something behind it is none', () => {
    for (let length = 0; length < key.blob.length; length++) {
      expect(decodeBlob(key.blob.subarray(0, length))).toBeUndefined();
    }
    expect(decodeBlob(Buffer.concat([key.blob, Uint8Array.of(0)]))).toBeUndefined();
  });

  it('under the name of another kind is none', () => {
    expect(findKey(printKey({ ...key, type: TYPES.find((other) => other !== type) ?? type }))).toBeUndefined();
  });
});

describe('keys', () => {
  it('a point beside the curve signs nothing, and is no crash', () => {
    const key = keyFromJwk({
      ...jwkOf(newPair('ecdsa-sha2-nistp256').key),
      y: Buffer.alloc(32, 1).toString('base64url'),
    });
    expect(key && isSignedBy(key, { bytes: RECORD, signature: Buffer.alloc(64, 1) })).toBe(false);
  });

  it.each([
    ['', '00000000'],
    ['01', '00000001'],
    ['0080000000', '80000000'],
    ['7fffffff', '7fffffff'],
    ['80', undefined],
    ['0100000000', undefined],
  ])('the number %s in four bytes is %s', (number, wanted) => {
    const bytes = fixedWidth(Buffer.from(number, 'hex'), 4);
    expect(bytes && Buffer.from(bytes).toString('hex')).toBe(wanted);
  });
});

describe.skipIf(missing)(titled('keys of OpenSSH'), () => {
  const folder = makeFolder();
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
  const places = { home: folder, folder };
  const open = (signingKey: string) => openSigner({ ...places, signingKey });

  it.each([
    ['ed', ['ed25519']],
    ['ec', ['ecdsa', '-b', '256']],
    ['ec-pem', ['ecdsa', '-b', '256', '-m', 'PEM']],
    ['ec-pkcs8', ['ecdsa', '-b', '256', '-m', 'PKCS8']],
  ])('%s: has the known fingerprint, and seals from the file in every way to name it', async (name, type) => {
    const file = makeKey({ folder, name, type });
    const line = fs.readFileSync(`${file}.pub`, 'utf8');
    const key = findKey(line);
    const printed = execFileSync('ssh-keygen', ['-l', '-f', `${file}.pub`], { encoding: 'utf8' });
    expect(key && printKeyId(keyId(key.blob))).toBe(printed.split(' ')[1]);
    const { signers } = parseAllowedSigners(`ada@example.com ${line}`);
    for (const setting of [file, `${file}.pub`, `~/${name}`, name, `./${name}.pub`]) {
      const signer = await open(setting);
      expect(signer.from).toBe('file');
      const { cose } = await sealBytes(signer, RECORD, OPTIONS);
      expect(verifySeal({ cose, payload: RECORD, signers, now: AT }).ok).toBe(true);
    }
  });

  it('a private key that is cut short is never used', () => {
    const text = fs.readFileSync(makeKey({ folder, name: 'cut', type: ['ed25519'] }), 'utf8');
    expect(decodePrivateKey(text).kind).toBe('key');
    const end = text.indexOf('-----END');
    for (let length = 0; length < end - 1; length++) {
      const cut = `${text.slice(0, length)}\n${text.slice(end)}`;
      // the last bytes are padding
      if (length < end - 40) expect(decodePrivateKey(cut).kind).not.toBe('key');
      expect(decodePrivateKey(text.slice(0, length)).kind).not.toBe('key');
    }
  });

  it('says exactly why a key cannot seal', async () => {
    const locked = makeKey({ folder, name: 'locked', type: ['ed25519'], passphrase: 'secret' });
    const lockedPem = makeKey({ folder, name: 'locked-pem', type: ['ecdsa', '-m', 'PEM'], passphrase: 'secret' });
    const rsa = makeKey({ folder, name: 'rsa', type: ['rsa', '-b', '1024'] });
    const p384 = makeKey({ folder, name: 'p384', type: ['ecdsa', '-b', '384'] });
    const readable = makeKey({ folder, name: 'readable', type: ['ed25519'] });
    const swapped = makeKey({ folder, name: 'swapped', type: ['ed25519'] });
    const lone = makeKey({ folder, name: 'lone', type: ['ed25519'] });
    fs.chmodSync(readable, 0o644);
    fs.copyFileSync(`${readable}.pub`, `${swapped}.pub`);
    fs.rmSync(lone);
    fs.writeFileSync(path.join(folder, 'junk'), 'junk');
    fs.writeFileSync(path.join(folder, 'huge'), Buffer.alloc(100_000));
    await expect(open(locked)).rejects.toThrow(`${locked} is locked with a passphrase: run ssh-add ${locked}`);
    await expect(open(lockedPem)).rejects.toThrow(/locked with a passphrase/);
    await expect(open(rsa)).rejects.toThrow(/neither Ed25519 nor ECDSA P-256/);
    await expect(open(`${rsa}.pub`)).rejects.toThrow(/a key of type "ssh-rsa": seals need ssh-ed25519/);
    await expect(open(`${p384}.pub`)).rejects.toThrow(/"ecdsa-sha2-nistp384"/);
    await expect(open(readable)).rejects.toThrow(`run chmod 600 ${readable}`);
    await expect(open(`${swapped}.pub`)).rejects.toThrow(/not the private half/);
    await expect(open(`${lone}.pub`)).rejects.toThrow(/No ssh-agent has the signing key SHA256:/);
    await expect(open('junk')).rejects.toThrow(/holds no key of OpenSSH/);
    await expect(open('huge')).rejects.toThrow(/too large/);
    await expect(open('nowhere')).rejects.toThrow(/cannot be read \(ENOENT\)/);
    await expect(open('.')).rejects.toThrow(/no file/);
    await expect(open('key::junk')).rejects.toThrow(/user.signingkey holds no key/);
    await expect(openSigner(places)).rejects.toThrow(/There is no key to seal with/);
  });

  it('a setting for allowed signers that points nowhere is a mistake, none is not', () => {
    expect(readAllowedSigners(undefined, places).signers).toEqual([]);
    expect(() => readAllowedSigners('nowhere', places)).toThrow(/cannot be read/);
    fs.writeFileSync(path.join(folder, 'signers'), `ada ${printKey(newPair('ssh-ed25519').key)}\nbad\n`);
    expect(readAllowedSigners('~/signers', places)).toMatchObject({ signers: [{ line: 1 }], problems: [{ line: 2 }] });
  });

  describe('allowed signers are read as ssh-keygen reads them', () => {
    const LINE = 'THE-KEY';
    const message = path.join(folder, 'message');
    let line = '';
    beforeAll(() => {
      const file = makeKey({ folder, name: 'judge', type: ['ed25519'] });
      line = fs.readFileSync(`${file}.pub`, 'utf8').split(' ').slice(0, 2).join(' ');
      fs.writeFileSync(message, RECORD);
      execFileSync('ssh-keygen', ['-q', '-Y', 'sign', '-n', 'agent-blame', '-f', file, message], { stdio: 'pipe' });
    });

    it.each([
      `ada@example.com ${LINE}`,
      `"ada@example.com" ${LINE} some words`,
      `*@example.com,!ada@* ${LINE}`,
      `!ada@*,*@example.com ${LINE}`,
      `*@example.??? ${LINE}`,
      `ADA@example.com ${LINE}`,
      `bob,ada@example.com ${LINE}`,
      `ada@example.com namespaces="agent-blame" ${LINE}`,
      `ada@example.com namespaces="git,agent-*" ${LINE}`,
      `ada@example.com NAMESPACES="git" ${LINE}`,
      `ada@example.com namespaces=agent-blame ${LINE}`,
      `ada@example.com namespaces="*,!agent-blame" ${LINE}`,
      `ada@example.com namespaces="agent-blame",namespaces="git" ${LINE}`,
      `ada@example.com cert-authority ${LINE}`,
      `ada@example.com cert-authority,namespaces="agent-blame" ${LINE}`,
      `ada@example.com no-touch-required ${LINE}`,
      `ada@example.com valid-after="20261001120000" ${LINE}`,
      `ada@example.com valid-after="20261001120001" ${LINE}`,
      `ada@example.com valid-before="20261001120000" ${LINE}`,
      `ada@example.com valid-before="20261001115959" ${LINE}`,
      `ada@example.com valid-before="20261001" ${LINE}`,
      `ada@example.com valid-before="20261002" ${LINE}`,
      `ada@example.com valid-after="2026",valid-before="20281002" ${LINE}`,
      `ada@example.com valid-after="20270101",valid-before="20260101" ${LINE}`,
      `# ada@example.com ${LINE}`,
      `ada@example.com cert-authority ${LINE}\nada@example.com ${LINE}`,
      `ada@example.com junk ${LINE}\n\n  ada@example.com ${LINE}`,
    ])('%s', (form) => {
      const text = form.replaceAll(LINE, line);
      const signers = path.join(folder, 'judged');
      fs.writeFileSync(signers, `${text}\n`);
      const asked = [
        '-Y',
        'verify',
        '-f',
        signers,
        '-I',
        'ada@example.com',
        '-n',
        'agent-blame',
        '-s',
        `${message}.sig`,
      ];
      const { status } = spawnSync('ssh-keygen', [...asked, '-O', 'verify-time=20261001120000'], { input: RECORD });
      const key = findKey(line);
      if (!key) throw new Error('no key');
      const use = { principal: 'ada@example.com', namespace: 'agent-blame', at: AT };
      const reasons = judgeSigner(parseAllowedSigners(text).signers, key, use);
      expect(reasons.length === 0).toBe(status === 0);
    });
  });
});
