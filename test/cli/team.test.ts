import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Server, serve } from '../forge/server.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder } from '../support/repository.ts';
import { Workshop } from '../support/workshop.ts';
import { buildPrograms, type Programs } from './program.ts';

const POLICY = { requireAttribution: 'block', maxUnknownShare: 0.2, allowModels: ['anthropic/*'] };

/** Three people, a server that lets nobody past its policy, and a bot. The tests are one story, in order. */
describe('a team', () => {
  let programs: Programs;
  let root: string;
  let [ada, ben, cleo]: Workshop[] = [];
  let forge: Server;
  const comments: { id: number; body: string; user: { login: string } }[] = [];
  const searchPath = process.env.PATH;

  beforeAll(async () => {
    programs = await buildPrograms();
    // hooks start the program from PATH: the one named at init is not there
    process.env.PATH = programs.env.PATH;
    root = makeFolder('team');
    run(root, 'git', 'init', '-q', '--bare', '-b', 'main', 'hub.git');
    fs.writeFileSync(path.join(root, 'hub.git/hooks/pre-receive'), '#!/bin/sh\nexec git-agent check --pre-receive\n', {
      mode: 0o755,
    });
    forge = await serve(giteaOf(comments));
  });
  afterAll(async () => {
    await forge.close();
    process.env.PATH = searchPath;
    programs.remove();
    for (const folder of [root, ...[ada, ben, cleo].map((one) => one?.home ?? '')]) if (folder) removeFolder(folder);
  });

  const join = (name: string) => {
    run(root, 'git', 'clone', '-q', 'hub.git', name);
    return new Workshop(path.join(root, name), makeFolder(`home-${name}`));
  };
  const push = (shop: Workshop, args: readonly string[], env: Record<string, string> = {}) => {
    const options = { cwd: shop.dir, encoding: 'utf8' as const, env: { ...process.env, HOME: shop.home, ...env } };
    const { status, stderr } = spawnSync('git', ['push', ...args], options);
    return { status, stderr };
  };
  /** A job in a fresh clone, as CI makes one. */
  const job = (name: string, env: Record<string, string>) => {
    const dir = path.join(root, name);
    if (!fs.existsSync(dir)) run(root, 'git', 'clone', '-q', 'hub.git', name);
    run(dir, 'git', 'fetch', '-q', 'origin', '+refs/heads/*:refs/remotes/origin/*');
    return start(dir, { ...env, GITHUB_STEP_SUMMARY: '' }, 'git', 'agent', 'pr');
  };

  test('Ada starts with a policy, and what she types goes through', async () => {
    ada = join('ada');
    await ada.init();
    ada.human('.agent-policy.json', JSON.stringify(POLICY)).human('app.ts', 'const port = 80;\n').commit('start');
    expect(push(ada, ['-q', 'origin', 'main'])).toEqual({ status: 0, stderr: '' });
    expect(run(root, 'git', '-C', 'hub.git', 'rev-parse', 'refs/notes/agent/trace')).toMatch(/^[0-9a-f]{40}/);
  });

  test('her agent works on a branch; its notes travel with the push', () => {
    ada?.git('checkout', '-q', '-b', 'feature');
    ada?.ai('server.ts', 'import http from "http";\nexport const serve = () => http.createServer();\nserve();\n');
    ada?.commit('a server');
    ada?.human('app.ts', 'const port = 8080;\n').commit('another port');
    expect(ada && push(ada, ['-q', 'origin', 'feature'])).toEqual({ status: 0, stderr: '' });
  });

  test('Ben has never heard of us: the server stops him and says what to do', () => {
    ben = join('ben');
    ben.git('checkout', '-q', '-b', 'fix');
    ben.human('fix.ts', 'export const fixed = true;\n').commit('a fix');
    const { status, stderr } = push(ben, ['-q', 'origin', 'fix']);
    expect(status).toBe(1);
    expect(stderr).toContain('The push is stopped');
    expect(stderr).toContain('No record says who wrote the lines of this commit');
    expect(stderr).toContain('--human');
  });

  test('he declares what he wrote, sends his word, and gets through', () => {
    expect(ben && run(ben.dir, 'git', 'agent', 'declare', 'origin/main..HEAD', '--human', '--reason', 'typed')).toBe(
      '',
    );
    ben && run(ben.dir, 'git', 'agent', 'push');
    expect(ben && push(ben, ['-q', 'origin', 'fix'])).toEqual({ status: 0, stderr: '' });
  });

  test('Cleo weakens the policy on her branch: her own gate lets her, the server does not', async () => {
    cleo = join('cleo');
    await cleo.init();
    cleo.git('checkout', '-q', '-b', 'easy');
    fs.rmSync(path.join(cleo.dir, '.git/agent/since.json')); // as if nobody had watched
    cleo
      .human('.agent-policy.json', '{"requireAttribution":"off"}')
      .human('x.ts', 'let x = 1;\nlet y = 2;\n')
      .commit('easy');
    const { status, stderr } = push(cleo, ['-q', 'origin', 'easy']);
    expect([status, stderr]).toEqual([1, expect.stringContaining('remote: The push is stopped')]);
  });

  test('at home the gate speaks first; a person may go on, a deleted branch and a tag of old commits are no matter', () => {
    cleo?.human('.agent-policy.json', JSON.stringify(POLICY));
    const stopped = cleo && push(cleo, ['-q', 'origin', 'easy']);
    expect(stopped?.stderr).toMatch(/^The push is stopped/);
    expect(stopped?.stderr).toContain('AGENT_CHECK=off');
    const [off, skipped] = [
      cleo && push(cleo, ['origin', 'easy'], { AGENT_CHECK: 'off' }),
      cleo && push(cleo, ['--no-verify', 'origin', 'easy']),
    ];
    for (const one of [off, skipped]) expect(one?.stderr).toContain('remote: The push is stopped');
    cleo?.git('tag', 'old', 'origin/main');
    expect(cleo && push(cleo, ['-q', 'origin', 'old'])).toEqual({ status: 0, stderr: '' });
    expect(ben && push(ben, ['-q', 'origin', 'HEAD:gone'])).toEqual({ status: 0, stderr: '' });
    expect(ben && push(ben, ['-q', 'origin', ':gone'])).toEqual({ status: 0, stderr: '' });
  });

  test('the bot comments once, and changes its comment when the branch grows', async () => {
    const [base, head] = ['refs/heads/main', 'refs/heads/feature'];
    const env = { AGENT_PR_FORGE: 'gitea', AGENT_PR_API: `${forge.url}/api/v1`, AGENT_PR_REPOSITORY: 'team/app' };
    const change = { ...env, AGENT_PR_NUMBER: '1', AGENT_PR_TOKEN: 'secret', AGENT_PR_BASE: base, AGENT_PR_HEAD: head };
    const first = await job('ci', change);
    expect([first.status, first.stderr]).toEqual([0, expect.stringContaining('Comment created')]);
    expect(first.stdout).toContain('75 % of 4 added lines were written by agents');
    expect(comments.map(({ body }) => body)).toEqual([expect.stringContaining('| ai | 3 | 75 % |')]);
    ada?.ai('more.ts', 'export const more = [1, 2, 3];\n');
    ada?.commit('more');
    ada && push(ada, ['-q', 'origin', 'feature']);
    const second = await job('ci', change);
    expect([second.status, second.stderr]).toEqual([0, expect.stringContaining('Comment updated')]);
    expect(comments.map(({ body }) => body)).toEqual([expect.stringContaining('| ai | 4 | 80 % |')]);
  });

  test('the forge squashes the branch and forgets it; the merge job writes the notes, and a plain clone has them', async () => {
    const forgeClone = path.join(root, 'forge');
    run(root, 'git', 'clone', '-q', 'hub.git', 'forge');
    run(forgeClone, 'git', 'merge', '-q', '--squash', 'origin/feature');
    run(forgeClone, 'git', 'commit', '-q', '-m', 'a server (#1)');
    const before = run(forgeClone, 'git', 'rev-parse', 'origin/main');
    run(forgeClone, 'git', 'push', '-q', 'origin', 'main', ':feature');
    const after = run(forgeClone, 'git', 'rev-parse', 'HEAD');
    run(root, 'git', '-C', 'hub.git', 'gc', '-q', '--prune=now');
    const told = await job('merge-job', { AGENT_PR_BEFORE: before, AGENT_PR_AFTER: after });
    expect([told.status, told.stderr]).toEqual([0, expect.stringContaining('1 of 1 new commits re-anchored')]);
    run(root, 'git', 'clone', '-q', 'hub.git', 'plain');
    const plain = path.join(root, 'plain');
    run(plain, 'git', 'fetch', '-q', 'origin', 'refs/notes/*:refs/notes/*');
    expect(run(plain, 'git', 'notes', '--ref=agent/trace', 'show', after)).toContain('"claude-code"');
    const lines = JSON.parse(run(plain, 'git', 'agent-blame', '--json', 'server.ts')).lines;
    expect(lines.map((line: Record<string, unknown>) => [line.type, line.via, line.session])).toEqual(
      Array.from({ length: 3 }, () => ['ai', 'note', 's1']),
    );
  });

  test('the report of the whole repository adds up to what everybody did', () => {
    const report = JSON.parse(
      run(path.join(root, 'plain'), 'git', 'agent', 'report', '--standing', '--format', 'json'),
    );
    expect(report.counts).toEqual({ total: 6, ai: 4, mixed: 0, human: 2, unknown: 0 });
  });
});

function run(cwd: string, program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  return stdout.trimEnd();
}

/** Not in the way of a server of our own process. */
function start(cwd: string, env: Record<string, string>, program: string, ...args: string[]) {
  return new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = spawn(program, args, { cwd, env: { ...process.env, ...env } });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.on('close', (status) => resolve({ status, stdout, stderr }));
  });
}

/** As much of Gitea as the bot asks for. */
function giteaOf(comments: { id: number; body: string; user: { login: string } }[]): Parameters<typeof serve>[0] {
  const user = { login: 'bot' };
  return ({ method, path: at, headers, body }) => {
    if (headers.authorization !== 'token secret' && headers.authorization !== 'Bearer secret') return { status: 401 };
    if (at === '/api/v1/user') return { status: 200, body: user };
    if (at.includes('/statuses/')) return { status: 201, body: {} };
    if (at.endsWith('/issues/1/comments') && method === 'GET') return { status: 200, body: comments };
    if (at.endsWith('/issues/1/comments') && method === 'POST') {
      comments.push({ id: comments.length + 1, body: String(body.body), user });
      return { status: 201, body: comments.at(-1) };
    }
    const [, id] = /\/issues\/comments\/(\d+)$/.exec(at) ?? [];
    const found = comments.find((one) => String(one.id) === id);
    if (method !== 'PATCH' || !found) return { status: 404 };
    found.body = String(body.body);
    return { status: 200, body: found };
  };
}
