import fs from 'node:fs';
import path from 'node:path';
import { openPlain } from '../plain-file.ts';
import { findFile, replaceFile, sizeOf } from './disk.ts';
import { refuseNewer, type Store } from './store.ts';

/** One text in the pack. */
export interface TextEntry {
  readonly id: string;
  readonly offset: number;
  readonly length: number;
}

export function listTexts(store: Store): TextEntry[] {
  const index = findFile(fileOf(store, 'index'))?.toString('latin1') ?? '';
  return index.split('\n').flatMap((line) => {
    const [, id, offset, length] = /^([0-9a-f]+) (\d{1,15}) (\d{1,15})$/.exec(line) ?? [];
    return id ? [{ id, offset: Number(offset), length: Number(length) }] : [];
  });
}

/**
 * Leaves only these texts. They stay where they are in the pack, and what lay between becomes a hole that takes no room on disk: a
 * reader that has read the index before finds each of them, and nothing in the place of the others. First the index, so that a text that
 * is needed again is written again; the mark says that the pack is still to follow.
 */
export function keepTexts(store: Store, kept: readonly TextEntry[]): void {
  refuseNewer(store);
  replaceFile(fileOf(store, 'pack-due'), '');
  replaceFile(fileOf(store, 'index'), kept.map(({ id, offset, length }) => `${id} ${offset} ${length}\n`).join(''));
  hollowPack(store, kept);
}

/** A killed one has taken texts out of the index and not yet out of the pack. */
export function finishDropping(store: Store): void {
  if (fs.existsSync(fileOf(store, 'pack-due'))) hollowPack(store, listTexts(store));
}

function hollowPack(store: Store, kept: readonly TextEntry[]): void {
  const pack = fileOf(store, 'pack');
  const draft = fileOf(store, '.pack.draft');
  // of one that was killed, or a link
  fs.rmSync(draft, { force: true });
  if (fs.statSync(pack, { throwIfNoEntry: false })?.isFile()) {
    const [from, to] = [openPlain(pack, fs.constants.O_RDONLY), fs.openSync(draft, 'wx', 0o600)];
    try {
      // the size stays: no place in the pack is ever used twice
      fs.ftruncateSync(to, sizeOf(pack));
      for (const entry of kept) copyBytes(from, to, entry);
    } finally {
      fs.closeSync(from);
      fs.closeSync(to);
    }
    fs.renameSync(draft, pack);
  }
  fs.rmSync(fileOf(store, 'pack-due'), { force: true });
}

const CHUNK = 1 << 20;

function copyBytes(from: number, to: number, { offset, length }: TextEntry): void {
  for (let done = 0; done < length; ) {
    const chunk = Buffer.alloc(Math.min(CHUNK, length - done));
    const read = fs.readSync(from, chunk, 0, chunk.length, offset + done);
    if (read === 0) return; // the index names more than there is
    fs.writeSync(to, chunk, 0, read, offset + done);
    done += read;
  }
}

function fileOf(store: Store, name: string): string {
  return path.join(store.dir, 'texts', name);
}
