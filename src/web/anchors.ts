import { anchorContent, type Candidate } from '../anchor/content.ts';
import { fingerprint } from '../anchor/keys.ts';
import { changeOf, pickedFrom, reverts } from '../anchor/lineage.ts';
import type { Lookup } from '../anchor/overlay.ts';
import { anchorRelated, type Texts } from '../anchor/related.ts';
import { type Source, sourceOf } from '../anchor/source.ts';
import { type Anchors, addAnchors, type TargetFile, targetFile, withoutAnchor } from '../anchor/target.ts';
import { lineHash } from '../lines/hash.ts';
import type { Via } from '../lines/origin.ts';
import { isBinary, type Lines, splitBytes } from '../lines/text.ts';
import { withoutCopied } from '../trace/own.ts';
import { parseNote } from '../trace/parse.ts';
import type { TraceRecord } from '../trace/record.ts';
import { type ChangedFile, changesOf } from './changes.ts';
import type { HistoryCommit } from './commit.ts';
import { findFile } from './files.ts';
import { lookupIn } from './lookup.ts';
import { readNotes } from './notes.ts';
import type { Repository } from './repository.ts';
import { encodePath } from './tree.ts';

/** A commit whose lines are looked for elsewhere, and those that are found so far. */
interface Search {
  readonly commit: HistoryCommit;
  readonly changes: readonly ChangedFile[];
  readonly files: readonly TargetFile[];
  readonly found: Anchors;
}

/** The notes there are, and what they can be found by. */
interface Notes {
  readonly records: ReadonlyMap<string, readonly TraceRecord[]>;
  readonly index: Lookup;
}

/** Origins of lines of commits that no record speaks of, from the records of commits that they stem from or share lines with. */
export async function findAnchors(
  repository: Repository,
  commits: readonly HistoryCommit[],
  refs: readonly string[],
): Promise<Map<string, Anchors>> {
  const { notes } = await readNotes(repository, refs);
  const records = new Map(
    [...notes].map(([commit, lines]) => [commit, withoutCopied(parseNote(lines).records, commit)]),
  );
  const known: Notes = { records, index: lookupIn(records) };
  const anchors = new Map<string, Anchors>();
  for (const commit of commits) {
    // no commit stems from one that was recorded later
    if (commit.committer.seconds * 1000 + 999 < (known.index.since ?? Number.POSITIVE_INFINITY)) continue;
    const changes = await changesOf(repository, commit);
    const search: Search = { commit, changes, files: changes.map(targetFile), found: new Map() };
    await searchRelated(repository, known, search);
    if (withoutAnchor(search.files, search.found).length > 0) await searchContent(repository, known, search);
    anchors.set(commit.id, search.found);
  }
  return anchors;
}

async function searchRelated(repository: Repository, notes: Notes, search: Search): Promise<void> {
  for (const [via, ids] of relationsOf(search, notes.index)) {
    const sources = sourcesOf(notes, ids);
    if (sources.length === 0) continue;
    addAnchors(search.found, anchorRelated(search.files, { via, sources }, await textsOf(repository, search, sources)));
  }
}

/** Without hooks nobody tells what was rewritten: only `cherry-pick -x` does, in the message. */
function relationsOf({ commit, files }: Search, index: Lookup): [Via, readonly string[]][] {
  const patch = fingerprint(new Map(files.map(({ path, lines }) => [path, lines.map(({ hash }) => hash).join('')])));
  const change = changeOf(commit);
  const says = files.some(({ lines }) => lines.some(({ informative }) => informative));
  const kinds: [Via, readonly string[]][] = [
    ['rewrite', pickedFrom(commit.message)],
    ['change-id', change ? index.findChange(change) : []],
    ['patch-id', patch && says ? index.findPatch(patch) : []],
  ];
  return kinds.map(([via, ids]) => [via, [...new Set(ids)].filter((id) => id !== commit.id)]);
}

function sourcesOf({ records }: Notes, ids: readonly string[]): Source[] {
  return ids.flatMap((id) => {
    const some = records.get(id) ?? [];
    return some.length > 0 ? [sourceOf(id, some)] : [];
  });
}

/** Old texts where they are still here. */
async function textsOf(repository: Repository, { changes }: Search, sources: readonly Source[]): Promise<Texts> {
  const old = new Map<string, Lines>();
  const ids = new Set(sources.flatMap(({ files }) => [...files.values()].flatMap(({ blob }) => blob ?? [])));
  for (const id of [...ids].filter((one) => /^[0-9a-f]{40}$/.test(one))) {
    const bytes = await repository.blob(id);
    if (bytes && !isBinary(bytes)) old.set(id, splitBytes(bytes));
  }
  const fresh = new Map(changes.map(({ path, text }) => [path, text]));
  return { target: (path) => fresh.get(path), blob: (id) => old.get(id) };
}

async function searchContent(repository: Repository, notes: Notes, search: Search): Promise<void> {
  const { commit, files } = search;
  // what was recorded later may be a copy of this commit, never its origin
  const sources = sourcesOf(notes, voteFor(notes.index, search)).filter(
    ({ time }) => time <= commit.committer.seconds * 1000,
  );
  if (sources.length === 0) return;
  const ancestors = await ancestorsAmong(repository, commit, new Set(sources.map((source) => source.commit)));
  const kept = await readKept(repository, search, sources);
  const isRevert = reverts(commit.message).length > 0;
  const candidates = sources.map((source): Candidate => {
    const inPlace = isRevert || source.time > commit.author.seconds * 1000 + 999;
    return { source, standing: ancestors.has(source.commit), inPlace, kept };
  });
  addAnchors(search.found, anchorContent(files, candidates));
}

/** So many commits may share a line or two with one before we stop counting; so many may share a run of lines. */
const MAX_CANDIDATES = 400;
const MAX_SURE = 4000;
const SURE = 3;

/** The commits whose notes have the most lines of this one. */
function voteFor(index: Lookup, search: Search): string[] {
  const hashes = withoutAnchor(search.files, search.found).flatMap(({ lines }) =>
    lines.filter((line) => line.informative).map(({ hash }) => hash),
  );
  const votes = new Map<string, number>();
  for (const { commits, many } of index.findLines(hashes).values()) {
    if (!many) for (const id of commits) votes.set(id, (votes.get(id) ?? 0) + 1);
  }
  votes.delete(search.commit.id);
  const ranked = [...votes].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return ranked.filter(([, lines], i) => i < (lines >= SURE ? MAX_SURE : MAX_CANDIDATES)).map(([id]) => id);
}

/** Which of some commits are in this one's history, as far as it is here. */
async function ancestorsAmong(
  repository: Repository,
  from: HistoryCommit,
  among: ReadonlySet<string>,
): Promise<Set<string>> {
  const seen = new Set([from.id]);
  const left = [from];
  for (let one = left.pop(); one; one = left.pop()) {
    for (const id of one.parents) {
      const parent = seen.has(id) ? undefined : await repository.commit(id);
      seen.add(id);
      if (parent) left.push(parent);
    }
  }
  return new Set([...among].filter((id) => seen.has(id)));
}

/** Hashes of the lines that files of the sources have in this commit, where they are not the files in question themselves. */
async function readKept(
  repository: Repository,
  { commit, files }: Search,
  sources: readonly Source[],
): Promise<(path: string) => ReadonlySet<string>> {
  const own = new Set(files.flatMap(({ path, oldPath }) => [path, oldPath]));
  const kept = new Map<string, ReadonlySet<string>>();
  for (const path of new Set(sources.flatMap((source) => [...source.files.keys()]))) {
    const file = own.has(path) ? undefined : await findFile(repository, commit.tree, encodePath(path));
    const bytes = file && (await repository.blob(file.id));
    if (bytes && !isBinary(bytes)) kept.set(path, new Set(splitBytes(bytes).map(lineHash)));
  }
  return (path) => kept.get(path) ?? NONE;
}

const NONE: ReadonlySet<string> = new Set();
