import fs from 'node:fs';
import path from 'node:path';
import { encodePath, type RepoPath } from './paths.ts';

/** Where it is on disk, below a folder. */
export function diskPath(folder: string, file: RepoPath): Buffer {
  const resolved = path.resolve(Buffer.from(folder).toString('latin1'), encodePath(file).toString('latin1'));
  return Buffer.from(resolved, 'latin1');
}

/** What stands there, if anything does: a path that is longer than any is that of nothing. */
export function lookAt(place: string | Buffer): fs.Stats | undefined {
  try {
    return fs.statSync(place, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
