import { splitHashes } from '../lines/hash.ts';
import type { TraceRecord } from '../trace/record.ts';
import { keysOf } from './keys.ts';

/** By the hash of a line: the commits whose notes have it. */
export type Sharers = Map<string, { readonly commits: readonly string[]; readonly many: boolean }>;

/** What re-anchoring looks up: the notes that have a line, a patch or a change. */
export interface Lookup {
  /** Time of the earliest record, in milliseconds. */
  readonly since: number | undefined;
  /** By hashes of lines, each alone or many one behind the other: those that are in a note. */
  findLines(hashes: Iterable<string>): Sharers;
  findPatch(fingerprint: string): readonly string[];
  findChange(changeId: string): readonly string[];
}

/** A lookup with records on top that are in no note yet. */
export function withUnwritten(lookup: Lookup, records: ReadonlyMap<string, readonly TraceRecord[]>): Lookup {
  if (records.size === 0) return lookup;
  const notes = [...records].map(([commit, some]) => ({ commit, keys: keysOf({ commit, records: some }) }));
  const having = (kind: 'patches' | 'changes', key: string) =>
    notes.filter(({ keys }) => keys[kind].includes(key)).map(({ commit }) => commit);
  const lines = new Map<string, string[]>();
  for (const { commit, keys } of notes) {
    for (const hash of new Set(splitHashes(keys.hashes))) lines.set(hash, [...(lines.get(hash) ?? []), commit]);
  }
  const times = notes.flatMap(({ keys }) => keys.time ?? []);
  return {
    since: Math.min(lookup.since ?? Infinity, ...times),
    findLines(hashes) {
      const wanted = [...hashes];
      const found = lookup.findLines(wanted);
      for (const hash of wanted.flatMap(splitHashes)) {
        const more = lines.get(hash);
        const had = found.get(hash);
        if (more)
          found.set(hash, { commits: [...new Set([...(had?.commits ?? []), ...more])], many: had?.many ?? false });
      }
      return found;
    },
    findPatch: (patch) => [...lookup.findPatch(patch), ...having('patches', patch)],
    findChange: (change) => [...lookup.findChange(change), ...having('changes', change)],
  };
}
