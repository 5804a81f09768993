import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { agent } from '../../src/commands/agent.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder } from '../support/repository.ts';
import { Workshop } from '../support/workshop.ts';
import { buildPrograms, call, inWorld } from './program.ts';
import { openSealShop, sayIn } from './seal-shop.ts';

const left = spawnSync('ssh-keygen', ['-?']).error ? 'no OpenSSH' : '';

const title = `seal and verify${left ? ` (left out: ${left})` : ''}`;

describe.skipIf(left)(title, () => {
  let shop: Workshop;
  let keys: string;
  const key = () => path.join(keys, 'id');
  const signers = () => path.join(keys, 'allowed');

  beforeEach(async () => {
    keys = makeFolder('keys');
    spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'ada', '-f', key()]);
    const [type, blob] = fs.readFileSync(`${key()}.pub`, 'utf8').split(' ');
    fs.writeFileSync(signers(), `ada@example.com ${type} ${blob}\n`);
    shop = await openSealShop(signers());
    shop.git('config', 'user.signingkey', `${key()}.pub`);
  });
  afterEach(() => {
    shop.remove();
    removeFolder(keys);
  });

  const run = (...args: string[]) => sayIn(shop, args);

  test('records are sealed once with the key of git, and verify says by whom', async () => {
    expect(await run('seal', '--dry-run')).toEqual({
      status: 0,
      said: '2 records of 2 commits would be sealed; nothing was written\n',
    });
    expect((await run('seal')).said).toBe('2 records of 2 commits sealed as ada@example.com\n');
    expect((await run('seal')).said).toBe('Nothing to seal.\n');
    const { status, said } = await run('verify', '--all');
    expect(status).toBe(0);
    expect(said.match(/sealed by ada@example\.com/g)).toHaveLength(2);
    expect(said).toContain('2 records: 2 sealed, 0 refused, 0 altered, 0 not sealed.');
  });

  test('a key that is only in ssh-agent', async () => {
    const socket = path.join(keys, 'agent.sock');
    const daemon = spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'ignore' });
    try {
      while (!fs.existsSync(socket)) await new Promise((resolve) => setTimeout(resolve, 20));
      spawnSync('ssh-add', ['-q', key()], { env: { ...process.env, SSH_AUTH_SOCK: socket } });
      fs.rmSync(key());
      const env = { ...process.env, HOME: shop.home, SSH_AUTH_SOCK: socket };
      const { status, stderr } = await inWorld(agent, shop.dir, ['seal'], { home: shop.home, env });
      expect([status, stderr]).toEqual([0, '2 records of 2 commits sealed as ada@example.com\n']);
    } finally {
      daemon.kill();
    }
    expect((await run('verify')).status).toBe(0);
  });

  test('altered records, strangers and keys that ran out are told apart; none passes', async () => {
    await run('seal');
    const note = shop.git('notes', '--ref=agent/trace', 'show', 'HEAD');
    shop.git('notes', '--ref=agent/trace', 'add', '-f', '-m', note.replace('"claude-code"', '"codex"'), 'HEAD');
    const altered = await run('verify');
    expect([altered.status, altered.said]).toEqual([1, expect.stringContaining('1 sealed, 0 refused, 1 altered')]);
    const line = fs.readFileSync(signers(), 'utf8');
    fs.writeFileSync(signers(), line.replace('ssh-ed25519', 'valid-before="20200101" ssh-ed25519'));
    expect((await run('verify', 'HEAD~1')).said).toContain('not valid any more');
    fs.writeFileSync(signers(), line.replace('ada@', 'ben@'));
    expect((await run('verify', 'HEAD~1')).said).toContain('not allowed for this issuer');
    fs.writeFileSync(signers(), '');
    expect(await run('verify', 'HEAD~1')).toEqual({
      status: 1,
      said: expect.stringContaining('No line of the allowed signers has the key'),
    });
  });

  const [TRACE, SEALS] = ['--ref=agent/trace', '--ref=agent/seal'];
  const put = (ref: string, text: string) => shop.git('notes', ref, 'add', '-f', '-m', text, 'HEAD');

  test('a sealed record that is broken, renamed or removed is missed: by verify, by the policy and by the audit', async () => {
    shop.human('.agent-policy.json', '{"requireSeal":"block"}');
    await run('seal', 'HEAD');
    const note = shop.git('notes', TRACE, 'show', 'HEAD');
    for (const [text, others] of [
      [note.replace('{', '['), '0 not sealed'],
      [note.replace(/"id":"../, '"id":"zz'), '1 not sealed'],
      [undefined, '0 not sealed'],
    ] as const) {
      if (text === undefined) shop.git('notes', TRACE, 'remove', 'HEAD');
      else put(TRACE, text);
      const { status, said } = await run('verify', 'HEAD');
      expect([status, said]).toEqual([1, expect.stringContaining(`0 altered, ${others}, 1 gone.`)]);
      expect(said).toContain('GONE: sealed, and no line of the note has these bytes');
    }
    expect(JSON.parse((await run('verify', 'HEAD', '--format', 'json')).said).records).toMatchObject([
      { state: 'gone' },
    ]);
    expect(await run('check', 'HEAD')).toEqual({
      status: 1,
      said: expect.stringContaining('was sealed, and was removed, altered or replaced'),
    });
    const { categories } = JSON.parse((await shop.agent('audit', 'HEAD', '--format', 'json')).stdout);
    expect(categories.find(({ name }: { name: string }) => name === 'integrity')).toMatchObject({
      state: 'not met',
      figure: expect.stringContaining('gone 1'),
    });
    put(TRACE, note);
    expect((await run('verify', 'HEAD', '--all')).status).toBe(0);
  });

  test('a record that somebody adds in the place of a sealed one is no silent change', async () => {
    await run('seal', 'HEAD');
    const note = shop.git('notes', TRACE, 'show', 'HEAD');
    const sealed = JSON.parse(note);
    const own = { ...sealed.metadata['dev.git-agent-blame'], supersedes: [sealed.id] };
    const forged = { ...sealed, id: '11111111-1111-4111-8111-111111111111', metadata: { 'dev.git-agent-blame': own } };
    put(TRACE, `${note}\n${JSON.stringify(forged)}`);
    const { status, said } = await run('verify', 'HEAD');
    expect([status, said]).toEqual([
      1,
      expect.stringContaining('0 sealed, 0 refused, 0 altered, 1 not sealed, 1 over'),
    ]);
    expect(said).toContain(`${sealed.id} OVERRULED: sealed, and replaced by a record that is not`);
    shop.human('.agent-policy.json', '{"requireSeal":"block"}');
    expect((await run('check', 'HEAD')).status).toBe(1);
    const { categories } = JSON.parse((await shop.agent('audit', 'HEAD', '--format', 'json')).stdout);
    expect(categories.find(({ name }: { name: string }) => name === 'integrity')).toMatchObject({
      state: 'not met',
      figure: expect.stringContaining('overruled 1'),
    });
    // whoever has looked at it and vouches for it
    await run('seal', 'HEAD');
    expect((await run('verify', 'HEAD', '--all')).status).toBe(0);
  });

  test('a record that is copied with its seal to another commit proves nothing there', async () => {
    await run('seal', 'HEAD');
    shop.human('b.ts', 'by somebody else\n').commit('replaced');
    for (const ref of [TRACE, SEALS]) shop.git('notes', ref, 'copy', 'HEAD~1', 'HEAD');
    expect(await run('verify', 'HEAD')).toEqual({
      status: 1,
      said: expect.stringContaining('0 sealed, 0 refused, 0 altered, 0 not sealed, 1 of another commit.'),
    });
    shop.human('.agent-policy.json', '{"requireSeal":"block"}');
    expect((await run('check', 'HEAD')).status).toBe(1);
    expect(await shop.blame('b.ts')).toBe('h');
    // its own record can be sealed, and then the copy is in nobody's way
    expect((await run('seal', 'HEAD')).said).toBe('1 record of 1 commit sealed as ada@example.com\n');
    expect((await run('verify', 'HEAD', '--all')).status).toBe(0);
    expect((await run('check', 'HEAD')).status).toBe(0);
  });

  test('junk and seals of strangers keep nobody from sealing, and all are told of', async () => {
    await run('seal', 'HEAD');
    const good = shop.git('notes', SEALS, 'show', 'HEAD');
    put(SEALS, `${good.replace(/"cose":"[^"]+"/, '"cose":"AAAA"')}\nno seal`);
    expect((await run('verify', 'HEAD')).status).toBe(1);
    const stranger = path.join(keys, 'stranger');
    spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', stranger]);
    for (const name of [stranger, key()]) {
      shop.git('config', 'user.signingkey', `${name}.pub`);
      expect((await run('seal', 'HEAD')).said).toContain('1 record of 1 commit sealed');
    }
    expect((await run('seal', 'HEAD')).said).toBe('Nothing to seal.\n');
    const { status, said } = await run('verify', 'HEAD');
    expect([status, said]).toEqual([0, expect.stringContaining('sealed by ada@example.com')]);
    expect(said).toContain('another seal is refused: Something follows the seal');
    expect(said).toContain('another seal is refused: No line of the allowed signers has the key');
    expect(said).toContain('1 line is no seal');
    const [row] = JSON.parse((await run('verify', 'HEAD', '--format', 'json')).said).records;
    expect(row.seals.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, false, false]);
  });

  test('a record in a file is sealed with and without it, and what the seal claims is shown as a claim', async () => {
    await run('export', 's1', '--format', 'vac', '-o', 'record.json');
    await run('export', 's1', '--format', 'vac-cbor', '-o', 'record.cbor');
    expect((await run('seal', 'record.json')).said).toBe('record.json sealed as ada@example.com in record.json.cose\n');
    expect((await run('seal', 'record.json')).status).toBe(2);
    expect((await run('seal', 'record.cbor', '--detached', '-o', 'apart.cose')).said).toContain(
      '--payload record.cbor',
    );
    const attached = await run('verify', 'record.json.cose');
    expect([attached.status, attached.said]).toEqual([0, expect.stringMatching(/^sealed by ada@example\.com at 2/)]);
    expect(attached.said).toContain('claimed, not proven: ');
    const detached = await run('verify', 'apart.cose', '--payload', 'record.cbor', '--format', 'json');
    expect(JSON.parse(detached.said)).toMatchObject({
      ok: true,
      proven: { contentType: 'application/cbor' },
      at: expect.stringMatching(/^2.*Z$/),
      claimed: { 'session-id': 's1', 'trace-format': 'ietf-vac-v3.0' },
      receipts: [],
    });
    expect((await run('verify', 'apart.cose')).status).toBe(1);
    expect((await run('validate', 'record.json.cose', 'apart.cose')).status).toBe(0);
    expect((await run('import', '-n', 'record.json.cose')).said).toContain('signed by ada@example.com: verified');
    expect(await run('seal', 'a.ts')).toEqual({
      status: 1,
      said: expect.stringContaining('no verifiable-agent-record'),
    });
    expect((await run('seal', 'HEAD', '--detached')).status).toBe(2);
  });

  test('a policy that asks for seals', async () => {
    shop.human('.agent-policy.json', '{"requireSeal":"block"}');
    expect(await run('check', 'HEAD')).toEqual({ status: 1, said: expect.stringContaining('is not sealed') });
    await run('seal', 'HEAD');
    expect((await run('check', 'HEAD')).status).toBe(0);
    expect((await run('check', 'HEAD~1')).status).toBe(1);
  });

  test('seals travel with the notes', async () => {
    const hub = path.join(keys, 'hub.git');
    shop.git('init', '-q', '--bare', '-b', 'main', hub);
    shop.git('remote', 'add', 'origin', hub);
    await run('seal');
    expect((await run('push')).status).toBe(0);
    expect(
      shop
        .git('ls-remote', 'origin', 'refs/notes/agent/*')
        .split('\n')
        .map((row) => row.split('\t')[1]),
    ).toEqual(['refs/notes/agent/log', 'refs/notes/agent/seal', 'refs/notes/agent/trace']);
  });

  test('records that were only fetched are sealed too, and go along with their seals', async () => {
    const hub = path.join(keys, 'hub.git');
    shop.git('init', '-q', '--bare', '-b', 'main', hub);
    shop.git('remote', 'add', 'origin', hub);
    shop.git('push', '-q', '--no-verify', 'origin', 'HEAD:main');
    await run('push');
    const clone = new Workshop(makeFolder('clone'), makeFolder('home'));
    try {
      shop.git('clone', '-q', hub, clone.dir);
      clone.git('config', 'gpg.format', 'ssh');
      clone.git('config', 'user.signingkey', `${key()}.pub`);
      clone.git('config', 'gpg.ssh.allowedSignersFile', signers());
      await clone.agent('fetch');
      expect((await clone.agent('seal', 'HEAD^!')).stderr).toBe('1 record of 1 commit sealed as ada@example.com\n');
      expect((await clone.agent('seal', 'HEAD^!')).stderr).toBe('Nothing to seal.\n');
      const [here, there] = ['refs/notes/agent/trace', 'refs/notes/origin/agent/trace'].map((ref) =>
        clone.git('notes', `--ref=${ref}`, 'show', 'HEAD'),
      );
      expect(here).toBe(there);
      expect((await clone.agent('verify', '--all', 'HEAD^!')).stdout).toContain('1 sealed, 0 refused, 0 altered');
    } finally {
      clone.remove();
    }
  });

  test('pr --check looks at seals as check does', async () => {
    shop.human('.agent-policy.json', '{"requireSeal":"block"}').commit('policy');
    shop.human('c.ts', 'typed\n').commit('more');
    const env = { ...process.env, HOME: shop.home, AGENT_PR_BASE: 'HEAD~1' };
    const pr = async () => (await inWorld(agent, shop.dir, ['pr', '--check'], { home: shop.home, env })).status;
    await shop.work();
    expect([await pr(), (await run('check', 'HEAD')).status]).toEqual([1, 1]);
    await run('seal', 'HEAD');
    expect([await pr(), (await run('check', 'HEAD')).status]).toEqual([0, 0]);
  });

  test('a server takes seals that come with the same push into account', async () => {
    const programs = await buildPrograms();
    const hub = path.join(keys, 'hub.git');
    shop.human('.agent-policy.json', '{"requireSeal":"block"}').commit('policy');
    shop.git('init', '-q', '--bare', '-b', 'main', hub);
    shop.git('push', '-q', hub, 'HEAD:main');
    shop.git('-C', hub, 'config', 'gpg.ssh.allowedSignersFile', signers());
    const gate = '#!/bin/sh\nexec git-agent check --pre-receive\n';
    fs.writeFileSync(path.join(hub, 'hooks/pre-receive'), gate, { mode: 0o755 });
    shop.human('c.ts', 'typed\n').commit('more');
    await run('seal', 'HEAD');
    const push = (...refs: string[]) =>
      call(programs, shop.dir, ['git', 'push', '-q', '--no-verify', hub, 'HEAD:main', ...refs]).status;
    expect(push('refs/notes/agent/trace')).toBe(1);
    expect(push('refs/notes/agent/trace', 'refs/notes/agent/seal')).toBe(0);
    programs.remove();
  });

  test('without a key, and with one that is locked, it says what to do', async () => {
    shop.git('config', '--unset', 'user.signingkey');
    const none = await run('seal');
    expect([none.status, none.said]).toEqual([3, expect.stringContaining('ssh-add')]);
    spawnSync('ssh-keygen', ['-q', '-p', '-N', 'secret', '-f', key()]);
    shop.git('config', 'user.signingkey', `${key()}.pub`);
    const locked = await run('seal');
    expect([locked.status, locked.said]).toEqual([3, expect.stringContaining('locked with a passphrase')]);
  });
});
