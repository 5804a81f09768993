import { anchorContent, type Candidate } from '../anchor/content.ts';
import { fingerprint } from '../anchor/keys.ts';
import { changeOf, lineage, pickedFrom, reverts } from '../anchor/lineage.ts';
import type { Lookup, Sharers } from '../anchor/overlay.ts';
import { anchorRelated, anchorWhole, type Relation } from '../anchor/related.ts';
import type { Source } from '../anchor/source.ts';
import { type Anchors, addAnchors, withoutAnchor } from '../anchor/target.ts';
import { type Commit, readCommits } from '../git/commits.ts';
import { type CommitDiff, readDiffs } from '../git/diff.ts';
import { reachableFrom } from '../git/history.ts';
import { readObjects } from '../git/objects.ts';
import { readHeadFiles } from '../git/trees.ts';
import { lineHash } from '../lines/hash.ts';
import type { Via } from '../lines/origin.ts';
import { isBinary, splitBytes } from '../lines/text.ts';
import { withoutRepeated } from './repeated.ts';
import { searchSame } from './same.ts';
import {
  type AnchorWorld,
  addedHashes,
  MAX_BYTES,
  type Related,
  readSources,
  readTexts,
  type Search,
  searchFor,
} from './search.ts';

/** What the asker has read of the commits already. */
export interface KnownCommits {
  readonly commits: ReadonlyMap<string, Commit>;
  readonly diffs: ReadonlyMap<string, CommitDiff>;
  /** What commits were squashed of, oldest first, where a hook saw it. */
  readonly squashed?: ReadonlyMap<string, readonly string[]>;
}

/** Origins of lines of commits that no record speaks of, from the records of commits that they stem from or share lines with. */
export async function anchorCommits(
  world: AnchorWorld,
  ids: readonly string[],
  known?: KnownCommits,
): Promise<Map<string, Anchors>> {
  const young = await youngerThan(world, ids, known);
  if (young.length === 0) return new Map();
  const diffs =
    known?.diffs ??
    (await readDiffs(
      world.place,
      young.map(({ id }) => id),
    ));
  const before = lineage(world.rewrites);
  const searches = young.flatMap((commit): Known[] => {
    const diff = diffs.get(commit.id);
    if (!diff) return [];
    const told = toldOf(commit, world.index, before);
    const shared = world.index.findLines(addedHashes(diff));
    // most share nothing with anybody, and may be huge: a patch that a note has has its lines too
    return told.length === 0 && shared.size === 0 ? [] : [{ ...searchFor(commit, diff), told, shared }];
  });
  const heard = await searchRelated(world, searches, known?.squashed ?? new Map());
  await searchContent(
    world,
    searches.filter(({ files, found }) => withoutAnchor(files, found).length > 0),
    heard,
  );
  return new Map(searches.map(({ commit, found }) => [commit.id, found]));
}

/** No commit stems from one that was recorded later: what is older than every record is not looked at. */
async function youngerThan(
  { place, index }: AnchorWorld,
  ids: readonly string[],
  known: KnownCommits | undefined,
): Promise<Commit[]> {
  const { since } = index;
  if (since === undefined || ids.length === 0) return [];
  const commits = known?.commits ?? (await readCommits(place, ids));
  const asked = ids.flatMap((id) => commits.get(id) ?? []);
  return asked.filter(({ committer }) => committer.time * 1000 + 999 >= since);
}

/** What is known of a commit before its lines are looked at one by one. */
interface Known extends Search {
  /** What git or an id tells that it stems from. */
  readonly told: readonly Kind[];
  /** Those of its lines that are in some note. */
  readonly shared: Sharers;
}

type Kind = readonly [Via, readonly string[]];

/** Those that have had their say, by all that is known of them. */
type Heard = ReadonlyMap<Search, ReadonlySet<string>>;

async function searchRelated(
  world: AnchorWorld,
  searches: readonly Known[],
  squashed: ReadonlyMap<string, readonly string[]>,
): Promise<Heard> {
  const told = searches.flatMap((search) => relationsOf(search, world.index));
  const whole = searches.flatMap((search): Related[] => {
    const ids = squashed.get(search.commit.id);
    return ids ? [{ search, via: 'rewrite', ids, squashed: true }] : [];
  });
  const related = [...whole, ...(await withoutRepeated(world, told))];
  if (related.length === 0) return new Map();
  const sources = await readSources(
    world,
    related.flatMap(({ ids }) => ids),
  );
  const texts = await readTexts(world.place, related, sources);
  for (const { search, via, ids, squashed } of related) {
    const relation: Relation = { via, sources: ids.flatMap((id) => sources.get(id) ?? []) };
    const anchor = squashed ? anchorWhole : anchorRelated;
    if (relation.sources.length > 0) addAnchors(search.found, anchor(search.files, relation, texts(search)));
  }
  const heard = new Map<Search, Set<string>>();
  // what is not all of a squash is looked for by content as well
  for (const { search, ids } of related.filter((one) => !one.squashed))
    heard.set(search, new Set([...(heard.get(search) ?? []), ...ids]));
  return heard;
}

function relationsOf(search: Known, index: Lookup): Related[] {
  const { commit, files, told } = search;
  const hashes = new Map(files.map(({ path, lines }) => [path, lines.map(({ hash }) => hash).join('')]));
  const patch = files.some(({ lines }) => lines.some(({ informative }) => informative)) && fingerprint(hashes);
  const alike: Kind = ['patch-id', patch ? others(commit, index.findPatch(patch)) : []];
  return [...told, alike].flatMap(([via, ids]) => (ids.length > 0 ? [{ search, via, ids }] : []));
}

function toldOf(commit: Commit, index: Lookup, before: (commit: string) => string[]): Kind[] {
  const change = changeOf(commit);
  const kinds: Kind[] = [
    ['rewrite', others(commit, [...before(commit.id), ...pickedFrom(commit.message)])],
    ['change-id', others(commit, change ? index.findChange(change) : [])],
  ];
  return kinds.filter(([, ids]) => ids.length > 0);
}

function others(commit: Commit, ids: readonly string[]): string[] {
  return [...new Set(ids)].filter((id) => id !== commit.id);
}

/** So many commits may share a line or two with one before we stop counting. */
const MAX_CANDIDATES = 400;
/** So many may share a run of lines: a long history that was squashed is made of thousands. */
const MAX_SURE = 4000;
const SURE = 3;

async function searchContent(world: AnchorWorld, searches: readonly Known[], heard: Heard): Promise<void> {
  const isNew = (search: Search) => (id: string) => !heard.get(search)?.has(id);
  const votes = new Map(searches.map((search) => [search, voteFor(search).filter(isNew(search))]));
  const all = [...votes.values()].flat();
  if (all.length === 0) return;
  const [sources, reachable] = await Promise.all([
    readSources(world, all),
    reachableFrom(
      world.place,
      searches.map(({ commit }) => commit.id),
      all,
    ),
  ]);
  for (const [search, ids] of votes) {
    const { commit } = search;
    // what was recorded later may be a copy of this commit, never its origin
    const found = ids.flatMap((id) => sources.get(id) ?? []).filter(({ time }) => time <= commit.committer.time * 1000);
    const isStanding = (source: Source) => reachable.has(source.commit);
    await searchSame(
      world,
      search,
      found.filter((source) => !isStanding(source)),
    );
    const kept = await readKept(world, search, found);
    const isRevert = reverts(commit.message).length > 0;
    const candidates = found.map((source): Candidate => {
      const inPlace = isRevert || source.time > commit.author.time * 1000 + 999;
      return { source, standing: isStanding(source), inPlace, kept };
    });
    // with all its lines: a line left over is not the one that a known line stems from
    addAnchors(search.found, anchorContent(search.files, candidates));
  }
}

/** What files of the sources have in this commit, where they are not the files in question themselves. */
async function readKept(
  { place }: AnchorWorld,
  { commit, files }: Search,
  sources: readonly Source[],
): Promise<(path: string) => ReadonlySet<string>> {
  const own = new Set(files.flatMap(({ path, oldPath }) => [path, oldPath]));
  const paths = [...new Set(sources.flatMap((source) => [...source.files.keys()]))].filter((path) => !own.has(path));
  if (paths.length === 0) return () => NONE;
  const heads = await readHeadFiles(place, commit.id, paths);
  const blobs = [...heads.values()].flatMap((file) => file?.blob ?? []);
  const objects = await readObjects(place, blobs, { maxBytes: MAX_BYTES });
  const hashes = new Map<string, ReadonlySet<string>>();
  return (path) => {
    const bytes = objects.get(heads.get(path)?.blob ?? '')?.bytes;
    if (!bytes || isBinary(bytes)) return NONE;
    const known = hashes.get(path) ?? new Set(splitBytes(bytes).map(lineHash));
    hashes.set(path, known);
    return known;
  };
}

const NONE: ReadonlySet<string> = new Set();

const NOBODY = { commits: [], many: false };

/** The commits whose notes have the most lines of this one. */
function voteFor({ commit, files, found, shared }: Known): string[] {
  const hashes = withoutAnchor(files, found).flatMap(({ lines }) => {
    const telling = lines.some((line) => line.informative);
    return lines.filter((line) => (line.informative || !telling) && shared.has(line.hash)).map(({ hash }) => hash);
  });
  const votes = new Map<string, number>();
  for (const hash of new Set(hashes)) {
    const { commits, many } = shared.get(hash) ?? NOBODY;
    if (many) continue;
    for (const id of commits) votes.set(id, (votes.get(id) ?? 0) + 1);
  }
  votes.delete(commit.id);
  const ranked = [...votes].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const kept = ranked.filter(([, lines], i) => i < (lines >= SURE ? MAX_SURE : MAX_CANDIDATES));
  return kept.map(([id]) => id);
}
