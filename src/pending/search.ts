import type { Rewritten } from '../anchor/lineage.ts';
import type { Lookup } from '../anchor/overlay.ts';
import type { Texts } from '../anchor/related.ts';
import { type Source, sourceOf } from '../anchor/source.ts';
import { type Anchors, type TargetFile, targetFile } from '../anchor/target.ts';
import type { Commit } from '../git/commits.ts';
import type { CommitDiff } from '../git/diff.ts';
import { readObjects } from '../git/objects.ts';
import type { GitPlace } from '../git/run.ts';
import { lineHashes } from '../lines/hash.ts';
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
export interface Search {
  readonly commit: Commit;
  readonly diff: CommitDiff;
  readonly files: readonly TargetFile[];
  readonly found: Anchors;
}

export function searchFor(commit: Commit, diff: CommitDiff): Search {
  return { commit, diff, files: diff.files.filter(isText).map(targetFile), found: new Map() };
}

/** Hashes of all lines that a commit adds: as many of them as there are blocks, one behind the other. */
export function addedHashes({ files }: CommitDiff): string[] {
  return files.filter(isText).flatMap(({ added }) => added.map(({ lines }) => lineHashes(lines)));
}

/** Commits that another may stem from, and how we know. */
export interface Related {
  readonly search: Search;
  readonly via: Via;
  readonly ids: readonly string[];
  /** It was squashed of these, oldest first. */
  readonly squashed?: boolean;
}

export async function readSources(world: AnchorWorld, ids: readonly string[]): Promise<Map<string, Source>> {
  const records = await world.records([...new Set(ids)]);
  return new Map([...records].filter(([, some]) => some.length > 0).map(([id, some]) => [id, sourceOf(id, some)]));
}

/** The texts of all files in question, new and old, with one process. */
export async function readTexts(
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

/** Larger texts are not compared. */
export const MAX_BYTES = 20 * 1024 * 1024;

/** Ids in notes come from others. */
function isId(text: string): boolean {
  return /^[0-9a-f]{40,64}$/.test(text);
}
