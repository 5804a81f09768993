import { hash } from 'node:crypto';
import murmur from 'murmurhash3js-revisited';
import { bytesOf, isAscii, type Lines } from './text.ts';

// it would look at every byte whether it is one: ours come from a Buffer
murmur.inputValidation = false;

/** Both hashes of these lines. */
export interface LinesHashed {
  /**
   * Agent Trace's content_hash by our published rule: MurmurHash3 x86 32-bit, seed 0, over the bytes of the lines joined by LF, each
   * without its ending, no final newline.
   */
  readonly content: string;
  /** One short hash per line, one behind the other: what re-anchoring recognises lines by when the commit is gone. */
  readonly each: string;
}

const known = new WeakMap<Lines, LinesHashed>();

/** Hashing is most of the work of a record: it may be done beforehand, while git is still reading, and is done once. */
export function hashLines(lines: Lines): LinesHashed {
  const had = known.get(lines);
  if (had) return had;
  const text = lines.join('\n');
  const hashed = { content: hashText(text), each: hashEach(lines, isAscii(text)) };
  known.set(lines, hashed);
  return hashed;
}

/** See `LinesHashed`. */
export function contentHash(lines: Lines): string {
  return hashText(lines.join('\n'));
}

function hashText(text: string): string {
  const value = murmur.x86.hash32(bytesOf(text), 0);
  return `murmur3:${value.toString(16).padStart(8, '0')}`;
}

/** Characters of base64 that we keep of a line's SHA-256: 48 bits, so that ten million lines are told apart. */
export const HASH_LENGTH = 8;

const knownEach = new WeakMap<Lines, string>();

/** See `LinesHashed`. Of the same lines worked out once. */
export function lineHashes(lines: Lines): string {
  const had = knownEach.get(lines) ?? known.get(lines)?.each;
  if (had !== undefined) return had;
  const each = hashEach(lines, isAscii(lines.join('')));
  knownEach.set(lines, each);
  return each;
}

/** What was put one behind the other. */
export function splitHashes(hashes: string): string[] {
  const each: string[] = [];
  for (let at = 0; at < hashes.length; at += HASH_LENGTH) each.push(hashes.slice(at, at + HASH_LENGTH));
  return each;
}

/** `plain`: all of them are ASCII. */
function hashEach(lines: Lines, plain: boolean): string {
  let kept = '';
  for (const line of lines) {
    // node hashes a text as UTF-8, which for ASCII is the same bytes, and so without a copy of them: twice as fast
    const bytes = plain || isAscii(line) ? line : bytesOf(line);
    kept += hash('sha256', bytes, 'base64').slice(0, HASH_LENGTH);
  }
  return kept.replaceAll('+', '-').replaceAll('/', '_');
}

export function lineHash(line: string): string {
  return hashEach([line], false);
}
