import type { FileDiff } from '../git/diff.ts';
import { diffTrees } from '../git/diff.ts';
import { pathHistory } from '../git/history.ts';
import { hashObject, readObjects } from '../git/objects.ts';
import type { ObjectFormat } from '../git/repository.ts';
import { readHeadFiles } from '../git/trees.ts';
import type { FileJoin } from '../join/file.ts';
import { withTaken } from '../join/taken.ts';
import type { PlacedLines, StashedLines, TimelineEdit } from '../join/timeline.ts';
import { isBinary, type Lines, splitBytes } from '../lines/text.ts';
import type { StoredCommand } from '../sessions/commands.ts';
import { readCommitTimes } from '../sessions/journal.ts';
import { MAX_TEXT } from '../sessions/texts.ts';
import { type AskSources, withCopied } from './copied.ts';
import { headMoves, type PlacedText, placedTexts } from './head-moves.ts';
import { baseTime, captureSince, doubtOf, type Joining, timeOf } from './joining.ts';
import { type KnownTexts, shownTexts } from './known-texts.ts';
import { movedByHand } from './moved.ts';
import { commandEdit, type Running, runningCommand, type WindowsOf } from './running.ts';
import { copiesBy, openTreeLists } from './sources.ts';
import { readStashes } from './stashed.ts';
import type { FileHistory } from './view.ts';
import { type Copy, copiesByHand, copiesOf } from './whole-copies.ts';

interface TimelineSources {
  readonly lives: Lives;
  readonly early: EarlyTexts;
  readonly ask: AskSources;
  readonly windows: WindowsOf;
}

/** For the files that somebody is known to have touched: everything the join wants to know about them. */
export async function fileTimelines(
  joining: Joining,
  files: readonly FileDiff[],
  { lives, early, ask, windows }: TimelineSources,
): Promise<Map<string, FileJoin>> {
  const { world, view, parent } = joining;
  const { known, histories, copies } = lives;
  const edits = new Map([...histories].map(([path, history]) => [path, history.edits]));
  const running = await runningCommand(joining, files);
  const untold = new Map([...histories].map(([path, history]) => [path, history.untold]));
  const touched = files.filter(
    ({ path }) =>
      edits.get(path)?.length || untold.get(path)?.length || early.has(path) || running.has(path) || copies.has(path),
  );
  if (touched.length === 0) return new Map();
  const named = touched.map((file) => ({ path: file.path, ...oldPathOf(file, copies.get(file.path)) }));
  const asked = readAncestors(joining, named, edits);
  asked.catch(() => {}); // told below
  const placed = await placedBetween(joining, touched, edits);
  const ids = touched.flatMap(({ path, oldBlob, newBlob }) => [
    ...(placed.get(path) ?? []).flatMap(({ blob, over }) => [blob, over]),
    oldBlob,
    newBlob,
    early.get(path),
    running.get(path)?.before,
    copies.get(path)?.blob,
  ]);
  const textOf = await readTexts(joining, ids, known);
  const last = await lastCommand(joining, running, { touched, textOf });
  const told = new Map(
    touched.map(({ path }) => [path, untilNow(joining, [...(edits.get(path) ?? []), ...(last.get(path) ?? [])])]),
  );
  const taken = withTaken(told, () => editsBeside(joining, told));
  const ancestors = await asked; // by now it is there
  const copied = await withCopied(joining, { edits: taken, ancestors }, ask);
  const [doubt, since] = [doubtOf(joining), captureSince(joining)];
  const timelineOf = (file: FileDiff): FileJoin => ({
    path: file.path,
    ...oldPathOf(file, copies.get(file.path)),
    base: textOf(copies.get(file.path)?.blob ?? file.oldBlob),
    text: textOf(file.newBlob),
    added: file.added.map(({ start, lines }) => ({ start, end: start + lines.length - 1 })),
    edits: copied.get(file.path) ?? [],
    ancestors: ancestors.get(file.path) ?? new Map(),
    time: timeOf(joining),
    baseTime: baseTime(parent),
    ...(since !== undefined && { captureSince: since }),
    ...(isRestored(file, ancestors.get(file.path)) && { restored: true }),
    ...(early.has(file.path) && { early: { at: view.since?.at ?? 0, text: textOf(early.get(file.path)) } }),
    placed: (placed.get(file.path) ?? []).map((one) => placedLines(one, textOf)),
    shellSeconds: world.settings.shellSeconds,
    commands: [...(untold.get(file.path) ?? []), ...windows(file.path)],
    ...(doubt && { doubt }),
  });
  return new Map(touched.map((file) => [file.path, timelineOf(file)]));
}

/** What is known of each path, and the new files that began as copies of committed ones. */
export interface Lives {
  readonly known: KnownTexts;
  readonly histories: ReadonlyMap<string, FileHistory>;
  readonly copies: ReadonlyMap<string, Copy>;
}

export async function livesOf(joining: Joining, files: readonly FileDiff[]): Promise<Lives> {
  const known: KnownTexts = new Map([...shownTexts(joining.diff), ...(joining.texts ?? [])]);
  const histories = new Map(files.map((file) => [file.path, historyOf(joining, file, known)]));
  for (const [path, history] of await movedByHand(joining, files, histories)) histories.set(path, history);
  const copies = new Map([
    ...(await copiesByHand(joining, files, histories)),
    ...(await copiesOf(joining, files, histories)),
  ]);
  for (const [path, { history }] of copies) histories.set(path, history);
  return { known, histories, copies };
}

/** So much earlier, in milliseconds, a line may have been taken out that is put in elsewhere. */
const LONG_BEFORE = 3600_000;

/** What came later has written nothing here. */
function untilNow(joining: Joining, edits: readonly TimelineEdit[]): readonly TimelineEdit[] {
  return edits.filter(({ at }) => at <= timeOf(joining));
}

/** What agents edited beside these files, and may have taken out there. */
function editsBeside({ view, one, ...rest }: Joining, edits: ReadonlyMap<string, readonly TimelineEdit[]>) {
  const between = { from: earliest(edits, ({ at }) => at) - LONG_BEFORE, to: timeOf({ one, ...rest }), ofTexts: true };
  return view.editsBeside(new Set(edits.keys()), one.worktree, between);
}

function placedLines({ blob, over, ...rest }: PlacedText, textOf: TextOf): PlacedLines {
  return { ...rest, text: textOf(blob), ...(over !== undefined && { over: textOf(over) }) };
}

/** What the command that the commit was made in has done, with what it copied. */
async function lastCommand(
  joining: Joining,
  running: ReadonlyMap<string, Running>,
  { touched, textOf }: { readonly touched: readonly FileDiff[]; readonly textOf: TextOf },
): Promise<Map<string, TimelineEdit[]>> {
  const changes = touched.flatMap(({ path, newBlob }) => {
    const one = running.get(path);
    return one ? [{ one, path, before: textOf(one.before), after: textOf(newBlob) }] : [];
  });
  const command = changes[0]?.one.command;
  if (!command) return new Map();
  const copies = await copiesBy(joining.world, command, { changes, lists: openTreeLists(joining.world) });
  const stashes = await stashedBefore(joining, command, [...running.keys()]);
  return new Map(
    changes.map(({ one, path, before, after }) => {
      const [list, stashed] = [copies.get(path), stashes.get(path)];
      const more = { ...(list && { copies: list }), ...(stashed && { stashed }) };
      return [path, [{ ...commandEdit(joining, one, { before, after }), ...more }]];
    }),
  );
}

/** What git had put aside of these paths when the command began. */
async function stashedBefore(
  joining: Joining,
  command: StoredCommand,
  paths: readonly string[],
): Promise<Map<string, StashedLines>> {
  const stashOf = await readStashes(joining.world, [command], joining.view.commands(command.worktree));
  const found = paths.flatMap((path) => {
    const one = stashOf(command, path);
    return one ? [{ path, one }] : [];
  });
  if (found.length === 0) return new Map();
  const ids = found.flatMap(({ one }) => [one.blob, one.over]);
  const textOf = await readTexts(joining, ids, new Map());
  // what cannot be read tells nothing
  const isThere = (id: string | null) => id === null || textOf(id).length > 0;
  return new Map(
    found
      .filter(({ one }) => isThere(one.blob) && isThere(one.over))
      .map(({ path, one: { blob, over, ...when } }) => [path, { ...when, text: textOf(blob), over: textOf(over) }]),
  );
}

/** The file is again what it was in an ancestor. */
function isRestored({ oldBlob, newBlob }: FileDiff, ancestors: ReadonlyMap<string, number> | undefined): boolean {
  return newBlob !== null && newBlob !== oldBlob && ancestors?.has(newBlob) === true;
}

function oldPathOf({ oldPath }: FileDiff, copy: Copy | undefined): { readonly oldPath?: string } {
  const path = copy?.path ?? oldPath;
  return path === undefined ? {} : { oldPath: path };
}

/** What git put into the touched files since the first edit: another branch's contents, and back. */
async function placedBetween(
  joining: Joining,
  touched: readonly FileDiff[],
  edits: ReadonlyMap<string, readonly TimelineEdit[]>,
): Promise<Map<string, PlacedText[]>> {
  const from = earliest(edits, ({ at }) => at);
  if (!Number.isFinite(from)) return new Map();
  const until = { from, to: timeOf(joining), commit: joining.one.id };
  const moves = headMoves(joining.world, joining.one.worktree, until);
  const tree = joining.parent?.tree ?? emptyTree(joining.world.repository.objectFormat);
  const blobs = new Map(touched.map(({ path, oldBlob }) => [path, oldBlob]));
  const placed = await placedTexts(joining.world, moves, { tree, blobs });
  for (const { at, commit } of joining.one.stood ?? []) {
    if (at <= from || at > timeOf(joining)) continue;
    const files = await readHeadFiles(joining.world.repository.place, commit, [...blobs.keys()]);
    for (const path of blobs.keys()) {
      placed.set(path, [...(placed.get(path) ?? []), { at, blob: files.get(path)?.blob ?? null }]);
    }
  }
  return placed;
}

/** Infinity where there are none. */
function earliest(edits: ReadonlyMap<string, readonly TimelineEdit[]>, timeOf: (edit: TimelineEdit) => number): number {
  let first = Infinity;
  for (const list of edits.values()) for (const edit of list) first = Math.min(first, timeOf(edit));
  return first;
}

type TextOf = (id: string | null | undefined) => Lines;

async function readTexts(
  { world }: Joining,
  ids: readonly (string | null | undefined)[],
  known: KnownTexts,
): Promise<TextOf> {
  const wanted = ids.filter((id) => typeof id === 'string' && !known.has(id)) as string[];
  const objects = await readObjects(world.repository.place, wanted, { maxBytes: MAX_TEXT });
  for (const [id, object] of objects) known.set(id, object && !isBinary(object.bytes) ? splitBytes(object.bytes) : []);
  return (id) => (id ? known.get(id) : undefined) ?? [];
}

/** A renamed file has a life under its old name too. */
function historyOf({ view, one }: Joining, file: FileDiff, known: KnownTexts): FileHistory {
  const now = view.history(file.path, one.worktree, known);
  if (!file.oldPath) return now;
  const before = view.history(file.oldPath, one.worktree, known);
  const elsewhere = file.oldPath;
  const moved = before.edits.map((edit) => ({ elsewhere, ...edit }));
  return {
    edits: [...moved, ...now.edits].sort((a, b) => a.at - b.at),
    untold: [...before.untold, ...now.untold],
  };
}

/** Blob ids by path. */
export type EarlyTexts = ReadonlyMap<string, string | null>;

/** What stood in the work tree when capture began and was not committed: nobody saw who wrote it. Undefined: the snapshot is gone. */
export async function earlyTexts(
  { world, beginning, parent }: Joining,
  files: readonly FileDiff[],
): Promise<EarlyTexts | undefined> {
  if (beginning.kind !== 'snapshot') return new Map();
  const names = new Set(files.flatMap(({ path, oldPath }) => (oldPath ? [path, oldPath] : [path])));
  const base = parent?.tree ?? emptyTree(world.repository.objectFormat);
  if (base === beginning.tree) return new Map();
  const [entries] = await diffTrees(world.repository.place, [[base, beginning.tree]]);
  return entries && new Map(entries.filter(({ path }) => names.has(path)).map(({ path, newBlob }) => [path, newBlob]));
}

/** Git knows the empty tree without having it. */
function emptyTree(format: ObjectFormat): string {
  return hashObject(format, 'tree', Buffer.alloc(0));
}

/** Contents of the touched files in the commit's ancestors, since the first edit that may matter. */
async function readAncestors(
  { world, diff, parent }: Joining,
  touched: readonly Pick<FileDiff, 'path' | 'oldPath'>[],
  edits: ReadonlyMap<string, readonly TimelineEdit[]>,
): Promise<Map<string, Map<string, number>>> {
  const first = earliest(edits, ({ shell, at }) => shell?.from ?? at);
  const from = diff.parents[0];
  if (!from || !Number.isFinite(first)) return new Map();
  const since = Math.floor(first / 1000) - 1;
  // git walks no further than the first commit that is older
  if (parent?.id === from && parent.committer.time < since) return new Map();
  const paths = touched.flatMap(({ path, oldPath }) => (oldPath ? [path, oldPath] : [path]));
  let times: ReadonlyMap<string, number> | undefined;
  const madeAt = (commit: string) => {
    times ??= readCommitTimes(world.store);
    return times.get(commit);
  };
  const found = await pathHistory(world.repository.place, { from, since, paths, madeAt });
  for (const { path, oldPath } of touched) {
    // under either name it is the same file
    if (oldPath) found.set(path, new Map([...(found.get(oldPath) ?? []), ...(found.get(path) ?? [])]));
  }
  return found;
}
