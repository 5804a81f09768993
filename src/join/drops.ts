import { isInformative, type Lines } from '../lines/text.ts';
import { movesContents } from './shell.ts';
import { likeness } from './similar.ts';
import type { PlacedLines, TimelineEdit } from './timeline.ts';

interface Story {
  readonly placed?: readonly PlacedLines[];
  readonly edits: readonly TimelineEdit[];
  readonly text: Lines;
}

/**
 * Whether `reset` and `checkout` threw away what was not committed, no reflog tells; what was seen next does: of all that an agent had
 * written, not one line that says something is left.
 */
export function believed({ placed = [], edits, text }: Story): PlacedLines[] {
  return placed.filter(({ at, text: put, drops, born = -Infinity }) => {
    if (!drops) return true;
    if (edits.some((edit) => seenMoving(edit, at) || wasStashed(edit, at))) return false;
    const had = new Set(put);
    // what is older than the commit and not in it was gone by then
    const last = edits.findLast((edit) => edit.at <= at && edit.at > born);
    const own = (last ? (afterOf(last) ?? []) : []).filter((line) => isInformative(line) && !had.has(line));
    const next = edits.find((edit) => edit.at > at);
    const seen = new Set(next ? beforeOf(next) : text);
    if (own.length === 0 || seen.size === 0 || own.some((line) => seen.has(line))) return false;
    // within git's second, which of the two came first is open
    return last === undefined || last.at <= at - SECOND || !isEdited(own, seen, put);
  });
}

const SECOND = 999;

/** So many lines are compared with each other. */
const FEW = 100;
/** More than half of the words in common, which lines of the same text often have. */
const CLOSE = 0.75;

/** Somebody went on from what the agent wrote: one of the lines that are new is more like one of its own than like any that git put there. */
function isEdited(own: Lines, seen: ReadonlySet<string>, put: Lines): boolean {
  const fresh = [...seen].filter((line) => isInformative(line) && !put.includes(line)).slice(0, FEW);
  const nearest = (line: string, others: Lines) => Math.max(0, ...others.map((other) => likeness(line, other)));
  return own
    .slice(0, FEW)
    .some((line) => fresh.some((one) => likeness(one, line) > Math.max(CLOSE, nearest(one, put))));
}

/** How much later than it was a drop may be told: git's clock knows seconds. */
const BLUR = 2000;

/** Git was called by an agent's command, and snapshots around it show what became of the file. */
function seenMoving({ shell, at: ended }: TimelineEdit, at: number): boolean {
  return shell !== undefined && movesContents(shell.command) && shell.from <= at && ended >= at - BLUR;
}

/** What went then is known: git put it aside. */
function wasStashed({ stashed }: TimelineEdit, at: number): boolean {
  return stashed !== undefined && Math.abs(stashed.at - at) <= BLUR;
}

function afterOf({ change }: TimelineEdit): Lines | null | undefined {
  return change.kind === 'full' || change.kind === 'write' ? change.after : undefined;
}

/** Empty where it was not shown. */
function beforeOf({ change }: TimelineEdit): Lines {
  return (change.kind === 'full' && change.before) || [];
}
