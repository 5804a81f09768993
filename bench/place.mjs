// A throw-away home and repository, with the built programs on PATH and nothing of the user's own settings.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export const ROOT = path.join(import.meta.dirname, '..');
const PROGRAMS = process.env.BENCH_PROGRAMS ?? path.join(ROOT, 'dist');
export const PROGRAM = path.join(PROGRAMS, 'git-agent.js');
export const BLAME = path.join(PROGRAMS, 'git-agent-blame.js');

/** Remembered so that they go even when the run is cut off. */
const roots = new Set();

export function makePlace(name) {
  if (!fs.existsSync(PROGRAM)) throw new Error(`${PROGRAM} is not there: run npm run build first.`);
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), `agent-${name}-`)));
  roots.add(root);
  const [dir, home, bin] = ['work', 'home', 'bin'].map((one) => path.join(root, one));
  for (const one of [dir, home, bin]) fs.mkdirSync(one);
  for (const [link, to] of [
    ['git-agent', PROGRAM],
    ['git-agent-blame', BLAME],
  ])
    fs.symlinkSync(to, path.join(bin, link));
  fs.writeFileSync(
    path.join(home, '.gitconfig'),
    '[user]\n\tname = Ada\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n',
  );
  const env = { ...cleanEnvironment(), HOME: home, PATH: `${bin}${path.delimiter}${process.env.PATH}` };
  const git = (...args) => execFileSync('git', args, { cwd: dir, env, encoding: 'utf8', maxBuffer: 1 << 30 }).trimEnd();
  git('init', '-q');
  return {
    root,
    dir,
    home,
    env,
    common: path.join(dir, '.git'),
    git,
    feed: (args, input) => execFileSync('git', args, { cwd: dir, env, input, maxBuffer: 1 << 30 }),
    write(file, text) {
      fs.mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
      fs.writeFileSync(path.join(dir, file), text);
    },
    read: (file) => fs.readFileSync(path.join(dir, file), 'utf8'),
    init: () => must(spawnSync(process.execPath, [PROGRAM, 'init', '--agents', 'claude-code'], { cwd: dir, env })),
    remove: () => removeRoot(root),
  };
}

// Node 20 reads these at each start, which would make its own time, by which ours is measured, three times as long
delete process.env.NODE_EXTRA_CA_CERTS;

function cleanEnvironment() {
  // we may ourselves run inside a git hook or an agent
  const entries = Object.entries(process.env).filter(
    ([name]) => !/^(GIT_|CLAUDE|AI_AGENT|CODEX_|XDG_|AGENT_)/.test(name),
  );
  return { ...Object.fromEntries(entries), GIT_CONFIG_NOSYSTEM: '1', GIT_PAGER: 'cat', TZ: 'UTC' };
}

export function must({ status, stdout, stderr, error }) {
  if (error) throw error;
  if (status !== 0) throw new Error(`exit ${status}: ${stderr ?? ''}${stdout ?? ''}`);
}

/** Work in the background may still write there: try until it stays away. */
async function removeRoot(root) {
  for (let tries = 0; tries < 50; tries++) {
    fs.rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    await sleep(tries === 0 ? 400 : 100);
    if (!fs.existsSync(root)) break;
  }
  roots.delete(root);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
process.once('exit', () => {
  for (const root of roots) fs.rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});
