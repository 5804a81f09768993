import { sameVoice } from '../lines/origin.ts';
import { alignRuns, isTelling, isWhole, placesOf, type Run } from './align.ts';
import { type Claim, claimNeighbours } from './peel.ts';
import { anchoredBy } from './related.ts';
import type { Source, SourceLine } from './source.ts';
import type { Anchored, Anchors, TargetFile, TargetLine } from './target.ts';

/** Commits that share lines with a commit of which nothing is known, and whether they are still in its history. */
export interface Candidate {
  readonly source: Source;
  /** It is an ancestor: what it shares was copied, moved or restored, not carried over. */
  readonly standing: boolean;
  /** It gives lines to its own files alone: it was recorded after those in question were written, or they were brought back to where they were. */
  readonly inPlace: boolean;
  /** Hashes of the lines that one of its files, if it is none of those in question, has in the commit: what stands there did not go elsewhere. */
  readonly kept: (path: string) => ReadonlySet<string>;
}

/** A run with so many lines that say something is no coincidence. */
const SURE = 3;
/** Where so much of a commit is recognised, the commit is made of those sources, and a lone line is believed too, if it is not one that everybody writes. */
const MOSTLY = 0.6;

/**
 * Nothing told us where the commit comes from: its lines are recognised by their hashes alone. One line in common proves nothing, people
 * write the same line twice; a run of several does, and so does a commit that is made of known lines for the most part.
 */
export function anchorContent(files: readonly TargetFile[], candidates: readonly Candidate[]): Anchors {
  const added = addedTo(files);
  const votes = files.map((file) => ({ file, runs: runsFor(file, candidates, added) }));
  const informative = files.reduce((sum, { lines }) => sum + lines.filter((line) => line.informative).length, 0);
  const gone = votes.flatMap(({ file, runs }) =>
    coveredBy(
      file,
      runs.filter((run) => !run.standing),
    ),
  );
  const mostly = informative > 0 && gone.length / informative >= MOSTLY;
  return new Map(
    votes.map(({ file, runs }) => [
      file.path,
      decide(
        file,
        runs.filter((run) => believed(run, mostly)),
      ),
    ]),
  );
}

interface Vote extends Run {
  /** When its source was committed. */
  readonly time: number;
  readonly standing: boolean;
  readonly samePath: boolean;
  /** The file has just what the source gave it. */
  readonly whole: boolean;
}

/** Hashes of the lines that the commit in question adds to a file, by its path and the one it had. */
function addedTo(files: readonly TargetFile[]): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    files.flatMap(({ path, oldPath = path, lines }) => {
      const hashes = new Set(lines.map(({ hash }) => hash));
      return [[oldPath, hashes] as const, [path, hashes] as const];
    }),
  );
}

function runsFor(
  file: TargetFile,
  candidates: readonly Candidate[],
  added: ReadonlyMap<string, ReadonlySet<string>>,
): Vote[] {
  const places = placesOf(
    file,
    candidates.flatMap(({ source }) => [...source.files.values()]),
  );
  return candidates.flatMap(({ source, standing, inPlace, kept }) =>
    [...source.files.values()].flatMap((from) => {
      const samePath = from.path === file.path || from.path === file.oldPath;
      // a rewrite keeps its paths: elsewhere equal lines may have been there before, or been written twice
      if (!samePath && inPlace) return [];
      const whole = isWhole(from, file);
      const runs = alignRuns(from, file, places).map((run) => ({
        ...run,
        ...{ time: source.time, standing, samePath, whole },
      }));
      return samePath ? runs : runs.filter((run) => went(run, added.get(from.path) ?? kept(from.path)));
    }),
  );
}

/** It may have gone to another file: most of it stands no more where it came from, and it is more than files begin with. */
function went({ pairs, informative }: Run, kept: ReadonlySet<string>): boolean {
  const count = (is: (to: TargetLine) => boolean) => pairs.filter(({ to }) => to.informative && is(to)).length;
  return count(({ hash }) => kept.has(hash)) * 2 <= informative && count(({ opening }) => !opening) >= SURE;
}

/** Lines that say something and that some run of the file's own history has. */
function coveredBy(file: TargetFile, runs: readonly Vote[]): number[] {
  const lines = new Set(runs.filter((run) => run.samePath).flatMap((run) => run.pairs.map(({ to }) => to.line)));
  return file.lines.filter((line) => line.informative && lines.has(line.line)).map(({ line }) => line);
}

function believed(run: Vote, mostly: boolean): boolean {
  if (run.informative >= SURE) return true;
  return mostly && !run.standing && run.samePath && (isTelling(run) || (run.whole && run.informative > 0));
}

/**
 * For each line that says something the longest run that has it; where runs equally long disagree on who, nobody. The others go with the
 * lines beside them.
 */
function decide({ lines }: TargetFile, runs: readonly Vote[]): Map<number, Anchored> {
  const best = new Map<number, { run: Vote; from: SourceLine; torn: boolean }>();
  for (const run of runs) {
    for (const { from, to } of run.pairs.filter((pair) => pair.to.informative)) {
      const had = best.get(to.line);
      const order = had ? compareRuns(run, had.run) : 1;
      if (!had || order > 0) best.set(to.line, { run, from, torn: false });
      else if (order === 0 && !sameVoice(from.origin, had.from.origin)) best.set(to.line, { ...had, torn: true });
    }
  }
  const claims = new Map<number, Placed>();
  for (const [place, { line }] of lines.entries()) {
    const one = best.get(line);
    if (!one || one.torn) continue;
    const { source, time, samePath } = one.run;
    claims.set(place, { from: one.from, source, time, samePath });
  }
  const found = new Map<number, Anchored>();
  for (const [place, { from, samePath }] of [...claims, ...claimNeighbours(lines, claims)])
    found.set(lines[place]?.line ?? 0, placed(anchoredBy(from, 'content'), samePath));
  return found;
}

interface Placed extends Claim {
  readonly samePath: boolean;
}

/** In another file the same content is all that speaks for it. */
function placed(anchored: Anchored, samePath: boolean): Anchored {
  const { origin } = anchored;
  if (samePath || origin.type === 'unknown') return anchored;
  return { ...anchored, origin: { ...origin, evidence: 'matched' } };
}

/** Positive when `a` has the better claim. */
function compareRuns(a: Vote, b: Vote): number {
  return Number(a.samePath) - Number(b.samePath) || a.informative - b.informative;
}
