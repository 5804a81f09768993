import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { killGroup, type Scene, type Strike } from '../scene.ts';

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
  const timer = setTimeout(() => killGroup(child.pid), pen.below(pen.pick([60, 400])));
  await new Promise((resolve) => child.once('exit', resolve));
  clearTimeout(timer);
  return {};
};

function userShim({ shop }: Scene): string {
  return path.join(shop.home, '.local', 'share', 'git-agent-blame', 'agent-hook');
}

const WRITERS = [['work'], ['join'], ['join', 'HEAD'], ['reanchor'], ['share', '--all'], ['gc']];

/** Hooks and writing verbs, ten at once. */
export const tenWriters: Strike = async (scene) => {
  const hooks = Array.from({ length: 7 }, (_, i) => {
    const payload = { session_id: `w${i}`, cwd: scene.shop.dir, hook_event_name: 'UserPromptSubmit', prompt: `${i}` };
    const child = spawn('sh', [userShim(scene), 'claude-code', 'event'], { cwd: scene.shop.dir, env: scene.env() });
    child.stdin.end(JSON.stringify(payload));
    return new Promise((resolve) => child.once('exit', resolve));
  });
  const verbs = [['work'], ...[1, 2].map(() => scene.pen.pick(WRITERS))].map((words) => scene.run(words));
  const codes = await Promise.all([...verbs, ...hooks]);
  if (codes.some((code) => code !== 0)) throw new Error(`ten writers ended with ${codes.join(' ')}`);
  return {};
};
