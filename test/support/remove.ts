import fs from 'node:fs';

/**
 * Removes a folder that background work may still be writing into. Node's own retries try only the last rmdir again: a
 * file born after the folder was read fails all of them.
 */
export function removeFolder(folder: string): void {
  for (let left = 50; ; left--) {
    try {
      fs.rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (left === 0) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
  }
}
