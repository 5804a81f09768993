// Histories and notes made in one go, in the real formats.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { must, ROOT } from './place.mjs';

/** The project's own functions, bundled from the source: notes are built and written as the program does it. */
export async function loadSource(place, more = []) {
  const outfile = path.join(place.root, 'source.mjs');
  const basic = ['trace/build.ts', 'trace/print.ts', 'notes/read.ts', 'notes/append.ts', 'git/repository.ts'];
  const rooms = [...basic, ...more];
  await build({
    stdin: { contents: rooms.map((room) => `export * from './src/${room}';`).join('\n'), resolveDir: ROOT },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
    banner: { js: "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);" },
  });
  return import(outfile);
}

const START = 1_750_000_000;

const valueLine = (n, i) => `  const value${n}_${i} = ${n * i}; // of commit ${n}`;

/** A file that grows by `step` lines in each of so many commits, at places all over it. Gives what every commit added. */
export function growFile(place, { file, commits, step, line = valueLine }) {
  const lines = [];
  const added = [];
  const stream = [];
  for (let n = 1; n <= commits; n++) {
    const at = (n * 7919) % (lines.length + 1);
    const fresh = Array.from({ length: step }, (_, i) => line(n, i));
    lines.splice(at, 0, ...fresh);
    added.push({ start: at + 1, lines: fresh });
    const text = `${lines.join('\n')}\n`;
    stream.push(
      `commit refs/heads/main\nmark :${n}\ncommitter Ada <ada@example.com> ${START + n * 60} +0000\ndata 2\nx\n${n > 1 ? `from :${n - 1}\n` : ''}` +
        `M 100644 inline ${file}\ndata ${Buffer.byteLength(text)}\n${text}\n`,
    );
  }
  place.feed(['fast-import', '--quiet', '--force'], stream.join(''));
  place.git('reset', '-q', '--hard');
  const ids = place.git('rev-list', '--reverse', 'HEAD').split('\n');
  return added.map((one, i) => ({ ...one, commit: ids[i], time: (START + (i + 1) * 60) * 1000 }));
}

/** A note of ours for a commit that adds these lines: the first half of each file's an agent's, the rest a person's. */
export function noteOf(source, { commit, time, ...part }) {
  return noteOfFiles(source, { commit, time, parts: [part] });
}

export function noteOfFiles(source, { commit, time, parts }) {
  const agent = {
    session: '7c0de5e5-0000-4000-8000-000000000001',
    event: 'toolu_01',
    tool: { name: 'claude-code', version: '2.1.197' },
    model: 'anthropic/claude-opus-4-5-20251101',
  };
  const files = parts.map(({ file, start, lines, blob = commit }) => {
    const half = Math.ceil(lines.length / 2);
    const runs = [
      { start, lines: lines.slice(0, half), origin: { type: 'ai', evidence: 'observed', agent } },
      { start: start + half, lines: lines.slice(half), origin: { type: 'human', evidence: 'observed' } },
    ];
    return { path: file, blob, runs: runs.filter((run) => run.lines.length > 0) };
  });
  const vcs = { type: 'git', revision: commit };
  const records = source.buildRecords({ commit, vcs, time, ownVersion: '0.1.0', files });
  return `${records.map(source.printRecord).join('\n')}\n`;
}

/** Writes `count` pairs of commit and note as one tree, spread over folders as git spreads so many. */
export function writeNotes(place, count, notes) {
  const depth = count >= 65_536 ? 2 : count >= 256 ? 1 : 0;
  const file = path.join(place.root, 'notes.fi');
  // by way of a file: a million notes are more than fits into memory
  const handle = fs.openSync(file, 'w+');
  fs.writeSync(
    handle,
    `commit refs/notes/agent/trace\ncommitter Ada <ada@example.com> ${START} +0000\ndata 5\nnotes\n`,
  );
  for (const [commit, text] of notes) {
    const name = [...Array(depth).keys()].map((i) => commit.slice(2 * i, 2 * i + 2)).concat(commit.slice(2 * depth));
    fs.writeSync(handle, `M 100644 inline ${name.join('/')}\ndata ${Buffer.byteLength(text)}\n${text}\n`);
  }
  fs.closeSync(handle);
  importStream(place, file);
}

function importStream(place, file) {
  const input = fs.openSync(file, 'r');
  must(
    spawnSync('git', ['fast-import', '--quiet', '--force'], {
      cwd: place.dir,
      env: place.env,
      stdio: [input, 'ignore', 'pipe'],
    }),
  );
  fs.closeSync(input);
  fs.rmSync(file);
}

/** Ids of commits that are not there, always the same ones. */
export function* strangeIds(count) {
  let [a, b] = [0x9e3779b9, 0x243f6a88];
  const next = () => {
    // xorshift: any spread of digits will do
    a ^= a << 13;
    a ^= a >>> 17;
    a ^= a << 5;
    b = (Math.imul(b, 1664525) + 1013904223) | 0;
    return ((a ^ b) >>> 0).toString(16).padStart(8, '0');
  };
  for (let i = 0; i < count; i++) yield next() + next() + next() + next() + next();
}

/** One after the other, so that not all notes are in memory at once. */
export function* pairs(commits, note) {
  for (const one of commits) yield [one.commit, note(one)];
}

/** A tree of so many files, each started by one commit and changed by later ones. Gives what every commit added: one entry per file. */
export function growTree(place, { files, commits, each, step }) {
  const texts = Array.from({ length: files }, () => []);
  const nameOf = (i) => `src/part${i % 50}/file${i}.js`;
  const [stream, added] = [[], []];
  for (let n = 1; n <= commits; n++) {
    stream.push(
      `commit refs/heads/main\nmark :${n}\ncommitter Ada <ada@example.com> ${START + n * 60} +0000\ndata 2\nx\n${n > 1 ? `from :${n - 1}\n` : ''}`,
    );
    for (let i = 0; i < each; i++) {
      const which = (n * each + i * 7) % files;
      const lines = texts[which];
      const at = (n * 7919) % (lines.length + 1);
      const fresh = Array.from({ length: step }, (_, k) => valueLine(n, i * step + k));
      lines.splice(at, 0, ...fresh);
      const text = `${lines.join('\n')}\n`;
      stream.push(`M 100644 inline ${nameOf(which)}\ndata ${Buffer.byteLength(text)}\n${text}\n`);
      added.push({ nth: n, file: nameOf(which), start: at + 1, lines: fresh });
    }
  }
  place.feed(['fast-import', '--quiet', '--force'], stream.join(''));
  place.git('reset', '-q', '--hard');
  const ids = place.git('rev-list', '--reverse', 'HEAD').split('\n');
  return added.map(({ nth, ...one }) => ({ ...one, commit: ids[nth - 1], time: (START + nth * 60) * 1000 }));
}

/**
 * A long history: one file grows by `step` lines in `changes` of the commits, evenly spread; each of the others writes a small file anew.
 * Gives what every commit added, one after the other.
 */
export function* growHistory(place, { commits, file, changes, step }) {
  const stream = path.join(place.root, 'history.fi');
  const handle = fs.openSync(stream, 'w+');
  const watched = [];
  const every = Math.floor(commits / changes);
  const added = [];
  for (let n = 1; n <= commits; n++) {
    const lines = Array.from({ length: step }, (_, i) => valueLine(n, i));
    const grows = n % every === 0 && n / every <= changes;
    if (grows) watched.unshift(...lines);
    const part = { file: grows ? file : `src/d${n % 100}/f${n % 1000}.js`, start: 1, lines };
    const text = `${(grows ? watched : lines).join('\n')}\n`;
    fs.writeSync(
      handle,
      `commit refs/heads/main\nmark :${n}\ncommitter Ada <ada@example.com> ${START + n * 60} +0000\ndata 2\nx\n${n > 1 ? `from :${n - 1}\n` : ''}` +
        `M 100644 inline ${part.file}\ndata ${Buffer.byteLength(text)}\n${text}\n`,
    );
    added.push(part);
  }
  fs.closeSync(handle);
  importStream(place, stream);
  place.git('reset', '-q', '--hard');
  let n = 0;
  for (const commit of place.git('rev-list', '--reverse', 'HEAD').split('\n'))
    yield { ...added[n], commit, time: (START + ++n * 60) * 1000 };
}
