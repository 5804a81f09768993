import path from 'node:path';
import { decodePath } from '../git/paths.ts';
import type { StoredCommand } from '../sessions/commands.ts';
import { findFile } from '../sessions/disk.ts';
import type { Store } from '../sessions/store.ts';

/** Beside a payload: the files that git could not take into its snapshot. */
export function unseenFile(payload: string): string {
  return `${payload}.unseen`;
}

/** Names, each with a NUL behind it; undefined where they are not there any more: then the snapshot tells nothing. */
export function readUnseen({ dir }: Store, payload: string): Pick<StoredCommand, 'unseen'> | undefined {
  const bytes = findFile(path.join(dir, 'payloads', unseenFile(payload)));
  if (!bytes) return undefined;
  const unseen: string[] = [];
  for (let at = 0, end = bytes.indexOf(0); end >= 0; at = end + 1, end = bytes.indexOf(0, at))
    unseen.push(decodePath(bytes.subarray(at, end)));
  return unseen.length > 0 ? { unseen } : {};
}
