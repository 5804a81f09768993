import { createHash } from 'node:crypto';
import { deflateSync, type ZlibOptions } from 'node:zlib';
import type { ObjectFormat } from './repository.ts';
import { type GitPlace, runGit } from './run.ts';

export interface NewObject {
  readonly type: 'commit' | 'tree' | 'blob';
  readonly bytes: Uint8Array;
}

const TYPES = { commit: 1, tree: 2, blob: 3 };

/** Beyond this many, one pack is better than as many files: git's own limit for what it fetches is 100. */
const LOOSE = 500;

/** Stores any number of objects of any type with one process. */
export async function storeObjects(
  place: GitPlace,
  format: ObjectFormat,
  objects: readonly NewObject[],
): Promise<void> {
  // a pack that git takes apart is deflated anew by git: until then it need not be small
  if (objects.length > LOOSE) await runGit(place, ['index-pack', '--stdin'], encodePack(format, objects));
  else await runGit(place, ['unpack-objects', '-q'], encodePack(format, objects, { level: 0 }));
}

/** The same by a process that is started before the objects are there. */
export interface OpenStore {
  store(format: ObjectFormat, objects: readonly NewObject[]): Promise<void>;
  /** Nothing is to be stored, or it has been. */
  close(): void;
}

export function openStore(place: GitPlace): OpenStore {
  let give: (pack: Uint8Array) => void = () => {};
  const pack = new Promise<Uint8Array>((resolve) => (give = resolve));
  const done = runGit(place, ['unpack-objects', '-q'], pack);
  done.catch(() => {}); // told to whoever stores
  return {
    async store(format, objects) {
      if (objects.length > LOOSE) return storeObjects(place, format, objects);
      give(encodePack(format, objects, { level: 0 }));
      await done;
    },
    close: () => give(new Uint8Array(0)),
  };
}

/** Pack format version 2, every object whole. */
export function encodePack(format: ObjectFormat, objects: readonly NewObject[], options: ZlibOptions = {}): Buffer {
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1');
  head.writeUInt32BE(objects.length, 8);
  const body = objects.flatMap(({ type, bytes }) => [
    encodeSize(TYPES[type], bytes.length),
    deflateSync(bytes, options),
  ]);
  const pack = Buffer.concat([head, ...body]);
  return Buffer.concat([pack, createHash(format).update(pack).digest()]);
}

/** Type and low four bits of the size, then seven bits each; the top bit says that more follow. */
function encodeSize(type: number, size: number): Buffer {
  const bytes: number[] = [];
  let byte = (type << 4) | (size & 15);
  for (let rest = Math.floor(size / 16); ; rest = Math.floor(rest / 128)) {
    bytes.push(rest > 0 ? byte | 0x80 : byte);
    if (rest === 0) return Buffer.from(bytes);
    byte = rest & 127;
  }
}
