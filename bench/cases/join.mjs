// A thousand files that an agent wrote, in one commit: from hook payloads to the store, and from there to notes.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { openClaude } from '../claude.mjs';
import { command, nodeStart, peakMemory, race } from '../measure.mjs';
import { makePlace, PROGRAM } from '../place.mjs';

const FILES = 1000;
const LINES = 50;

/**
 * Payloads are worked in when the agent's turn ends, mostly long before anybody commits; a join is what is left to do then. So the two
 * are measured apart, each from the store as it is at its beginning, and together, as a commit finds it that comes at once.
 */
export async function joins() {
  const place = makePlace('join');
  place.git('commit', '-q', '--allow-empty', '-m', 'begin');
  place.init();
  fs.writeFileSync(path.join(place.common, 'agent', 'hooks', 'wake'), '#!/bin/sh\n');
  const bytes = writePayloads(place);
  const work = [process.execPath, PROGRAM, 'work', place.common];
  const stores = keepStores(place, work);
  const file = 'd0/f0.js';
  const times = await race(3, {
    show: command(place, ['git', 'show', 'HEAD']),
    node: nodeStart(place),
    reader: command(place, ['git', 'agent-blame', '--porcelain', file], { prepare: stores.pending }),
    both: command(place, work, { prepare: stores.pending }),
    harvest: command(place, work, { prepare: stores.uncommitted }),
    join: command(place, work, { prepare: stores.workedIn }),
    rejoin: command(place, [process.execPath, PROGRAM, 'join', 'HEAD^!']),
  });
  stores.workedIn();
  const memory = peakMemory(place, work);
  const right = joinedRight(place, file);
  stores.pending();
  const whole = peakMemory(place, work);
  const rightAgain = joinedRight(place, file);
  await place.remove();
  return rowsOf(times, { right: right && rightAgain, memory: Math.max(memory, whole), bytes });
}

function rowsOf(times, { right, memory, bytes }) {
  const join = { budget: 3 * times.show.min + 2 * times.node.min, rule: '3 x git show + 2 x node' };
  const row = (what, name, more) => ({ what, ours: times[name], beside: times, right, ...more });
  return [
    row('join of 1,000 files, 50,000 lines: to notes', 'join', join),
    row('  again, when the notes are there (git agent join)', 'rejoin', join),
    row('  before it: 1,000 payloads worked in', 'harvest'),
    row('  both at once', 'both'),
    row('  a reader that finds all of it pending', 'reader', join),
    {
      what: '  peak memory',
      ours: { min: memory },
      budget: Math.max(200, (3 * bytes) / 2 ** 20),
      rule: '200 MB',
      unit: 'MB',
    },
  ];
}

/** The store at three moments; each function puts one of them back, and the branch and the notes with it. */
function keepStores(place, [program, ...args]) {
  const [store, begun, done] = [
    path.join(place.common, 'agent'),
    path.join(place.root, 'begun'),
    path.join(place.root, 'done'),
  ];
  fs.cpSync(store, begun, { recursive: true });
  execFileSync(program, args, { cwd: place.dir, env: place.env });
  place.git('add', '-A');
  place.git('commit', '-q', '-m', 'a thousand files');
  fs.cpSync(store, done, { recursive: true });
  const [before, after] = [place.git('rev-parse', 'HEAD^'), place.git('rev-parse', 'HEAD')];
  const putBack = (kept, head) => () => {
    fs.rmSync(store, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    fs.cpSync(kept, store, { recursive: true });
    place.git('update-ref', 'refs/heads/main', head);
    for (const name of ['trace', 'log'])
      spawnSync('git', ['update-ref', '-d', `refs/notes/agent/${name}`], { cwd: place.dir });
  };
  const pending = putBack(begun, after);
  return {
    /** The payloads wait, nothing is committed. */
    uncommitted: putBack(begun, before),
    /** The payloads are worked in, and then comes the commit. */
    workedIn: putBack(done, after),
    /** The payloads wait, and so does the commit. */
    pending: () => {
      pending();
      fs.copyFileSync(path.join(done, 'journal'), path.join(store, 'journal'));
    },
  };
}

/** As the shim files them, without starting it a thousand times. */
function writePayloads(place) {
  const claude = openClaude(place, { session: 'bench', version: '2.1.197', model: 'claude-opus-4-5-20251101' });
  const facts = [];
  let bytes = 0;
  for (let n = 0; n < FILES; n++) {
    const file = `d${n % 20}/f${n}.js`;
    const file_path = path.join(place.dir, file);
    const content = Array.from({ length: LINES }, (_, i) => `export const value${i} = compute(${n}, ${i * n});\n`).join(
      '',
    );
    place.write(file, content);
    const at = Date.now();
    const name = `${at}-1-${n}`;
    const payload = claude.payload({
      hook_event_name: 'PostToolUse',
      tool_name: 'Write',
      tool_use_id: `toolu_${n}`,
      tool_input: { file_path, content },
      tool_response: {
        type: 'create',
        filePath: file_path,
        content,
        structuredPatch: [],
        originalFile: null,
        userModified: false,
      },
    });
    const text = JSON.stringify(payload);
    bytes += text.length;
    fs.writeFileSync(path.join(place.common, 'agent', 'payloads', name), text);
    facts.push(`{"fact":"payload","at":${at},"agent":"claude-code","file":"${name}","worktree":""}\n`);
  }
  fs.appendFileSync(path.join(place.common, 'agent', 'journal'), facts.join(''));
  return bytes;
}

function joinedRight(place, file) {
  const { stdout } = spawnSync('git', ['agent-blame', '--json', file], { cwd: place.dir, env: place.env });
  const { total, ai } = JSON.parse(stdout).summary;
  return total === LINES && ai === LINES;
}
