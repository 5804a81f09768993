// How soon the note is there after a commit, and whether a reader in between is told the same.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openClaude } from '../claude.mjs';
import { settled, statistics, watchMemory } from '../measure.mjs';
import { makePlace, must } from '../place.mjs';

const ROUNDS = 5;

export async function delays() {
  const place = makePlace('delay');
  place.init();
  const claude = openClaude(place, { session: 'bench', version: '2.1.197', model: 'claude-opus-4-5-20251101' });
  const ref = path.join(place.common, 'refs', 'notes', 'agent', 'trace');
  const noted = () => (fs.existsSync(ref) ? fs.readFileSync(ref, 'utf8') : '');
  const times = [];
  let right = true;
  for (let round = 0; round < ROUNDS * 2; round++) {
    claude.write(`toolu_${round}`, 'a.txt', `agent ${round}\nagent too ${round}\n`);
    place.git('add', '-A');
    const before = noted();
    place.git('commit', '-q', '-m', `${round}`);
    const start = performance.now();
    // every other round a reader asks at once; the time counts where none disturbs
    if (round % 2) right = readsRight(place) && right;
    while (noted() === before && performance.now() - start < 15_000) await sleep(5);
    if (round % 2 === 0) times.push(performance.now() - start);
    await settled(place);
    right = readsRight(place) && right;
  }
  const memory = await workMemory(place, claude);
  await place.remove();
  return [
    {
      what: 'note there after a commit; a reader in between is right',
      ours: statistics(times),
      budget: 2000,
      rule: '2 s',
      right,
    },
    { what: '  peak memory of the work after it', ours: { min: memory }, budget: 200, rule: '200 MB', unit: 'MB' },
  ];
}

/** Of the process that the hook wakes. */
async function workMemory(place, claude) {
  const { env, peak } = watchMemory(place);
  claude.write('toolu_last', 'a.txt', 'agent at last\n');
  must(spawnSync('git', ['commit', '-q', '-a', '-m', 'last'], { cwd: place.dir, env }));
  await settled(place);
  return peak();
}

function readsRight(place) {
  const { stdout } = spawnSync('git', ['agent-blame', '--json', 'a.txt'], { cwd: place.dir, env: place.env });
  return JSON.parse(stdout).lines.every(({ type, evidence }) => type === 'ai' && evidence === 'observed');
}
