import zlib from 'node:zlib';

/** A text that unpacks to more is not looked at. */
const MAX_BYTES = 256 << 20;

/** Zstandard is in Node since 22.15; before that nobody can tell. */
const unzstd = (zlib as { zstdDecompressSync?: (bytes: Uint8Array, options: { maxOutputLength: number }) => Buffer })
  .zstdDecompressSync;

/** The text in bytes that are packed with Zstandard; undefined where they are not, or where this Node cannot. */
export function unpackText(bytes: unknown): string | undefined {
  if (!unzstd || !(bytes instanceof Uint8Array)) return undefined;
  try {
    return unzstd(bytes, { maxOutputLength: MAX_BYTES }).toString('utf8');
  } catch {
    return undefined;
  }
}
