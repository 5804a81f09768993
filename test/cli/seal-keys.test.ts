import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { agent } from '../../src/commands/agent.ts';
import { readRevocation } from '../../src/seal/key-programs.ts';
import { allow, newPair } from '../seal/ada.ts';
import { makeKey, missing, startAgent, titled } from '../seal/openssh.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder } from '../support/repository.ts';
import type { Workshop } from '../support/workshop.ts';
import { inWorld } from './program.ts';
import { openSealShop, sayIn } from './seal-shop.ts';

describe.skipIf(missing)(titled('the keys that git chooses and refuses'), () => {
  let shop: Workshop;
  let keys: string;
  let [first, second] = ['', ''];
  const publicKey = (file: string) => fs.readFileSync(`${file}.pub`, 'utf8').split(' ').slice(0, 2).join(' ');
  const fingerprint = (file: string) =>
    spawnSync('ssh-keygen', ['-l', '-f', `${file}.pub`], { encoding: 'utf8' }).stdout.split(' ')[1];

  beforeEach(async () => {
    keys = makeFolder('keys');
    first = makeKey({ folder: keys, name: 'first', type: ['ed25519'] });
    second = makeKey({ folder: keys, name: 'second', type: ['ecdsa'] });
    const signers = path.join(keys, 'allowed');
    fs.writeFileSync(signers, [first, second].map((file) => `ada@example.com ${publicKey(file)}\n`).join(''));
    shop = await openSealShop(signers);
  });
  afterEach(() => {
    shop.remove();
    removeFolder(keys);
  });

  const run = (...args: string[]) => sayIn(shop, args);

  test('user.signingkey, then the default key command, then the first key of the agent', async () => {
    const held = await startAgent(keys);
    const env = { ...process.env, HOME: shop.home, SSH_AUTH_SOCK: held.socket };
    const sealed = async (commit: string) => {
      const { stderr } = await inWorld(agent, shop.dir, ['seal', commit], { home: shop.home, env });
      expect(stderr).toContain('1 record of 1 commit sealed');
      const { records } = JSON.parse((await run('verify', commit, '--format', 'json')).said);
      return records[0].seals.map(({ signer }: { signer: string }) => signer);
    };
    try {
      for (const file of [first, second]) held.add(file);
      const printed = path.join(keys, 'a printed key');
      shop.git('config', 'gpg.ssh.defaultKeyCommand', `cat '${printed}'`);
      for (const prefix of ['key::', '']) {
        fs.writeFileSync(printed, `${prefix}${publicKey(second)} ada\n${publicKey(first)}\n`);
        expect(await sealed('HEAD')).toEqual([fingerprint(second)]);
        shop.git('notes', '--ref=agent/seal', 'remove', 'HEAD');
      }
      shop.git('config', 'user.signingkey', `key::${publicKey(first)}`);
      expect(await sealed('HEAD')).toEqual([fingerprint(first)]);
      for (const name of ['user.signingkey', 'gpg.ssh.defaultKeyCommand']) shop.git('config', '--unset', name);
      expect(await sealed('HEAD~1')).toEqual([fingerprint(first)]);
    } finally {
      await held.stop();
    }
  });

  test.each(['list', 'KRL'])(
    'a key that is revoked by a %s proves nothing: in notes, files and the audit',
    async (form) => {
      shop.git('config', 'user.signingkey', `${first}.pub`);
      await run('seal');
      await run('export', 's1', '--format', 'vac', '-o', 'record.json');
      await run('seal', 'record.json');
      const revoked = path.join(keys, 'revoked');
      const revoke = (file: string) => {
        if (form === 'KRL') spawnSync('ssh-keygen', ['-q', '-k', '-f', revoked, `${file}.pub`]);
        else fs.writeFileSync(revoked, `# gone\n\n${publicKey(file)}\n`);
      };
      shop.git('config', 'gpg.ssh.revocationFile', revoked);
      revoke(second);
      expect((await run('verify', '--all')).said).toContain('2 records: 2 sealed, 0 refused');
      expect((await run('verify', 'record.json.cose')).status).toBe(0);
      revoke(first);
      const why = `The key is revoked: ${fingerprint(first)}, by "${revoked}".`;
      const { status, said } = await run('verify');
      expect([status, said]).toEqual([1, expect.stringContaining('0 sealed, 2 refused')]);
      expect(said).toContain(why);
      expect(await run('verify', 'record.json.cose')).toEqual({ status: 1, said: expect.stringContaining(why) });
      expect((await run('import', '-n', 'record.json.cose')).said).toContain(
        'signed, not verified: The key is revoked',
      );
      const { categories } = JSON.parse((await shop.agent('audit', '--format', 'json')).stdout);
      expect(categories.find(({ name }: { name: string }) => name === 'integrity')).toMatchObject({
        figure: expect.stringContaining('refused 2'),
      });
    },
  );

  test('where it cannot be told whether a key is revoked, nothing is proven', async () => {
    shop.git('config', 'user.signingkey', `${first}.pub`);
    await run('seal');
    const revoked = path.join(keys, 'revoked');
    shop.git('config', 'gpg.ssh.revocationFile', revoked);
    const refused = async (why: string) => {
      const { status, said } = await run('verify', 'HEAD');
      expect([status, said]).toEqual([1, expect.stringContaining(`cannot be told: "${revoked}": ${why}`)]);
    };
    await refused('it cannot be read (ENOENT).');
    fs.writeFileSync(revoked, `${publicKey(second)}\nwhat is this\n`);
    await refused('line 2 is no public key.');
    fs.writeFileSync(revoked, 'SSHKRL\n\0 and no more');
    await refused('ssh-keygen cannot read it (');
    const env = { ...process.env, HOME: shop.home };
    const asked = { setting: 'list', file: revoked, signers: allow(newPair('ssh-ed25519')) };
    expect(await readRevocation({ ...asked, env: { ...env, PATH: keys } })).toMatchObject({
      problem: 'ssh-keygen, which reads it, cannot be started',
    });
  });

  test('a key that has run out does not seal by setting its clock back: for verify, and for the audit', async () => {
    shop.git('config', 'user.signingkey', `${first}.pub`);
    const early = { home: shop.home, now: () => Date.UTC(2020, 0, 1) };
    await inWorld(agent, shop.dir, ['seal', 'HEAD'], early);
    fs.writeFileSync(path.join(keys, 'allowed'), `ada@example.com valid-before="20210101" ${publicKey(first)}\n`);
    const { status, said } = await run('verify', 'HEAD');
    expect([status, said]).toEqual([1, expect.stringContaining('It was sealed before it was made')]);
    const { categories } = JSON.parse((await shop.agent('audit', 'HEAD', '--format', 'json')).stdout);
    expect(categories.find(({ name }: { name: string }) => name === 'integrity')).toMatchObject({
      figure: expect.stringContaining('refused 1'),
    });
  });

  test.each([
    ['false', 'gpg.ssh.defaultKeyCommand failed ("exit code 1")'],
    ['echo none', 'gpg.ssh.defaultKeyCommand prints no key'],
    ['/no/such/program', 'gpg.ssh.defaultKeyCommand cannot be started ("/no/such/program")'],
    ["echo 'open", 'gpg.ssh.defaultKeyCommand is no command'],
  ])('no other key seals where the command %s gives none', async (command, said) => {
    shop.git('config', 'gpg.ssh.defaultKeyCommand', command);
    expect(await run('seal', 'HEAD')).toEqual({ status: expect.any(Number), said: expect.stringContaining(said) });
    expect((await run('verify', 'HEAD', '--all')).status).toBe(1);
  });
});
