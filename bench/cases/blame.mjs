// git agent-blame of a large file with a long history, every commit with a note.

import { spawnSync } from 'node:child_process';
import { growFile, loadSource, noteOf, pairs, strangeIds, writeNotes } from '../history.mjs';
import { command, nodeStart, peakMemory, race } from '../measure.mjs';
import { makePlace, must, PROGRAM } from '../place.mjs';
import { number } from '../print.mjs';

const FILE = 'src/large.js';

const STEP = 5;

export async function blames({ sizes, small, rounds }) {
  const place = makePlace('blame');
  const source = await loadSource(place);
  const commits = small ? 200 : 2000;
  const added = growFile(place, { file: FILE, commits, step: STEP });
  place.init();
  const rows = [];
  for (const count of new Set(sizes.map((size) => Math.max(size, commits)))) {
    fillNotes(place, source, { added, count });
    rows.push(...(await blameAmong(place, { commits, count, rounds })));
  }
  await place.remove();
  return rows;
}

/** A note on each commit, and others on commits that are not there. */
function fillNotes(place, source, { added, count }) {
  const strange = [...strangeIds(count - added.length)].map((commit) => ({ ...added[0], commit }));
  const note = (one) => noteOf(source, { ...one, file: FILE });
  writeNotes(place, count, pairs([...added, ...strange], note));
  must(spawnSync(process.execPath, [PROGRAM, 'work', place.common], { cwd: place.dir, env: place.env }));
}

async function blameAmong(place, { commits, count, rounds }) {
  const ours = ['git', 'agent-blame', '--porcelain', FILE];
  const times = await race(rounds(5), {
    ours: command(place, ours),
    git: command(place, ['git', 'blame', '--porcelain', FILE]),
    node: nodeStart(place),
  });
  const series = `git agent-blame, ${number(commits * STEP)} lines, ${number(commits)} commits`;
  return [
    {
      what: `${series}, ${number(count)} notes`,
      ...{ series, size: count },
      ours: times.ours,
      budget: 1.25 * times.git.min + 1.5 * times.node.min,
      rule: '1.25 x git blame + 1.5 x node',
      beside: times,
      right: checkBlame(place, commits),
    },
    { what: '  its peak memory', ours: { min: peakMemory(place, ours) }, budget: 200, rule: '200 MB', unit: 'MB' },
  ];
}

/** Fast and wrong is not fast. */
function checkBlame(place, commits) {
  const { stdout } = spawnSync('git', ['agent-blame', '--json', FILE], {
    cwd: place.dir,
    env: place.env,
    maxBuffer: 1 << 30,
  });
  const { total, ai, human } = JSON.parse(stdout).summary;
  return total === STEP * commits && ai === 3 * commits && human === 2 * commits;
}
