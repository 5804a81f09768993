// Times things side by side: every round runs each contestant once, so that what disturbs one disturbs all.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { must } from './place.mjs';

/** Contestants by name; each may have a `prepare` whose time does not count. Gives statistics in milliseconds for each. */
export async function race(rounds, contestants) {
  const names = Object.keys(contestants);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  // round 0 warms caches and is not counted; odd rounds go backwards, so that none is always the first
  for (let round = 0; round <= rounds; round++) {
    for (const name of round % 2 ? names.toReversed() : names) {
      const { prepare, run } = contestants[name];
      await prepare?.(round);
      const start = process.hrtime.bigint();
      await run(round);
      const took = Number(process.hrtime.bigint() - start) / 1e6;
      if (round > 0) times[name].push(took);
    }
  }
  return Object.fromEntries(names.map((name) => [name, statistics(times[name])]));
}

/** The spread is the distance between the quartiles: half of all rounds lie within it. */
export function statistics(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => {
    const place = share * (sorted.length - 1);
    const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
    return low + (high - low) * (place % 1);
  };
  return { min: at(0), median: at(0.5), max: at(1), spread: at(0.75) - at(0.25), rounds: sorted.length };
}

/** What one takes longer than the other; both waver. */
export function difference(longer, shorter) {
  const less = (kind) => Math.max(0, longer[kind] - shorter[kind]);
  return { min: less('min'), median: less('median'), spread: longer.spread + shorter.spread, rounds: longer.rounds };
}

/** A process as a contestant; its output goes nowhere. */
export function command(place, [program, ...args], { input, prepare } = {}) {
  const options = {
    cwd: place.dir,
    env: place.env,
    input,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'ignore', 'pipe'],
  };
  return { prepare, run: () => must(spawnSync(program, args, { ...options, maxBuffer: 1 << 30 })) };
}

/** The measure of all things. */
export const nodeStart = (place) => command(place, [process.execPath, '-e', '0']);

/** Peak memory in MB of the largest of our processes that `command` starts: each Node process tells its own at its end. */
export function peakMemory(place, [program, ...args], { input } = {}) {
  const { env, peak } = watchMemory(place);
  must(spawnSync(program, args, { cwd: place.dir, env, input, stdio: ['pipe', 'ignore', 'pipe'], maxBuffer: 1 << 30 }));
  return peak();
}

/** The same for processes that outlive what started them: `env` is for the one that does. */
export function watchMemory(place) {
  const folder = fs.mkdtempSync(path.join(place.root, 'peak-'));
  const told = path.join(folder, 'told');
  const script = path.join(folder, 'tell.cjs');
  fs.writeFileSync(
    script,
    `process.on('exit',()=>require('fs').appendFileSync(${JSON.stringify(told)},process.resourceUsage().maxRSS+'\\n'))`,
  );
  const peak = () => Math.max(...fs.readFileSync(told, 'utf8').trim().split('\n').map(Number)) / 1024;
  return { env: { ...place.env, NODE_OPTIONS: `--require=${script}` }, peak };
}

/** Until the background work has nothing left to do. */
export async function settled({ common }) {
  const agent = path.join(common, 'agent');
  const size = (file) => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  for (let tries = 0; tries < 300; tries++) {
    await sleep(50);
    if (fs.existsSync(path.join(agent, 'lock'))) continue;
    const state = path.join(agent, 'state.json');
    if (
      fs.existsSync(state) &&
      JSON.parse(fs.readFileSync(state, 'utf8')).journal === size(path.join(agent, 'journal'))
    )
      return;
  }
  throw new Error('the background work did not come to rest');
}

export function machine() {
  const git = spawnSync('git', ['--version'], { encoding: 'utf8' }).stdout.trim().replace(' version', '');
  return `${os.cpus().length} x ${os.cpus()[0]?.model.trim()}, node ${process.version}, ${git}`;
}
