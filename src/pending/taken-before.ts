import { readDiffs } from '../git/diff.ts';
import { lastCommits } from '../git/history.ts';
import { type ChangedFile, findMoves, type Move } from '../join/moves.ts';
import type { Origin } from '../lines/origin.ts';
import { isDistinct, isOpening } from '../lines/text.ts';
import type { OriginFile, OriginRun } from '../trace/build.ts';
import { cutRuns } from '../trace/runs.ts';
import type { Joining } from './joining.ts';
import { parentOrigins } from './parents.ts';

/** So many commits back, lines may have been taken away that somebody puts in now. */
const MAX_BACK = 5;
/** So many lines that say much nobody types twice. */
const SURE = 3;

/**
 * A person takes an agent's lines out of a file and commits that, and then puts them into another: nobody was seen to write them there. They
 * are the agent's, as they were before.
 */
export async function withTakenBefore(
  asked: Omit<Joining, 'beginning'>,
  files: readonly OriginFile[],
): Promise<readonly OriginFile[]> {
  const from = asked.diff.parents[0];
  const added = files.flatMap(openFile);
  if (!from || added.length === 0) return files;
  const { place } = asked.world.repository;
  const diffs = await readDiffs(place, await lastCommits(place, from, MAX_BACK));
  const known = new Map<string, Origin>();
  for (const diff of diffs.values()) {
    const removed = diff.files.map(({ path, oldPath, removed: lines }) => ({
      path,
      ...(oldPath !== undefined && { oldPath }),
      added: [],
      removed: lines,
    }));
    const moves = findMoves([...added, ...removed]);
    const originAt = await parentOrigins({ ...asked, diff }, wantedLines(moves));
    for (const [path, lines] of moves) {
      for (const [line, { movedFrom }] of lines) {
        const origin = originAt(movedFrom.path, movedFrom.line);
        // that they come from there, their content tells
        const matched: Origin | undefined = origin?.agent && { ...origin, evidence: 'matched' };
        if (matched && !known.has(`${line} ${path}`)) known.set(`${line} ${path}`, matched);
      }
    }
  }
  return known.size === 0
    ? files
    : files.map((file) => ({ ...file, runs: file.runs.flatMap((run) => told(file, run, known)) }));
}

/** Its runs that nobody was seen to write, where they say enough. */
function openFile({ path, runs }: OriginFile): ChangedFile[] {
  const open = runs.filter(isOpen);
  return open.length > 0 ? [{ path, added: open, removed: [] }] : [];
}

function saysMuch(line: string): boolean {
  return isDistinct(line) && !isOpening(line);
}

function isOpen({ origin, lines }: OriginRun): boolean {
  return origin.type === 'human' && origin.evidence === 'absent' && lines.filter(saysMuch).length >= SURE;
}

function wantedLines(moves: ReadonlyMap<string, ReadonlyMap<number, Move>>): Map<string, Set<number>> {
  const wanted = new Map<string, Set<number>>();
  for (const lines of moves.values()) {
    for (const { movedFrom } of lines.values()) {
      wanted.set(movedFrom.path, (wanted.get(movedFrom.path) ?? new Set()).add(movedFrom.line));
    }
  }
  return wanted;
}

function told({ path }: OriginFile, run: OriginRun, known: ReadonlyMap<string, Origin>): OriginRun[] {
  const originAt = (line: number) => known.get(`${line} ${path}`);
  const found = run.lines.filter((text, i) => saysMuch(text) && originAt(run.start + i));
  return isOpen(run) && found.length >= SURE ? cutRuns(run, (line) => originAt(line) ?? run.origin) : [run];
}
