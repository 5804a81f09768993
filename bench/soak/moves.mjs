// What the hands of a clone do, by name.
import { spawnSync } from 'node:child_process';
import { judgeLines } from './lines.mjs';

function tries(run) {
  try {
    run();
    return true;
  } catch {
    return false;
  }
}

export const pull = ({ place }) => tries(() => place.git('pull', '-q', '--rebase', 'origin', 'main'));

export function push(clone) {
  if (!clone.clean()) clone.commit();
  for (let n = 0; n < 3; n++) {
    if (pull(clone) && tries(() => clone.place.git('push', '-q', 'origin', 'HEAD:main'))) return;
  }
}

export function sync({ place }) {
  spawnSync('git-agent', ['sync', 'origin'], { cwd: place.dir, env: place.env, stdio: 'ignore' });
}

/** Commits that others cannot have: only these are changed. */
const own = ({ place }) => Number(place.git('rev-list', '--count', 'HEAD', '--not', '--remotes=origin'));

/** Each gives nothing, or what it found wrong. */
const MOVES = {
  person: (clone) => clone.person(),
  agent: (clone) => clone.agent(),
  shell: (clone) => clone.shell(),
  commit: (clone) => clone.commit(),
  amend: (clone) => clone.commit(...(own(clone) > 0 ? ['--amend'] : [])),
  stash(clone) {
    if (clone.clean()) return;
    clone.place.git('stash', 'push', '-q', '-u');
    clone.place.git('stash', 'pop', '-q');
  },
  squash(clone) {
    if (!clone.clean()) clone.commit();
    const { place } = clone;
    const count = own(clone);
    if (count < 2 || place.git('rev-list', '--merges', `HEAD~${count - 1}..HEAD`) !== '') return;
    place.git('reset', '-q', '--soft', `HEAD~${count - 1}`);
    clone.commit('--amend');
  },
  push,
  sync,
  /** Also while the work goes on in the background: what was made here is told right at any time, what others made when their notes are here. */
  blame: (clone, chance) => judgeLines(clone, [chance.pick(clone.files)]).said,
};

/** Writing is what is done most. */
const OFTEN = ['person', 'person', 'agent', 'agent', 'agent', 'shell', 'commit'];
const DRAWN = [...Object.keys(MOVES), ...OFTEN];

/** Some move of some clone: its name, and what it found wrong. */
export function play(clones, chance) {
  const clone = chance.pick(clones);
  const move = chance.pick(DRAWN);
  return { move, said: MOVES[move](clone, chance) ?? [] };
}
