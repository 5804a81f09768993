import { openWorkshop } from '../../test/support/workshop.ts';
import { playRound } from './round.ts';
import { Scene } from './scene.ts';
import { STRIKES } from './strikes/index.ts';

export interface Outcome {
  readonly round: number;
  readonly kind: string;
  readonly said: readonly string[];
}

/** So many rounds share a repository: what broke in one has to be well in the next. */
const TOGETHER = 6;

export interface Wishes {
  readonly rounds: number;
  readonly seed: number;
  /** The script of `git-agent` that is started and killed. */
  readonly program: string;
  readonly kind?: string | undefined;
}

/** Rounds with one fault each, all kinds in turn. */
export async function* campaign({ rounds, seed, program, kind }: Wishes): AsyncGenerator<Outcome> {
  const kinds = kind === undefined ? Object.keys(STRIKES) : [kind];
  for (let from = 0; from < rounds; from += TOGETHER) {
    const shop = await openWorkshop();
    try {
      const scene = new Scene(shop, seed * 100_003 + from, program);
      scene.still();
      for (let round = from; round < Math.min(rounds, from + TOGETHER); round++) {
        const name = kinds[round % kinds.length] ?? '';
        const strike = STRIKES[name];
        if (!strike) throw new Error(`there is no fault called ${name}`);
        const said = await playRound(scene, strike, round).catch((error: unknown) => [String(error)]);
        yield { round, kind: name, said };
        if (said.length > 0) break; // what follows would only repeat it
      }
      if (shop.git('fsck', '--no-dangling') !== '')
        yield { round: from, kind: 'git fsck', said: ['objects are broken'] };
    } finally {
      shop.remove();
    }
  }
}
