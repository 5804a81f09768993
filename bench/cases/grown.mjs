// A history that has grown long, every commit with a note: what a day's work costs there.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { growHistory, loadSource, noteOf, pairs, writeNotes } from '../history.mjs';
import { command, nodeStart, peakMemory, race } from '../measure.mjs';
import { makePlace, must, PROGRAM } from '../place.mjs';
import { number } from '../print.mjs';

/** The file that is looked at is changed by so many of the commits, whatever their number. */
const CHANGES = 200;
const STEP = 5;
const FILE = 'src/watched.js';

export async function grown({ sizes, rounds }) {
  const rows = [];
  for (const size of sizes) {
    const place = makePlace(`grown-${size}`);
    await fill(place, size);
    const times = await race(rounds(5), contestantsOf(place));
    const memory = peakMemory(place, ['git', 'agent-blame', '--porcelain', FILE]);
    rows.push(...rowsOf(size, { times, memory, right: checkBlame(place) }));
    await place.remove();
  }
  return rows;
}

async function fill(place, size) {
  const source = await loadSource(place);
  const added = growHistory(place, { commits: size, file: FILE, changes: CHANGES, step: STEP });
  const note = (one) => noteOf(source, one);
  writeNotes(place, size, pairs(added, note));
  place.init();
  fs.writeFileSync(path.join(place.common, 'agent', 'hooks', 'wake'), '#!/bin/sh\n');
  must(spawnSync(process.execPath, [PROGRAM, 'work', place.common], { cwd: place.dir, env: place.env }));
}

function contestantsOf(place) {
  const ours = (...args) => command(place, [process.execPath, PROGRAM, ...args]);
  const git = (...args) => command(place, ['git', ...args]);
  const commit = (round) => {
    place.write('src/other.js', `${round}\n`);
    place.git('add', '-A');
    place.git('commit', '-q', '-m', `${round}`);
  };
  return {
    node: nodeStart(place),
    blame: git('agent-blame', '--porcelain', FILE),
    'git blame': git('blame', '--porcelain', FILE),
    log: ours('log', '-n', '20'),
    'git log': git('log', '-n', '20', '--numstat'),
    status: ours('status'),
    'git status': git('status'),
    check: ours('check', 'HEAD^!'),
    'git show': git('show', '--numstat', 'HEAD'),
    work: command(place, [process.execPath, PROGRAM, 'work', place.common], { prepare: commit }),
  };
}

function rowsOf(size, { times, memory, right }) {
  const among = `${number(size)} commits`;
  const row = (series, name, against) => ({
    what: `${series}, ${among}`,
    ...{ series, size, against },
    ours: times[name],
    rule: 'stated',
    beside: { [against]: times[against], node: times.node },
  });
  const blame = row(`git agent-blame, ${number(CHANGES * STEP)} lines`, 'blame', 'git blame');
  return [
    {
      ...blame,
      budget: 1.25 * times['git blame'].min + 1.5 * times.node.min,
      rule: '1.25 x git blame + 1.5 x node',
      right,
    },
    { what: '  its peak memory', ours: { min: memory }, budget: 200, rule: '200 MB', unit: 'MB' },
    row('git agent log -n 20', 'log', 'git log'),
    row('git agent status', 'status', 'git status'),
    row('git agent check of one commit', 'check', 'git show'),
    row('the work after one commit', 'work', 'node'),
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
  return total === STEP * CHANGES && ai === 3 * CHANGES && human === 2 * CHANGES;
}
