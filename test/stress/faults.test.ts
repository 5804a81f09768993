import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { campaign } from '../../bench/faults/campaign.ts';
import { STRIKES } from '../../bench/faults/strikes/index.ts';
import { buildPrograms, type Programs } from '../cli/program.ts';

/** One of each kind: a round takes a second of processor time. `node bench/faults/run.mjs` plays thousands. */
const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 6);

let programs: Programs;
beforeAll(async () => {
  programs = await buildPrograms();
});
afterAll(() => programs.remove());

test(`${ROUNDS} faults: git works, doctor names them, nothing is lost, the next run heals`, {
  timeout: 60_000 + ROUNDS * 10_000,
}, async () => {
  const program = path.join(programs.dir, 'git-agent.js');
  const played: string[] = [];
  const bad: string[] = [];
  for await (const { round, kind, said } of campaign({ rounds: ROUNDS, seed: 1, program })) {
    played.push(kind);
    bad.push(...said.map((words) => `round ${round}, ${kind}: ${words}`));
  }
  expect(bad).toEqual([]);
  expect(new Set(played)).toEqual(new Set(Object.keys(STRIKES).slice(0, ROUNDS)));
});
