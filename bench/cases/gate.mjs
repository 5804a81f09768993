// git agent check of what a push brings, and git agent report of a whole tree.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { growTree, loadSource, noteOfFiles, writeNotes } from '../history.mjs';
import { command, nodeStart, peakMemory, race } from '../measure.mjs';
import { makePlace, must } from '../place.mjs';

export async function gates() {
  const place = makePlace('gate');
  const added = growTree(place, { files: 400, commits: 1000, each: 4, step: 6 });
  writeRecords(place, await loadSource(place), added);
  place.write(
    '.agent-policy.json',
    '{"requireAttribution":"block","maxUnknownShare":0.2,"allowModels":["anthropic/*"]}\n',
  );
  // where somebody pushes from, what was told of commits is remembered; the work after commits tells ahead
  place.init();
  const work = () => must(spawnSync('git', ['agent', 'work'], { cwd: place.dir, env: place.env }));
  const forget = () => fs.rmSync(path.join(place.common, 'agent', 'cache'), { recursive: true, force: true });
  const workAnew = () => {
    forget();
    work();
  };
  const ours = ['git', 'agent', 'check', '--format', 'json'];
  const times = await race(7, {
    ours: command(place, ours),
    first: command(place, ours, { prepare: workAnew }),
    cold: command(place, ours, { prepare: forget }),
    git: command(place, ['git', 'log', '--numstat', 'HEAD']),
    node: nodeStart(place),
  });
  const again = ask(place, ours);
  forget();
  const memory = peakMemory(place, ours);
  forget();
  const isRight = ({ counts, blocked }) =>
    !blocked && counts.commits === 1000 && counts.lines.total === 24_000 && counts.lines.unknown === 0;
  const right = isRight(again) && JSON.stringify(again) === JSON.stringify(ask(place, ours));
  await place.remove();
  const within = { budget: 2 * times.git.min + 2 * times.node.min, rule: '2 x git log --numstat + 2 x node' };
  return [
    {
      what: 'git agent check, a push of 1,000 commits, the first time',
      ours: times.first,
      ...within,
      beside: times,
      right,
    },
    { what: '  once more', ours: times.ours, ...within },
    { what: '  in another clone: nothing is remembered of them', ours: times.cold },
    { what: '  its peak memory', ours: { min: memory }, budget: 200, rule: '200 MB', unit: 'MB' },
  ];
}

export async function trees() {
  const place = makePlace('tree');
  const added = growTree(place, { files: 5000, commits: 1500, each: 20, step: 5 });
  writeRecords(place, await loadSource(place), added);
  const ours = ['git', 'agent', 'report', '--standing', '--format', 'json'];
  const each = `git ls-files -z | xargs -0 -n1 -P${os.availableParallelism()} git blame --porcelain HEAD -- >/dev/null`;
  const times = await race(1, { ours: command(place, ours), git: command(place, ['sh', '-c', each]) });
  const { counts, scope } = ask(place, ours);
  const memory = peakMemory(place, ours);
  await place.remove();
  return [
    {
      what: 'git agent report --standing, 5,000 files',
      ours: times.ours,
      budget: 1.3 * times.git.min,
      rule: '1.3 x git blame of all of them on all cores',
      beside: times,
      right: scope.files === 5000 && counts.total === 150_000 && counts.ai === 90_000,
    },
    { what: '  its peak memory', ours: { min: memory }, budget: 200, rule: '200 MB', unit: 'MB' },
  ];
}

/** A note for each commit, about all its files. */
function writeRecords(place, source, added) {
  const byCommit = groupBy(added);
  writeNotes(
    place,
    byCommit.size,
    [...byCommit].map(([commit, parts]) => [commit, noteOfFiles(source, { commit, time: parts[0].time, parts })]),
  );
}

function groupBy(added) {
  const groups = new Map();
  for (const one of added) groups.set(one.commit, [...(groups.get(one.commit) ?? []), one]);
  return groups;
}

function ask(place, [name, ...args]) {
  const { stdout } = spawnSync(name, args, { cwd: place.dir, env: place.env, maxBuffer: 1 << 30 });
  return JSON.parse(stdout);
}
