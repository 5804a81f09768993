import type { Line } from '../line.ts';
import type { Operation, Stage } from '../stage.ts';
import { start } from './histories.ts';

/** Two hands in one file: the first one's block near one end of it, which git puts aside, and the other's near the other end. */
interface Two {
  readonly first: string;
  readonly second: string;
  /** f.ts with these blocks. */
  with(...hands: string[]): Line[];
}

function two(stage: Stage, [first, second]: readonly [string, string]): Two {
  const base = [...start(stage), ...stage.pen.base(6)];
  stage.put('f.ts', 'me', base);
  stage.commit('longer');
  const { pen } = stage;
  const top = pen.below(2) === 0 ? first : second;
  const [high, low] = [3, 12];
  const blockOf = (by: string) => {
    const at = by === top ? high : low;
    return [pen.own(by), ...pen.between(by, 1 + pen.below(4), [base[at - 1], base[at]])];
  };
  const blocks = new Map([first, second].map((by) => [by, blockOf(by)]));
  const surround = (...hands: string[]) => {
    const [one, other] = [top, top === first ? second : first].map((by) =>
      hands.includes(by) ? (blocks.get(by) ?? []) : [],
    );
    return [...base.slice(0, high), ...(one ?? []), ...base.slice(high, low), ...(other ?? []), ...base.slice(low)];
  };
  return { first, second, with: surround };
}

/** The first hand's edit is put aside, the second edits and commits, the first's is brought back. */
const around =
  (hands: readonly [string, string], push: readonly string[], bring: (stage: Stage) => void): Operation =>
  (stage) => {
    const one = two(stage, hands);
    stage.put('f.ts', one.first, one.with(one.first));
    stage.git('stash', ...push);
    stage.put('f.ts', one.second, one.with(one.second));
    stage.commit('second');
    bring(stage);
    stage.commit('both');
    stage.is({ 'f.ts': one.with(one.first, one.second) });
  };

/** Both are put aside, and come back one after the other. */
const stacked =
  (hands: readonly [string, string]): Operation =>
  (stage) => {
    const one = two(stage, hands);
    stage.put('f.ts', one.first, one.with(one.first));
    stage.git('stash', 'push', '-q');
    stage.put('f.ts', one.second, one.with(one.second));
    stage.git('stash', 'push', '-q');
    stage.git('stash', 'pop', '-q');
    stage.commit('second');
    stage.git('stash', 'pop', '-q');
    stage.commit('both');
    stage.is({ 'f.ts': one.with(one.first, one.second) });
  };

/** The second hand goes on upon what has come back. */
const goingOn =
  (hands: readonly [string, string]): Operation =>
  (stage) => {
    const one = two(stage, hands);
    stage.put('f.ts', one.first, one.with(one.first));
    stage.git('stash', 'push', '-q');
    stage.put('n.ts', one.second, [stage.pen.own(one.second)]);
    stage.git('stash', 'pop', '-q');
    stage.put('f.ts', one.second, one.with(one.first, one.second));
    stage.commit('both');
    stage.is({ 'f.ts': one.with(one.first, one.second) });
  };

/** What the second hand wrote is put aside itself, while the first's comes back. */
const exchanged =
  (hands: readonly [string, string]): Operation =>
  (stage) => {
    const one = two(stage, hands);
    stage.put('f.ts', one.first, one.with(one.first));
    stage.git('stash', 'push', '-q');
    stage.put('f.ts', one.second, one.with(one.second));
    stage.git('stash', 'push', '-q');
    stage.git('stash', 'pop', '-q', 'stash@{1}');
    stage.commit('first');
    stage.git('stash', 'pop', '-q');
    stage.commit('both');
    stage.is({ 'f.ts': one.with(one.first, one.second) });
  };

const rescued =
  (hands: readonly [string, string]): Operation =>
  (stage) => {
    const one = two(stage, hands);
    stage.put('f.ts', one.first, one.with(one.first));
    stage.git('stash', 'push', '-q');
    stage.put('f.ts', one.second, one.with(one.second));
    stage.commit('second');
    stage.git('stash', 'branch', 'rescued');
    stage.commit('first');
    stage.git('merge', '-q', '-m', 'merged', 'main');
    stage.is({ 'f.ts': one.with(one.first, one.second) });
  };

/** Several more edits by several hands go by before what was put aside comes back. */
const later =
  (hands: readonly [string, string]): Operation =>
  (stage) => {
    const one = two(stage, hands);
    const tail: Line[] = [];
    stage.put('f.ts', one.first, one.with(one.first));
    stage.git('stash', 'push', '-q');
    stage.put('f.ts', one.second, one.with(one.second));
    for (const by of ['me', 's2', 's1', 'me'].slice(stage.pen.below(3))) {
      if (stage.pen.below(2) === 0) stage.commit('between');
      tail.push(stage.pen.own(by));
      stage.put('f.ts', by, [...one.with(one.second), ...tail]);
    }
    stage.commit('second');
    stage.git('stash', 'pop', '-q');
    stage.commit('both');
    stage.is({ 'f.ts': [...one.with(one.first, one.second), ...tail] });
  };

const PUSH = ['push', '-q'];
const OF_A_FILE = [...PUSH, '--', 'f.ts'];
const pop = (stage: Stage) => void stage.git('stash', 'pop', '-q');
const apply = (stage: Stage) => void stage.git('stash', 'apply', '-q');
const ORDERS = { person: ['me', 's1'], agent: ['s1', 'me'], 'two agents': ['s1', 's2'] } as const;

export const STASHES: Record<string, Operation> = Object.fromEntries(
  Object.entries(ORDERS).flatMap(([whose, hands]) => [
    [`stash (${whose}), commit, pop`, around(hands, PUSH, pop)],
    [`stash (${whose}), commit, apply`, around(hands, PUSH, apply)],
    [`stash -- file (${whose}), commit, pop`, around(hands, OF_A_FILE, pop)],
    [`stash (${whose}) twice, pop, pop`, stacked(hands)],
    [`stash (${whose}) twice, exchanged`, exchanged(hands)],
    [`stash (${whose}), commits, pop`, later(hands)],
    [`stash (${whose}), pop, edit`, goingOn(hands)],
    [`stash (${whose}), commit, branch, merge`, rescued(hands)],
  ]),
);
