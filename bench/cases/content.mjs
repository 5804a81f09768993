// git agent-blame where the commits that were recorded are gone, squashed into a few: only the line hashes in the notes can tell.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { growFile, loadSource, noteOf, noteOfFiles, pairs, strangeIds, writeNotes } from '../history.mjs';
import { command, nodeStart, peakMemory, race } from '../measure.mjs';
import { makePlace, must, PROGRAM } from '../place.mjs';
import { number } from '../print.mjs';

const FILE = 'src/large.js';
const COMMITS = 2000;
const STEP = 5;
const SQUASHED = 4;
const MINUTE = 60_000;

/** Every fifth line is one that stands everywhere and tells nothing. */
const lineOf = (n, i) => (i === STEP - 1 ? '}' : `  const value${n}_${i} = ${n * i}; // of commit ${n}`);

export async function contents({ sizes, rounds }) {
  const [old, place] = [makePlace('recorded'), makePlace('content')];
  const source = await loadSource(place);
  const added = growFile(old, { file: FILE, commits: COMMITS, step: STEP, line: lineOf });
  squash(old, place, added);
  place.init();
  const rows = [];
  for (const count of new Set(sizes.map((size) => Math.max(size, COMMITS)))) {
    const note = (one) => noteOf(source, { file: FILE, ...one });
    writeNotes(place, count, pairs([...added, ...elsewhere(count - COMMITS)], note));
    must(spawnSync(process.execPath, [PROGRAM, 'work', place.common], { cwd: place.dir, env: place.env }));
    rows.push(...rowsOf(await blameAmong(old, place, { count, rounds })));
  }
  await Promise.all([old.remove(), place.remove()]);
  for (const count of sizes.filter((size) => size >= ORDINARY_FROM)) rows.push(...(await ordinary(source, count)));
  return rows;
}

/** Ten times as much to index as the lines of one file need: with fewer notes it says nothing. */
const ORDINARY_FROM = 100_000;

/** The index of notes as commits of a day's work have them: 60 lines in three files. */
async function ordinary(source, count) {
  const place = makePlace('ordinary');
  growFile(place, { file: FILE, commits: 4, step: 100 });
  place.init();
  writeNotes(
    place,
    count,
    pairs(ordinaryNotes(count), (one) => noteOfFiles(source, one)),
  );
  const index = path.join(place.common, 'agent', 'cache', 'index');
  const ours = ['git', 'agent-blame', '--porcelain', FILE];
  const prepare = () => fs.rmSync(index, { recursive: true, force: true });
  const times = await race(1, { index: command(place, ours, { prepare }) });
  prepare();
  const memory = peakMemory(place, ours);
  const bytes = sizeOf(index);
  await place.remove();
  return [
    { what: `index of ${number(count)} notes of 60 lines each`, ours: times.index, budget: 30_000, rule: '30 s' },
    { what: '  its peak memory', ours: { min: memory }, budget: 300, rule: '300 MB', unit: 'MB' },
    { what: '  on disk', ours: { min: bytes / 1024 }, unit: 'kB', rule: 'stated' },
  ];
}

function* ordinaryNotes(count) {
  let n = 0;
  for (const commit of strangeIds(count)) {
    n++;
    const text = (k, i) => (i % 5 === 4 ? '}' : `  return other${n}_${k}(${i});`);
    const parts = [0, 1, 2].map((k) => ({
      file: `src/d${n % 100}/f${(3 * n + k) % 3000}.js`,
      start: 10,
      lines: [...Array(20).keys()].map((i) => text(k, i)),
    }));
    yield { commit, time: n * MINUTE, parts };
  }
}

async function blameAmong(old, place, { count, rounds }) {
  const ours = ['git', 'agent-blame', '--porcelain', FILE];
  const index = path.join(place.common, 'agent', 'cache', 'index');
  const building = await race(count >= 100_000 ? 1 : 3, {
    index: command(place, ours, { prepare: () => fs.rmSync(index, { recursive: true, force: true }) }),
  });
  fs.rmSync(index, { recursive: true, force: true });
  const memory = [peakMemory(place, ours), peakMemory(place, ours)];
  const times = await race(rounds(5), {
    ours: command(place, ours),
    recorded: command(old, ['git', 'blame', '--porcelain', FILE]),
    squashed: command(place, ['git', 'blame', '--porcelain', FILE]),
    node: nodeStart(place),
  });
  return { count, building, times, memory, bytes: sizeOf(index), right: checkBlame(place) };
}

function rowsOf({ count, building, times, memory, bytes, right }) {
  const notes = `${number(count)} notes`;
  const limit = { budget: 300, rule: '300 MB', unit: 'MB' };
  const series = `git agent-blame, ${number(COMMITS)} commits squashed away`;
  return [
    {
      what: `${series}, ${notes}`,
      ...{ series, size: count },
      ours: times.ours,
      budget: 2 * times.recorded.min + 1.5 * times.node.min,
      rule: `2 x git blame of the ${number(COMMITS)} commits as they were + 1.5 x node`,
      beside: times,
      right,
    },
    { what: `  git blame of the ${SQUASHED} commits they became`, ours: times.squashed, rule: 'stated' },
    { what: '  its peak memory', ours: { min: memory[1] }, ...limit },
    {
      what: '  the same with no index yet',
      ...{ series: `${series}, no index yet`, size: count },
      ours: building.index,
      budget: 30_000,
      rule: '30 s',
      right,
    },
    { what: '  its peak memory', ours: { min: memory[0] }, ...limit },
    {
      what: `  the index of ${notes} on disk`,
      ...{ series: 'bytes of the index', size: count },
      ours: { min: bytes / 1024 },
      ...{ unit: 'kB', rule: 'stated' },
    },
  ];
}

/** The same contents in a few commits, in a repository that never had the others. */
function squash(old, place, added) {
  const stream = [];
  for (let n = 1; n <= SQUASHED; n++) {
    const { commit, time } = added[(n * COMMITS) / SQUASHED - 1];
    const text = `${old.git('show', `${commit}:${FILE}`)}\n`;
    stream.push(
      `commit refs/heads/main\nmark :${n}\ncommitter Ada <ada@example.com> ${(time + MINUTE) / 1000} +0000\ndata 2\nx\n` +
        `${n > 1 ? `from :${n - 1}\n` : ''}M 100644 inline ${FILE}\ndata ${Buffer.byteLength(text)}\n${text}\n`,
    );
  }
  place.feed(['fast-import', '--quiet', '--force'], stream.join(''));
  place.git('reset', '-q', '--hard');
}

/** Commits that wrote other lines into other files. */
function* elsewhere(count) {
  let n = 0;
  for (const commit of strangeIds(count)) {
    n++;
    const lines = [...Array(STEP - 1).keys()].map((i) => `  return other${n}(${i});`);
    yield { commit, time: n * MINUTE, file: `src/d${n % 100}/f${n % 3000}.js`, start: 10, lines: [...lines, '}'] };
  }
}

function sizeOf(folder) {
  return fs.readdirSync(folder).reduce((sum, name) => sum + fs.statSync(path.join(folder, name)).size, 0);
}

/** Fast and wrong is not fast: of the five lines of a commit the first three are an agent's. A brace that stands alone may be anybody's. */
function checkBlame(place) {
  const { stdout } = spawnSync('git', ['agent-blame', '--json', FILE], {
    cwd: place.dir,
    env: place.env,
    maxBuffer: 1 << 30,
  });
  const { lines } = JSON.parse(stdout);
  const asWritten = ({ text, type, via }) => {
    if (text === '}') return type === 'human' || type === 'unknown';
    return via === 'content' && type === (/_[012] =/.test(text) ? 'ai' : 'human');
  };
  return lines.length === COMMITS * STEP && lines.every(asWritten);
}
