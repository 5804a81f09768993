import { lineage } from '../anchor/lineage.ts';
import { readCommits } from '../git/commits.ts';
import { type FileDiff, readUncommitted } from '../git/diff.ts';
import { readObjects } from '../git/objects.ts';
import type { GitPlace } from '../git/run.ts';
import { readHeadFiles } from '../git/trees.ts';
import { type Block, isSureMove } from '../join/moves.ts';
import { diffLines, hunksOf } from '../lines/diff.ts';
import type { Origin } from '../lines/origin.ts';
import { type LineRange, linesOf } from '../lines/range.ts';
import { type Lines, splitBytes } from '../lines/text.ts';
import { readNotes } from '../notes/read.ts';
import { TRACE_REF } from '../notes/refs.ts';
import { stateTime } from '../sessions/state.ts';
import { isInitialised } from '../sessions/store.ts';
import { MAX_TEXT } from '../sessions/texts.ts';
import type { OriginRun } from '../trace/build.ts';
import { originsByLine } from '../trace/runs.ts';
import { readAnnounced } from './ahead.ts';
import { readMakings } from './due.ts';
import { readWorkingCopy } from './evolution.ts';
import { joinHere } from './foreign.ts';
import { heir } from './rewritten.ts';
import { hasRecord, isIdle, lookAhead, type Prospect, settle } from './settle.ts';
import { stemOrigins } from './stems.ts';
import type { Surroundings } from './world.ts';

/** What readers ask about that no note speaks of yet. Nothing is written. */
export interface PendingReader {
  /** Whether a writer would find something to do. */
  readonly idle: boolean;
  readonly prospect: Prospect | undefined;
  /** Note lines that are due for these commits. */
  records(commits: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Origins of lines that are not committed, by their numbers in the text. */
  worktree(file: UncommittedFile): Promise<ReadonlyMap<number, Origin>>;
}

export interface UncommittedFile {
  readonly path: string;
  readonly text: Lines;
  readonly added: readonly LineRange[];
}

export async function readPending(world: Surroundings): Promise<PendingReader> {
  if (!isInitialised(world.store)) return NOTHING;
  const prospect = await lookAhead(world, readAnnounced(world));
  const records: PendingReader['records'] = (commits) => dueRecords(world, prospect, commits);
  return {
    idle: isIdle(prospect),
    prospect,
    records,
    worktree: (file) => joinWorktree(world, prospect, { ...file, records }),
  };
}

async function dueRecords(
  world: Surroundings,
  prospect: Prospect,
  commits: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = await settledRecords(world, prospect, commits);
  const rest = commits.filter((id) => !found.has(id));
  if (rest.length === 0 || !hasJustWorked(world)) return found;
  // a writer may have finished between the asker's look at the notes and ours at what is due
  const { notes } = await readNotes(world.repository.place, [TRACE_REF], rest);
  for (const [id, lines] of notes) if (hasRecord(lines, id)) found.set(id, lines);
  return found;
}

/** Within some seconds. */
function hasJustWorked({ store, now }: Surroundings): boolean {
  const at = stateTime(store);
  return at !== undefined && at > now() - JUST_NOW;
}

const JUST_NOW = 10_000;

async function settledRecords(
  world: Surroundings,
  prospect: Prospect,
  commits: readonly string[],
): Promise<Map<string, readonly string[]>> {
  // one that has no record of its own (jj: it is in conflict) may stem from one that is due
  const wanted = new Set([...commits, ...commits.flatMap(lineage(prospect.harvest.rewrites))]);
  const found = new Map<string, readonly string[]>();
  if (!prospect.due.some(({ id }) => wanted.has(id))) return found;
  // what was rewritten may stem from any of the others
  const due = prospect.due.length <= FEW ? prospect.due : prospect.due.filter(({ id }) => wanted.has(id));
  // what a writer has finished since: the asker may have read the notes before that
  const lines = await settle(world, prospect, due, {
    recordsOnly: true,
    onRecorded: (id, note) => found.set(id, note),
  });
  for (const [id, { trace }] of lines) found.set(id, trace);
  return found;
}

/** So many commits are worked out together although only some are asked for. */
const FEW = 300;

const NOTHING: PendingReader = {
  idle: true,
  prospect: undefined,
  records: async () => new Map(),
  worktree: async () => new Map(),
};

/** The work tree is joined like a commit that is made now. */
async function joinWorktree(
  world: Surroundings,
  { view }: Prospect,
  { path, text, added, records }: UncommittedFile & Pick<PendingReader, 'records'>,
): Promise<Map<number, Origin>> {
  const { place, worktreeName } = world.repository;
  const head = world.worktrees.find(({ name }) => name === worktreeName)?.head ?? null;
  const parent = head ? (await readCommits(place, [head])).get(head) : undefined;
  const before = head ? (await readHeadFiles(place, head, [path])).get(path) : undefined;
  const blocks = added.map(({ start, end }) => ({ start, lines: text.slice(start - 1, end) }));
  const file: FileDiff = {
    path,
    status: before ? 'M' : 'A',
    oldBlob: before?.blob ?? null,
    newBlob: WORKTREE,
    oldMode: before?.mode ?? '000000',
    newMode: '100644',
    binary: false,
    added: blocks,
    removed: before ? await readRemoved(world, before.blob, { text, added }) : [],
  };
  const copy = await readWorkingCopy(world);
  const asked = {
    world,
    view,
    one: {
      id: WORKTREE,
      worktree: worktreeName,
      at: world.now(),
      ...(copy && { typed: copy.typed, stood: copy.stood, versions: copy.versions }),
    },
    commit: { committer: { name: '', mail: '', time: Math.floor(world.now() / 1000), zone: '+0000' } },
    diff: { id: WORKTREE, parents: head ? [head] : [], files: [file] },
    parent,
    plain: copy?.typed ?? true,
    unwritten: records,
    texts: new Map([[WORKTREE, text]]),
  };
  // what nobody saw anybody write may stem from elsewhere, as in a commit: only then the reflogs are read
  const stems = {
    forebears: [],
    get makings() {
      return readMakings(world);
    },
  };
  const [alone] = await joinHere(asked, stems);
  // jj keeps no index that would tell what stands in the work tree
  const others = head && !copy && alone?.runs.some(isMuch) ? await losingFiles(place, head, path) : [];
  const [joined] =
    others.length > 0
      ? await joinHere({ ...asked, diff: { ...asked.diff, files: [file, ...others] } }, stems)
      : [alone];
  const known = copy ? await stemOrigins(world, copy, { path, text }) : new Map<number, Origin>();
  const origins = joined ? originsByLine(joined) : [];
  return new Map([...origins].map(([line, origin]) => [line, heir(known.get(line), origin)]));
}

/** Less is not asked for in all files: a look at the work tree takes as long as `git status`. */
function isMuch({ origin, lines }: OriginRun): boolean {
  return origin.type === 'human' && isSureMove(lines);
}

/** The other files that have lost lines: they may be where a person has these from. */
async function losingFiles(place: GitPlace, head: string, path: string): Promise<FileDiff[]> {
  const diff = await readUncommitted(place, head);
  const files = (diff?.files ?? []).filter((file) => file.path !== path && file.removed.length > 0);
  return files.map((file) => ({ ...file, added: [] }));
}

/** The lines of the committed text that are gone: what is not new in the work tree is the rest of it. They may stand elsewhere in the file. */
async function readRemoved(
  world: Surroundings,
  blob: string,
  { text, added }: Pick<UncommittedFile, 'text' | 'added'>,
): Promise<Block[]> {
  const object = (await readObjects(world.repository.place, [blob], { maxBytes: MAX_TEXT })).get(blob);
  if (!object) return [];
  const base = splitBytes(object.bytes);
  const fresh = new Set(linesOf(added));
  const kept = text.filter((_, i) => !fresh.has(i + 1));
  const hunks = hunksOf(diffLines(base, kept), base.length);
  return hunks.map(({ oldStart, oldEnd }) => ({ start: oldStart + 1, lines: base.slice(oldStart, oldEnd) }));
}

/** Names the text that stands in the work tree where others have a blob id. */
const WORKTREE = 'worktree';
