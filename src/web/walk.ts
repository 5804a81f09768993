import { Fault } from '../fault.ts';
import type { HistoryCommit } from './commit.ts';
import { findFile } from './files.ts';
import { findOldName } from './rename.ts';
import type { Repository } from './repository.ts';
import { mapBytes, wholeLines } from './text.ts';
import type { TreeFile } from './tree.ts';

/** Where a line of the file was written. */
export interface Birth {
  readonly commit: HistoryCommit;
  /** Name of the file there. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** The history goes no further here. */
  readonly boundary: boolean;
}

/** The file in a commit. */
interface Version {
  readonly commit: HistoryCommit;
  readonly path: string;
  readonly file: TreeFile;
}

/** A version, and the lines that it answers for until somebody before it does: their numbers here and at the end, from 0. */
interface Suspect extends Version {
  readonly lines: { readonly here: number; readonly last: number }[];
}

/**
 * For each line of the file the commit that wrote it. As in git's blame every line is passed on to a parent that has it, until a commit
 * keeps it; a merge keeps what no parent has.
 */
export async function walkLines(repository: Repository, from: HistoryCommit, path: string): Promise<Birth[]> {
  const file = await findFile(repository, from.tree, path);
  if (!file) throw new Fault('usage', `no such path in ${from.id}`, { path });
  const count = wholeLines(await contentsOf(repository, file)).length;
  const births: Birth[] = new Array(count);
  const suspects = new Map<string, Suspect>();
  const pass = (version: Version, lines: Suspect['lines']) => {
    const key = `${version.commit.id}:${version.path}`;
    const known = suspects.get(key);
    if (known) for (const line of lines) known.lines.push(line);
    else if (lines.length > 0) suspects.set(key, { ...version, lines: [...lines] });
  };
  pass(
    { commit: from, path, file },
    Array.from({ length: count }, (_, i) => ({ here: i, last: i })),
  );
  for (let one = takeYoungest(suspects); one; one = takeYoungest(suspects)) {
    const parents = await parentsOf(repository, one);
    const kept = await passOn(repository, { ...one, parents, pass });
    const boundary = parents.length === 0;
    for (const { here, last } of kept) births[last] = { commit: one.commit, path: one.path, line: here + 1, boundary };
  }
  return births;
}

/** Children first, so that lines that went two ways meet again before they go on. They are few: as many as there are ways. */
function takeYoungest(suspects: Map<string, Suspect>): Suspect | undefined {
  let youngest: [string, Suspect] | undefined;
  for (const one of suspects) {
    if (!youngest || one[1].commit.committer.seconds > youngest[1].commit.committer.seconds) youngest = one;
  }
  if (youngest) suspects.delete(youngest[0]);
  return youngest?.[1];
}

/** The parents that are here. */
async function parentsOf(repository: Repository, { commit }: Version): Promise<HistoryCommit[]> {
  const parents = await Promise.all(commit.parents.map((id) => repository.commit(id)));
  return parents.filter((parent) => parent !== undefined);
}

interface Passing extends Suspect {
  readonly parents: readonly HistoryCommit[];
  pass(version: Version, lines: Suspect['lines']): void;
}

/** Gives the lines that no parent has. */
async function passOn(repository: Repository, suspect: Passing): Promise<Suspect['lines']> {
  const { parents, lines, file, pass } = suspect;
  const versions: (Version | undefined)[] = [];
  const isSame = (version: Version | undefined) => version?.file.id === file.id;
  for (const commit of parents) versions.push(await sameName(repository, suspect, commit));
  if (!versions.some(isSame)) {
    for (const [i, commit] of parents.entries()) versions[i] ??= await otherName(repository, suspect, commit);
  }
  const same = versions.find(isSame);
  if (same) {
    pass(same, lines);
    return [];
  }
  let left = lines;
  for (const version of versions) {
    if (!version || left.length === 0) continue;
    const map = mapBytes(await contentsOf(repository, version.file), await contentsOf(repository, file));
    const before = (here: number) => map[here] ?? -1;
    const passed = left.filter(({ here }) => before(here) >= 0);
    pass(
      version,
      passed.map(({ here, last }) => ({ here: before(here), last })),
    );
    left = left.filter(({ here }) => before(here) < 0);
  }
  return left;
}

async function sameName(
  repository: Repository,
  { path }: Version,
  commit: HistoryCommit,
): Promise<Version | undefined> {
  const file = await findFile(repository, commit.tree, path);
  return file && { commit, path, file };
}

async function otherName(repository: Repository, now: Version, commit: HistoryCommit): Promise<Version | undefined> {
  const old = await findOldName(repository, { ...now, before: commit.tree, after: now.commit.tree });
  return old && { commit, ...old };
}

async function contentsOf(repository: Repository, { id }: TreeFile): Promise<Uint8Array> {
  const bytes = await repository.blob(id);
  if (!bytes) throw new Fault('surroundings', `The contents ${id} are not in this clone: fetch them first.`, { id });
  return bytes;
}
