import { sameVoice, type Via } from '../lines/origin.ts';
import type { Lines } from '../lines/text.ts';
import { alignRuns, isTelling, isWhole, placesOf, type Run } from './align.ts';
import { carry, type Link } from './chain.ts';
import type { Source, SourceFile, SourceLine } from './source.ts';
import type { Anchored, Anchors, TargetFile } from './target.ts';

/** Commits that a commit is known to stem from, oldest first, and how we know. */
export interface Relation {
  readonly via: Via;
  readonly sources: readonly Source[];
}

export interface Texts {
  /** The file as the commit in question has it. */
  target(path: string): Lines | undefined;
  /** A file's content by its id, where it is still there. */
  blob(id: string): Lines | undefined;
}

/** Lines of a commit whose ancestors-in-spirit are known: by their texts where those are still there, else by their hashes. */
export function anchorRelated(files: readonly TargetFile[], relation: Relation, texts: Texts): Anchors {
  const anchors: Anchors = new Map();
  for (const file of files) {
    const found = new Map<number, Anchored>();
    const take = (line: number, from: SourceLine) => {
      if (!found.has(line)) found.set(line, anchoredBy(from, relation.via));
    };
    const carried = byTexts(file, relation, texts);
    for (const [line, from] of carried ?? []) take(line, from);
    // what the old texts do not have is new: a hash must tell more then
    for (const [line, from] of byHashes(file, relation, carried ? isTelling : () => true)) take(line, from);
    const wanted = new Set(file.lines.map(({ line }) => line));
    anchors.set(file.path, new Map([...found].filter(([line]) => wanted.has(line))));
  }
  return anchors;
}

export function anchoredBy({ origin, record, url }: SourceLine, via: Via): Anchored {
  return { origin, via, record, ...(url !== undefined && { url }) };
}

/** Undefined: the texts are gone. */
function byTexts(file: TargetFile, { sources }: Relation, texts: Texts): Map<number, SourceLine> | undefined {
  const text = texts.target(file.path);
  if (!text) return undefined;
  const links = sources.flatMap((source): Link[] => {
    const from = fileIn(source, file);
    const before = from?.blob === undefined ? undefined : texts.blob(from.blob);
    return from && before ? [{ text: before, file: from }] : [];
  });
  return links.length > 0 ? carry(links, text) : undefined;
}

function fileIn(source: Source, { path, oldPath }: TargetFile): SourceFile | undefined {
  return source.files.get(path) ?? (oldPath === undefined ? undefined : source.files.get(oldPath));
}

/** The youngest source first: it had the last word. Lines may also have come from another file of a source. */
function byHashes(file: TargetFile, { sources }: Relation, believed: (run: Run) => boolean): Map<number, SourceLine> {
  const found = new Map<number, SourceLine>();
  const youngest = [...sources].reverse();
  const same = youngest.flatMap((source) => fileIn(source, file) ?? []);
  const others = youngest.flatMap((source) => [...source.files.values()].filter((one) => !same.includes(one)));
  const contested = contestedHashes([...same, ...others]);
  const places = placesOf(file);
  for (const [i, from] of [...same, ...others].entries()) {
    if (i === 0 && same.length > 0 && sources.length === 1 && isWhole(from, file)) {
      return new Map(file.lines.map(({ line }, k) => [line, from.lines[k] as SourceLine]));
    }
    for (const run of alignRuns(from, file, places)) {
      const sure = run.pairs.some(({ from: one, to }) => to.informative && !contested.has(one.hash ?? ''));
      if (sure && believed(run))
        for (const pair of run.pairs) if (!found.has(pair.to.line)) found.set(pair.to.line, pair.from);
    }
  }
  return found;
}

/** Hashes that stand in more than one place with different origins: alone they prove nothing. */
function contestedHashes(files: readonly SourceFile[]): Set<string> {
  const seen = new Map<string, SourceLine>();
  const contested = new Set<string>();
  for (const one of files.flatMap(({ lines }) => lines)) {
    if (one.hash === undefined) continue;
    const other = seen.get(one.hash);
    if (other && !sameVoice(other.origin, one.origin)) contested.add(one.hash);
    seen.set(one.hash, one);
  }
  return contested;
}
