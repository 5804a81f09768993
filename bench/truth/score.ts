import type { BlameJson } from '../../test/support/workshop.ts';
import { type Guesses, handsOf, type Line } from './line.ts';

export interface Score {
  readonly right: number;
  readonly wrong: number;
  readonly lost: number;
  /** What was not right, in words. */
  readonly notes: readonly string[];
}

export const NOTHING: Score = { right: 0, wrong: 0, lost: 0, notes: [] };

export function sum(scores: readonly Score[]): Score {
  return scores.reduce(
    (a, b) => ({
      right: a.right + b.right,
      wrong: a.wrong + b.wrong,
      lost: a.lost + b.lost,
      notes: [...a.notes, ...b.notes],
    }),
    NOTHING,
  );
}

type Told = BlameJson['lines'][number];

interface Truth {
  readonly lines: readonly Line[];
  readonly guesses: Guesses;
}

/** What blame says of a file against who truly wrote it. */
export function judge(name: string, { lines: truth, guesses }: Truth, told: readonly Told[]): Score {
  if (truth.length !== told.length || truth.some(({ text }, i) => text !== told[i]?.text)) {
    throw new Error(`${name} is not what the script believes:\n${sideBySide(truth, told)}`);
  }
  return sum(
    truth.map((line, i) => {
      const hands = new Set([...handsOf(truth, i), ...guesses.handsOf(line)]);
      const score = judgeLine(name, hands, line, told[i] as Told);
      return score.right > 0 ? score : { ...score, notes: score.notes.map((note) => `${note}: ${around(truth, i)}`) };
    }),
  );
}

function judgeLine(name: string, hands: ReadonlySet<string>, line: Line, told: Told): Score {
  if (told.type === 'unknown' && line.unseen) return { ...NOTHING, right: 1 };
  const hand = told.type === 'human' ? 'me' : told.type === 'ai' ? (told.session ?? '') : told.type;
  if (hands.has(hand)) return { ...NOTHING, right: 1 };
  const note = `${name}:${told.line} "${line.text}" is by ${[...hands].join(' or ')}, told: ${hand} (${told.reason ?? told.via})`;
  return told.type === 'unknown' ? { ...NOTHING, lost: 1, notes: [note] } : { ...NOTHING, wrong: 1, notes: [note] };
}

/** The lines around one, each with its hand. */
function around(truth: readonly Line[], i: number): string {
  const some = truth.slice(Math.max(0, i - 6), i + 7);
  return some.map((line) => `${line === truth[i] ? '>' : ''}${line.by}[${line.text}]`).join(' ');
}

function sideBySide(truth: readonly Line[], told: readonly Told[]): string {
  const rows = Array.from({ length: Math.max(truth.length, told.length) }, (_, i) => {
    const [a, b] = [truth[i]?.text ?? '-', told[i]?.text ?? '-'];
    return `${a === b ? ' ' : '!'} ${a.padEnd(40)} | ${b}`;
  });
  return rows.join('\n');
}
