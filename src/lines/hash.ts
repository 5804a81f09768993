import { createHash } from 'node:crypto';
import murmur from 'murmurhash3js-revisited';
import { bytesOf, type Lines } from './text.ts';

/**
 * Agent Trace's content_hash by our published rule: MurmurHash3 x86 32-bit, seed 0, over the bytes of the lines joined by LF, each
 * without its ending, no final newline.
 */
export function contentHash(lines: Lines): string {
  return `murmur3:${murmur.x86
    .hash32(bytesOf(lines.join('\n')), 0)
    .toString(16)
    .padStart(8, '0')}`;
}

/** Bytes of a line's SHA-256 that we keep: 48 bits, so that ten million lines are told apart, in 8 characters of base64. */
const LINE_HASH_BYTES = 6;

/** One 8-character hash per line: what re-anchoring recognises lines by when the commit is gone. */
export function lineHash(line: string): string {
  return createHash('sha256').update(bytesOf(line)).digest().toString('base64url', 0, LINE_HASH_BYTES);
}
