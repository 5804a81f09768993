// How much the machine itself wavers: the two cheapest programs there are, timed again and again between the cases.
import { spawnSync } from 'node:child_process';
import { statistics } from './measure.mjs';

const PROGRAMS = { 'node -e 0': [process.execPath, '-e', '0'], 'git --version': ['git', '--version'] };

export function openNoise() {
  const times = Object.fromEntries(Object.keys(PROGRAMS).map((name) => [name, []]));
  return {
    sample(rounds) {
      for (let round = 0; round < rounds; round++)
        for (const [name, [program, ...args]] of Object.entries(PROGRAMS)) {
          const start = performance.now();
          spawnSync(program, args, { stdio: 'ignore' });
          times[name].push(performance.now() - start);
        }
    },
    figures: () => Object.fromEntries(Object.entries(times).map(([name, some]) => [name, statistics(some)])),
  };
}
