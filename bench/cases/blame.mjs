// git agent-blame of a large file with a long history, every commit with a note.

import { spawnSync } from 'node:child_process';
import { growFile, loadSource, noteOf, pairs, strangeIds, writeNotes } from '../history.mjs';
import { command, nodeStart, peakMemory, race } from '../measure.mjs';
import { makePlace, must, PROGRAM } from '../place.mjs';

const FILE = 'src/large.js';

export async function blames({ full }) {
  const place = makePlace('blame');
  const source = await loadSource(place);
  const added = growFile(place, { file: FILE, commits: 2000, step: 5 });
  const count = full ? 100_000 : added.length;
  const strange = [...strangeIds(count - added.length)].map((commit) => ({ ...added[0], commit }));
  writeNotes(
    place,
    count,
    pairs([...added, ...strange], (one) => noteOf(source, { ...one, file: FILE })),
  );
  place.init();
  must(spawnSync(process.execPath, [PROGRAM, 'work', place.common], { cwd: place.dir, env: place.env }));
  const ours = ['git', 'agent-blame', '--porcelain', FILE];
  const times = await race(5, {
    ours: command(place, ours),
    git: command(place, ['git', 'blame', '--porcelain', FILE]),
    node: nodeStart(place),
  });
  const right = checkBlame(place);
  const memory = peakMemory(place, ours);
  await place.remove();
  const what = `git agent-blame, 10,000 lines, 2,000 commits, ${count.toLocaleString('en')} notes`;
  return [
    {
      what,
      ours: times.ours,
      budget: 1.25 * times.git.min + 1.5 * times.node.min,
      rule: '1.25 x git blame + 1.5 x node',
      beside: times,
      right,
    },
    { what: '  its peak memory', ours: { min: memory }, budget: 200, rule: '200 MB', unit: 'MB' },
  ];
}

/** Fast and wrong is not fast. */
function checkBlame(place) {
  const { stdout } = spawnSync('git', ['agent-blame', '--json', FILE], {
    cwd: place.dir,
    env: place.env,
    maxBuffer: 1 << 30,
  });
  const { total, ai, human } = JSON.parse(stdout).summary;
  return total === 10_000 && ai === 6000 && human === 4000;
}
