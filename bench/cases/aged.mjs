// A store that holds a year of an agent's work: what a commit and a blame cost there, beside a store that has just begun.
import { spawnSync } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { openClaude } from '../claude.mjs';
import { command, peakMemory, race } from '../measure.mjs';
import { makePlace, must, PROGRAM } from '../place.mjs';

/** Of a year with 200 calls on each of 200 days. */
const [FACTS, EDITS, COMMANDS, TEXTS, MOVES] = [50_000, 40_000, 15_000, 60_000, 8000];
const BEGUN = 1_700_000_000_000;
const FILE = 'src/watched.js';

export async function aged() {
  const [young, old] = [openShop('young'), openShop('old')];
  addYear(old.place);
  const times = await race(5, {
    young: young.working,
    old: old.working,
    'young, blame': young.blaming,
    'old, blame': old.blaming,
  });
  const memory = peakMemory(old.place, ['git', 'agent-blame', '--porcelain', FILE]);
  const right = [young, old].every(({ isRight }) => isRight());
  for (const { place } of [young, old]) await place.remove();
  const row = (what, name, beside) => ({
    ...{ what, right, ours: times[name], against: 'young', beside: { young: times[beside] } },
    ...{ budget: 3 * times[beside].min, rule: '3 x the same where nothing else is recorded' },
  });
  return [
    row('the work after an agent\u2019s commit, a year recorded', 'old', 'young'),
    row('git agent-blame before that, commit and edit pending', 'old, blame', 'young, blame'),
    { what: '  its peak memory', ours: { min: memory }, budget: 200, rule: '200 MB', unit: 'MB' },
  ];
}

/** An agent writes a line and it is committed; the work has still to be done. */
function openShop(name) {
  const place = makePlace(name);
  place.write(FILE, 'let first = 1;\n');
  place.git('add', '-A');
  place.git('commit', '-q', '-m', 'begin');
  place.init();
  fs.writeFileSync(path.join(place.common, 'agent', 'hooks', 'wake'), '#!/bin/sh\n');
  const work = [process.execPath, PROGRAM, 'work', place.common];
  must(spawnSync(work[0], work.slice(1), { cwd: place.dir, env: place.env }));
  const claude = openClaude(place, { session: name, version: '2.1.197', model: 'claude-opus-4-5-20251101' });
  let lines = 1;
  const commit = () => {
    claude.write(`toolu_${lines}`, FILE, `${place.read(FILE)}let line${lines++} = 'an agent writes this';\n`);
    place.git('commit', '-q', '-a', '-m', `${lines}`);
  };
  const isRight = () => {
    const { stdout } = spawnSync('git', ['agent-blame', '--json', FILE], { cwd: place.dir, env: place.env });
    const { total, ai } = JSON.parse(stdout).summary;
    return total === lines && ai === lines - 1;
  };
  return {
    place,
    isRight,
    working: command(place, work, { prepare: commit }),
    blaming: command(place, ['git', 'agent-blame', '--porcelain', FILE], { prepare: commit }),
  };
}

function addYear({ common }) {
  const agent = path.join(common, 'agent');
  const at = (i) => BEGUN + i * 60_000;
  const call = (i) => ({
    ...{ session: `old-${Math.floor(i / 100)}`, event: `toolu_old_${i}` },
    ...{ tool: { name: 'claude-code', version: '2.1.197' }, model: 'anthropic/claude-opus-4-5-20251101', worktree: '' },
  });
  const fact = (i) =>
    i % 5 === 0
      ? { fact: 'commit', at: at(i), commit: id(i), worktree: '' }
      : { fact: 'payload', at: at(i), agent: 'claude-code', file: `${at(i)}-1-0`, worktree: '', tree: id(i) };
  const facts = linesOf(FACTS, fact);
  prepend(path.join(agent, 'journal'), facts);
  const state = JSON.parse(fs.readFileSync(path.join(agent, 'state.json'), 'utf8'));
  const told = state.told === undefined ? {} : { told: state.told + facts.length };
  fs.writeFileSync(
    path.join(agent, 'state.json'),
    JSON.stringify({ ...state, ...told, journal: state.journal + facts.length }),
  );
  const edits = Array.from({ length: EDITS }, (_, i) => {
    const file = `src/part${i % 40}/file${i % 900}.js`;
    return { path: file, at: at(i), ...call(i), source: 'hook', kind: 'full', before: id(i), after: id(i + 1) };
  });
  for (const [name, some] of groupBy(edits, shelfOf))
    prepend(path.join(agent, 'timelines', `${name}.jsonl`), some.map((edit) => `${JSON.stringify(edit)}\n`).join(''));
  const ran = (i) => ({
    ...call(i),
    command: `npm test -- part${i}.test.js && git status`,
    from: at(i),
    to: at(i) + 500,
  });
  prepend(path.join(agent, 'commands.jsonl'), linesOf(COMMANDS, ran));
  prepend(path.join(agent, 'texts', 'index'), Array.from({ length: TEXTS }, (_, i) => `${id(i)} 0 300\n`).join(''));
  const moved = (_, i) => `${id(i)} ${id(i + 1)} Ada <ada@example.com> ${at(i) / 1000} +0000\tcommit: change ${i}\n`;
  prepend(path.join(common, 'logs', 'HEAD'), Array.from({ length: MOVES }, moved).join(''));
}

const id = (i) => crypto.createHash('sha1').update(`${i}`).digest('hex');
/** As the store spreads paths over files. */
const shelfOf = (edit) => crypto.createHash('sha256').update(edit.path).digest('hex')[0];
const linesOf = (count, make) => Array.from({ length: count }, (_, i) => `${JSON.stringify(make(i))}\n`).join('');

function groupBy(all, keyOf) {
  const groups = new Map();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

function prepend(file, text) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const there = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  fs.writeFileSync(file, text + there);
}
