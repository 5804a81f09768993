import { fingerprint } from '../anchor/keys.ts';
import { anchorRelated, type Relation } from '../anchor/related.ts';
import type { Source } from '../anchor/source.ts';
import { type Anchors, addAnchors, type TargetFile, withoutAnchor } from '../anchor/target.ts';
import type { Commit } from '../git/commits.ts';
import type { CommitDiff } from '../git/diff.ts';
import { listBetween, reachableFrom } from '../git/history.ts';
import { isText } from './join-one.ts';
import { type AnchorWorld, readSources, readTexts, type Search, searchFor } from './search.ts';

/** So many lines that say much two people do not write alike. */
const SURE = 3;

/**
 * What a commit that was typed here, as far as anybody saw, has just as a commit of another branch has it: the whole of a file, or all
 * that it adds. Git or a patch has brought that (`cherry-pick -n`, `checkout other -- file`, `apply`), and the records tell whose it is.
 */
export async function broughtLines(world: AnchorWorld, commit: Commit, diff: CommitDiff): Promise<Anchors> {
  const whole = searchFor(commit, diff);
  const files = whole.files.filter((file) => telling(file) >= SURE);
  const search = { ...whole, files };
  const patch = fingerprint(
    new Map(whole.files.map(({ path, lines }) => [path, lines.map(({ hash }) => hash).join('')])),
  );
  const alike = files.length > 0 && patch ? world.index.findPatch(patch) : [];
  const ids = [...new Set([...alike, ...sharers(world, files)])].filter((id) => id !== commit.id);
  if (ids.length === 0) return whole.found;
  const standing = await reachableFrom(world.place, [commit.id], ids);
  const gone = ids.filter((id) => !standing.has(id));
  const known = await readSources(world, gone);
  const sources = [...known.values()].filter(({ time }) => time <= commit.committer.time * 1000);
  const same = sources.filter((source) => alike.includes(source.commit));
  if (same.length > 0) {
    // all that it adds is the same: then a line or two in one of its files are as well
    const texts = await readTexts(world.place, [{ search: whole, via: 'patch-id', ids: gone }], known);
    addAnchors(search.found, anchorRelated(whole.files, { via: 'patch-id', sources: same }, texts(whole)));
  }
  await searchSame(world, search, sources);
  return search.found;
}

function telling({ lines }: TargetFile): number {
  return lines.filter((line) => line.distinct).length;
}

/** Commits whose notes have all the lines of a file that say something. */
function sharers({ index }: AnchorWorld, files: readonly TargetFile[]): string[] {
  return files.flatMap(({ lines }) => {
    const hashes = new Set(lines.filter((line) => line.informative).map(({ hash }) => hash));
    const votes = new Map<string, number>();
    for (const { commits } of index.findLines([...hashes]).values()) {
      for (const id of commits) votes.set(id, (votes.get(id) ?? 0) + 1);
    }
    return [...votes].filter(([, count]) => count >= SURE).map(([id]) => id);
  });
}

/** So many commits that have a file just as it is here are followed back. */
const MAX_SAME = 10;

/** Another branch has a file just as this commit has it: the file was made there, commit by commit, however short its lines are. */
export async function searchSame(world: AnchorWorld, search: Search, sources: readonly Source[]): Promise<void> {
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
