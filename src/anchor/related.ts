import { sameVoice, type Via } from '../lines/origin.ts';
import type { Lines } from '../lines/text.ts';
import { alignRuns, isTelling, isWhole, type Pair, placesOf, type Run } from './align.ts';
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

/**
 * Lines of a commit whose ancestors-in-spirit are known: by their texts where those are still there, else by their hashes. What is left
 * may have come from another file of theirs, but for what still stands in its own.
 */
export function anchorRelated(files: readonly TargetFile[], relation: Relation, texts: Texts): Anchors {
  const contested = contestedHashes(relation.sources.flatMap((source) => [...source.files.values()]));
  const stayed = new Map(files.map((file) => [file, inPlace(file, { ...relation, contested }, texts)]));
  const taken = new Set([...stayed.values()].flatMap((lines) => [...lines.values()]));
  return new Map(
    files.map((file) => {
      const found = stayed.get(file) ?? new Map<number, SourceLine>();
      for (const [line, from] of fromOthers(file, { ...relation, contested }, { taken, found })) found.set(line, from);
      const lines = file.lines.flatMap(({ line }): [number, Anchored][] => {
        const from = found.get(line);
        return from ? [[line, anchoredBy(from, relation.via)]] : [];
      });
      return [file.path, new Map(lines)];
    }),
  );
}

/**
 * Lines of a commit that was put together of others, whatever stood there else: only of files in which every line that it adds stands in
 * the texts of those. Then however little the lines say, their places tell.
 */
export function anchorWhole(files: readonly TargetFile[], relation: Relation, texts: Texts): Anchors {
  return new Map(
    files.flatMap((file): [string, Map<number, Anchored>][] => {
      const carried = byTexts(file, relation, texts);
      const lines = file.lines.flatMap(({ line }): [number, Anchored][] => {
        const from = carried?.get(line);
        return from ? [[line, anchoredBy(from, relation.via)]] : [];
      });
      return lines.length === file.lines.length ? [[file.path, new Map(lines)]] : [];
    }),
  );
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

interface Known extends Relation {
  readonly contested: ReadonlySet<string>;
}

/** What the file has of itself, in the sources. */
function inPlace(file: TargetFile, known: Known, texts: Texts): Map<number, SourceLine> {
  const carried = byTexts(file, known, texts);
  const found = new Map(carried);
  const same = filesOf(file, known).flatMap(({ from, own }) => (own ? [from] : []));
  const [only] = same;
  if (only && known.sources.length === 1 && isWhole(only, file)) {
    file.lines.forEach(({ line }, i) => {
      if (!found.has(line)) found.set(line, only.lines[i] as SourceLine);
    });
    return found;
  }
  // what the old texts do not have is new: a hash must tell more then
  for (const run of runsOf(file, known, same)) addRun(found, run, carried ? isTelling : () => true);
  return found;
}

interface Placed {
  readonly taken: ReadonlySet<SourceLine>;
  readonly found: ReadonlyMap<number, SourceLine>;
}

function fromOthers(file: TargetFile, known: Known, placed: Placed): Map<number, SourceLine> {
  const others = filesOf(file, known).flatMap(({ from, own }) => {
    const lines = from.lines.filter((line) => !placed.taken.has(line));
    return own || lines.length === 0 ? [] : [{ ...from, lines }];
  });
  const found = new Map(placed.found);
  for (const run of runsOf(file, known, others)) {
    addRun(found, run, isWhole(run.source, file) ? () => true : isTelling);
  }
  return found;
}

/** The youngest source first: it had the last word. */
function filesOf(file: TargetFile, { sources }: Relation): { readonly from: SourceFile; readonly own: boolean }[] {
  const youngest = [...sources].reverse();
  const same = youngest.flatMap((source) => fileIn(source, file) ?? []);
  const all = youngest.flatMap((source) => [...source.files.values()]);
  return all.map((from) => ({ from, own: same.includes(from) }));
}

/** Runs that have a line which says something, and of which all sources say the same. */
function runsOf(file: TargetFile, { contested }: Known, files: readonly SourceFile[]): Run[] {
  const places = placesOf(file, files);
  const isSure = ({ from, to }: Pair) => to.informative && !contested.has(from.hash ?? '');
  return files.flatMap((from) => alignRuns(from, file, places).filter(({ pairs }) => pairs.some(isSure)));
}

/** Of a run, what has no answer yet, if that is to be believed by itself. */
function addRun(found: Map<number, SourceLine>, run: Run, isBelieved: (rest: Run) => boolean): void {
  const pairs = run.pairs.filter(({ to }) => !found.has(to.line));
  const informative = pairs.filter(({ to }) => to.informative).length;
  if (isBelieved({ ...run, pairs, informative })) for (const { from, to } of pairs) found.set(to.line, from);
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
