import fs from 'node:fs';
import type { Found } from '../blame/annotate.ts';
import type { RepoPath } from '../git/paths.ts';
import { type Origin, unknown } from '../lines/origin.ts';
import type { LineRange } from '../lines/range.ts';
import { type Lines, splitBytes } from '../lines/text.ts';
import type { PendingView } from './pending-view.ts';

/** What stands in the work tree, or was given in its stead. */
export interface Contents {
  text(file: RepoPath): Uint8Array;
  /** Where the file is, when the text is not the file's own but was given. */
  saved(file: RepoPath): Buffer | undefined;
}

interface Uncommitted {
  readonly file: RepoPath;
  readonly added: readonly LineRange[];
  readonly pending: PendingView;
  readonly contents: Contents;
}

const NOT_SAVED = unknown('only in the contents that were given');

/** Who wrote the lines that are not committed. */
export async function worktreeOrigins({
  file,
  added,
  pending,
  contents,
}: Uncommitted): Promise<ReadonlyMap<number, Found>> {
  if (added.length === 0) return new Map();
  try {
    const whole = splitBytes(contents.text(file));
    const origins = await pending.worktree({ path: file, text: whole, added });
    // nobody watches what is only in an editor
    const saved = contents.saved(file);
    const kept = saved === undefined ? undefined : await keptLines(saved, whole);
    const told = (line: number, origin: Origin) => (kept && (kept[line - 1] ?? -1) < 0 ? NOT_SAVED : origin);
    return new Map([...origins].map(([line, origin]) => [line, foundInWorktree(told(line, origin), pending)]));
  } catch (error) {
    // gone since git read it
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Map();
    throw error;
  }
}

/** As git reads it: of a link where it leads to, which is never followed. What has no contents is like a file that is gone. */
export function readStanding(file: string | Buffer): Buffer {
  const stat = fs.lstatSync(file);
  if (stat.isSymbolicLink()) return fs.readlinkSync(file, 'buffer');
  if (!stat.isFile()) throw Object.assign(new Error(`${file} is no file`), { code: 'ENOENT' });
  return fs.readFileSync(file);
}

async function keptLines(saved: Buffer, text: Lines): Promise<readonly number[]> {
  const { diffLines } = await import('../lines/diff.ts');
  return diffLines(splitBytes(readStanding(saved)), text);
}

function foundInWorktree(origin: Origin, pending: PendingView): Found {
  const conversation = origin.agent && pending.conversation(origin.agent);
  return { origin, via: 'worktree', ...(conversation && { conversation }) };
}
