import type { FileDiff } from '../git/diff.ts';
import { diffTrees } from '../git/diff.ts';
import { pathHistory } from '../git/history.ts';
import { hashObject, readObjects } from '../git/objects.ts';
import type { ObjectFormat } from '../git/repository.ts';
import { readHeadFiles } from '../git/trees.ts';
import type { FileJoin } from '../join/file.ts';
import type { TimelineEdit } from '../join/timeline.ts';
import { isBinary, type Lines, splitBytes } from '../lines/text.ts';
import { MAX_TEXT } from '../sessions/texts.ts';
import { headMoves, type PlacedText, placedTexts } from './head-moves.ts';
import { baseTime, captureSince, doubtOf, type Joining, timeOf } from './joining.ts';
import { type Copy, copiesOf, movedByHand } from './moved.ts';
import { commandEdit, runningCommand } from './running.ts';
import type { FileHistory } from './view.ts';

/** For the files that somebody is known to have touched: everything the join wants to know about them. */
export async function fileTimelines(
  joining: Joining,
  files: readonly FileDiff[],
  early: EarlyTexts,
): Promise<Map<string, FileJoin>> {
  const { world, view, one, parent } = joining;
  const histories = new Map(files.map((file) => [file.path, historyOf(joining, file)]));
  for (const [path, history] of await movedByHand(joining, files, histories)) histories.set(path, history);
  const copies = await copiesOf(joining, files, histories);
  for (const [path, { history }] of copies) histories.set(path, history);
  const edits = new Map([...histories].map(([path, history]) => [path, history.edits]));
  const running = await runningCommand(joining, files);
  const untold = new Map([...histories].map(([path, history]) => [path, history.untold]));
  const touched = files.filter(
    ({ path }) => edits.get(path)?.length || untold.get(path)?.length || early.has(path) || running.has(path),
  );
  if (touched.length === 0) return new Map();
  const placed = await placedBetween(joining, touched, edits);
  const ids = touched.flatMap(({ path, oldBlob, newBlob }) => [
    ...(placed.get(path) ?? []).flatMap(({ blob, over }) => [blob, over]),
    oldBlob,
    newBlob,
    early.get(path),
    running.get(path)?.before,
    copies.get(path)?.blob,
  ]);
  const textOf = await readTexts(joining, ids);
  const ancestors = await readAncestors(joining, touched, edits);
  const [doubt, since, commands] = [doubtOf(joining), captureSince(joining), view.windows(one.worktree)];
  const timelineOf = (file: FileDiff): FileJoin => {
    const text = textOf(file.newBlob);
    const command = running.get(file.path);
    const last = command ? [commandEdit(joining, command, { before: textOf(command.before), after: text })] : [];
    return {
      path: file.path,
      ...oldPathOf(file, copies.get(file.path)),
      base: textOf(copies.get(file.path)?.blob ?? file.oldBlob),
      text,
      added: file.added.map(({ start, lines }) => ({ start, end: start + lines.length - 1 })),
      edits: [...(edits.get(file.path) ?? []), ...last],
      ancestors: ancestors.get(file.path) ?? new Map(),
      time: timeOf(joining),
      baseTime: baseTime(parent),
      ...(since !== undefined && { captureSince: since }),
      ...(early.has(file.path) && { early: { at: view.since?.at ?? 0, text: textOf(early.get(file.path)) } }),
      placed: (placed.get(file.path) ?? []).map(({ blob, over, ...rest }) => ({
        ...rest,
        text: textOf(blob),
        ...(over !== undefined && { over: textOf(over) }),
      })),
      shellSeconds: world.settings.shellSeconds,
      commands: [...(untold.get(file.path) ?? []), ...commands],
      ...(doubt && { doubt }),
    };
  };
  return new Map(touched.map((file) => [file.path, timelineOf(file)]));
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
  const from = Math.min(...[...edits.values()].flat().map(({ at }) => at));
  if (!Number.isFinite(from)) return new Map();
  const moves = headMoves(joining.world, joining.one.worktree, { from, to: timeOf(joining) });
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

type TextOf = (id: string | null | undefined) => Lines;

async function readTexts({ world, texts }: Joining, ids: readonly (string | null | undefined)[]): Promise<TextOf> {
  const wanted = ids.filter((id) => typeof id === 'string' && !texts?.has(id)) as string[];
  const objects = await readObjects(world.repository.place, wanted, { maxBytes: MAX_TEXT });
  return (id) => {
    if (!id) return [];
    const bytes = objects.get(id)?.bytes;
    return texts?.get(id) ?? (bytes && !isBinary(bytes) ? splitBytes(bytes) : []);
  };
}

/** A renamed file has a life under its old name too. */
function historyOf({ view, one }: Joining, file: FileDiff): FileHistory {
  const now = view.history(file.path, one.worktree);
  if (!file.oldPath) return now;
  const before = view.history(file.oldPath, one.worktree);
  return {
    edits: [...before.edits, ...now.edits].sort((a, b) => a.at - b.at),
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
  const [entries] = await diffTrees(world.repository.place, [[base, beginning.tree]]);
  return entries && new Map(entries.filter(({ path }) => names.has(path)).map(({ path, newBlob }) => [path, newBlob]));
}

/** Git knows the empty tree without having it. */
function emptyTree(format: ObjectFormat): string {
  return hashObject(format, 'tree', Buffer.alloc(0));
}

/** Contents of the touched files in the commit's ancestors, since the first edit that may matter. */
async function readAncestors(
  { world, diff }: Joining,
  touched: readonly FileDiff[],
  edits: ReadonlyMap<string, readonly TimelineEdit[]>,
): Promise<Map<string, Map<string, number>>> {
  const first = Math.min(...[...edits.values()].flat().map((edit) => edit.shell?.from ?? edit.at));
  const from = diff.parents[0];
  if (!from || !Number.isFinite(first)) return new Map();
  const paths = touched.flatMap(({ path, oldPath }) => (oldPath ? [path, oldPath] : [path]));
  const found = await pathHistory(world.repository.place, { from, since: Math.floor(first / 1000) - 1, paths });
  for (const { path, oldPath } of touched) {
    // under either name it is the same file
    if (oldPath) found.set(path, new Map([...(found.get(oldPath) ?? []), ...(found.get(path) ?? [])]));
  }
  return found;
}
