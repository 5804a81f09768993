import type { FileDiff } from '../git/diff.ts';
import { readObjects } from '../git/objects.ts';
import { readHeadFiles } from '../git/trees.ts';
import type { ParentLine } from '../join/file.ts';
import { diffLines } from '../lines/diff.ts';
import type { Origin } from '../lines/origin.ts';
import { isBinary, isInformative, type Lines, splitBytes } from '../lines/text.ts';
import { isText } from './join-one.ts';
import type { Joining } from './joining.ts';
import { originsThere, type PlacesBefore } from './parents.ts';
import { MAX_BYTES } from './search.ts';

/** Of a squash of more than these each has its own say. */
const MAX_SOURCES = 3;

/**
 * A pick that stopped, and both sides were kept: it brings back what the other side had taken away, and that was written neither here nor by the
 * picked commit. What stood in that commit's file, and stands in this one's, is whose git blame and the records say it was there.
 */
export async function stoodOrigins(
  joining: Pick<Joining, 'world' | 'diff' | 'unwritten'>,
  sources: readonly string[],
): Promise<(path: string, line: number) => Origin | undefined> {
  const few = joining.diff.files.length === 0 || sources.length > MAX_SOURCES ? [] : sources;
  const inSource = (source: string) => ({ ...joining, diff: { ...joining.diff, parents: [source] } });
  const places = await Promise.all(few.map((source) => placesIn(joining, source)));
  return originsThere(few.map((source, i) => [inSource(source), places[i] ?? new Map()]));
}

/** For the lines that the commit adds, by path: which line of the source's file each is. */
async function placesIn({ world, diff }: Pick<Joining, 'world' | 'diff'>, source: string): Promise<PlacesBefore> {
  const { place } = world.repository;
  const files = diff.files.filter(isText);
  const heads = await readHeadFiles(
    place,
    source,
    files.map(({ path }) => path),
  );
  const ids = files.flatMap(({ path, newBlob }) => [newBlob ?? [], heads.get(path)?.blob ?? []].flat());
  const objects = await readObjects(place, [...new Set(ids)], { maxBytes: MAX_BYTES });
  const textOf = (id: string | null | undefined) => {
    const bytes = id ? objects.get(id)?.bytes : undefined;
    return bytes && !isBinary(bytes) ? splitBytes(bytes) : undefined;
  };
  return new Map(
    files.flatMap((file): [string, Map<number, ParentLine>][] => {
      const [before, after] = [textOf(heads.get(file.path)?.blob), textOf(file.newBlob)];
      return before && after ? [[file.path, addedPlaces(file, before, after)]] : [];
    }),
  );
}

/** Runs without a line that says something prove no place. */
function addedPlaces({ path, added }: FileDiff, before: Lines, after: Lines): Map<number, ParentLine> {
  const map = diffLines(before, after);
  const places = new Map<number, ParentLine>();
  for (const { start, lines } of added) {
    for (let from = 0, to = 0; from < lines.length; from = to) {
      const old = (i: number) => map[start - 1 + i] ?? -1;
      for (to = from + 1; to < lines.length && old(to) === old(to - 1) + 1 && old(from) >= 0; ) to++;
      if (old(from) < 0 || !lines.slice(from, to).some(isInformative)) continue;
      for (let i = from; i < to; i++) places.set(start + i, { path, line: old(i) + 1 });
    }
  }
  return places;
}
