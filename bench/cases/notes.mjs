// Notes read and written in repositories with more and more of them: the time per commit touched must not grow.
import path from 'node:path';
import { loadSource, noteOf, pairs, strangeIds, writeNotes } from '../history.mjs';
import { command, peakMemory, race } from '../measure.mjs';
import { makePlace } from '../place.mjs';
import { number } from '../print.mjs';

const REF = 'refs/notes/agent/trace';
const TOUCHED = 20;
/** What the clock of a busy machine adds to things that are equal. */
const FLAT = 1.5;

export async function notes({ sizes, small, rounds }) {
  const shops = [];
  for (const size of small ? [...sizes, 5000] : sizes) shops.push(await fill(size));
  const contestants = {};
  for (const { size, place, source, repository, ids } of shops) {
    contestants[`read ${size}`] = { run: () => source.readNotes(repository.place, [REF], ids) };
    contestants[`write ${size}`] = {
      run: (round) => source.appendNotes(repository, REF, new Map(ids.map((id) => [id, [`{"round":${round}}`]]))),
    };
    contestants[`git ${size}`] = command(place, ['git', 'notes', '--ref=agent/trace', 'show', ids[0]]);
  }
  const times = await race(rounds(25), contestants);
  const memory = shops.map(memoryOf);
  await Promise.all(shops.map(({ place }) => place.remove()));
  return ['read', 'write'].flatMap((verb) =>
    shops.map(({ size }) => rowOf(verb, size, { times, least: shops[0].size })).concat(verb === 'write' ? memory : []),
  );
}

function rowOf(verb, size, { times, least }) {
  const series = `notes of ${TOUCHED} commits ${verb === 'read' ? 'read' : 'added to'}`;
  const flat = { budget: FLAT * times[`${verb} ${least}`].min, rule: `${FLAT} x the same among ${number(least)}` };
  return {
    what: `${series}, among ${number(size)}`,
    ...{ series, size },
    ours: times[`${verb} ${size}`],
    ...(size === least ? { rule: 'stated' } : flat),
    beside: { git: times[`git ${size}`] },
  };
}

/** Of a process that does both. */
function memoryOf({ size, place, ids }) {
  const script = `
    const source = await import(${JSON.stringify(path.join(place.root, 'source.mjs'))});
    const ids = ${JSON.stringify(ids)};
    const repository = await source.findRepository(process.cwd());
    await source.readNotes(repository.place, ['${REF}'], ids);
    await source.appendNotes(repository, '${REF}', new Map(ids.map((id) => [id, ['{}']])));`;
  const memory = peakMemory(place, [process.execPath, '--input-type=module', '-e', script]);
  return {
    what: `  peak memory, among ${number(size)}`,
    ours: { min: memory },
    ...{ budget: 200, rule: '200 MB', unit: 'MB' },
  };
}

async function fill(size) {
  const place = makePlace(`notes-${size}`);
  const source = await loadSource(place);
  const all = [...strangeIds(size)];
  const lines = ['one', 'two', 'three', 'four'];
  const note = ({ commit }) => noteOf(source, { commit, time: 0, file: 'a.js', start: 1, lines });
  writeNotes(
    place,
    size,
    pairs(
      all.map((commit) => ({ commit })),
      note,
    ),
  );
  const repository = await source.findRepository(place.dir);
  const ids = Array.from({ length: TOUCHED }, (_, i) => all[Math.floor((i * size) / TOUCHED)]);
  return { size, place, source, repository, ids };
}
