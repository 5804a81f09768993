import fs from 'node:fs';
import path from 'node:path';
import { deflateSync, inflateSync, type ZlibOptions } from 'node:zlib';
import { appendBytes, appendLines, findFile } from './disk.ts';
import { refuseNewer, type Store } from './store.ts';

/** A file above this is not kept, and its lines stay unknown. */
export const MAX_TEXT = 20 * 1024 * 1024;

/** For most texts zlib's usual tables are larger than the text, and take longer to make than to use. */
const SMALL = 16 * 1024;
const PLAIN: ZlibOptions = { level: 3 };
const TIGHT: ZlibOptions = { ...PLAIN, windowBits: 14, memLevel: 6, chunkSize: 4096 };

/**
 * Texts under their git blob ids, each once, one behind the other in `texts/pack`; `texts/index` has a line `ID OFFSET LENGTH` for each.
 * Our own files, since `git gc` throws away what no ref reaches; two files, since a thousand small ones take seconds to make. The index
 * is written last: what a crash leaves in the pack is never looked at.
 */
export function writeTexts(store: Store, texts: ReadonlyMap<string, Uint8Array>): void {
  const index = readIndex(store);
  const fresh = [...texts].filter(([id]) => !findEntry(index, id));
  if (fresh.length === 0) return;
  refuseNewer(store);
  const packed = fresh.map(([id, bytes]) => ({ id, bytes: deflateSync(bytes, bytes.length > SMALL ? PLAIN : TIGHT) }));
  let offset = appendBytes(fileOf(store, 'pack'), Buffer.concat(packed.map(({ bytes }) => bytes)));
  const lines = packed.map(({ id, bytes }) => {
    const line = `${id} ${offset} ${bytes.length}`;
    offset += bytes.length;
    return line;
  });
  appendLines(fileOf(store, 'index'), lines);
}

/** Opens the texts for many questions: the index is read once, when the first one comes. */
export function openTexts(store: Store): (id: string) => Buffer | undefined {
  let index: Buffer | undefined;
  return (id) => {
    index ??= readIndex(store);
    const entry = findEntry(index, id);
    return entry && readEntry(fileOf(store, 'pack'), entry);
  };
}

interface Entry {
  readonly offset: number;
  readonly length: number;
}

function readIndex(store: Store): Buffer {
  return findFile(fileOf(store, 'index')) ?? Buffer.alloc(0);
}

/** A search through the bytes: an index of a hundred thousand texts is some megabytes, and parsing it would take longer. */
function findEntry(index: Buffer, id: string): Entry | undefined {
  const at = index.indexOf(`${id} `);
  if (at < 0) return undefined;
  const line = index.toString('latin1', at, at + id.length + 40);
  const found = /^[0-9a-f]+ (\d+) (\d+)\n/.exec(line);
  return found ? { offset: Number(found[1]), length: Number(found[2]) } : undefined;
}

function readEntry(file: string, { offset, length }: Entry): Buffer | undefined {
  try {
    const handle = fs.openSync(file, 'r');
    try {
      const packed = Buffer.alloc(Math.min(length, MAX_TEXT * 2));
      fs.readSync(handle, packed, 0, packed.length, offset);
      return inflateSync(packed, { maxOutputLength: MAX_TEXT * 2 });
    } finally {
      fs.closeSync(handle);
    }
  } catch {
    return undefined; // gone or damaged: the edit is then told without it
  }
}

function fileOf(store: Store, name: 'pack' | 'index'): string {
  return path.join(store.dir, 'texts', name);
}
