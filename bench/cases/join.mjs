// A thousand files that an agent wrote, in one commit: from hook payloads to notes.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { openClaude } from '../claude.mjs';
import { command, nodeStart, peakMemory, race } from '../measure.mjs';
import { makePlace, PROGRAM } from '../place.mjs';

const FILES = 1000;
const LINES = 50;

export async function joins() {
  const place = makePlace('join');
  place.git('commit', '-q', '--allow-empty', '-m', 'begin');
  place.init();
  fs.writeFileSync(path.join(place.common, 'agent', 'hooks', 'wake'), '#!/bin/sh\n');
  const bytes = writePayloads(place);
  place.git('add', '-A');
  place.git('commit', '-q', '-m', 'a thousand files');
  const [store, kept] = [path.join(place.common, 'agent'), path.join(place.root, 'kept')];
  fs.cpSync(store, kept, { recursive: true });
  const again = () => {
    fs.rmSync(store, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    fs.cpSync(kept, store, { recursive: true });
    for (const name of ['trace', 'log'])
      spawnSync('git', ['update-ref', '-d', `refs/notes/agent/${name}`], { cwd: place.dir });
  };
  const work = [process.execPath, PROGRAM, 'work', place.common];
  const file = 'd0/f0.js';
  const times = await race(3, {
    show: command(place, ['git', 'show', 'HEAD']),
    node: nodeStart(place),
    reader: command(place, ['git', 'agent-blame', '--porcelain', file], { prepare: again }),
    work: command(place, work, { prepare: again }),
    rejoin: command(place, [process.execPath, PROGRAM, 'join', 'HEAD^!']),
  });
  again();
  const memory = peakMemory(place, work);
  const right = joinedRight(place, file);
  await place.remove();
  const budget = 3 * times.show.min + 2 * times.node.min;
  const row = (what, name) => ({
    what,
    ours: times[name],
    budget,
    rule: '3 x git show + 2 x node',
    beside: times,
    right,
  });
  return [
    row('join of 1,000 files, 50,000 lines: harvest, join, notes', 'work'),
    row('  the join alone (git agent join, what is known already)', 'rejoin'),
    row('  a reader that finds all of it pending', 'reader'),
    {
      what: '  its peak memory',
      ours: { min: memory },
      budget: Math.max(200, (3 * bytes) / 2 ** 20),
      rule: '200 MB',
      unit: 'MB',
    },
  ];
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
