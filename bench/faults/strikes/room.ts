import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Scene, Strike, Struck } from '../scene.ts';

/** There is no room left: writes stop in the middle. Either no file may grow beyond some blocks, git's too, or ours find no room from some step on. */
export const fullDisk: Strike = async (scene) => {
  const { pen } = scene;
  const words = pen.pick([['work', scene.shop.common], ['join', 'HEAD'], ['reanchor'], ['share', '--all'], ['gc']]);
  if (pen.below(3) === 0) await scene.run(words, { before: `trap '' XFSZ; ulimit -f ${pen.below(6)}` });
  else await scene.run(words, { fall: { at: pen.below(pen.pick([6, 20, 60])), how: 'full' } });
  return {};
};

/** The work is done, and then the power goes. */
export const powerCut: Strike = async (scene) => {
  await scene.work({ fall: { at: 0, how: 'power' } });
  return {};
};

/** Hooks of a full disk: the agent and git are told nothing and go on. */
export const fullDiskForHooks: Strike = (scene) => {
  const { shop, pen } = scene;
  const payload = JSON.stringify({
    session_id: 's8',
    cwd: shop.dir,
    hook_event_name: 'UserPromptSubmit',
    prompt: 'x'.repeat(pen.below(3000)),
  });
  const limit = `trap '' XFSZ; ulimit -f ${pen.below(3)}`;
  const shim = path.join(shop.home, '.local', 'share', 'git-agent-blame', 'agent-hook');
  const told = sh(scene, `${limit}; exec sh "$1" claude-code event`, { args: [shim], input: payload });
  if (told !== '0') throw new Error(`the hook of a full disk ended with ${told}`);
  const hook = scene.at('hooks', 'post-commit');
  if (fs.existsSync(hook) && sh(scene, `${limit}; exec sh "$1"`, { args: [hook] }) !== '0')
    throw new Error('post-commit of a full disk did not end well');
  return {};
};

/** The exit code and all that was said. */
function sh(scene: Scene, script: string, { args = [], input = '' }: { args?: string[]; input?: string }): string {
  const options = { cwd: scene.shop.dir, env: scene.env(), input, encoding: 'utf8' as const };
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script, 'sh', ...args], options);
  return `${status}${stdout}${stderr}`;
}

/** Root may do everything: it has to be told not to. */
const AS_A_USER =
  process.getuid?.() === 0
    ? ['setpriv', '--bounding-set', '-dac_override,-dac_read_search', '--inh-caps', '-dac_override,-dac_read_search']
    : [];

const OWN = [
  '',
  'journal',
  'payloads',
  'timelines',
  'texts',
  'texts/pack',
  'texts/index',
  'sessions',
  'state.json',
  'hooks.log',
  'cache',
];

/** What we write to is taken away, while the work runs and a commit is made. */
export const noPermission: Strike = (scene) => withoutRight(scene, scene.at(scene.pen.pick(OWN)), 0o500);

/** The same, and nothing there may be read either. */
export const notReadable: Strike = (scene) => withoutRight(scene, scene.at(scene.pen.pick(OWN)), 0);

/** What git writes to: then git itself cannot commit, and nobody asks it to. */
export const noPermissionInGit: Strike = (scene) => {
  const folder = scene.pen.pick(['', 'refs/notes', 'refs/notes/agent', 'objects', 'logs/refs/notes']);
  return withoutRight(scene, path.join(scene.shop.common, folder), 0o500);
};

function withoutRight(scene: Scene, file: string, right: number): Struck {
  const { shop } = scene;
  if (!fs.existsSync(file)) return {};
  const { mode } = fs.statSync(file);
  fs.chmodSync(file, fs.statSync(file).isDirectory() ? right : right & 0o400);
  const run = (...words: string[]) => {
    const [name = '', ...args] = [...AS_A_USER, ...words];
    return spawnSync(name, args, { cwd: shop.dir, env: scene.env(), encoding: 'utf8' });
  };
  try {
    if (file.startsWith(scene.at())) {
      const committed = run('git', 'commit', '-q', '--allow-empty', '-m', 'without permission');
      if (committed.status !== 0 || committed.stderr !== '') throw new Error(`git commit: ${committed.stderr}`);
    }
    const { status, signal } = run(...scene.program, 'work', shop.common);
    if (status !== 0 && status !== 3) throw new Error(`work without permission ended with ${status ?? signal}`);
    const { stdout, stderr } = run(...scene.program, 'doctor', '--json');
    if (stdout === '') throw new Error(`doctor without permission: ${stderr}`);
    const { checks } = JSON.parse(stdout) as { checks: { name: string; level: string }[] };
    // what is renamed into place has its rights back
    const still = (fs.statSync(file).mode & 0o700) !== (mode & 0o700);
    if (still && !checks.some(({ level }) => level !== 'ok'))
      throw new Error(`doctor finds nothing wrong with ${file}`);
  } finally {
    fs.chmodSync(file, mode & 0o7777);
  }
  return {};
}
