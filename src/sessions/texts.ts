import path from 'node:path';
import { deflateSync, inflateSync, type ZlibOptions } from 'node:zlib';
import { hashBlob } from '../git/objects.ts';
import { appendBytes, appendLines, cutFile, findFile, readPart, sizeOf } from './disk.ts';
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
 * is written last: what a crash leaves in the pack is never looked at. Gives the files that were added to.
 */
export function writeTexts(store: Store, texts: ReadonlyMap<string, Uint8Array>): string[] {
  const index = readIndex(store);
  const size = sizeOf(fileOf(store, 'pack'));
  // what the index names and the pack no longer has is written again
  const isThere = (id: string) => {
    for (const { offset, length } of findEntries(index, id)) if (offset + length <= size) return true;
    return false;
  };
  const fresh = [...texts].filter(([id]) => !isThere(id));
  if (fresh.length === 0) return [];
  refuseNewer(store);
  const packed = fresh.map(([id, bytes]) => ({ id, bytes: deflateSync(bytes, bytes.length > SMALL ? PLAIN : TIGHT) }));
  let offset = appendBytes(fileOf(store, 'pack'), Buffer.concat(packed.map(({ bytes }) => bytes)));
  const lines = packed.map(({ id, bytes }) => {
    const line = `${id} ${offset} ${bytes.length}`;
    offset += bytes.length;
    return line;
  });
  cutTornLine(fileOf(store, 'index'), index);
  appendLines(fileOf(store, 'index'), lines);
  return [fileOf(store, 'pack'), fileOf(store, 'index')];
}

/** Closed by a line end it would name another place than the one that was meant. */
function cutTornLine(file: string, index: Buffer): void {
  const whole = index.lastIndexOf('\n') + 1;
  if (whole < index.length) cutFile(file, whole);
}

/** Opens the texts for many questions: the index is read once, when the first one comes. */
export function openTexts(store: Store): (id: string) => Buffer | undefined {
  let index: Buffer | undefined;
  return (id) => {
    index ??= readIndex(store);
    for (const entry of findEntries(index, id)) {
      const bytes = readEntry(fileOf(store, 'pack'), entry);
      // where the pack has lost its end, another text may stand in the place of this one
      if (bytes && hashBlob(store.format, bytes) === id) return bytes;
    }
    return undefined;
  };
}

interface Entry {
  readonly offset: number;
  readonly length: number;
}

function readIndex(store: Store): Buffer {
  return findFile(fileOf(store, 'index')) ?? Buffer.alloc(0);
}

/**
 * A search through the bytes, from their end: an index of a hundred thousand texts is some megabytes, parsing it would take longer, and mostly
 * it is a late text that is asked for. Of most texts there is one.
 */
function* findEntries(index: Buffer, id: string): Generator<Entry> {
  const key = `${id} `;
  for (let at = index.lastIndexOf(key); at >= 0; at = at === 0 ? -1 : index.lastIndexOf(key, at - 1)) {
    const line = index.toString('latin1', at, at + id.length + 40);
    const [, offset, length] = /^[0-9a-f]+ (\d{1,15}) (\d{1,15})\n/.exec(line) ?? [];
    if (offset) yield { offset: Number(offset), length: Number(length) };
  }
}

function readEntry(file: string, { offset, length }: Entry): Buffer | undefined {
  const packed = readPart(file, { offset, length: Math.min(length, MAX_TEXT * 2) });
  try {
    return packed && inflateSync(packed, { maxOutputLength: MAX_TEXT * 2 });
  } catch {
    return undefined; // damaged: the edit is then told without it
  }
}

function fileOf(store: Store, name: 'pack' | 'index'): string {
  return path.join(store.dir, 'texts', name);
}
