import path from 'node:path';
import { encodePath, type RepoPath } from './paths.ts';

/** Where it is on disk, below a folder. */
export function diskPath(folder: string, file: RepoPath): Buffer {
  const resolved = path.resolve(Buffer.from(folder).toString('latin1'), encodePath(file).toString('latin1'));
  return Buffer.from(resolved, 'latin1');
}
