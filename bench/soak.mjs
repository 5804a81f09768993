// Two scripted agents and a person work, rebase, stash and push in three clones, for as long as one likes; then every line is asked about.
// node bench/soak.mjs [--minutes N] [--seed N]. Needs npm run build.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openClaude } from './claude.mjs';
import { makePlace } from './place.mjs';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } },
});
const end = Date.now() + Number(values.minutes) * 60_000;
const random = randomFrom(Number(values.seed));
const below = (n) => Math.floor(random() * n);

/** Mulberry32. */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

let lines = 0;

/** A clone with the hands that work in it. What is written says by whom it is. */
function openClone(name, bare) {
  const place = makePlace(`soak-${name}`);
  place.git('remote', 'add', 'origin', bare);
  place.init();
  const agents = ['one', 'two'].map((agent) => {
    const session = `${name}-${agent}`;
    const model = 'claude-opus-4-5-20251101';
    return { session, claude: openClaude(place, { session, version: '2.1.197', model }) };
  });
  const file = () => `${name}-${below(4)}.txt`;
  const read = (one) => (fs.existsSync(path.join(place.dir, one)) ? place.read(one) : '');
  /** A line of this hand somewhere in a text. */
  const added = (text, hand) => {
    const all = text.split('\n').slice(0, -1);
    all.splice(below(all.length + 1), 0, `${hand} wrote line ${++lines} ${random().toString(36).slice(2)}`);
    return `${all.join('\n')}\n`;
  };
  return {
    name,
    place,
    person() {
      const one = file();
      place.write(one, added(read(one), 'person'));
    },
    agent() {
      const { session, claude } = agents[below(agents.length)];
      const one = file();
      claude.write(`toolu_${name}_${lines}`, one, added(read(one), session));
    },
    commit(...more) {
      place.git('add', '-A');
      place.git('commit', '-q', '--allow-empty', '-m', `by ${name} ${lines}`, ...more);
    },
    clean: () => place.git('status', '--porcelain') === '',
  };
}

function tries(run) {
  try {
    run();
    return true;
  } catch {
    return false;
  }
}

const pull = ({ place }) => tries(() => place.git('pull', '-q', '--rebase', 'origin', 'main'));

const MOVES = {
  person: (clone) => clone.person(),
  agent: (clone) => clone.agent(),
  'agent again': (clone) => clone.agent(),
  commit: (clone) => clone.commit(),
  amend(clone) {
    // what others may have is not changed
    const { place } = clone;
    if (place.git('log', '-1', '--format=%H', '@', '--not', '--remotes=origin') === '') clone.commit();
    else clone.commit('--amend');
  },
  stash(clone) {
    if (clone.clean()) return;
    clone.place.git('stash', 'push', '-q', '-u');
    clone.place.git('stash', 'pop', '-q');
  },
  squash(clone) {
    if (!clone.clean()) clone.commit();
    const { place } = clone;
    const own = Number(place.git('rev-list', '--count', 'HEAD', '--not', '--remotes=origin'));
    if (own < 2 || place.git('rev-list', '--merges', `HEAD~${own - 1}..HEAD`) !== '') return;
    place.git('reset', '-q', '--soft', `HEAD~${own - 1}`);
    clone.commit('--amend');
  },
  push(clone) {
    if (!clone.clean()) clone.commit();
    for (let n = 0; n < 3; n++) {
      if (pull(clone) && tries(() => clone.place.git('push', '-q', 'origin', 'HEAD:main'))) return;
    }
  },
};

function judge({ place, name }) {
  const score = { right: 0, unknown: 0, wrong: 0 };
  for (const file of place.git('ls-files').split('\n').filter(Boolean)) {
    const { stdout } = spawnSync('git-agent-blame', ['--json', '--', file], {
      cwd: place.dir,
      env: place.env,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    for (const { text, type, session, reason, line } of JSON.parse(stdout).lines) {
      const [hand] = text.split(' ');
      const told = type === 'human' ? 'person' : type === 'ai' ? session : type;
      if (told === hand) score.right++;
      else if (type === 'unknown') score.unknown++;
      else score.wrong++;
      if (told !== hand) console.log(`    ${name} ${file}:${line} is by ${hand}, told: ${told} (${reason ?? ''})`);
    }
  }
  return score;
}

/** Processes that have anything to do with our folders. */
function running(clones) {
  return fs.readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      const words = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      return clones.some(({ place }) => words.includes(place.root));
    } catch {
      return false; // it has just ended
    }
  });
}

/** What a process leaves only while it is at work. */
function leftovers({ place }) {
  const names = fs.readdirSync(path.join(place.common, 'agent'), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => /(^|\/)lock|^payloads\/.|\.draft$|(^|\/)\.[^/]+\.\d+\.\d+$/.test(name));
}

const handles = () => fs.readdirSync('/proc/self/fd').length;
const kilobytes = (folder) => Number(execFileSync('du', ['-sk', folder], { encoding: 'utf8' }).split('\t')[0]);

const hub = makePlace('soak-hub');
const bare = path.join(hub.root, 'bare.git');
hub.git('init', '-q', '--bare', bare);
const clones = ['north', 'south', 'west'].map((name) => openClone(name, bare));
const [first] = clones;
first.person();
first.commit();
first.place.git('push', '-q', 'origin', 'HEAD:main');
for (const clone of clones.slice(1)) clone.place.git('pull', '-q', 'origin', 'main');
const opened = handles();
const counts = {};
while (Date.now() < end) {
  const clone = clones[below(clones.length)];
  const names = Object.keys(MOVES);
  const move = names[below(names.length)];
  MOVES[move](clone);
  counts[move] = (counts[move] ?? 0) + 1;
}
for (let round = 0; round < 2; round++) {
  for (const clone of clones) {
    MOVES.push(clone);
    spawnSync('git-agent', ['sync', 'origin'], { cwd: clone.place.dir, env: clone.place.env });
  }
}
for (const clone of clones) {
  pull(clone);
  spawnSync('git-agent', ['sync', 'origin'], { cwd: clone.place.dir, env: clone.place.env });
}
for (let n = 0; n < 120 && running(clones).length > 0; n++) await sleep(500);
const bad = [];
for (const clone of clones) {
  const score = judge(clone);
  const left = leftovers(clone);
  const size = kilobytes(path.join(clone.place.common, 'agent'));
  console.log(
    `${clone.name.padEnd(8)}${JSON.stringify(score)}, agent/ ${size} KB, left behind: ${left.join(' ') || 'nothing'}`,
  );
  if (score.wrong > 0 || score.unknown > 0) bad.push('lines');
  if (left.length > 0) bad.push('files');
}
const still = running(clones);
const commits = first.place.git('rev-list', '--count', 'HEAD');
console.log(`${commits} commits, ${lines} lines written; moves ${JSON.stringify(counts)}`);
console.log(`processes left: ${still.length}; handles: ${opened} at the start, ${handles()} at the end`);
if (still.length > 0) bad.push('processes');
if (handles() > opened + 2) bad.push('handles');
for (const place of [...clones.map((clone) => clone.place), hub]) await place.remove();
if (bad.length > 0) process.exitCode = 1;
