import { diffLines } from '../lines/diff.ts';
import { isInformative, type Lines, sameLines } from '../lines/text.ts';
import type { TimelineEdit } from './timeline.ts';

/** When each known content of the file was committed: blob id -> milliseconds. */
type Committed = ReadonlyMap<string, number>;

/**
 * The edits that were taken back before anything of them was committed: git put them aside (a stash), or somebody undid them. Not one line
 * of theirs that says something stands in the text before a later edit, and no other text than that one was committed in between. They
 * are no part of history that is long gone: what they wrote may come back at any time.
 */
export function undoneEdits(edits: readonly TimelineEdit[], committed: Committed): ReadonlySet<TimelineEdit> {
  const sets = new Map<TimelineEdit, ReadonlySet<string>>();
  const linesBefore = (edit: TimelineEdit, before: Lines) => {
    const known = sets.get(edit) ?? new Set(before);
    sets.set(edit, known);
    return known;
  };
  const undone = new Set<TimelineEdit>();
  for (const [i, edit] of edits.entries()) {
    const own = ownLines(edit);
    const next = own && edits.slice(i + 1).find((later) => isGone(own, edit, later, linesBefore));
    if (next && !wasCommitted(edit, next, committed)) undone.add(edit);
  }
  return undone;
}

/** The lines that say something among those that the edit brought in; undefined where it does not show its texts. */
function ownLines({ change }: TimelineEdit): Lines | undefined {
  if (change.kind !== 'full' || !change.after) return undefined;
  const { after } = change;
  const had = new Set(change.before ?? []);
  return diffLines(change.before ?? [], after).flatMap((old, i) => {
    const line = after[i] ?? '';
    return old < 0 && isInformative(line) && !had.has(line) ? [line] : [];
  });
}

function isGone(
  own: Lines,
  edit: TimelineEdit,
  later: TimelineEdit,
  linesBefore: (edit: TimelineEdit, before: Lines) => ReadonlySet<string>,
): boolean {
  if (later.change.kind !== 'full') return false;
  const before = later.change.before ?? [];
  // lines that say nothing are seen to be gone only where all is as it was
  if (own.length === 0) return edit.change.kind === 'full' && sameLines(edit.change.before ?? [], before);
  const there = linesBefore(later, before);
  return !own.some((line) => there.has(line));
}

function wasCommitted(edit: TimelineEdit, { beforeId, at }: TimelineEdit, committed: Committed): boolean {
  return [...committed].some(([id, time]) => id !== beforeId && time >= edit.at && time < at);
}
