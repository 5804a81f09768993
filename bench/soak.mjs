// Two agents and a person work, look, rebase, stash and push in each of three clones, for as long as one likes. At marks all rest: what our processes
// took at most is written down, and what they left. In the end every line is asked about. docs/bench.md says what is judged.
// node bench/soak.mjs [--minutes N] [--seed N] [--marks N] [--out FILE]. Needs npm run build.
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { machine } from './measure.mjs';
import { makePlace } from './place.mjs';
import { openChance } from './soak/chance.mjs';
import { openClone } from './soak/clone.mjs';
import { filesOf, judgeLines } from './soak/lines.mjs';
import { play, pull, push, sync } from './soak/moves.mjs';
import { lookAtStore } from './soak/store.mjs';
import { judgeMarks, printHead, printMark } from './soak/table.mjs';
import { processesOf, startWatch } from './soak/watch.mjs';

const text = { type: 'string' };
const { values } = parseArgs({ options: { minutes: text, seed: text, marks: text, out: text } });
const [minutes, seed] = [values.minutes ?? 60, values.seed ?? 1].map(Number);
/** A rest takes some seconds. */
const times = Number(values.marks ?? Math.min(12, 4 + Math.ceil(minutes)));
const chance = openChance(seed);
const hub = makePlace('soak-hub');
const clones = openClones();
const roots = clones.map(({ place }) => place.root);
const watch = startWatch(roots);
/** What was wrong, in words. */
const said = [];
const counts = {};
const marks = [];

console.log(`${machine()}; seed ${seed}, ${minutes} minutes\n\n${printHead()}`);
const began = Date.now();
for (let n = 1; n <= times; n++) {
  playUntil(began + (minutes * 60_000 * n) / times);
  marks.push(await takeMark());
  console.log(printMark(marks.at(-1)));
}
await meet();
const right = clones.map((clone) => judged(clone, filesOf(clone)));
const { words, grows } = judgeMarks(marks);
const commits = clones[0].place.git('rev-list', '--count', 'HEAD');
console.log(
  `\n${words.join('\n')}\n\n${said.join('\n')}${said.length > 0 ? '\n\n' : ''}moves: ${JSON.stringify(counts)}`,
);
console.log(`${commits} commits, ${marks.at(-1).lines} lines written; at the end told right: ${right.join(', ')}`);
console.log(
  said.length + grows.length === 0
    ? 'all is well'
    : `${said.length} times wrong; grows: ${grows.join(', ') || 'nothing'}`,
);
if (values.out) fs.writeFileSync(values.out, `${JSON.stringify({ seed, minutes, counts, marks, said }, null, 2)}\n`);
await watch.stop();
for (const { remove } of [...clones.map(({ place }) => place), hub]) await remove();
if (said.length + grows.length > 0) process.exitCode = 1;

function openClones() {
  const bare = path.join(hub.root, 'bare.git');
  hub.git('init', '-q', '--bare', bare);
  const all = ['north', 'south', 'west'].map((name) => openClone(name, bare, chance));
  const [first, ...others] = all;
  first.person();
  first.commit();
  first.place.git('push', '-q', 'origin', 'HEAD:main');
  for (const { place } of others) place.git('pull', '-q', 'origin', 'main');
  return all;
}

function playUntil(end) {
  do {
    const { move, said: wrong } = play(clones, chance);
    counts[move] = (counts[move] ?? 0) + 1;
    said.push(...wrong);
  } while (Date.now() < end);
}

/** All end their turns and hear of each other, and each clone is asked at least once; then nothing should be at work, nor be left of it. */
async function takeMark() {
  for (const clone of clones) {
    clone.rest();
    sync(clone);
  }
  for (const clone of clones) {
    sync(clone);
    judged(clone, [chance.pick(filesOf(clone))]);
  }
  await quiet();
  const stores = clones.map(lookAtStore);
  const sum = (of) => stores.reduce((all, store) => all + store[of], 0);
  const left = stores.flatMap((store) => store.left);
  for (const name of left) said.push(`left behind: ${name}`);
  return {
    minute: (Date.now() - began) / 60_000,
    lines: clones.reduce((all, clone) => all + clone.lines(), 0),
    notes: Number(clones[0].place.git('notes', '--ref=agent/trace', 'list').split('\n').length),
    peaks: await watch.take(),
    ...{ files: sum('files'), kilobytes: sum('kilobytes'), left },
  };
}

/** The background work ends by itself. */
async function quiet() {
  for (let tries = 0; tries < 240; tries++) {
    if (processesOf(roots).length === 0) return;
    await sleep(250);
  }
  for (const { words } of processesOf(roots)) said.push(`does not end: ${words.join(' ')}`);
}

/** Everybody has everything. */
async function meet() {
  for (let round = 0; round < 2; round++)
    for (const clone of clones) {
      push(clone);
      sync(clone);
    }
  for (const clone of clones) {
    pull(clone);
    sync(clone);
  }
  await quiet();
}

/** How many lines are told right. */
function judged(clone, files) {
  const { right, said: wrong } = judgeLines(clone, files);
  said.push(...wrong);
  return right;
}
