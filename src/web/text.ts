import { diffLines, type LineMap } from '../lines/diff.ts';
import type { Lines } from '../lines/text.ts';

/** Lines with their endings: git takes a line whose ending changed for another line. */
export function wholeLines(bytes: Uint8Array): Lines {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return text === '' ? [] : text.split(/(?<=\n)/);
}

/** For each line of the new text, the line of the old one that it is, or -1. */
export function mapBytes(older: Uint8Array, newer: Uint8Array): LineMap {
  return diffLines(wholeLines(older), wholeLines(newer));
}
