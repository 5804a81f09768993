import { Pen } from '../../bench/truth/line.ts';
import { type CommitFile, joinCommit, originOf } from '../../src/join/commit.ts';
import type { TimelineEdit } from '../../src/join/timeline.ts';
import { shortestDiff } from '../../src/lines/diff.ts';
import type { Origin } from '../../src/lines/origin.ts';
import { rangesOf } from '../../src/lines/range.ts';
import { handsAfter, isPlausible, type Known, slideHands } from './possible.ts';

/** A file's life between two commits, as it truly was. */
export interface MadeUp {
  readonly base: readonly Known[];
  readonly steps: readonly { readonly who: string; readonly text: readonly Known[] }[];
}

export interface Setting {
  /** The lines that everybody writes, over and over. */
  readonly common: readonly string[];
  /** How many of the lines say something of their own, from 0 to 1. */
  readonly own: number;
  readonly steps: number;
}

/** A person and two agents write, delete, replace, move and undo in a file of few different lines; the seed decides. */
export function makeUp(seed: number, { common, own, steps }: Setting): MadeUp {
  const pen = new Pen('unique', seed);
  let count = 0;
  const fresh = (by: string): Known => {
    const text = pen.random() < own ? pen.own(by).text : pen.pick(common);
    return { id: ++count, text, hands: new Set([by]) };
  };
  const base = Array.from({ length: 3 + pen.below(8) }, () => fresh(pen.pick(['me', 's0'])));
  const texts: (readonly Known[])[] = [base];
  const made: { who: string; text: readonly Known[] }[] = [];
  let seen: readonly Known[] = base; // by an agent: what a person did since is one step to everybody else
  const wanted = 1 + pen.below(steps);
  for (let tries = 0; made.length < wanted && tries < 20 * wanted; tries++) {
    const who = pen.pick(['me', 'me', 's1', 's2']);
    const text = texts.at(-1) ?? base;
    const next = change(pen, { who, text, before: texts.at(-2) ?? base, fresh });
    const same = next.length === text.length && next.every((line, i) => line.text === text[i]?.text);
    if (same || ![text, seen, base].every((from) => isPlausible(from, next))) continue;
    texts.push(next);
    made.push({ who, text: next });
    if (who !== 'me') seen = next;
  }
  return { base, steps: made };
}

interface Change {
  readonly who: string;
  readonly text: readonly Known[];
  readonly before: readonly Known[];
  fresh(by: string): Known;
}

function change(pen: Pen, { who, text, before, fresh }: Change): readonly Known[] {
  const [at, count, kind] = [pen.below(text.length + 1), 1 + pen.below(3), pen.random()];
  const [head, tail] = [text.slice(0, at), text.slice(at + count)];
  const lines = Array.from({ length: count }, () => fresh(who));
  if (kind < 0.45) return [...head, ...lines, ...text.slice(at)];
  if (kind < 0.6) return [...head, ...tail];
  if (kind < 0.8) return [...head, ...lines, ...text.slice(at + 1 + pen.below(2))];
  if (kind < 0.9) return before;
  // what is moved may as well be called written by who moved it
  const moved = text.slice(at, at + count).map((line) => ({ ...line, hands: new Set([...line.hands, who]) }));
  const rest = [...head, ...tail];
  const to = pen.below(rest.length + 1);
  return [...rest.slice(0, to), ...moved, ...rest.slice(to)];
}

/** For each line of the last text the hands that may rightly be named: its own, and those that no comparison of texts can tell from it. */
export function rightHands({ base, steps }: MadeUp): readonly ReadonlySet<string>[] {
  let [text, seen] = [base, base];
  for (const { who, text: next } of steps) {
    text = handsAfter(text, next, who);
    if (who === 'me') text = handsAfter(seen, text, who);
    text = handsAfter(base, text, undefined);
    if (who !== 'me') seen = text;
  }
  return text.map((_, i) => slideHands(text, i));
}

/** What the join and blame say of each line of the last text: a hand, or a type that names none. */
export function tell({ base, steps }: MadeUp): readonly string[] {
  const textOf = (lines: readonly Known[]) => lines.map((line) => line.text);
  const edits: TimelineEdit[] = [];
  let [clock, text] = [10_000, textOf(base)];
  for (const { who, text: next } of steps) {
    const [before, after] = [text, textOf(next)];
    clock += 1000;
    if (who !== 'me') {
      const ids = { beforeId: before.join('\n'), afterId: after.join('\n') };
      edits.push({ agent: agentOf(who, clock), at: clock, change: { kind: 'full', before, after }, ...ids });
    }
    text = after;
  }
  const time = clock + 1000;
  const map = shortestDiff(textOf(base), text, 10_000) ?? [];
  const file = fileOf({ base: textOf(base), text, map, edits, time });
  const answers = joinCommit({ files: [file], time, baseTime: 5_000 }).get(file.path)?.answers;
  const handOf = (line: number) => base[line - 1]?.hands.values().next().value ?? '';
  return text.map((_, i) => {
    const old = map[i] ?? -1;
    if (old >= 0) return handOf(old + 1);
    const answer = answers?.get(i + 1);
    return answer ? nameOf(originOf(answer, (_path, line) => originBy(handOf(line)))) : 'none';
  });
}

function fileOf({ base, text, map, edits, time }: FileParts): CommitFile {
  const kept = new Set(map);
  const added = rangesOf(map.flatMap((old, i) => (old < 0 ? [i + 1] : [])));
  const removed = rangesOf(base.flatMap((_, i) => (kept.has(i) ? [] : [i + 1])));
  const blocks = (lines: readonly string[], ranges: typeof added) =>
    ranges.map(({ start, end }) => ({ start, lines: lines.slice(start - 1, end) }));
  const ancestors = new Map([[base.join('\n'), 5_000]]);
  const times = { time, baseTime: 5_000, captureSince: 1_000, shellSeconds: 30, commands: [], ancestors };
  const timeline = { path: 'a.ts', base, text, added, edits, ...times };
  return {
    path: 'a.ts',
    added: blocks(text, added),
    removed: blocks(base, removed),
    ...(edits.length > 0 && { timeline }),
  };
}

interface FileParts {
  readonly base: readonly string[];
  readonly text: readonly string[];
  readonly map: readonly number[];
  readonly edits: readonly TimelineEdit[];
  readonly time: number;
}

function agentOf(session: string, at: number) {
  return { session, event: `e${at}`, tool: { name: 'claude-code' } };
}

function originBy(hand: string): Origin {
  if (hand === 'me') return { type: 'human', evidence: 'absent' };
  return { type: 'ai', evidence: 'observed', agent: agentOf(hand, 0) };
}

function nameOf({ type, agent }: Origin): string {
  return type === 'human' ? 'me' : type === 'ai' ? (agent?.session ?? '') : type;
}
