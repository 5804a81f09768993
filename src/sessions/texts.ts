import fs from 'node:fs';
import path from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import { findFile, replaceFile } from './disk.ts';
import type { Store } from './store.ts';

/** A file above this is not kept, and its lines stay unknown. */
export const MAX_TEXT = 20 * 1024 * 1024;

/** Keeps a text under its git blob id; the same text is kept once. Our own folder, since `git gc` throws away what no ref reaches. */
export function writeText(store: Store, id: string, bytes: Uint8Array): void {
  const file = fileOf(store, id);
  if (!fs.existsSync(file)) replaceFile(file, deflateSync(bytes, { level: 3 }));
}

export function findText(store: Store, id: string): Buffer | undefined {
  const packed = findFile(fileOf(store, id));
  if (!packed) return undefined;
  try {
    return inflateSync(packed, { maxOutputLength: MAX_TEXT * 2 });
  } catch {
    return undefined; // damaged: as good as absent, the edit is then told without it
  }
}

function fileOf(store: Store, id: string): string {
  return path.join(store.dir, 'texts', id.slice(0, 2), id.slice(2));
}
