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
  return printHash(murmur.x86.hash32(bytesOf(lines.join('\n')), 0));
}

export function printHash(value: number): string {
  return `murmur3:${value.toString(16).padStart(8, '0')}`;
}

/** Characters of base64 that we keep of a line's SHA-256: 48 bits, so that ten million lines are told apart. */
const LINE_HASH = 8;

/** One short hash per line, one behind the other: what re-anchoring recognises lines by when the commit is gone. */
export function lineHashes(lines: Lines): string {
  const plain = isAscii(lines.join(''));
  let kept = '';
  for (const line of lines) {
    // node hashes a text as UTF-8, which for ASCII is the same bytes, and so without a copy of them: twice as fast
    const bytes = plain || isAscii(line) ? line : bytesOf(line);
    kept += hash('sha256', bytes, 'base64').slice(0, LINE_HASH);
  }
  return kept.replaceAll('+', '-').replaceAll('/', '_');
}

export function lineHash(line: string): string {
  return lineHashes([line]);
}
