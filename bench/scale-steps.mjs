// What bench/scale.mjs does at one size.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { loadSource, noteOfFiles, pairs, strangeIds, writeNotes } from './history.mjs';
import { peakMemory } from './measure.mjs';
import { makePlace, must } from './place.mjs';

const REF = 'refs/notes/agent/trace';
const THEIRS = 'refs/notes/origin/agent/trace';
/** What a busy day brings to one repository, one note at a time. */
const FRESH = 100;
/** An ordinary commit. */
const [FILES, LINES] = [3, 20];

/** A note about so many files, whose lines nobody else wrote: as hard to pack as real ones. */
function noteAbout(source, commit, { files, lines }) {
  const part = (f) => ({
    file: `src/part${Number.parseInt(commit.slice(0, 2), 16)}/file${f}.js`,
    start: 10,
    lines: Array.from({ length: lines }, (_, i) => `  const value${i} = compute('${commit}', ${f}, ${i});`),
  });
  return noteOfFiles(source, { commit, time: 0, parts: Array.from({ length: files }, (_, f) => part(f)) });
}

/** Bytes of a note by what the commit adds. */
export function weigh(source) {
  const [commit] = strangeIds(1);
  const shapes = [
    [1, 5],
    [FILES, LINES],
    [20, 50],
  ];
  return shapes.map(([files, lines]) => {
    const note = Buffer.from(noteAbout(source, commit, { files, lines }));
    return { files, lines: files * lines, bytes: note.length, packed: deflateSync(note).length };
  });
}

export async function measureAt(size) {
  const server = makePlace('scale');
  const source = await loadSource(server, ['notes/union.ts', 'notes/index/index.ts']);
  const all = [...strangeIds(size + 2 * FRESH)];
  const note = ({ commit }) => noteAbout(source, commit, { files: FILES, lines: LINES });
  const listed = all.slice(0, size).map((commit) => ({ commit }));
  writeNotes(server, size, pairs(listed, note));
  server.git('config', 'uploadpack.allowFilter', 'true');
  const repack = timed(() => server.git('repack', '-adfq'));
  const sizes = sizesOf(server);
  const [whole, contentless] = [fetchInto('whole', server, []), fetchInto('partial', server, ['--filter=blob:none'])];
  const ids = { server: all.slice(size, size + FRESH), client: all.slice(size + FRESH) };
  const day = await playDay(source, server, whole.place, ids);
  const index = buildIndex(whole.place, server);
  const history = packHistory(server, sizes);
  const shallow = fetchInto('shallow', server, ['--depth=1']);
  await Promise.all([server, whole.place, contentless.place, shallow.place].map((place) => place.remove()));
  return {
    'contents of all notes, bytes': sizes.blob.size,
    'trees above them, bytes': sizes.tree.size,
    'number of trees': sizes.tree.count,
    'packed contents, bytes': sizes.blob.disk,
    'packed trees, bytes': sizes.tree.disk,
    'packing all anew on the server, ms': repack,
    'first fetch, bytes': whole.bytes,
    'time of a first fetch, ms': whole.took,
    'first fetch without contents, bytes': contentless.bytes,
    'time of a first fetch without contents, ms': contentless.took,
    ...day,
    'history behind one added note, packed, bytes': history,
    'first fetch with --depth=1 after that, bytes': shallow.bytes,
    ...index,
  };
}

function timed(run) {
  const start = performance.now();
  run();
  return Math.round(performance.now() - start);
}

/** By type of object: how many, their bytes, and their bytes in packs. */
function sizesOf(place) {
  const sums = { blob: none(), tree: none(), commit: none() };
  const args = ['cat-file', '--batch-all-objects', '--batch-check=%(objecttype) %(objectsize) %(objectsize:disk)'];
  for (const line of place.git(...args).split('\n')) {
    const [type, size, disk] = line.split(' ');
    sums[type].count++;
    sums[type].size += Number(size);
    sums[type].disk += Number(disk);
  }
  return sums;
}

const none = () => ({ count: 0, size: 0, disk: 0 });

/** All objects in packs and outside. */
function storedBytes(place) {
  const text = place.git('count-objects', '-v');
  const kilobytes = (name) => Number(new RegExp(`^${name}: (\\d+)`, 'm').exec(text)[1]);
  return 1024 * (kilobytes('size') + kilobytes('size-pack'));
}

/** What the notes of the day take beside their contents once all is packed: a commit each, and trees that differ in one entry. */
function packHistory(server, before) {
  server.git('repack', '-adq');
  const after = sizesOf(server);
  return (after.tree.disk + after.commit.disk - before.tree.disk - before.commit.disk) / FRESH;
}

function fetchInto(name, server, options) {
  const place = makePlace(name);
  place.git('remote', 'add', 'origin', `file://${server.dir}`);
  const took = timed(() => fetchNotes(place, options));
  return { place, took, bytes: storedBytes(place) };
}

function fetchNotes(place, options = []) {
  const args = ['fetch', '-q', ...options, 'origin', `+${REF}:${THEIRS}`];
  must(spawnSync('git', args, { cwd: place.dir, env: place.env }));
}

/** The server gets a day's notes, so does the client; then it fetches and unites. */
async function playDay(source, server, client, ids) {
  const note = (commit) => noteAbout(source, commit, { files: FILES, lines: LINES }).trimEnd().split('\n');
  const append = async (place, commits) => {
    const repository = await source.findRepository(place.dir);
    for (const commit of commits) await source.appendNotes(repository, REF, new Map([[commit, note(commit)]]));
  };
  client.git('update-ref', REF, THEIRS);
  const start = performance.now();
  await append(client, ids.client);
  const appended = (performance.now() - start) / FRESH;
  await append(server, ids.server);
  const [before, old] = [storedBytes(client), client.git('rev-parse', THEIRS)];
  const fetched = timed(() => fetchNotes(client));
  const bytes = storedBytes(client) - before;
  const checked = timed(() => client.git('rev-list', '--objects', '--quiet', THEIRS, '--not', old));
  const repository = await source.findRepository(client.dir);
  const uniting = performance.now();
  await source.uniteNotes(repository, REF, THEIRS);
  const united = performance.now() - uniting;
  return {
    'one note added, ms': appended,
    [`fetch of ${FRESH} new notes, bytes`]: bytes,
    [`time of a fetch of ${FRESH} new notes, ms`]: fetched,
    "of it git's check that all is there, ms": checked,
    [`union of ${FRESH} and ${FRESH} new notes, ms`]: united,
  };
}

/** In a process of its own, which tells what memory it took. */
function buildIndex(place, server) {
  const folder = path.join(place.common, 'agent', 'cache', 'index');
  fs.mkdirSync(path.dirname(folder), { recursive: true });
  const script = `
    const source = await import(${JSON.stringify(path.join(server.root, 'source.mjs'))});
    await source.openIndex(await source.findRepository(process.cwd()), ['${REF}']);`;
  let memory = 0;
  const took = timed(() => {
    memory = peakMemory(place, [process.execPath, '--input-type=module', '-e', script]);
  });
  const bytes = fs.readdirSync(folder).reduce((sum, name) => sum + fs.statSync(path.join(folder, name)).size, 0);
  return {
    'index built, ms': took,
    'peak memory of building it, bytes': memory * 2 ** 20,
    'index on disk, bytes': bytes,
  };
}
