import { lineHashes, splitHashes } from '../lines/hash.ts';
import type { Origin, Via } from '../lines/origin.ts';
import { isDistinct, isInformative, isOpening, type Lines } from '../lines/text.ts';

/** A line that a commit adds and that no record of its own speaks of. */
export interface TargetLine {
  readonly line: number;
  readonly hash: string;
  readonly informative: boolean;
  /** Long enough that hardly two people write it. */
  readonly distinct: boolean;
  /** What files begin with. */
  readonly opening: boolean;
}

export interface TargetFile {
  readonly path: string;
  readonly oldPath?: string;
  readonly lines: readonly TargetLine[];
}

/** What was found for a line: the origin that the record of another commit gives to it. */
export interface Anchored {
  readonly origin: Origin;
  readonly via: Via;
  readonly record: string;
  readonly url?: string;
}

/** By path and line. */
export type Anchors = Map<string, Map<number, Anchored>>;

interface AddedBlock {
  readonly start: number;
  readonly lines: Lines;
}

export function targetFile(file: {
  readonly path: string;
  readonly oldPath?: string;
  readonly added: readonly AddedBlock[];
}): TargetFile {
  const lines = file.added.flatMap(({ start, lines: texts }) => {
    // all at once: a commit may add half a million
    const hashes = splitHashes(lineHashes(texts));
    return texts.map((text, i) => ({
      line: start + i,
      hash: hashes[i] ?? '',
      informative: isInformative(text),
      distinct: isDistinct(text),
      opening: isOpening(text),
    }));
  });
  return { path: file.path, ...(file.oldPath !== undefined && { oldPath: file.oldPath }), lines };
}

/** What of the files has no answer yet. */
export function withoutAnchor(files: readonly TargetFile[], found: Anchors): TargetFile[] {
  return files.flatMap((file) => {
    const known = found.get(file.path);
    const lines = known ? file.lines.filter(({ line }) => !known.has(line)) : file.lines;
    return lines.length > 0 ? [{ ...file, lines }] : [];
  });
}

/** The first answer for a line stands. */
export function addAnchors(found: Anchors, more: Anchors): void {
  for (const [path, lines] of more) {
    const known = found.get(path) ?? new Map<number, Anchored>();
    for (const [line, anchored] of lines) if (!known.has(line)) known.set(line, anchored);
    found.set(path, known);
  }
}
