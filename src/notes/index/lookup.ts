import { changeKey, HASH_LENGTH } from '../../anchor/keys.ts';
import { type Kind, MAX_FOUND, type Segment } from '../../anchor/segment.ts';
import type { Piece } from './pieces.ts';

/** Commits whose notes have a key. A note may have changed since: whoever asks reads the notes themselves. */
export interface FoundCommits {
  /** Ascending, no more than `MAX_FOUND`. */
  readonly commits: readonly string[];
  /** There are more. */
  readonly many: boolean;
}

export interface ContentIndex {
  /** Time of the earliest record of any note, in milliseconds since 1970; undefined when there is none. Known without reading. */
  readonly since: number | undefined;
  /** By line hash, 8 characters each, alone or one behind the other; those that no note has are not in the answer. */
  findLines(hashes: Iterable<string>): Map<string, FoundCommits>;
  findPatch(fingerprint: string): readonly string[];
  findChange(changeId: string): readonly string[];
  readonly stats: IndexStats;
}

export interface IndexStats {
  /** A note that is in two segments counts twice. */
  readonly notes: number;
  readonly bytes: number;
  readonly segments: number;
  /** Milliseconds that it took to bring the index up to date; 0 when it was. */
  readonly built: number;
}

const HASHES = /^[\w-]+$/;
const KEY_LENGTH = 6;
const FINGERPRINT = /^[0-9a-f]{16}$/;

export function lookUpIn(pieces: readonly Piece[], built: number): ContentIndex {
  let segments: readonly Segment[] | undefined;
  const load = () => {
    segments ??= pieces.flatMap((piece) => piece.load() ?? []);
    return segments;
  };
  const sum = (of: (piece: Piece) => number) => pieces.reduce((total, piece) => total + of(piece), 0);
  return {
    since: pieces.length === 0 ? undefined : Math.min(...pieces.map(({ since }) => since)),
    findLines: (hashes) => findLines(load(), hashes),
    findPatch: (patch) => (FINGERPRINT.test(patch) ? find(load(), 'patches', Buffer.from(patch, 'hex')).commits : []),
    findChange: (changeId) => find(load(), 'changes', changeKey(changeId)).commits,
    stats: { notes: sum(({ notes }) => notes), bytes: sum(({ size }) => size), segments: pieces.length, built },
  };
}

function findLines(segments: readonly Segment[], hashes: Iterable<string>): Map<string, FoundCommits> {
  const asked = [...hashes].filter((some) => some.length % HASH_LENGTH === 0 && HASHES.test(some)).join('');
  const keys = Buffer.from(asked, 'base64url');
  const found = new Map<string, FoundCommits>();
  for (let [at, end] = [0, 0]; at < keys.length; at += KEY_LENGTH) {
    const start = end;
    end += HASH_LENGTH;
    const answer = find(segments, 'lines', keys, at);
    if (answer !== NOWHERE) found.set(asked.slice(start, end), answer);
  }
  return found;
}

const NOWHERE: FoundCommits = { commits: [], many: false };

/** The same answer however the notes are shared out between the segments. */
function find(segments: readonly Segment[], kind: Kind, key: Buffer, at = 0): FoundCommits {
  let commits: string[] | undefined;
  let many = false;
  for (const segment of segments) {
    const found = segment.find(kind, key, at);
    if (found.notes.length === 0) continue;
    const more = found.notes.map(segment.commitAt);
    commits = commits ? [...new Set([...commits, ...more])].sort() : more;
    many ||= found.many;
  }
  if (!commits) return NOWHERE;
  if (commits.length <= MAX_FOUND) return { commits, many };
  return { commits: commits.slice(0, MAX_FOUND), many: true };
}
