import { readCommits } from '../git/commits.ts';
import { readDiffs } from '../git/diff.ts';
import { withLock } from '../git/lock.ts';
import type { Origin } from '../lines/origin.ts';
import { linesOf } from '../lines/range.ts';
import { appendNotes } from '../notes/append.ts';
import { TRACE_REF } from '../notes/refs.ts';
import { buildRecords, type OriginFile } from '../trace/build.ts';
import { printRecord } from '../trace/print.ts';
import { traceInput } from './records.ts';
import type { Surroundings } from './world.ts';

/** Lines of one commit that a person speaks of. */
export interface DeclaredLines {
  readonly commit: string;
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

export interface Declaration {
  readonly origin: Origin;
  /** Who says so: `Name <address>`. */
  readonly by: string;
  readonly lines: readonly DeclaredLines[];
}

/** Writes a person's word into the notes, beside what is there; gives the number of commits that got it. */
export async function declareOrigin(world: Surroundings, { origin, by, lines }: Declaration): Promise<number> {
  const { place, commonDir } = world.repository;
  const ids = [...new Set(lines.map(({ commit }) => commit))];
  const [commits, diffs] = await Promise.all([readCommits(place, ids), readDiffs(place, ids)]);
  const additions = new Map<string, string[]>();
  for (const [id, commit] of commits) {
    const meant = lines.filter((one) => one.commit === id);
    const files = (diffs.get(id)?.files ?? []).flatMap(({ path, newBlob, added }): OriginFile[] => {
      const here = new Set(linesOf(meant.filter((one) => one.path === path)));
      const all = added.flatMap(({ start, lines: texts }) =>
        texts.map((text, i) => ({ start: start + i, lines: [text], origin })),
      );
      const kept = all.filter(({ start }) => here.has(start));
      return kept.length > 0 ? [{ path, blob: newBlob ?? '', runs: kept }] : [];
    });
    // of two declarations the later one counts
    const own = traceInput(world, { commit, files });
    const input = { ...own, time: world.now(), committed: own.time, declaredBy: by };
    if (files.length > 0) additions.set(id, buildRecords(input).map(printRecord));
  }
  return withLock(commonDir, () => appendNotes(world.repository, TRACE_REF, additions));
}
