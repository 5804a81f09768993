import type { Line } from '../line.ts';
import type { Operation, Stage } from '../stage.ts';
import { start } from './histories.ts';

/** A function as everybody writes them: only its first line says something of its own. Where lines are unique, all of them do. */
function functionOf({ pen }: Stage, by: string): Line[] {
  if (pen.kind === 'unique') return [pen.own(by), pen.own(by), pen.own(by)];
  const weak = (text: string): Line => ({ text, by });
  const body = ['  }', '', '  return null;'].slice(pen.below(3)).map(weak);
  return [pen.own(by), ...body, weak('}'), weak('')];
}

type Hands = readonly [first: string, second: string];

/** One hand's function is thrown away, and another writes one in its place, or elsewhere. */
const thrown =
  ([first, second]: Hands, throwAway: (stage: Stage) => void, commits: boolean): Operation =>
  (stage) => {
    const base = start(stage);
    const { pen } = stage;
    const surround = (at: number, lines: readonly Line[]) => [...base.slice(0, at), ...lines, ...base.slice(at)];
    const at = 3;
    stage.put('f.ts', first, surround(at, functionOf(stage, first)));
    throwAway(stage);
    const anew = functionOf(stage, second);
    const there = surround(pen.below(2) === 0 ? at : 6, anew);
    stage.put('f.ts', second, there);
    if (commits) stage.commit('anew');
    stage.is({ 'f.ts': there });
  };

const checkout = (stage: Stage) => void stage.git('checkout', '-q', '--', 'f.ts');
const restore = (stage: Stage) => void stage.git('restore', 'f.ts');
const reset = (stage: Stage) => void stage.git('reset', '-q', '--hard');
const HANDS: Record<string, Hands> = {
  'agent, person': ['s1', 'me'],
  'person, agent': ['me', 's1'],
  'agent, agent': ['s1', 's2'],
  'agent, itself': ['s1', 's1'],
};

export const THROWN: Record<string, Operation> = Object.fromEntries(
  Object.entries(HANDS).flatMap(([names, hands]) => [
    [`checkout -- file (${names})`, thrown(hands, checkout, true)],
    [`restore (${names}), not committed`, thrown(hands, restore, false)],
    [`reset --hard (${names})`, thrown(hands, reset, true)],
  ]),
);
