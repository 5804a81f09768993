import { keysOf } from '../anchor/keys.ts';
import type { Lookup } from '../anchor/overlay.ts';
import { splitHashes } from '../lines/hash.ts';
import type { TraceRecord } from '../trace/record.ts';

/** A closing brace is in every note, and tells nothing: one more than this is kept, which says that there are more. */
const MAX_FOUND = 64;

/** What all notes can be found by, in memory: without a git dir of our own there is no index to keep. */
export function lookupIn(notes: ReadonlyMap<string, readonly TraceRecord[]>): Lookup {
  const [lines, patches, changes] = [
    new Map<string, string[]>(),
    new Map<string, string[]>(),
    new Map<string, string[]>(),
  ];
  let since: number | undefined;
  for (const [commit, records] of notes) {
    const keys = keysOf({ commit, records });
    for (const hash of new Set(splitHashes(keys.hashes))) add(lines, hash, commit);
    for (const patch of keys.patches) add(patches, patch, commit);
    for (const change of keys.changes) add(changes, change, commit);
    if (keys.time !== undefined) since = Math.min(since ?? keys.time, keys.time);
  }
  return {
    since,
    findLines(hashes) {
      const found = new Map<string, { commits: readonly string[]; many: boolean }>();
      for (const hash of [...hashes].flatMap(splitHashes)) {
        const commits = lines.get(hash);
        if (commits) found.set(hash, { commits, many: commits.length > MAX_FOUND });
      }
      return found;
    },
    findPatch: (patch) => patches.get(patch) ?? [],
    findChange: (change) => changes.get(change) ?? [],
  };
}

function add(index: Map<string, string[]>, key: string, commit: string): void {
  const known = index.get(key);
  if (!known) index.set(key, [commit]);
  else if (known.length <= MAX_FOUND) known.push(commit);
}
