// Notes read and written in repositories with more and more of them: the time per commit touched must not grow.
import { loadSource, noteOf, pairs, strangeIds, writeNotes } from '../history.mjs';
import { race } from '../measure.mjs';
import { makePlace } from '../place.mjs';

const REF = 'refs/notes/agent/trace';
const TOUCHED = 20;
/** What the clock of a busy machine adds to things that are equal. */
const FLAT = 1.5;

export async function notes({ full, million }) {
  const sizes = [1000, 10_000, ...(full || million ? [100_000] : []), ...(million ? [1_000_000] : [])];
  const shops = [];
  for (const size of sizes) shops.push(await fill(size));
  const contestants = {};
  for (const { size, source, repository, ids } of shops) {
    contestants[`read ${size}`] = { run: () => source.readNotes(repository.place, [REF], ids) };
    contestants[`write ${size}`] = {
      run: (round) => source.appendNotes(repository, REF, new Map(ids.map((id) => [id, [`{"round":${round}}`]]))),
    };
  }
  const times = await race(25, contestants);
  await Promise.all(shops.map(({ place }) => place.remove()));
  return ['read', 'write'].flatMap((verb) =>
    sizes.slice(1).map((size) => ({
      what: `notes of ${TOUCHED} commits ${verb === 'read' ? 'read' : 'added to'}, among ${size.toLocaleString('en')}`,
      ours: times[`${verb} ${size}`],
      budget: FLAT * times[`${verb} 1000`].min,
      rule: `${FLAT} x the same among 1,000`,
      beside: times,
    })),
  );
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
