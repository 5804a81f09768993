import { hash } from 'node:crypto';
import { isObject } from '../json.ts';
import { HASH_LENGTH } from '../lines/hash.ts';
import { standing } from '../trace/covers.ts';
import { changeIdOf, committedAt, findOwnFile, ownPart } from '../trace/own.ts';
import type { TraceRecord } from '../trace/record.ts';

export { HASH_LENGTH };

/** What a note says that it can be found by. */
export interface NoteKeys {
  readonly commit: string;
  /** `lineHash` of every line it speaks of, 8 characters each, one behind the other; of lines that are alike more than once. */
  readonly hashes: string;
  /** `fingerprint` of what the commit added. */
  readonly patches: readonly string[];
  readonly changes: readonly string[];
  /** Of the earliest record, in milliseconds since 1970; 0 when one is not readable. Undefined: nothing of ours. */
  readonly time: number | undefined;
}

const HASHES = /^[\w-]*$/;

/** Only what our own standing records say: those of others have no hash of a line. */
export function keysOf(note: { readonly commit: string; readonly records: readonly TraceRecord[] }): NoteKeys {
  const records = standing(note.records).filter((record) => ownPart(record.metadata));
  const added = records.flatMap(addedBy);
  const times = records.map((record) => committedAt(record) ?? 0);
  const changes = records.map(changeIdOf).filter((change) => change !== undefined);
  return {
    commit: note.commit,
    // nobody ever asks for anything else, and it would be taken for another key
    hashes: added.map(({ hashes }) => (HASHES.test(hashes) ? hashes : '')).join(''),
    patches: patchesOf(added),
    changes: [...new Set(changes)],
    time: times.length === 0 ? undefined : times.reduce((a, b) => Math.min(a, b)),
  };
}

/** "The same lines added to the same files": 16 hex digits, from the hashes of each file's added lines in ascending order. */
export function fingerprint(files: ReadonlyMap<string, string>): string | undefined {
  const paths = [...files.keys()].filter((path) => files.get(path) !== '').sort();
  if (paths.length === 0) return undefined;
  return hash('sha256', paths.map((path) => `${path}\0${files.get(path)}\0`).join('')).slice(0, 16);
}

/** A change id as the index has it: whatever a stranger's record holds, 8 bytes. */
export function changeKey(changeId: string): Buffer {
  return hash('sha256', changeId, 'buffer').subarray(0, 8);
}

interface Added {
  /** The commit that the record speaks of. */
  readonly commit: unknown;
  readonly path: string;
  readonly start: number;
  readonly end: number;
  /** Empty: the record holds none for these lines. */
  readonly hashes: string;
}

function addedBy(record: TraceRecord): Added[] {
  const { files, commit } = ownPart(record.metadata) ?? {};
  if (!isObject(files)) return [];
  return Object.keys(files).flatMap((path) => {
    const own = findOwnFile(record, path);
    return (own?.ranges ?? []).map(({ start, end }, i) => ({ commit, path, start, end, hashes: own?.hashes[i] ?? '' }));
  });
}

/** The records of one commit share out its lines; but git may have copied those of another commit into the note. */
function patchesOf(added: readonly Added[]): string[] {
  const byCommit = new Map<unknown, Added[]>();
  for (const one of added) {
    const known = byCommit.get(one.commit);
    if (known) known.push(one);
    else byCommit.set(one.commit, [one]);
  }
  const found = [...byCommit.values()].map((group) =>
    // where the hash of a line is missing it would be that of another patch
    group.every(({ hashes }) => hashes !== '') ? fingerprint(inLineOrder(group)) : undefined,
  );
  return [...new Set(found.filter((one) => one !== undefined))];
}

/** The hashes of every file's lines, each line once: two records may both speak of it. */
function inLineOrder(added: readonly Added[]): Map<string, string> {
  const sorted = [...added].sort((a, b) => a.start - b.start || a.end - b.end || (a.hashes < b.hashes ? -1 : 1));
  const files = new Map<string, { hashes: string[]; end: number }>();
  for (const { path, start, end, hashes } of sorted) {
    const file = files.get(path) ?? { hashes: [], end: 0 };
    if (end > file.end) file.hashes.push(hashes.slice(HASH_LENGTH * Math.max(0, file.end + 1 - start)));
    file.end = Math.max(file.end, end);
    files.set(path, file);
  }
  return new Map([...files].map(([path, file]) => [path, file.hashes.join('')]));
}
