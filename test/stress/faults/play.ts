import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { campaign } from '../../../bench/faults/campaign.ts';
import { STRIKES } from '../../../bench/faults/strikes/index.ts';
import { buildPrograms, type Programs } from '../../cli/program.ts';

/** Another seed plays other rounds, FAULT_SEED says which; `npm run faults` plays thousands. */
const SEED = Number(process.env.FAULT_SEED ?? 1);
const ROUNDS = 25;

/** A quarter of a hundred rounds, in a file of its own: so all cores play. */
export function playQuarter(quarter: number): void {
  const from = quarter * ROUNDS;
  let programs: Programs;
  beforeAll(async () => {
    programs = await buildPrograms();
  });
  afterAll(() => programs.remove());

  const name = `seed ${SEED}, rounds ${from} to ${from + ROUNDS - 1} of 100 faults`;
  test(`${name}: git works, doctor names them, nothing is lost, the next run heals`, {
    timeout: 1_200_000,
  }, async () => {
    const program = path.join(programs.dir, 'git-agent.js');
    const kinds = Object.keys(STRIKES);
    const played: string[] = [];
    for await (const { round, kind, said } of campaign({ rounds: ROUNDS, from, seed: SEED, program })) {
      played.push(kind);
      expect.soft(said, `npm run faults -- --seed ${SEED}: round ${round}, ${kind}`).toEqual([]);
    }
    expect(played).toEqual(Array.from({ length: ROUNDS }, (_, i) => kinds[(from + i) % kinds.length]));
  });
}
