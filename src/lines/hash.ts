import { hash } from 'node:crypto';
import murmur from 'murmurhash3js-revisited';
import { bytesOf, isAscii, type Lines } from './text.ts';

// it would look at every byte whether it is one: ours come from a Buffer
murmur.inputValidation = false;

/**
 * Agent Trace's content_hash by our published rule: MurmurHash3 x86 32-bit, seed 0, over the bytes of the lines joined by LF, each
 * without its ending, no final newline.
 */
export function contentHash(lines: Lines): string {
  const value = murmur.x86.hash32(bytesOf(lines.join('\n')), 0);
  return `murmur3:${value.toString(16).padStart(8, '0')}`;
}

/** Bytes of a line's SHA-256 that we keep, as eight characters of base64: 48 bits, so that ten million lines are told apart. */
const LINE_HASH_BYTES = 6;

/** One short hash per line, one behind the other: what re-anchoring recognises lines by when the commit is gone. */
export function lineHashes(lines: Lines): string {
  // node hashes a text as UTF-8, which for ASCII is the same bytes, and so without a copy of them: twice as fast
  const plain = isAscii(lines.join(''));
  let kept = '';
  for (const line of lines)
    kept += hash('sha256', plain || isAscii(line) ? line : bytesOf(line), 'binary').slice(0, LINE_HASH_BYTES);
  // browsers' Buffers do not know base64url; six bytes need no padding
  return bytesOf(kept).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
}

export function lineHash(line: string): string {
  return lineHashes([line]);
}
