import fs from 'node:fs';
import path from 'node:path';
import type { FileDiff } from '../git/diff.ts';
import { readObjects } from '../git/objects.ts';
import { listTree, readHeadFiles } from '../git/trees.ts';
import type { CommandWindow } from '../join/timeline.ts';
import { isDistinct, isInformative, type Lines, splitBytes } from '../lines/text.ts';
import { headMoves } from './head-moves.ts';
import { baseTime, type Joining, timeOf } from './joining.ts';
import type { FileHistory } from './view.ts';

/** So much of a new file must be what an agent left in another path. */
const SHARE = 0.6;
/** So many lines that say much are more than the imports that two people begin with. */
const SURE = 5;
const MAX_BYTES = 4 << 20;

/**
 * New files that no agent edited under their name: a person may have renamed or copied what an agent wrote and nobody had committed yet.
 * Their history is then that of the other path.
 */
export async function movedByHand(
  joining: Joining,
  files: readonly FileDiff[],
  histories: ReadonlyMap<string, FileHistory>,
): Promise<Map<string, FileHistory>> {
  const { view, one, world, parent } = joining;
  const found = new Map<string, FileHistory>();
  const made = files.filter(({ path, oldBlob, oldPath }) => {
    const history = histories.get(path);
    return oldBlob === null && !oldPath && history?.edits.length === 0 && history.untold.length === 0;
  });
  if (made.length === 0) return found;
  const texts = view.lastTexts(one.worktree, { from: baseTime(parent), to: timeOf(joining) });
  if (texts.size === 0) return found;
  const others = [...texts].map(([path, { id, bytes }]) => ({ path, id, lines: bytes ? splitBytes(bytes) : [] }));
  const blobs = made.flatMap(({ newBlob }) => newBlob ?? []);
  const objects = await readObjects(world.repository.place, blobs, { maxBytes: MAX_BYTES });
  let left: ReadonlySet<string> | undefined;
  for (const { path: name, newBlob } of made) {
    const bytes = objects.get(newBlob ?? '')?.bytes;
    const lines = joining.texts?.get(newBlob ?? '') ?? (bytes && splitBytes(bytes)) ?? [];
    const alike = others.find(({ id }) => id === newBlob) ?? nearest(lines, others);
    const within = alike ? [] : others.filter((other) => isWithin(other.lines, lines));
    const whole = alike && isTelling(alike.lines) && isWithin(alike.lines, lines);
    const few = alike && !whole && !isSure(sharedBy(lines, alike.lines));
    if (few || within.length > 0) left ??= await stillThere(joining, [...texts.keys()]);
    const source = alike ?? within.find((other) => !left?.has(other.path));
    // beside the other file, a few of its lines may have been typed
    if (!source || (few && left?.has(source.path))) continue;
    const { edits, untold } = view.history(source.path, one.worktree);
    const elsewhere = source.path;
    if (within.length > 0 && !isTelling(source.lines)) found.set(name, { edits: [], untold: [DOUBT] });
    else found.set(name, { edits: edits.map((edit) => ({ elsewhere, ...edit })), untold });
  }
  return found;
}

/** The one that most of the text comes from, and that went into it by half; or less, where they share more than two people write alike. */
function nearest<T extends { readonly lines: Lines }>(text: Lines, others: readonly T[]): T | undefined {
  const telling = sayings(text).size;
  if (telling < 2) return undefined;
  const ranked = others
    .map((other) => ({ other, shared: sharedBy(text, other.lines) }))
    .sort((a, b) => b.shared.length - a.shared.length);
  const best = ranked[0];
  if (!best || best.shared.length < SHARE * telling) return undefined;
  const { other, shared } = best;
  const went = shared.length * 2 >= sayings(other.lines).size || isSure(shared);
  return went && isTelling(shared) ? other : undefined;
}

/** Lines that say something, each once. */
function sayings(lines: Lines): Set<string> {
  return new Set(lines.filter(isInformative));
}

function sharedBy(text: Lines, other: Lines): string[] {
  const there = sayings(text);
  return [...sayings(other)].filter((line) => there.has(line));
}

function isSure(lines: Lines): boolean {
  return lines.filter(isDistinct).length >= SURE;
}

/** What was in a file that is gone may have been typed again in another, where it is what many write. */
const DOUBT: CommandWindow = {
  ...{ session: '', event: '', from: 0, explained: false },
  reason: 'an agent wrote the same in a file that is gone',
};

function isTelling(lines: Lines): boolean {
  return lines.some(isDistinct) || lines.filter(isInformative).length >= 3;
}

/** All of it stands in the other, in one piece: it may have gone there. */
function isWithin(part: Lines, text: Lines): boolean {
  if (part.length < 3 && !part.some(isInformative)) return false;
  const last = text.length - part.length;
  for (let at = 0; at <= last; at++) if (part.every((line, i) => text[at + i] === line)) return true;
  return false;
}

/** Of so many commits that HEAD left, the trees are looked at. */
const MAX_LEFT = 10;

/** The commit that is joined, where it is one, and those that HEAD left since its parent was made. */
export function commitsAround(joining: Omit<Joining, 'beginning'>): string[] {
  const { one, world, parent } = joining;
  const until = { from: baseTime(parent), to: timeOf(joining), commit: one.id };
  const left = headMoves(world, one.worktree, until).map(({ from }) => from);
  return [...new Set(left)].slice(-MAX_LEFT).concat(isDirty(joining) ? [] : [one.id]);
}

/** What is joined is what stands in the work tree. */
export function isDirty({ diff, one }: Pick<Joining, 'diff' | 'one'>): boolean {
  return diff.files.some(({ newBlob }) => newBlob === one.id);
}

/** Those of the paths that the commit, or the work tree, has, or a commit that HEAD left: what is in them did not go elsewhere. */
async function stillThere(joining: Joining, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const { one, world } = joining;
  const tree = world.worktrees.find(({ name }) => name === one.worktree)?.path ?? '';
  const commits = commitsAround(joining);
  const heads = await Promise.all(commits.map((id) => readHeadFiles(world.repository.place, id, paths)));
  const isThere = (name: string) =>
    heads.some((files) => files.get(name)) || (isDirty(joining) && fs.existsSync(path.join(tree, name)));
  return new Set(paths.filter(isThere));
}

/** A new file that began as a copy of a committed one: what it has of that is the parent's. */
export interface Copy {
  readonly path: string;
  readonly blob: string;
  readonly history: FileHistory;
}

/** So many lines that say much: a file of fewer may have been typed once more. */
const TELLING = 3;

/** New files that nobody was seen to edit, and that the parent has byte for byte in one other path: a person has copied that. */
export async function copiesByHand(
  { world, parent, texts }: Joining,
  files: readonly FileDiff[],
  histories: ReadonlyMap<string, FileHistory>,
): Promise<Map<string, Copy>> {
  const isAlone = ({ edits, untold }: FileHistory) =>
    untold.length === 0 && edits.every((edit) => edit.elsewhere !== undefined);
  const made = files.filter(({ path, oldBlob, oldPath, newBlob, added }) => {
    const history = histories.get(path);
    const says = added.reduce((sum, { lines }) => sum + lines.filter(isDistinct).length, 0);
    return oldBlob === null && newBlob !== null && !oldPath && says >= TELLING && history && isAlone(history);
  });
  if (made.length === 0 || !parent || texts) return new Map();
  const wanted = new Set(made.map(({ newBlob }) => newBlob));
  const had = (await listTree(world.repository.place, parent.id)).filter(({ blob }) => wanted.has(blob));
  return new Map(
    made.flatMap(({ path, newBlob }): [string, Copy][] => {
      const [from, other] = had.filter(({ blob }) => blob === newBlob);
      return from && !other ? [[path, { ...from, history: { edits: [], untold: [] } }]] : [];
    }),
  );
}

/** New files whose first edit was an agent's command that copied or moved what the parent has in another path. */
export async function copiesOf(
  { world, parent }: Joining,
  files: readonly FileDiff[],
  histories: ReadonlyMap<string, FileHistory>,
): Promise<Map<string, Copy>> {
  const made = files.flatMap(({ path, oldBlob, oldPath }) => {
    const history = histories.get(path);
    const first = history?.edits.find((edit) => edit.elsewhere === undefined);
    if (oldBlob !== null || oldPath || !history || first?.movedFrom === undefined) return [];
    return [{ path, history, from: first.movedFrom, blob: first.beforeId }];
  });
  if (made.length === 0 || !parent) return new Map();
  const had = await readHeadFiles(world.repository.place, parent.id, [...new Set(made.map(({ from }) => from))]);
  return new Map(
    made.flatMap(({ path, history, from, blob }): [string, Copy][] => {
      if (!blob || had.get(from)?.blob !== blob) return [];
      const edits = history.edits.filter((edit) => edit.elsewhere === undefined);
      return [[path, { path: from, blob, history: { ...history, edits } }]];
    }),
  );
}
