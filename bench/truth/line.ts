/** A line and the hand that truly wrote it: `me`, or an agent's session. */
export interface Line {
  readonly text: string;
  readonly by: string;
  /** Written where nobody could watch: `unknown` is a right answer too. */
  readonly unseen?: true;
}

export type Kind = 'unique' | 'repeated';

/** Lines that everybody writes. */
const COMMON = ['}', '', '  return null;', 'import x;', '});', '  }', 'break;'];
const WORDS = [
  'amber',
  'birch',
  'cedar',
  'delta',
  'ember',
  'fjord',
  'grove',
  'heron',
  'inlet',
  'jetty',
  'kelp',
  'larch',
];

export function isCommon({ text }: Line): boolean {
  return COMMON.includes(text);
}

export class Pen {
  readonly kind: Kind;
  readonly random: () => number;
  #count = 0;

  constructor(kind: Kind, seed: number) {
    this.kind = kind;
    this.random = randomFrom(seed);
  }

  /** New lines of one hand. Among repeated lines about every third still says something of its own. */
  lines(by: string, count: number): Line[] {
    return Array.from({ length: count }, () =>
      this.kind === 'repeated' && this.random() < 0.6 ? { text: this.pick(COMMON), by } : this.own(by),
    );
  }

  /** New lines to be put between two others, such that there is no second way to see it: a block that ends as what is before it begins elsewhere. */
  between(by: string, count: number, [before, after]: readonly [Line | undefined, Line | undefined]): Line[] {
    for (;;) {
      const lines = this.lines(by, count);
      if (lines.at(-1)?.text !== before?.text && lines[0]?.text !== after?.text) return lines;
    }
  }

  /** New lines in the place of others, none of them the same: git keeps a line that both sides have, and then it is either's. */
  instead(by: string, count: number, others: readonly Line[]): Line[] {
    const had = new Set(others.map(({ text }) => text));
    for (;;) {
      const lines = this.lines(by, count);
      if (!lines.some(({ text }) => had.has(text))) return lines;
    }
  }

  /** A line that stands nowhere else, nor half of its words: put in the place of another, it would be an edit of that, and be of both hands. */
  own(by: string): Line {
    const count = String(++this.#count).padStart(4, '0');
    const words = Array.from({ length: 3 }, () => `${this.pick(WORDS)}${count}`).join(' ');
    return { text: `${by === 'me' ? 'me' : `ai ${by}`} ${words}`, by };
  }

  /** What a person had there from the start: lines of their own that hold merges apart, and some of everybody's in between. */
  base(count: number): Line[] {
    return Array.from({ length: count }, (_, i) =>
      this.kind === 'repeated' && i % 3 === 1 ? { text: this.pick(COMMON), by: 'me' } : this.own('me'),
    );
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T;
  }

  below(end: number): number {
    return Math.floor(this.random() * end);
  }
}

/** Mulberry32: small, and the same everywhere. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function textOf(lines: readonly Line[]): string {
  return lines.map(({ text }) => `${text}\n`).join('');
}

/** The hands that may rightly be named for a line: its own, and those of equal lines that nobody can tell from it. */
export function handsOf(lines: readonly Line[], i: number): Set<string> {
  return new Set(twinsOf(lines, i).map(({ by }) => by));
}

/** A line, and the equal ones that nobody can tell from it where they stand. */
function twinsOf(lines: readonly Line[], i: number): Line[] {
  const text = lines[i]?.text;
  const twins: (Line | undefined)[] = [lines[i]];
  for (let at = i - 1; lines[at]?.text === text; at--) twins.push(lines[at]);
  for (let at = i + 1; lines[at]?.text === text; at++) twins.push(lines[at]);
  for (let step = 2; step <= LONGEST_SLIDE; step++) {
    for (const other of [i - step, i + step]) {
      if (lines[other]?.text === text && canSlide(lines, { at: Math.min(i, other), step, isOfOne }))
        twins.push(lines[other]);
    }
  }
  return twins.filter((line) => line !== undefined);
}

/**
 * Which of two equal lines is the new one may be anybody's guess when it is put there, and git goes by its guess ever after, also
 * when lines of other hands have come between the two:
 *
 *     s1[a] s1[}] [ s2[b] s2[}] ]     and then     s1[a] s1[}] s2[b] me[c] s2[}]
 */
export class Guesses {
  readonly #seen = new Set<Line>();
  readonly #hands = new Map<Line, Set<string>>();

  /** A file has these lines now. Of lines that have stood there before, nobody guesses again. */
  see(lines: readonly Line[]): void {
    for (const [i, line] of lines.entries()) {
      if (this.#seen.has(line)) continue;
      for (const twin of twinsOf(lines, i)) {
        this.#add(line, twin.by);
        this.#add(twin, line.by);
      }
    }
    for (const line of lines) this.#seen.add(line);
  }

  /** Git takes a line for an old one that is equal to it, and went. */
  keep(line: Line, old: Line): void {
    if (line !== old) this.#add(line, old.by);
  }

  handsOf(line: Line): ReadonlySet<string> {
    return this.#hands.get(line) ?? new Set();
  }

  #add(line: Line, by: string): void {
    this.#hands.set(line, (this.#hands.get(line) ?? new Set()).add(by));
  }
}

const isOfOne = (block: readonly Line[]) => block.every(({ by }) => by === block[0]?.by);

export const LONGEST_SLIDE = 20;

interface Slide<T> {
  readonly at: number;
  readonly step: number;
  /** Whether one hand may have put in all of a block. */
  isOfOne(block: readonly T[]): boolean;
}

/**
 * A block that one hand put in may as well have been put in some lines higher, when its last lines are equal to those before it:
 *
 *     a  }  [ b  } ]     or     a  [ }  b ]  }
 */
export function canSlide<T extends { readonly text: string }>(lines: readonly T[], slide: Slide<T>): boolean {
  const { at, step } = slide;
  const equal = (i: number) => lines[i] !== undefined && lines[i]?.text === lines[i + step]?.text;
  let [first, last] = [at, at];
  while (equal(first - 1)) first--;
  while (equal(last + 1)) last++;
  for (let start = first; start <= last + 1; start++) {
    const block = lines.slice(start, start + step);
    if (block.length === step && slide.isOfOne(block)) return true;
  }
  return false;
}
