import { type Change, changedFiles } from './files.ts';
import type { Repository } from './repository.ts';
import type { TreeFile } from './tree.ts';

/** A file under the name it had before. */
export interface Named {
  readonly path: string;
  readonly file: TreeFile;
}

/** More files than this are not compared with one. */
const MAX_CANDIDATES = 1000;
const MAX_BYTES = 20 << 20;
/** Git's own threshold: half of the larger file. */
const ALIKE = 0.5;

/** What the file was called in the other tree: among the files that are gone, one with its content, or the one most like it. */
export async function findOldName(
  repository: Repository,
  { before, after, path, file }: { before: string; after: string; path: string; file: TreeFile },
): Promise<Named | undefined> {
  const changes = await changedFiles(repository, before, after);
  return changes && findSource(repository, { path, file }, gone(changes));
}

/** Files that are no longer there. */
export function gone(changes: readonly Change[]): Named[] {
  return changes.flatMap(({ path, before, after }) => (before && !after ? [{ path, file: before }] : []));
}

export async function findSource(
  repository: Repository,
  target: Named,
  candidates: readonly Named[],
): Promise<Named | undefined> {
  const same = candidates.filter(({ file }) => file.id === target.file.id);
  if (same.length > 0) return same.find((one) => nameOf(one) === nameOf(target)) ?? same[0];
  if (candidates.length === 0 || candidates.length > MAX_CANDIDATES) return undefined;
  const text = await repository.blob(target.file.id);
  if (!text || text.length > MAX_BYTES) return undefined;
  const pieces = piecesOf(text);
  let best: { readonly one: Named; readonly score: number } | undefined;
  for (const one of candidates) {
    const other = await repository.blob(one.file.id);
    if (!other || Math.min(text.length, other.length) < ALIKE * Math.max(text.length, other.length)) continue;
    const score = shared(pieces, piecesOf(other)) / Math.max(text.length, other.length);
    if (score < ALIKE || (best && score < best.score)) continue;
    if (!best || score > best.score || (nameOf(one) === nameOf(target) && nameOf(best.one) !== nameOf(target)))
      best = { one, score };
  }
  return best?.one;
}

function nameOf({ path }: Named): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** As git compares files (diffcore-delta.c): pieces that end with a line or after 64 bytes; how many bytes each takes in all. */
function piecesOf(bytes: Uint8Array): Map<string, number> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replaceAll('\r\n', '\n');
  const pieces = new Map<string, number>();
  for (const [piece] of text.matchAll(/[^\n]{0,63}\n|[^\n]{1,64}/g))
    pieces.set(piece, (pieces.get(piece) ?? 0) + piece.length);
  return pieces;
}

function shared(some: ReadonlyMap<string, number>, others: ReadonlyMap<string, number>): number {
  let bytes = 0;
  for (const [piece, count] of some) bytes += Math.min(count, others.get(piece) ?? 0);
  return bytes;
}
