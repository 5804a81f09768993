// How long every verb takes to start: its help, and what it does where there is next to nothing to do.
import fs from 'node:fs';
import path from 'node:path';
import { openClaude } from '../claude.mjs';
import { command, nodeStart, race, settled } from '../measure.mjs';
import { makePlace, PROGRAM, ROOT } from '../place.mjs';

const agent = (place, args, input = '') => command(place, [process.execPath, PROGRAM, ...args], { input });

export async function helps({ rounds }) {
  const place = makePlace('help');
  const names = verbNames();
  const racers = names.map((name) => [name, agent(place, [name, '--help'])]);
  const times = await race(rounds(7), { ...Object.fromEntries(racers), node: nodeStart(place) });
  await place.remove();
  return names.map((name) => rowOf(times, name, `git agent ${name} --help`));
}

/** As src/commands/index.ts lists them. */
function verbNames() {
  const text = fs.readFileSync(path.join(ROOT, 'src', 'commands', 'index.ts'), 'utf8');
  return [...text.matchAll(/^ {2}verb\('([^']+)'/gm)].map(([, name]) => name);
}

/** Verbs that end by themselves and leave things as they are, or would do so the second time. */
const WORK = {
  blame: ['a.txt'],
  init: ['--agents', 'claude-code'],
  status: [],
  doctor: [],
  sessions: [],
  show: ['bench'],
  why: ['a.txt:1'],
  log: [],
  diff: ['HEAD^', 'HEAD'],
  export: ['HEAD'],
  mcp: [],
  join: ['HEAD'],
  backfill: ['--dry-run'],
  reanchor: ['HEAD'],
  sync: [],
  push: [],
  fetch: [],
  share: ['--dry-run', 'bench'],
  forget: ['--dry-run', 'bench'],
  report: [],
  check: [],
  verify: [],
  audit: ['--format', 'json'],
  gc: ['--dry-run'],
  config: [],
  completion: ['bash'],
  version: [],
  work: ['.git'],
};

export async function verbs({ rounds }) {
  const place = makePlace('verbs');
  place.init();
  await fill(place);
  const names = Object.keys(WORK);
  const racers = names.map((name) => [name, agent(place, [name, ...WORK[name]])]);
  const times = await race(rounds(7), { ...Object.fromEntries(racers), node: nodeStart(place) });
  await settled(place);
  await place.remove();
  return names.map((name) => rowOf(times, name, `git agent ${[name, ...WORK[name]].join(' ')}`));
}

/** Two commits, a conversation, a remote. */
async function fill(place) {
  const claude = openClaude(place, { session: 'bench', version: '2.1.197', model: 'claude-opus-4-5-20251101' });
  for (const round of [1, 2]) {
    claude.write(`toolu_${round}`, 'a.txt', 'a line\n'.repeat(round));
    place.git('add', '-A');
    place.git('commit', '-q', '-m', `${round}`);
  }
  await settled(place);
  const remote = path.join(place.root, 'remote.git');
  place.git('init', '-q', '--bare', remote);
  place.git('remote', 'add', 'origin', remote);
  place.git('push', '-q', '-u', 'origin', 'main');
}

function rowOf(times, verb, what) {
  return { what, verb, ours: times[verb], beside: { node: times.node }, rule: 'stated' };
}
