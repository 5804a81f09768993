import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { removeFolder } from '../../../test/support/remove.ts';
import { makeFolder } from '../../../test/support/repository.ts';
import type { Scene, Strike } from '../scene.ts';

const LONGEST_MS = 600;

/** The work is killed at some point; what it has not done, the next one does. */
export const killWork: Strike = async (scene) => {
  await scene.work({ killAfter: scene.pen.below(LONGEST_MS) });
  return {};
};

/** A hook is killed while it records: the edit may be known by the transcript alone. */
export const killHook: Strike = async (scene) => {
  const { shop, pen } = scene;
  const file = path.join(shop.dir, 'killed.txt');
  const before = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null;
  const text = `${before ?? ''}s9 ${pen.own('s9').text}\n`;
  fs.writeFileSync(file, text);
  scene.truth.set('killed.txt', [...(scene.truth.get('killed.txt') ?? []), 's9']);
  const id = `toolu_killed_${Math.floor(pen.random() * 1e9)}`;
  const input = { file_path: file, content: text };
  const response = { type: 'update', filePath: file, content: text, structuredPatch: [], originalFile: before };
  shop.tell('s9', id, 'Write', input);
  shop.tellResult('s9', id, response);
  const payload = {
    session_id: 's9',
    transcript_path: shop.transcript('s9'),
    cwd: shop.dir,
    hook_event_name: 'PostToolUse',
    tool_name: 'Write',
    tool_use_id: id,
    tool_input: input,
    tool_response: response,
  };
  const shim = scene.at('hooks', 'agent-hook');
  const child = spawn('sh', [fs.existsSync(shim) ? shim : userShim(scene), 'claude-code', 'event'], {
    cwd: shop.dir,
    env: scene.env(),
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  child.stdin?.on('error', () => {}); // killed before it has read
  child.stdin?.end(JSON.stringify(payload));
  const timer = setTimeout(() => killGroup(child.pid), pen.below(60));
  await new Promise((resolve) => child.once('exit', resolve));
  clearTimeout(timer);
  return {};
};

function userShim({ shop }: Scene): string {
  return path.join(shop.home, '.local', 'share', 'git-agent-blame', 'agent-hook');
}

/** What it has started goes with it. */
function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // it has ended by itself
  }
}

/** No file may grow beyond some blocks: writes stop in the middle, as on a full disk. */
export const fullDisk: Strike = async (scene) => {
  await scene.work({ before: `trap '' XFSZ; ulimit -f ${scene.pen.below(6)}` });
  return {};
};

/** Root may do everything: it has to be told not to. */
const AS_A_USER =
  process.getuid?.() === 0
    ? ['setpriv', '--bounding-set', '-dac_override,-dac_read_search', '--inh-caps', '-dac_override,-dac_read_search']
    : [];

/** What we write to is taken away, while the work runs and a commit is made. */
export const noPermission: Strike = async (scene) => {
  const { shop, pen } = scene;
  const file = scene.at(
    pen.pick(['', 'journal', 'payloads', 'timelines', 'texts', 'sessions', 'state.json', 'hooks.log']),
  );
  if (!fs.existsSync(file)) return {};
  const { mode } = fs.statSync(file);
  fs.chmodSync(file, fs.statSync(file).isDirectory() ? 0o500 : 0o400);
  const run = (...words: string[]) => {
    const [name = '', ...args] = [...AS_A_USER, ...words];
    return spawnSync(name, args, { cwd: shop.dir, env: scene.env(), encoding: 'utf8' });
  };
  try {
    const committed = run('git', 'commit', '-q', '--allow-empty', '-m', 'without permission');
    if (committed.status !== 0 || committed.stderr !== '') throw new Error(`git commit: ${committed.stderr}`);
    const { status, signal } = run(...scene.program, 'work', shop.common);
    if (status !== 0 && status !== 3) throw new Error(`work without permission ended with ${status ?? signal}`);
  } finally {
    fs.chmodSync(file, mode & 0o7777);
  }
  return {};
};

/** Hooks and works, ten at once. */
export const tenWriters: Strike = async (scene) => {
  const hooks = Array.from({ length: 7 }, (_, i) => {
    const payload = { session_id: `w${i}`, cwd: scene.shop.dir, hook_event_name: 'UserPromptSubmit', prompt: `${i}` };
    const child = spawn('sh', [userShim(scene), 'claude-code', 'event'], { cwd: scene.shop.dir, env: scene.env() });
    child.stdin.end(JSON.stringify(payload));
    return new Promise((resolve) => child.once('exit', resolve));
  });
  const codes = await Promise.all([...[1, 2, 3].map(() => scene.work()), ...hooks]);
  if (codes.some((code) => code !== 0)) throw new Error(`ten writers ended with ${codes.join(' ')}`);
  return {};
};

/** The line goes dead while notes are pushed; when it is back, they arrive. */
export const cutNetwork: Strike = async (scene) => {
  const { shop, pen } = scene;
  await shop.work();
  const remote = makeFolder('remote');
  const git = (...args: string[]) => shop.git(...args);
  try {
    spawnSync('git', ['init', '-q', '--bare', remote], { env: scene.env() });
    git('remote', 'add', 'origin', remote);
    const script = path.join(remote, 'cut');
    fs.writeFileSync(script, `#!/bin/sh\nhead -c ${pen.below(3000)} | git-receive-pack "$@"\n`, { mode: 0o755 });
    git('config', 'remote.origin.receivepack', script);
    await shop.agent('push', 'origin');
    git('config', '--unset', 'remote.origin.receivepack');
    const { status, stderr } = await shop.agent('push', 'origin');
    if (status !== 0) throw new Error(`push: ${stderr}`);
    const ours = git('rev-parse', 'refs/notes/agent/trace');
    const theirs = git('--git-dir', remote, 'rev-parse', 'refs/notes/agent/trace');
    if (ours !== theirs) throw new Error('the remote does not have our notes');
    git('remote', 'remove', 'origin');
  } finally {
    removeFolder(remote);
  }
  return {};
};
