// A branch whose commits have notes is rebased: what our hooks add to it, and how soon the new commits have notes that are right.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadSource, noteOf, writeNotes } from '../history.mjs';
import { difference, settled, statistics } from '../measure.mjs';
import { makePlace, must, PROGRAM } from '../place.mjs';

const COMMITS = 500;
const FILES = 20;
const STEP = 4;
const START = 1_750_000_000;

const ROUNDS = 3;

export async function rebases() {
  const places = { ours: makePlace('rebase'), empty: makePlace('rebase'), plain: makePlace('rebase') };
  const { ours, empty } = places;
  for (const place of Object.values(places)) fill(place);
  const source = await loadSource(ours);
  writeNotes(ours, COMMITS, notesOf(ours, source));
  ours.init();
  must(spawnSync(process.execPath, [PROGRAM, 'work', ours.common], { cwd: ours.dir, env: ours.env }));
  fs.writeFileSync(path.join(empty.common, 'hooks', 'post-commit'), '#!/bin/sh\n', { mode: 0o755 });
  const { times, right } = await runRounds(places);
  await Promise.all(Object.values(places).map((place) => place.remove()));
  return rowsOf(times, right);
}

function rowsOf(times, right) {
  const [{ min: plain }, { min: empty }] = [times.plain, times.empty];
  const added = (name) => difference(times[name], times.plain);
  const what = `rebase of ${COMMITS} commits`;
  const share = (name) => ({ ours: { min: (100 * added(name).min) / plain }, unit: '%' });
  return [
    {
      what: `${what}: time that our hooks add`,
      ours: added('ours'),
      budget: Math.max(0, empty - plain) + 0.05 * plain,
      rule: 'what an empty post-commit hook adds + 5 % of the rebase without hooks',
      beside: times,
      right,
    },
    { what: '  that is, of the rebase without hooks', ...share('ours'), rule: 'stated' },
    { what: '  an empty post-commit hook adds, of the same', ...share('empty'), rule: 'stated' },
    {
      what: '  then, until all new commits have notes that are right',
      ours: times.notes,
      budget: plain,
      rule: '1 x the rebase without hooks',
      right,
    },
  ];
}

async function runRounds(places) {
  const names = Object.keys(places);
  const times = { ...Object.fromEntries(names.map((name) => [name, []])), notes: [] };
  const back = Object.fromEntries(names.map((name) => [name, keeper(places[name])]));
  let right = true;
  // round 0 warms caches and is not counted
  for (let round = 0; round <= ROUNDS; round++) {
    for (const name of round % 2 ? names.toReversed() : names) {
      back[name]();
      const took = rebase(places[name]);
      if (round > 0) times[name].push(took);
      if (name !== 'ours') continue;
      const noted = await untilNoted(places.ours);
      if (round > 0) times.notes.push(noted);
      await settled(places.ours);
      right = notedRight(places.ours) && right;
    }
  }
  return { times: Object.fromEntries(Object.entries(times).map(([name, some]) => [name, statistics(some)])), right };
}

const fileOf = (n) => `src/f${n % FILES}.js`;
const addedBy = (n) => Array.from({ length: STEP }, (_, i) => `  step${n}.part${i}(${n * i});`);
/** A commit of the branch adds its lines above those of the one before. */
const AT = 15;

/** What a file holds after so many commits of the branch. */
function textOf(file, commits, second = 'as it began') {
  const lines = Array.from({ length: 30 }, (_, i) => (i === 1 ? second : `${file}, line ${i}`));
  for (let n = 1; n <= commits; n++) if (fileOf(n) === file) lines.splice(AT, 0, ...addedBy(n));
  return `${lines.join('\n')}\n`;
}

/** Main changes the second line of every file, the branch adds lines in the middle of one after the other. */
function fill(place) {
  const change = (file, text) => `M 100644 inline ${file}\ndata ${Buffer.byteLength(text)}\n${text}\n`;
  const begun = [...Array(FILES).keys()];
  const commit = (branch, n, [from, changes]) =>
    `commit refs/heads/${branch}\nmark :${n}\ncommitter Ada <ada@example.com> ${START + n * 60} +0000\ndata 2\nx\n` +
    `${from ? `from :${from}\n` : ''}${changes.join('')}`;
  const all = (second) => begun.map((f) => change(fileOf(f), textOf(fileOf(f), 0, second)));
  const stream = [commit('main', 1, [0, all()]), commit('main', 2, [1, all('as main has it now')])];
  for (let n = 1; n <= COMMITS; n++)
    stream.push(commit('topic', n + 2, [n === 1 ? 1 : n + 1, [change(fileOf(n), textOf(fileOf(n), n))]]));
  place.feed(['fast-import', '--quiet', '--force'], stream.join(''));
  place.git('checkout', '-q', '-f', 'topic');
}

/** As they would have been written when the commits were made. */
function* notesOf(place, source) {
  const ids = place.git('rev-list', '--reverse', 'main..topic').split('\n');
  for (let n = 1; n <= COMMITS; n++) {
    const text = textOf(fileOf(n), n);
    const blob = createHash('sha1')
      .update(`blob ${Buffer.byteLength(text)}\0${text}`)
      .digest('hex');
    const [commit, time] = [ids[n - 1], (START + (n + 2) * 60) * 1000];
    yield [commit, noteOf(source, { commit, time, blob, file: fileOf(n), start: AT + 1, lines: addedBy(n) })];
  }
}

/** Puts everything back to how it was before the rebase. */
function keeper(place) {
  const [store, kept] = [path.join(place.common, 'agent'), path.join(place.root, 'kept')];
  const refs = place.git('for-each-ref', '--format=update %(refname) %(objectname)');
  if (fs.existsSync(store)) fs.cpSync(store, kept, { recursive: true });
  return () => {
    place.git('checkout', '-q', '--detach');
    place.feed(['update-ref', '--stdin'], `${refs}\n`);
    place.git('checkout', '-q', '-f', 'topic');
    place.git('reflog', 'expire', '--expire=now', '--all');
    if (!fs.existsSync(kept)) return;
    fs.rmSync(store, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    fs.cpSync(kept, store, { recursive: true });
  };
}

function rebase(place) {
  const start = performance.now();
  must(spawnSync('git', ['rebase', '-q', 'main'], { cwd: place.dir, env: place.env }));
  return performance.now() - start;
}

/** All notes are written at once. */
async function untilNoted(place) {
  const start = performance.now();
  const ref = path.join(place.common, 'refs', 'notes', 'agent', 'trace');
  const before = fs.readFileSync(ref, 'utf8');
  while (fs.readFileSync(ref, 'utf8') === before && performance.now() - start < 120_000) await sleep(5);
  return performance.now() - start;
}

/** Every new commit has a note, and blame finds each added line in it: two of a person, two of an agent. */
function notedRight(place) {
  const listed = place.git('notes', '--ref=agent/trace', 'list').split('\n');
  const noted = new Set(listed.map((line) => line.split(' ')[1]));
  const fresh = place.git('rev-list', 'main..topic').split('\n');
  if (fresh.length !== COMMITS || !fresh.every((id) => noted.has(id))) return false;
  const files = [...Array(FILES).keys()].map(fileOf);
  const lines = files.flatMap((file) => {
    const { stdout } = spawnSync('git', ['agent-blame', '--json', file], { cwd: place.dir, env: place.env });
    return JSON.parse(stdout).lines.filter(({ text }) => text.startsWith('  step'));
  });
  const asWritten = ({ text, type, via }) => via === 'note' && type === (/part[01]/.test(text) ? 'ai' : 'human');
  return lines.length === STEP * COMMITS && lines.every(asWritten);
}
