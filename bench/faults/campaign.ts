import { openWorkshop } from '../../test/support/workshop.ts';
import { lookAtAll, playRound } from './round.ts';
import { Scene, type Strike } from './scene.ts';
import { STRIKES } from './strikes/index.ts';

export interface Outcome {
  readonly round: number;
  readonly kind: string;
  readonly said: readonly string[];
}

/** So many rounds share a repository: what broke in one has to be well in the next. */
export const TOGETHER = 5;

export interface Wishes {
  readonly rounds: number;
  readonly seed: number;
  /** The round to begin with, the first of those that share a repository: so any part of a campaign can be played again. */
  readonly from?: number | undefined;
  /** The script of `git-agent` that is started and killed. */
  readonly program: string;
  readonly kind?: string | undefined;
}

/** Rounds with one fault each, all kinds in turn. */
export async function* campaign({ rounds, seed, from = 0, program, kind }: Wishes): AsyncGenerator<Outcome> {
  if (from % TOGETHER !== 0) throw new Error(`round ${from} is not the first of ${TOGETHER}`);
  if (kind !== undefined && !(kind in STRIKES)) throw new Error(`there is no fault called ${kind}`);
  const kinds = kind === undefined ? Object.keys(STRIKES) : [kind];
  const end = from + rounds;
  for (let first = from; first < end; first += TOGETHER) {
    const shop = await openWorkshop();
    try {
      const scene = new Scene(shop, seed * 100_003 + first, program);
      scene.still();
      yield* playTogether(scene, first, Math.min(end, first + TOGETHER), kinds);
    } finally {
      shop.remove();
    }
  }
}

async function* playTogether(
  scene: Scene,
  from: number,
  end: number,
  kinds: readonly string[],
): AsyncGenerator<Outcome> {
  for (let round = from; round < end; round++) {
    const kind = kinds[round % kinds.length] ?? '';
    const said = [...(await playRound(scene, STRIKES[kind] as Strike, round).catch(inWords))];
    if (said.length === 0 && round === end - 1) said.push(...(await lookAtAll(scene).catch(inWords)));
    yield { round, kind, said };
    if (said.length > 0) return; // what follows would only repeat it
  }
}

const inWords = (error: unknown) => [String(error)];
