import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPrograms, call, type Programs, Sandbox } from '../cli/program.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder } from '../support/repository.ts';

let programs: Programs;
let sandbox: Sandbox;

beforeAll(async () => {
  programs = await buildPrograms();
  sandbox = new Sandbox().write('a.txt', 'one\n');
  sandbox.commit();
});
afterAll(() => {
  sandbox?.remove();
  programs?.remove();
});

async function start(
  cwd: string,
  ...args: string[]
): Promise<{ child: ChildProcessWithoutNullStreams; address: string }> {
  const child = spawn(process.execPath, [path.join(programs.dir, 'git-agent.js'), 'serve', ...args], {
    cwd,
    env: programs.env,
  });
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
    child.once('close', (code) => reject(new Error(`ended with ${code}`)));
  });
  return { child, address };
}

describe('the program git agent serve', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'prints its address, answers there, and ends cleanly by %s',
    async (signal) => {
      const { child, address } = await start(sandbox.dir, '--open');
      expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/);
      const first = await fetch(address, { redirect: 'manual' });
      expect(first.status).toBe(303);
      const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? '';
      const page = await fetch(new URL('/file/a.txt', address), { headers: { cookie } });
      // in a repository that was never initialised every line is unknown
      expect(await page.text()).toMatch(/<tr id="L1".*aria-label="Unknown"/);
      const ended = new Promise((resolve) => child.once('close', (code, by) => resolve([code, by])));
      child.kill(signal);
      expect(await ended).toEqual([0, null]);
    },
  );

  it('serves a bare repository', async () => {
    const bare = makeFolder('bare');
    sandbox.git('clone', '-q', '--bare', sandbox.dir, bare);
    const { child, address } = await start(bare);
    try {
      const first = await fetch(address, { redirect: 'manual' });
      const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? '';
      for (const where of ['/', '/file/a.txt', '/report', '/conversations']) {
        const { status } = await fetch(new URL(where, address), { headers: { cookie } });
        expect([where, status]).toEqual([where, 200]);
      }
    } finally {
      child.kill();
      removeFolder(bare);
    }
  });

  it('says why it cannot start', async () => {
    const taken = net.createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const said = call(programs, sandbox.dir, ['git-agent', 'serve', '--port', String(port)]);
    taken.close();
    expect(said).toMatchObject({
      status: 3,
      stdout: '',
      stderr: `git agent: Port ${port} of 127.0.0.1 is taken: name another one with --port.\n`,
    });
    expect(call(programs, sandbox.dir, ['git-agent', 'serve', '--port', '99999']).status).toBe(2);
    expect(call(programs, '/', ['git-agent', 'serve'])).toMatchObject({ status: 3, stdout: '' });
  });
});
