import { decodePath as decodeBytes, encodePath as encodeBytes, pathOf, type RepoPath } from '../git/paths.ts';
import { bytesOf } from '../lines/text.ts';

/** One entry of a git tree. */
export interface TreeFile {
  readonly mode: string;
  readonly id: string;
}

/** Old tools wrote a zero before it. */
const FOLDER = /^0?40000$/;
const ID_BYTES = 20;

/** By name: one latin1 character per byte, as in `Lines`. What comes after a torn entry is left out. */
export function decodeTree(bytes: Uint8Array): Map<string, TreeFile> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tree = new Map<string, TreeFile>();
  for (let at = 0; at < buffer.length; ) {
    const [space, nul] = [buffer.indexOf(32, at), buffer.indexOf(0, at)];
    const end = nul + 1 + ID_BYTES;
    if (space < 0 || nul < space || end > buffer.length) break;
    const name = buffer.toString('latin1', space + 1, nul);
    tree.set(name, { mode: buffer.toString('latin1', at, space), id: buffer.toString('hex', nul + 1, end) });
    at = end;
  }
  return tree;
}

export function isFolder(entry: TreeFile | undefined): boolean {
  return entry !== undefined && FOLDER.test(entry.mode);
}

/** A file with lines of its own: no link, no folder, no submodule. */
export function isRegular(entry: TreeFile | undefined): boolean {
  return entry?.mode.startsWith('100') ?? false;
}

/** Paths inside this room are latin1, one character per byte; in records and answers they are as everywhere else. */
export function encodePath(path: RepoPath): string {
  return encodeBytes(path).toString('latin1');
}

export function decodePath(path: string): RepoPath {
  return decodeBytes(bytesOf(path));
}

/** The same of a name as a person types it. */
export function encodeName(name: string): string {
  return encodePath(pathOf(name));
}
