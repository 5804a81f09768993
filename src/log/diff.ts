import { NO_RECORD, type Summary, summarise } from '../blame/annotate.ts';
import { MARKERS, printSummary } from '../blame/text.ts';
import type { DiffLine } from '../git/unified.ts';
import { type ContributorType, type Origin, unknown } from '../lines/origin.ts';
import { readable } from '../lines/text.ts';
import { first, howMany } from '../report/figures.ts';
import type { Run } from '../report/run.ts';
import { visible } from '../terminal/plain.ts';
import { contributionsOf } from './entry.ts';
import { type LogScreen, printContribution } from './text.ts';

/** Lines that a diff adds, by one hand; no commit where they are not committed. */
export type PaintedRun = Omit<Run, 'commit'> & { readonly commit: string | null };

/** An added line and where it comes from. */
export interface PaintedLine extends Pick<PaintedRun, 'origin' | 'via' | 'trace' | 'conversation'> {
  readonly file: string;
  readonly line: number;
  readonly commit: string | null;
  /** latin1, without its sign. */
  readonly text: string;
}

const NOTHING = unknown(NO_RECORD);

/** Each added line once, in order: a line that no run speaks of is `unknown`. */
export function paintLines(lines: readonly DiffLine[], runs: readonly PaintedRun[]): PaintedLine[] {
  const found = new Map<string, Map<number, PaintedRun>>();
  for (const run of runs) {
    const inFile = found.get(run.path) ?? new Map<number, PaintedRun>();
    for (let line = run.start; line <= run.end; line++) inFile.set(line, run);
    found.set(run.path, inFile);
  }
  return lines.flatMap(({ kind, text, file = '', line = 0 }) => {
    if (kind !== 'added') return [];
    const { start: _, end: __, path: ___, ...told } = found.get(file)?.get(line) ?? NOBODY;
    return [{ file, line, text: text.slice(1), ...told }];
  });
}

const NOBODY: PaintedRun = { commit: null, path: '', start: 0, end: 0, origin: NOTHING };

/** How the lines that git knows too look, and added ones by their origin. */
export interface DiffPaint extends Readonly<Record<'meta' | 'frag' | 'old' | 'context', (text: string) => string>> {
  readonly fresh: Readonly<Record<ContributorType, (text: string) => string>>;
}

export interface DiffScreen extends LogScreen {
  readonly slots: DiffPaint;
}

const SESSIONS = 10;

/** Git's diff with a column before its hunks that says who added a line; then the counts, and the sessions that took part. */
export function* printDiff(
  lines: readonly DiffLine[],
  painted: readonly PaintedLine[],
  screen: DiffScreen,
): Generator<string> {
  const { paint } = screen;
  yield* printDiffLines(lines, painted, screen);
  if (lines.length === 0) return;
  yield `\n${paint('dim', printAddedSummary(summarise(painted)))}\n`;
  const { shown, more } = first(contributionsOf(painted.map((one) => ({ ...one, start: 1, end: 1 }))), SESSIONS);
  for (const one of shown) yield `${printContribution(one, screen)}\n`;
  if (more > 0) yield `${paint('dim', howMany(more, 'more session'))}\n`;
}

/** The lines alone. */
export function* printDiffLines(
  lines: readonly DiffLine[],
  painted: readonly PaintedLine[],
  { slots }: Pick<DiffScreen, 'slots'>,
): Generator<string> {
  let next = 0;
  for (const { kind, text } of lines) {
    const shown = visible(readable(text));
    if (kind === 'added') yield printAdded(shown, painted[next++]?.origin ?? NOTHING, slots);
    else if (kind === 'removed') yield `  ${slots.old(shown)}\n`;
    else if (kind === 'context') yield `  ${slots.context(shown)}\n`;
    else yield `${slots[kind](shown)}\n`;
  }
}

function printAdded(shown: string, { type }: Origin, { fresh }: DiffPaint): string {
  return `${fresh[type](`${MARKERS[type]} ${shown}`)}\n`;
}

/** 4 added lines: A ai 3 (75%), H human 1 (25%), M mixed 0, ? unknown 0 */
function printAddedSummary(summary: Summary): string {
  return printSummary(summary).replace(' line', ' added line');
}
