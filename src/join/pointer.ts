import type { Block } from './moves.ts';

/** Why a pointer's lines are nobody's. */
export const POINTER = 'Git LFS wrote it in place of the file';

/** True when a commit adds what Git LFS stores in place of a file: nobody typed that, and whose the file is, it does not tell. */
export function isPointer(added: readonly Block[]): boolean {
  // version, oid, size, and now and then a line for an extension: a pointer is never longer
  if (added.reduce((sum, block) => sum + block.lines.length, 0) > 20) return false;
  const lines = added.flatMap((block) => block.lines);
  return lines.some((line) => /^oid sha256:[0-9a-f]{64}$/.test(line)) && lines.every((line) => POINTED.test(line));
}

const POINTED =
  /^(?:version https:\/\/git-lfs\.github\.com\/spec\/v1|ext-\d-\w+ \S+|oid sha256:[0-9a-f]{64}|size \d+)$/;
