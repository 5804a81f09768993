import { diffLines } from '../lines/diff.ts';
import type { AgentRef } from '../lines/origin.ts';
import { isDistinct, isInformative, type Lines } from '../lines/text.ts';
import { findCopies, type Source } from './copies.ts';
import { isTellingMove } from './moves.ts';
import { movesContents } from './shell.ts';
import type { TimelineCopy, TimelineEdit } from './timeline.ts';

/** What an edit took out of a text, each line in its place, and the moment before it did. */
interface Robbed extends Source {
  readonly edit: TimelineEdit;
  readonly at: number;
  readonly gone: ReadonlySet<string>;
  /** All edits of the file, also those that it has from where it was copied from. */
  readonly life: readonly TimelineEdit[];
}

/** Stands where a line stayed: no text has it. */
const STAYED = '\n';

/** Less of what says something was not moved, but written again. */
const FEW = 2;

type Edits = ReadonlyMap<string, readonly TimelineEdit[]>;

/** The edits, with the lines that they only moved, within a file, or out of another one: of theirs, or of those beside. */
export function withTaken(edits: Edits, beside: () => Edits = () => new Map()): Edits {
  const isMuch = ({ change }: TimelineEdit) => change.kind === 'full' && (change.after?.length ?? 0) >= FEW;
  if (![...edits.values()].some((all) => all.some(isMuch))) return edits;
  const taken = takenLines(edits, beside());
  const complete = (edit: TimelineEdit): TimelineEdit => {
    const copies = taken.get(edit);
    return copies ? { ...edit, copies: [...(edit.copies ?? []), ...copies] } : edit;
  };
  return new Map([...edits].map(([path, all]) => [path, all.map(complete)]));
}

/** Moving is not writing: for edits by tools, and what commands say themselves, the lines that other edits took out, of whatever file. */
function takenLines(edits: Edits, beside: Edits): Map<TimelineEdit, TimelineCopy[]> {
  const taken = new Map<TimelineEdit, TimelineCopy[]>();
  const lives = [...edits, ...beside];
  const renamed = new Set(lives.flatMap(([, all]) => all.map(({ agent, movedFrom = '' }) => keyOf(agent, movedFrom))));
  const robbed = lives.flatMap(([path, all]) =>
    // a file that went elsewhere as it was has all its lines there
    all.flatMap((edit) => (renamed.has(keyOf(edit.agent, path)) ? [] : (robbedBy(path, edit, all) ?? []))),
  );
  if (robbed.length === 0) return taken;
  const gone = new Set(robbed.flatMap((one) => [...one.gone]));
  for (const [path, all] of edits) {
    for (const edit of all) {
      const copies = copiesIn(edit.elsewhere ?? path, edit, { robbed, gone, life: all });
      if (copies.length > 0) taken.set(edit, copies);
    }
  }
  return taken;
}

function keyOf({ event }: AgentRef, path: string): string {
  return `${event} ${path}`;
}

function robbedBy(own: string, edit: TimelineEdit, life: readonly TimelineEdit[]): Robbed | undefined {
  const { at, change, beforeId, shell, elsewhere: path = own } = edit;
  if (change.kind !== 'full' || !change.before || !beforeId || isOfGit(edit)) return undefined;
  const lines = linesGone(change.before, change.after ?? []);
  const gone = new Set(lines.filter(isInformative));
  const when = shell ? shell.from : at - 1;
  return gone.size < FEW ? undefined : { path, blob: beforeId, lines, edit, at: when, gone, life };
}

/** Each in its place. */
function linesGone(before: Lines, after: Lines): Lines {
  const stayed = new Set(diffLines(before, after));
  return before.map((line, i) => (stayed.has(i) ? STAYED : line));
}

/** Where git moves contents about, nobody else does. */
function isOfGit({ shell }: TimelineEdit): boolean {
  return shell !== undefined && movesContents(shell.command);
}

/** A file that somebody copied or renamed has the edits of the other one too. */
function isSame(a: TimelineEdit, b: TimelineEdit): boolean {
  return a === b || (a.at === b.at && a.agent.event === b.agent.event && a.beforeId === b.beforeId);
}

/** What was taken out later of a text that had the lines from this very edit: it did not have them from there. */
function stemsFrom({ at, life, gone }: Robbed, edit: TimelineEdit): boolean {
  const { change } = edit;
  if (change.kind !== 'full' || at < edit.at || !life.some((one) => isSame(one, edit))) return false;
  const had = new Set(change.before ?? []);
  return (change.after ?? []).some((line) => gone.has(line) && !had.has(line));
}

/**
 * What is put in first and taken out elsewhere later stands in both files in between. Where it had gone again by then, what was taken out
 * may have been moved there from here.
 */
function wentBefore({ edit: robbing, gone }: Robbed, edit: TimelineEdit, life: readonly TimelineEdit[]): boolean {
  if (robbing.at < edit.at || edit.change.kind !== 'full') return false;
  const put = (edit.change.after ?? []).filter((line) => gone.has(line));
  const next = life.find(
    ({ at, change }) => at > edit.at && at <= robbing.at && change.kind === 'full' && change.before,
  );
  const stood = new Set(next?.change.kind === 'full' ? next.change.before : put);
  return !put.some((line) => stood.has(line));
}

/** Of what the file had before the edit, so much in a file that nobody saw until later: that may be a copy of this one. */
const SHARE = 0.6;
const TELLING = 3;

function maybeCopyOf({ edit: robbing, life }: Robbed, { at, change }: TimelineEdit): boolean {
  if (robbing.at < at || life.some((one) => one.at <= at)) return false;
  if (change.kind !== 'full' || robbing.change.kind !== 'full') return false;
  const [had, stood] = [new Set((change.before ?? []).filter(isDistinct)), new Set(robbing.change.before)];
  return had.size >= TELLING && [...had].filter((line) => stood.has(line)).length >= SHARE * had.size;
}

interface Robberies {
  readonly robbed: readonly Robbed[];
  readonly gone: ReadonlySet<string>;
  /** All edits of the file. */
  readonly life: readonly TimelineEdit[];
}

function copiesIn(path: string, edit: TimelineEdit, { robbed, gone, life }: Robberies): TimelineCopy[] {
  const { change } = edit;
  if (change.kind !== 'full' || !change.after || isOfGit(edit)) return [];
  const text = change.after;
  if (text.filter((line) => gone.has(line)).length < FEW) return [];
  const known = copiedLines(edit);
  const map = diffLines(change.before ?? [], text);
  const fresh = [...map.keys()].filter((i) => (map[i] ?? -1) < 0 && !known.has(i));
  if (fresh.filter((i) => gone.has(text[i] ?? '')).length < FEW) return [];
  const sources = robbed.filter(
    (one) => !isSame(one.edit, edit) && !stemsFrom(one, edit) && !wentBefore(one, edit, life),
  );
  const copies = findCopies({ path, text, lines: new Set(fresh), carried: false, near: false, moved: true }, sources);
  return copies.flatMap((copy) => {
    const source = sources.find(({ path: from, blob }) => from === copy.path && blob === copy.blob);
    if (source?.edit.change.kind !== 'full') return [];
    const either = maybeCopyOf(source, edit) && { either: true as const };
    return [{ ...copy, text: source.edit.change.before ?? [], at: source.at, ...either }];
  });
}

/** The lines of the text after an edit (from 0) that it took from another place of the same text. */
export function movedWithin({ change }: TimelineEdit): Set<number> {
  if (change.kind !== 'full' || !change.before || !change.after) return new Set();
  const { before, after: text } = change;
  const lines = new Set(diffLines(before, text).flatMap((old, i) => (old < 0 ? i : [])));
  const source = { path: '', blob: '', lines: linesGone(before, text) };
  const runs = findCopies({ path: '', text, lines, carried: true, near: false }, [source]);
  const moved = runs.filter(({ line, count }) => isTellingMove(text.slice(line - 1, line - 1 + count)));
  return copiedLines({ copies: moved });
}

/** The lines of the text after an edit (from 0) that were not written by it, but brought. */
export function copiedLines({ copies = [] }: Pick<TimelineEdit, 'copies'>): Set<number> {
  return new Set(copies.flatMap(({ line, count }) => Array.from({ length: count }, (_, i) => line - 1 + i)));
}
