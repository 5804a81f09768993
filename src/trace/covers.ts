import { compareEvidence, unknown } from '../lines/origin.ts';
import { type AttributedRange, rangesOf, type Speech, speechesOf } from './attribution.ts';
import { supersededBy } from './own.ts';
import { uuidOf } from './parse.ts';
import type { TraceRecord } from './record.ts';

/** Lines `start` to `end`, and the range of a record that has the say over them. */
export interface Covered {
  readonly start: number;
  readonly end: number;
  readonly by: AttributedRange;
}

/** Who has the say over the lines of one file in one commit: ascending, without overlap. */
export interface Cover {
  readonly parts: readonly Covered[];
  at(line: number): AttributedRange | undefined;
  part(line: number): Covered | undefined;
}

/** The records of a note that no other record of the note replaces. */
export function standing(records: readonly TraceRecord[]): TraceRecord[] {
  if (records.length < 2) return [...records];
  const own = withoutImpostors(records);
  const replaced = new Set(own.flatMap(supersededBy));
  return own.filter((record) => !replaced.has(record.id));
}

/**
 * The ids of our records follow from what they say: of several that have one id, whoever took it for other words has no say. Where it follows
 * from none of them, another tool's does not, and they stand beside each other.
 */
function withoutImpostors(records: readonly TraceRecord[]): readonly TraceRecord[] {
  const byId = new Map<string, TraceRecord[]>();
  for (const record of records) {
    const same = byId.get(record.id);
    if (same) same.push(record);
    else byId.set(record.id, [record]);
  }
  if (byId.size === records.length) return records;
  const gone = new Set<TraceRecord>();
  for (const same of byId.values()) {
    const genuine = same.length > 1 ? same.filter(isGenuine) : [];
    for (const record of genuine.length > 0 ? same : []) if (!genuine.includes(record)) gone.add(record);
  }
  return records.filter((record) => !gone.has(record));
}

function isGenuine({ id, ...content }: TraceRecord): boolean {
  return uuidOf(JSON.stringify(content)) === id;
}

/** What the records of one commit's note say of one file. */
export function originsOf(records: readonly TraceRecord[], path: string): Cover {
  return coversOf(records)(path);
}

/** The same for any number of files: a note is gone through once. */
export function coversOf(records: readonly TraceRecord[]): (path: string) => Cover {
  const files = new Map<string, Speech[]>();
  for (const speech of standing(records).flatMap(speechesOf)) {
    const known = files.get(speech.file.path);
    if (known) known.push(speech);
    else files.set(speech.file.path, [speech]);
  }
  return (path) => coverOf((files.get(path) ?? []).flatMap(rangesOf));
}

/** Every line belongs to the best range that speaks of it, whatever order they come in. */
export function coverOf(ranges: readonly AttributedRange[]): Cover {
  const parts = partsOf(ranges) ?? partsOf([...ranges].sort((a, b) => a.start - b.start)) ?? contest(ranges);
  const part = (line: number) => findPart(parts, line);
  return { parts, at: (line) => part(line)?.by, part };
}

/** Undefined where they overlap, or come in another order. */
function partsOf(ranges: readonly AttributedRange[]): Covered[] | undefined {
  const parts: Covered[] = [];
  let last = 0;
  for (const by of ranges) {
    if (by.start <= last) return undefined;
    parts.push({ start: by.start, end: by.end, by });
    last = by.end;
  }
  return parts;
}

/**
 * Where ranges overlap. Between two neighbouring cuts (starts and ends of ranges) nothing changes; ranges take the free gaps between
 * their cuts, best first, so each gap is taken once:
 *
 *     ranges   1----------9        cuts  1  4  7  10  14
 *                    7-------13    gaps  0  1  2   3
 *              4-6 (best)          4-6 takes gap 1, then 1-9 takes 0 and 2, then 7-13 takes 3
 */
function contest(ranges: readonly AttributedRange[]): Covered[] {
  const cuts = [...new Set(ranges.flatMap(({ start, end }) => [start, end + 1]))].sort((a, b) => a - b);
  const gapAt = new Map(cuts.map((cut, i) => [cut, i]));
  const takers: (AttributedRange | undefined)[] = new Array(cuts.length).fill(undefined);
  const nextFree = freeGaps(cuts.length);
  for (const rivals of ranked(ranges)) {
    const contested = contestedGaps(rivals, gapAt);
    for (const range of rivals) {
      const end = gapAt.get(range.end + 1) ?? 0;
      for (let gap = nextFree.find(gapAt.get(range.start) ?? 0); gap < end; gap = nextFree.find(gap)) {
        takers[gap] = contested(gap) ? contradicted(range) : range;
        nextFree.take(gap);
      }
    }
  }
  const parts: Covered[] = [];
  takers.forEach((by, i) => {
    const [start = 0, end = 0] = [cuts[i], (cuts[i + 1] ?? 0) - 1];
    const last = parts.at(-1);
    if (by && last?.by === by && last.end + 1 === start) parts[parts.length - 1] = { ...last, end };
    else if (by) parts.push({ start, end, by });
  });
  return parts;
}

/** Best first; those of the same strength and time together: none of them has the say over another. */
function ranked(ranges: readonly AttributedRange[]): AttributedRange[][] {
  const groups: AttributedRange[][] = [];
  for (const range of [...ranges].sort(compareStanding)) {
    const last = groups.at(-1);
    if (last?.[0] && compareStrength(last[0], range) === 0 && range.origin.evidence !== undefined) last.push(range);
    else groups.push([range]);
  }
  return groups;
}

/** Which gaps are claimed by two different hands. Each hand's ranges are counted once, so that many that agree cost nothing. */
function contestedGaps(
  rivals: readonly AttributedRange[],
  gapAt: ReadonlyMap<number, number>,
): (gap: number) => boolean {
  const hands = new Map<string, AttributedRange[]>();
  for (const range of rivals) {
    const hand = `${range.origin.type} ${range.origin.agent?.session ?? ''}`;
    const list = hands.get(hand);
    if (list) list.push(range);
    else hands.set(hand, [range]);
  }
  if (hands.size < 2) return () => false;
  const turns = new Map<number, number>(); // gap -> how many hands come, less those that go
  const turn = (gap: number, by: number) => turns.set(gap, (turns.get(gap) ?? 0) + by);
  for (const list of hands.values()) {
    let until = -1;
    for (const { start, end } of list.sort((a, b) => a.start - b.start)) {
      const [from, to] = [Math.max(gapAt.get(start) ?? 0, until), gapAt.get(end + 1) ?? 0];
      if (to <= from) continue;
      turn(from, 1);
      turn(to, -1);
      until = to;
    }
  }
  const starts: { readonly from: number; readonly contested: boolean }[] = [];
  let count = 0;
  for (const [gap, change] of [...turns].sort(([a], [b]) => a - b)) {
    count += change;
    starts.push({ from: gap, contested: count > 1 });
  }
  return (gap) => {
    let [low, high] = [0, starts.length]; // the last that starts here or before
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle]?.from ?? 0) <= gap) low = middle + 1;
      else high = middle;
    }
    return starts[low - 1]?.contested === true;
  };
}

const answers = new WeakMap<AttributedRange, AttributedRange>();

/** One answer for a range, however many lines of it others contradict. */
function contradicted(range: AttributedRange): AttributedRange {
  const known = answers.get(range) ?? { ...range, origin: unknown('two records contradict each other') };
  answers.set(range, known);
  return known;
}

function compareStrength(a: AttributedRange, b: AttributedRange): number {
  return compareEvidence(a.origin.evidence, b.origin.evidence) || b.time - a.time;
}

/** Negative when `a` has the say: stronger evidence (unknown has none), then the later, then the greater id, then any fixed order. */
export function compareStanding(a: AttributedRange, b: AttributedRange): number {
  return (
    compareStrength(a, b) ||
    compareText(b.record, a.record) ||
    a.start - b.start ||
    a.end - b.end ||
    compareText(JSON.stringify(b), JSON.stringify(a))
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Finds the first gap from one on that is not taken, in almost no time however many are (a union-find with path halving). */
function freeGaps(count: number): { find(gap: number): number; take(gap: number): void } {
  const next = Array.from({ length: count + 1 }, (_, i) => i);
  return {
    find(gap) {
      let at = gap;
      for (let to = next[at] ?? count; to !== at; to = next[at] ?? count) {
        next[at] = next[to] ?? count;
        at = to;
      }
      return at;
    },
    take(gap) {
      next[gap] = gap + 1;
    },
  };
}

function findPart(parts: readonly Covered[], line: number): Covered | undefined {
  let [low, high] = [0, parts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((parts[middle]?.end ?? 0) < line) low = middle + 1;
    else high = middle;
  }
  const part = parts[low];
  return part && part.start <= line ? part : undefined;
}
