import type { FileDiff } from '../git/diff.ts';
import { type PathBlobs, pathHistory } from '../git/history.ts';
import { readObjects } from '../git/objects.ts';
import { readHeadFiles } from '../git/trees.ts';
import type { TimelineEdit } from '../join/timeline.ts';
import type { CommandWindow } from '../join/window.ts';
import { isDistinct, isInformative, isOpening, type Lines, splitBytes } from '../lines/text.ts';
import { baseTime, type Joining, timeOf } from './joining.ts';
import { readStanding } from './standing.ts';
import type { FileHistory } from './view.ts';

/** So much of a new file must be what an agent left in another path. */
const SHARE = 0.6;
/** So many lines that say much are more than the imports that two people begin with. */
const SURE = 5;
const MAX_BYTES = 4 << 20;
/** So many moments at which an agent first edited what a person had begun are looked at. */
const MAX_MOMENTS = 20;

/** The text that a new file began with, and until when that may have been put there. */
interface Start {
  readonly name: string;
  readonly blob: string | null;
  readonly lines?: Lines;
  readonly until: number;
  /** Where an agent's command has it from: it began as that file did. */
  readonly from?: string | undefined;
}

/**
 * New files that no agent began: a person may have renamed or copied what an agent wrote and nobody had committed yet. Up to then their
 * history is that of the other path. What git itself put into a commit (a rebase, a revert) is nobody's copy, however alike.
 */
export async function movedByHand(
  joining: Joining,
  files: readonly FileDiff[],
  histories: ReadonlyMap<string, FileHistory>,
): Promise<Map<string, FileHistory>> {
  const { view, one, world } = joining;
  const found = new Map<string, FileHistory>();
  if (!joining.plain) return found;
  const begun = files.flatMap((file) => startOf(file, histories.get(file.path), joining) ?? []);
  const starts = await withoutCommitted(joining, begun);
  if (starts.length === 0) return found;
  const textsAt = await openLastTexts(joining);
  const blobs = starts.flatMap(({ blob, lines }) => (lines || !blob ? [] : blob));
  const objects = await readObjects(world.repository.place, blobs, { maxBytes: MAX_BYTES });
  const looked = starts.map((start) => {
    const { name, blob, until, from } = start;
    const others = textsAt(until).filter(({ path }) => path !== name && path !== from);
    const bytes = objects.get(blob ?? '')?.bytes;
    const lines = start.lines ?? joining.texts?.get(blob ?? '') ?? (bytes && splitBytes(bytes)) ?? [];
    return { name, until, ...sourcesOf(start, lines, others) };
  });
  const doubtful = looked.flatMap(({ few, within }) => [...few, ...within]);
  const standing = await readStanding(joining, [...new Set(doubtful.map(({ path }) => path))]);
  for (const { name, until, sure, few, within } of looked) {
    const source = sure ?? [...few, ...within].find((one) => hasGone(one, standing.get(one.path)));
    if (!source) continue;
    const own = histories.get(name) ?? { edits: [], untold: [] };
    const { edits, untold } = view.history(source.path, one.worktree);
    const elsewhere = source.path;
    const before = edits.filter(({ at }) => at <= until).map((edit) => ({ elsewhere, ...edit }));
    if (within.length > 0 && !isTelling(source.lines)) found.set(name, { ...own, untold: [DOUBT] });
    else found.set(name, { edits: [...before, ...own.edits], untold });
  }
  return found;
}

/** Undefined where the file was there before, or an agent began it. */
function startOf(
  { path: name, oldBlob, oldPath, newBlob }: FileDiff,
  history: FileHistory | undefined,
  joining: Joining,
): Start | undefined {
  if (oldBlob !== null || oldPath || !history || history.untold.length > 0) return undefined;
  const latest = (joining.asker ?? Infinity) - 1;
  const [first] = history.edits;
  if (!first) return { name, blob: newBlob, until: Math.min(timeOf(joining), latest) };
  const begun = begunAs(first);
  const from = first.elsewhere ?? first.movedFrom;
  return begun && { name, ...begun, until: Math.min(begun.until, latest), from };
}

/** What stood in a new file before its first edit, and until when, where that is not nothing. A command may have brought it back from the stash. */
export function begunAs({ change, beforeId = null, shell, at, stashed }: TimelineEdit) {
  if (change.kind !== 'full') return undefined;
  const { before } = change;
  if (before && before.length > 0) return { blob: beforeId, lines: before, until: shell?.from ?? at };
  return before === null && stashed ? { blob: null, lines: stashed.text, until: stashed.at } : undefined;
}

/** What an agent's command moved or copied from a file that the parent has began there. */
async function withoutCommitted({ world, parent }: Joining, starts: readonly Start[]): Promise<readonly Start[]> {
  const paths = starts.flatMap(({ from }) => from ?? []);
  if (paths.length === 0 || !parent) return starts;
  const had = await readHeadFiles(world.repository.place, parent.id, paths);
  return starts.filter(({ from }) => from === undefined || !had.get(from));
}

interface OtherText {
  readonly path: string;
  readonly id: string;
  readonly lines: Lines;
}

/** A text that a new file may have begun as. */
interface Source extends OtherText {
  /** What it says that the file says too, each once. */
  readonly shared: Lines;
  /** All of it stands in there, in one piece. */
  readonly whole: boolean;
}

interface Sources {
  readonly sure?: OtherText;
  /** Beside the other file, a few of its lines may have been typed. */
  readonly few: readonly Source[];
  /** All of the other file stands in there, or most of it, among more that is new: it may have been pasted. */
  readonly within: readonly Source[];
}

function sourcesOf(start: Pick<Start, 'blob'>, lines: Lines, others: readonly OtherText[]): Sources {
  const sourceOf = (other: OtherText): Source => ({
    ...other,
    shared: sharedBy(lines, other.lines),
    whole: isWithin(other.lines, lines),
  });
  const alike = others.find(({ id }) => id === start.blob) ?? nearest(lines, others);
  if (!alike) return { few: [], within: others.map(sourceOf).filter((one) => one.whole || isMost(one)) };
  const source = sourceOf(alike);
  const isFew = !(source.whole && isTelling(alike.lines)) && !isSure(source.shared);
  return isFew ? { few: [source], within: [] } : { sure: alike, few: [], within: [] };
}

/** More of another text than people write alike, and most of what it says. */
function isMost({ shared, lines }: Source): boolean {
  return isSure(shared.filter((line) => !isOpening(line))) && shared.length >= SHARE * sayings(lines).size;
}

/** Of so much in one piece as nobody types again, not all stands in the other file; else that file is gone. */
function hasGone({ shared, whole }: Source, standing: ReadonlySet<string> = new Set()): boolean {
  return whole && isSure(shared) ? shared.some((line) => !standing.has(line)) : standing.size === 0;
}

/** So much older than the base may be what nobody has committed since. */
const LONG_LEFT = 86_400_000;

/** What agents had left in each path at some moment, and nobody had committed before the base. Mostly the same is asked for all files. */
async function openLastTexts(joining: Joining): Promise<(until: number) => readonly OtherText[]> {
  const { view, one, parent } = joining;
  const base = baseTime(parent);
  const textsIn = (from: number, to: number) => [...view.lastTexts(one.worktree, { from, to })];
  const older = textsIn(base - LONG_LEFT, base - 1);
  const committed = await committedTexts(
    joining,
    older.map(([path]) => path),
  );
  const left = older.filter(([path, { id }]) => !committed.get(path)?.has(id));
  const known = new Map<number, readonly OtherText[]>();
  return (until) => {
    const had = known.get(until);
    if (had || known.size >= MAX_MOMENTS) return had ?? [];
    const texts = new Map([...left, ...textsIn(base, until)]);
    const found = [...texts].map(([path, { id, bytes }]) => ({ path, id, lines: bytes ? splitBytes(bytes) : [] }));
    known.set(until, found);
    return found;
  };
}

/** Whatever became of them since. */
export async function committedTexts(
  { world, parent }: Pick<Joining, 'world' | 'parent'>,
  paths: readonly string[],
): Promise<PathBlobs> {
  if (!parent || paths.length === 0) return new Map();
  const since = Math.floor((baseTime(parent) - LONG_LEFT) / 1000);
  return pathHistory(world.repository.place, { from: parent.id, since, paths });
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
  return went && isTelling(shared.filter((line) => !isOpening(line))) ? other : undefined;
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
