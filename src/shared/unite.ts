import type { AgentLogDocument } from '../agentlog/document.ts';
import { mergeDocuments } from '../agentlog/merge.ts';
import { parseDocument } from '../agentlog/parse.ts';
import { printDocument } from '../agentlog/print.ts';
import { Fault } from '../fault.ts';
import type { TreeEntry } from '../git/trees.ts';
import { FILE, isSession, type Shelf, tombstoneOf } from './shelf.ts';

/** One session that two shelves have in two versions: ids of the blobs. */
export interface Clash {
  readonly path: string;
  readonly ours: string;
  readonly theirs: string;
}

export function findClashes(ours: Shelf, theirs: Shelf): Clash[] {
  return [...ours].flatMap(([path, mine]) => {
    const other = theirs.get(path);
    if (!other || other.id === mine.id || !isSession(path)) return [];
    const gone = tombstoneOf(path) ?? '';
    const both = mine.mode === FILE && other.mode === FILE && !ours.has(gone) && !theirs.has(gone);
    return both ? [{ path, ours: mine.id, theirs: other.id }] : [];
  });
}

/**
 * Everything that either has. What was forgotten on one side is gone; of two versions `merged` names the blob of both; of two other
 * things by one name the greater stays, which is the same one for everybody.
 */
export function uniteShelves(ours: Shelf, theirs: Shelf, merged: ReadonlyMap<string, string>): Map<string, TreeEntry> {
  const united = new Map(theirs);
  const rank = (entry: TreeEntry | undefined) => (entry ? `${entry.mode} ${entry.id}` : '');
  for (const [path, mine] of ours) {
    const id = merged.get(path);
    if (id !== undefined) united.set(path, { mode: FILE, id });
    else if (rank(mine) > rank(theirs.get(path))) united.set(path, mine);
  }
  for (const path of [...united.keys()]) {
    const gone = tombstoneOf(path);
    if (gone !== undefined && united.has(gone)) united.delete(path);
  }
  return united;
}

/** The bytes under which a session is shared: a line for each field, so that git stores what was added and a person can read it. */
export function printShared(document: AgentLogDocument): string {
  return `${JSON.stringify(JSON.parse(printDocument(document)), null, 1)}\n`;
}

/** Two versions of one session as one. What is no session any more gives way to what is; the order does not matter. */
export function mergeShared(a: Buffer, b: Buffer): Buffer {
  const [one, other] = [parseDocument(a.toString('utf8')), parseDocument(b.toString('utf8'))];
  if (one.kind === 'foreign' && other.kind === 'foreign') return greater(a, b);
  if (one.kind === 'foreign') return b;
  if (other.kind === 'foreign') return a;
  try {
    return Buffer.from(printShared(mergeDocuments(one.document, other.document)));
  } catch (cause) {
    // not the same session, or what a stranger wrote and we would not
    if (cause instanceof Fault) return greater(a, b);
    throw cause;
  }
}

function greater(a: Buffer, b: Buffer): Buffer {
  return Buffer.compare(a, b) >= 0 ? a : b;
}
