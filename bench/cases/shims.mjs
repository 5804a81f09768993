// What the hooks in sh take under each shell that a machine may have as sh: the shims themselves, with nothing to wake.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { openClaude } from '../claude.mjs';
import { command, nodeStart, race } from '../measure.mjs';
import { makePlace, must, PROGRAM } from '../place.mjs';
import { hookCommand } from './hooks.mjs';

/** Shells beside those on PATH, with colons between them, as for the matrix. */
const MORE = (process.env.MATRIX_SHELLS ?? '').split(':').filter(Boolean);

export async function shims({ rounds }) {
  // hooks that note facts, and the one that asks whether there are any
  const [place, quiet] = [openPlace(), openPlace()];
  must(spawnSync(process.execPath, [PROGRAM, 'work', quiet.common], { cwd: quiet.dir, env: quiet.env }));
  const shells = findShells(place);
  const calls = Object.entries(callsOf(place, quiet));
  const contestants = { node: nodeStart(place) };
  for (const { name, env } of shells)
    for (const [hook, { args, input, dir = place.dir }] of calls)
      contestants[`${name} ${hook}`] = command({ dir, env }, ['sh', ...args], { input });
  const times = await race(rounds(20), contestants);
  await Promise.all([place.remove(), quiet.remove()]);
  return shells.flatMap(({ name }) =>
    calls.map(([hook, { share }]) => ({
      what: `${hook} under ${name}`,
      ours: times[`${name} ${hook}`],
      ...(share ? { budget: share * times.node.min, rule: `${share} x node` } : { rule: 'stated' }),
      beside: { node: times.node },
    })),
  );
}

function openPlace() {
  const place = makePlace('shims');
  place.write('a.txt', 'a\n');
  place.git('add', '-A');
  place.git('commit', '-q', '-m', 'a');
  place.init();
  fs.writeFileSync(path.join(place.common, 'agent', 'hooks', 'wake'), '#!/bin/sh\n');
  return place;
}

/** Each shell goes by the name of sh in a folder at the head of PATH: busybox knows by that what to be. */
function findShells({ root, env }) {
  return ['dash', 'bash', 'busybox', ...MORE].flatMap((wanted) => {
    const { stdout } = spawnSync('sh', ['-c', 'command -v "$1"', 'sh', wanted], { encoding: 'utf8' });
    const file = stdout.trim();
    if (!file) return [];
    const name = path.basename(file);
    const bin = path.join(root, `bin-${name}`);
    fs.mkdirSync(bin);
    fs.symlinkSync(file, path.join(bin, 'sh'));
    return [{ name, env: { ...env, PATH: `${bin}${path.delimiter}${env.PATH}` } }];
  });
}

/** As git and the agents call them; a share of `node -e 0` where DESIGN has one. */
function callsOf(place, quiet) {
  const hook = (name, ...args) => [path.join(place.common, 'agent', 'hooks', name), ...args];
  const head = place.git('rev-parse', 'HEAD');
  const payload = openClaude(place, { session: 'bench', version: '2.1.197', model: 'm' }).payload({
    hook_event_name: 'PostToolUse',
    tool_name: 'Write',
    tool_input: { file_path: path.join(place.dir, 'a.txt'), content: 'a\n' },
  });
  const push = `refs/heads/main ${head} refs/heads/main ${'0'.repeat(40)}\n`;
  return {
    'post-commit': { args: hook('post-commit'), share: 0.25 },
    'post-merge': { args: hook('post-merge', '0'), share: 0.25 },
    'post-applypatch': { args: hook('post-applypatch'), share: 0.25 },
    'post-rewrite': { args: hook('post-rewrite', 'amend'), input: `${head} ${head}\n` },
    'pre-push, no new notes': {
      args: [path.join(quiet.common, 'agent', 'hooks', 'pre-push'), 'origin', 'x'],
      input: push,
      dir: quiet.dir,
    },
    'agent-hook': {
      args: ['-c', hookCommand(place, 'PostToolUse', 'Write')],
      input: JSON.stringify(payload),
      share: 1,
    },
  };
}
