import { anchorContent, type Candidate } from '../anchor/content.ts';
import { fingerprint } from '../anchor/keys.ts';
import { changeOf, lineage, pickedFrom, type Rewritten } from '../anchor/lineage.ts';
import type { Lookup } from '../anchor/overlay.ts';
import { anchorRelated, type Relation, type Texts } from '../anchor/related.ts';
import { type Source, sourceOf } from '../anchor/source.ts';
import { type Anchors, addAnchors, type TargetFile, targetFile, withoutAnchor } from '../anchor/target.ts';
import { type Commit, readCommits } from '../git/commits.ts';
import { type CommitDiff, readDiffs } from '../git/diff.ts';
import { listBetween, reachableFrom } from '../git/history.ts';
import { readObjects } from '../git/objects.ts';
import type { GitPlace } from '../git/run.ts';
import { readHeadFiles } from '../git/trees.ts';
import { lineHash } from '../lines/hash.ts';
import type { Via } from '../lines/origin.ts';
import { isBinary, type Lines, splitBytes } from '../lines/text.ts';
import type { TraceRecord } from '../trace/record.ts';
import { isText } from './join-one.ts';

/** What re-anchoring asks of the world. */
export interface AnchorWorld {
  readonly place: GitPlace;
  readonly index: Lookup;
  readonly rewrites: readonly Rewritten[];
  /** What notes say of these commits, written or about to be. */
  records(commits: readonly string[]): Promise<ReadonlyMap<string, readonly TraceRecord[]>>;
}

/** A commit whose lines are looked for elsewhere, and those that are still to be found. */
interface Search {
  readonly commit: Commit;
  readonly diff: CommitDiff;
  readonly files: readonly TargetFile[];
  readonly found: Anchors;
}

/** What the asker has read of the commits already. */
export interface KnownCommits {
  readonly commits: ReadonlyMap<string, Commit>;
  readonly diffs: ReadonlyMap<string, CommitDiff>;
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
  const searches = young.flatMap((commit): Search[] => {
    const diff = diffs.get(commit.id);
    return diff ? [{ commit, diff, files: diff.files.filter(isText).map(targetFile), found: new Map() }] : [];
  });
  await searchRelated(world, searches);
  await searchContent(
    world,
    searches.filter(({ files, found }) => withoutAnchor(files, found).length > 0),
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

interface Related {
  readonly search: Search;
  readonly via: Via;
  readonly ids: readonly string[];
}

async function searchRelated(world: AnchorWorld, searches: readonly Search[]): Promise<void> {
  const before = lineage(world.rewrites);
  const related = searches.flatMap((search) => relationsOf(search, world.index, before));
  if (related.length === 0) return;
  const sources = await readSources(
    world,
    related.flatMap(({ ids }) => ids),
  );
  const texts = await readTexts(world.place, related, sources);
  for (const { search, via, ids } of related) {
    const relation: Relation = { via, sources: ids.flatMap((id) => sources.get(id) ?? []) };
    if (relation.sources.length > 0) addAnchors(search.found, anchorRelated(search.files, relation, texts(search)));
  }
}

function relationsOf(search: Search, index: Lookup, before: (commit: string) => string[]): Related[] {
  const { commit, files } = search;
  const hashes = new Map(files.map(({ path, lines }) => [path, lines.map(({ hash }) => hash).join('')]));
  const [patch, change] = [fingerprint(hashes), changeOf(commit)];
  const kinds: [Via, readonly string[]][] = [
    ['rewrite', [...before(commit.id), ...pickedFrom(commit.message)]],
    ['change-id', change ? index.findChange(change) : []],
    [
      'patch-id',
      patch && files.some(({ lines }) => lines.some(({ informative }) => informative)) ? index.findPatch(patch) : [],
    ],
  ];
  return kinds.flatMap(([via, found]) => {
    const ids = [...new Set(found)].filter((id) => id !== commit.id);
    return ids.length > 0 ? [{ search, via, ids }] : [];
  });
}

/** So many commits may share a line or two with one before we stop counting. */
const MAX_CANDIDATES = 400;
/** So many may share a run of lines: a long history that was squashed is made of thousands. */
const MAX_SURE = 4000;
const SURE = 3;

async function searchContent(world: AnchorWorld, searches: readonly Search[]): Promise<void> {
  const votes = new Map(searches.map((search) => [search, voteFor(world.index, search)]));
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
    const candidates = found.map((source): Candidate => {
      const late = source.time > commit.author.time * 1000 + 999;
      return { source, standing: isStanding(source), late, kept };
    });
    // with all its lines: a line left over is not the one that a known line stems from
    addAnchors(search.found, anchorContent(search.files, candidates));
  }
}

/** So many commits that have a file just as it is here are followed back. */
const MAX_SAME = 10;

/** Another branch has a file just as this commit has it: the file was made there, commit by commit, however short its lines are. */
async function searchSame(world: AnchorWorld, search: Search, sources: readonly Source[]): Promise<void> {
  const blobs = new Map(search.diff.files.filter(isText).map(({ path, newBlob }) => [path, newBlob]));
  const open = withoutAnchor(search.files, search.found);
  const ends = new Map(
    open.flatMap((file): [Source, TargetFile[]][] => {
      const has = (source: Source) => source.files.get(file.path)?.blob === blobs.get(file.path);
      const end = latest(sources.filter(has));
      return end ? [[end, open.filter((one) => end.files.get(one.path)?.blob === blobs.get(one.path))]] : [];
    }),
  );
  const known = new Map(sources.map((source) => [source.commit, source]));
  for (const [end, files] of [...ends].slice(0, MAX_SAME)) {
    const way = await listBetween(world.place, { from: search.commit.id, to: end.commit });
    const ids = way.length > 0 ? way.filter((id) => known.has(id)) : [end.commit];
    const texts = await readTexts(world.place, [{ search, via: 'content', ids }], known);
    const relation: Relation = { via: 'content', sources: ids.flatMap((id) => known.get(id) ?? []) };
    addAnchors(search.found, anchorRelated(files, relation, texts(search)));
  }
}

function latest(sources: readonly Source[]): Source | undefined {
  return sources.reduce<Source | undefined>((last, one) => (last && last.time >= one.time ? last : one), undefined);
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

/** The commits whose notes have the most lines of this one. */
function voteFor(index: Lookup, { commit, files, found }: Search): string[] {
  const hashes = withoutAnchor(files, found).flatMap(({ lines }) => {
    const telling = lines.filter((line) => line.informative);
    return (telling.length > 0 ? telling : lines).map(({ hash }) => hash);
  });
  const votes = new Map<string, number>();
  for (const { commits, many } of index.findLines(hashes).values()) {
    if (many) continue;
    for (const id of commits) votes.set(id, (votes.get(id) ?? 0) + 1);
  }
  votes.delete(commit.id);
  const ranked = [...votes].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const kept = ranked.filter(([, lines], i) => i < (lines >= SURE ? MAX_SURE : MAX_CANDIDATES));
  return kept.map(([id]) => id);
}

async function readSources(world: AnchorWorld, ids: readonly string[]): Promise<Map<string, Source>> {
  const records = await world.records([...new Set(ids)]);
  return new Map([...records].filter(([, some]) => some.length > 0).map(([id, some]) => [id, sourceOf(id, some)]));
}

/** The texts of all files in question, new and old, with one process. */
async function readTexts(
  place: GitPlace,
  related: readonly Related[],
  sources: ReadonlyMap<string, Source>,
): Promise<(search: Search) => Texts> {
  const old = related.flatMap(({ ids }) =>
    ids.flatMap((id) => [...(sources.get(id)?.files.values() ?? [])].flatMap(({ blob }) => blob ?? [])),
  );
  const fresh = related.flatMap(({ search }) =>
    search.diff.files.filter(isText).flatMap(({ newBlob }) => newBlob ?? []),
  );
  const objects = await readObjects(place, [...old, ...fresh].filter(isId), { maxBytes: MAX_BYTES });
  const lines = new Map<string, Lines>();
  const blob = (id: string) => {
    const bytes = objects.get(id)?.bytes;
    if (!bytes || isBinary(bytes)) return undefined;
    const known = lines.get(id) ?? splitBytes(bytes);
    lines.set(id, known);
    return known;
  };
  return ({ diff }) => ({
    blob,
    target: (path) => {
      const id = diff.files.find((file) => file.path === path)?.newBlob;
      return id ? blob(id) : undefined;
    },
  });
}

const MAX_BYTES = 20 * 1024 * 1024;

/** Ids in notes come from others. */
function isId(text: string): boolean {
  return /^[0-9a-f]{40,64}$/.test(text);
}
