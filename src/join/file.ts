import { diffLines, hunksOf } from '../lines/diff.ts';
import { type Origin, sameVoice, unknown } from '../lines/origin.ts';
import { type LineRange, linesOf } from '../lines/range.ts';
import { isInformative, type Lines, sameLines } from '../lines/text.ts';
import { CLEANED, mayBeCleaned, withCleaned } from './cleaned.ts';
import { conflictGap } from './conflict.ts';
import { believed } from './drops.ts';
import { advanceUpon } from './returned.ts';
import { BY_GIT, type State, type Trail } from './state.ts';
import { gapOrigin, play, type TimelineContext, type TimelineEdit, writerOf, writtenBy } from './timeline.ts';
import { undoneEdits } from './undone.ts';

/** Everything that is known about one changed file of a commit. */
export interface FileJoin extends TimelineContext {
  /** The file's text in the (first) parent; empty where it did not exist. */
  readonly base: Lines;
  readonly text: Lines;
  /** The lines that the commit adds, by git's own diff. */
  readonly added: readonly LineRange[];
  readonly edits: readonly TimelineEdit[];
  /** When each known content of the file was committed, in the commit's ancestors: blob id -> milliseconds. */
  readonly ancestors: ReadonlyMap<string, number>;
  /** When the commit was made: no later event can have written its lines. */
  readonly time: number;
  /** Why a line that no agent is seen to have written may still not be a person's; absent when it is. */
  readonly doubt?: string;
  /** The text is, byte for byte, one that the file had in an ancestor, and has not in the parent. */
  readonly restored?: boolean;
  /** A filter changes the file when it is staged: the text is what that makes of it, or only snapshots are. */
  readonly cleaned?: 'text' | 'snapshots';
}

export interface ParentLine {
  readonly path: string;
  readonly line: number;
}

/** A line that was only moved: it keeps the origin that this line of the parent has. `or`: unless this hand has typed it anew, who knows. */
export interface MovedFrom {
  readonly movedFrom: ParentLine;
  readonly or?: Origin;
  /** It may as well be one of these. */
  readonly also?: readonly ParentLine[];
}

/** What the join says of an added line. */
export type Answer = Origin | MovedFrom;

export function isPersons(answer: Answer): boolean {
  return !('movedFrom' in answer) && answer.type === 'human';
}

export interface FileAnswers {
  readonly answers: ReadonlyMap<number, Answer>;
  /** The answer for every added line, where they are all of one hand: most files of most commits. */
  readonly whole?: Origin;
  readonly postProcessing: readonly string[];
  /** What nobody was seen to write is as it was in an ancestor. */
  readonly restored?: boolean;
}

/** One answer for all these lines; line by line only for whoever asks for that. */
export function wholeAnswer(
  origin: Origin,
  added: readonly LineRange[],
  postProcessing: readonly string[] = [],
): FileAnswers {
  let answers: ReadonlyMap<number, Answer> | undefined;
  return {
    whole: origin,
    postProcessing,
    get answers() {
      answers ??= new Map([...linesOf(added)].map((line) => [line, origin]));
      return answers;
    },
  };
}

/** So many edits that were committed before are remembered, in case that their lines come back. */
const MAX_SETTLED = 50;

/** An answer for every added line of the file, each exactly once. */
export function joinFile(file: FileJoin): FileAnswers {
  const writer = findWriter(file);
  if (writer) return wholeAnswer(writer, file.added);
  const edits = openEdits(file);
  const early = file.edits.filter((edit) => edit.at <= file.time);
  const open = new Set(edits);
  const settled = early.filter((edit) => !open.has(edit)).slice(-MAX_SETTLED);
  // git's clock knows seconds: what was written in the same one was there
  const lastCommitted = Math.floor(Math.max(...file.ancestors.values()) / 1000) * 1000;
  const placed = believed({ ...file, edits: early });
  const undone = settled.length > 0 ? undoneEdits([...settled, ...edits], file.ancestors) : new Set<TimelineEdit>();
  const timeline = play(file.base, file.cleaned ? withCleaned(edits) : edits, {
    ...file,
    settled,
    undone,
    placed,
    lastCommitted,
  });
  const formatters = new Set(timeline.formatters);
  const gap = lastGap(file, timeline.until);
  const told = gap.type === 'human' && mayBeCleaned(edits, file.cleaned) ? unknown(CLEANED) : gap;
  const end = isExplained(timeline.unplaced, file.text) ? told : unknown(UNPLACED);
  const step = {
    writer: { origin: end, gap: true, reflows: true },
    pool: timeline.pool,
    onReflow: () => formatters.add('unnamed formatter'),
  };
  const last = timeline.states.at(-1) ?? { lines: [], trails: [] };
  const final = findExact(timeline.states, file.text) ?? advanceUpon(file.base, last, file.text, step);
  const [whole, postProcessing] = [findWhole(file, final), [...formatters].sort()];
  if (whole && !file.restored) return wholeAnswer(whole, file.added, postProcessing);
  return { answers: settle(file, final), postProcessing, ...(file.restored && { restored: true }) };
}

/** Those that may still show in this commit. What a filter has changed is in no commit just so: it counts until the file is committed. */
function openEdits(file: FileJoin): readonly TimelineEdit[] {
  const shows = (edit: TimelineEdit) => !isCommitted(edit, file) && !isOverwritten(edit, file);
  const committed = Math.max(...file.ancestors.values());
  return sinceClean(file).filter((edit) => (file.cleaned && !edit.shell ? edit.at > committed : shows(edit)));
}

/** Who wrote a new file by one edit, and it was committed just so: most of what agents write. Playing that would tell the same. */
function findWriter(file: FileJoin): Origin | undefined {
  const { text, added, ancestors } = file;
  const [edit, ...others] = file.edits;
  const isNew = file.base.length === 0 && ancestors.size === 0 && !file.early && !file.placed?.length;
  if (!edit || others.length > 0 || !isNew || edit.at > file.time) return undefined;
  const { change, shell, lossy, copied } = edit;
  if (shell || lossy || copied || change.kind !== 'full' || change.before?.length) return undefined;
  if (text.length === 0 || change.after !== text || added.some(({ end }) => end > text.length)) return undefined;
  return writerOf(edit, file).origin;
}

/** The origin that all lines of the text have, those that git calls added among them. */
function findWhole({ added }: FileJoin, { trails }: State): Origin | undefined {
  const [first] = trails;
  if (!first || !('origin' in first) || added.some(({ end }) => end > trails.length)) return undefined;
  for (const trail of trails) if (trail !== first) return undefined;
  return first.origin;
}

const UNPLACED = 'an agent edited the file, and where is not known';

/** An edit that found no place may have written more than what is found again of it, unless all of it is. */
function isExplained(unplaced: Lines, text: Lines): boolean {
  if (unplaced.length === 0) return true;
  const there = new Set(text);
  return unplaced.every((line) => !isInformative(line) || there.has(line));
}

/** An edit of parts names no text that would show when it was committed: it was, if it is older than the base, and all of it is in there. */
function isCommitted(edit: TimelineEdit, { base, baseTime }: FileJoin): boolean {
  if (edit.at > baseTime + 999 || (edit.change.kind !== 'hunks' && edit.change.kind !== 'replace')) return false;
  const written = writtenBy(edit).filter(isInformative);
  const there = new Set(base);
  return written.length > 0 && written.every((line) => there.has(line));
}

/**
 * An edit that is older than the base, where the base has, in the place of every line of it that is gone, one that was not there before, and
 * none of them has come back: a person has changed those before they were committed, and what is changed now is no longer the agent's.
 * Where what was there before the edit still stands, or nothing does, the rest of it was perhaps only not staged.
 */
function isOverwritten({ at, change }: TimelineEdit, { base, baseTime, text }: FileJoin): boolean {
  if (at > baseTime + 999 || change.kind !== 'full' || !change.after) return false;
  const { after } = change;
  const [had, stands] = [new Set(change.before), new Set(text)];
  const hunks = hunksOf(diffLines(after, base), after.length);
  // what stands in the base just so was committed with it, or leads back to it
  if (hunks.length === 0) return false;
  return hunks.every(({ oldStart, oldEnd, newStart, newEnd }) => {
    const [gone, instead] = [after.slice(oldStart, oldEnd), base.slice(newStart, newEnd)];
    if (gone.length === 0) return true;
    const isBack = gone.some((line) => isInformative(line) && stands.has(line));
    return !isBack && instead.length > 0 && !instead.some((line) => had.has(line));
  });
}

/**
 * The edits that may still show in this commit: those after the last seen text that an ancestor committed later. A text that was only
 * put back (an undo, a stash) settles nothing: what was taken away may return.
 */
export function sinceClean({
  edits,
  ancestors,
  time,
}: Pick<FileJoin, 'edits' | 'ancestors' | 'time'>): readonly TimelineEdit[] {
  const early = edits.filter((edit) => edit.at <= time);
  const settled = (id: string | null | undefined, at: number) => id != null && (ancestors.get(id) ?? -Infinity) >= at;
  for (let i = early.length - 1; i >= 0; i--) {
    const edit = early[i];
    if (!edit) continue;
    if (settled(edit.afterId, edit.at)) return early.slice(i + 1);
    if (settled(edit.beforeId, edit.shell?.from ?? edit.at)) return early.slice(i);
  }
  return early;
}

/**
 * A text that git took away when it left another commit stands there again: git has brought it (`checkout other -- file`, `cherry-pick -n`).
 * So it has where it could not settle a conflict.
 */
function lastGap(file: FileJoin, from: number): Origin {
  const back = file.placed?.some(({ over, at }) => at <= file.time && over && sameLines(over, file.text));
  return back ? unknown(BY_GIT) : (conflictGap(file.text) ?? endGap(file, from));
}

/** Who wrote what stands in the commit and in no seen text: a person, if nothing speaks against it. */
export function endGap(file: Pick<FileJoin, 'doubt' | 'commands' | 'time'>, from: number): Origin {
  if (file.doubt) return unknown(file.doubt);
  const origin = gapOrigin(file, from, file.time);
  return origin.type === 'human' ? { type: 'human', evidence: 'absent' } : origin;
}

/** What was staged before the last edit is committed exactly as it was then. */
function findExact(states: readonly State[], text: Lines): State | undefined {
  return states.findLast(({ lines }) => sameLines(lines, text));
}

/**
 * From trails to origins, for the lines that git calls added. Where a block may as well have been put in some lines higher, git and we may
 * choose different lines as the new ones: git calls one added that we call old (A), and one old that we call written (W). The W's origin
 * is the A's. Where it is no block of one hand, they are two lines: then the A is the old line that it is.
 */
function settle(file: FileJoin, final: State): Map<number, Answer> {
  const answers = new Map<number, Answer>();
  const path = file.oldPath ?? file.path;
  let added: ReadonlySet<number> | undefined;
  for (const { start, end } of file.added) {
    for (let line = start; line <= end; line++) {
      const trail = final.trails[line - 1];
      if (trail && 'origin' in trail) answers.set(line, trail.origin);
      else if (trail) {
        added ??= new Set(linesOf(file.added));
        const own = trail.path === undefined ? slidOrigin(final, added, line - 1) : undefined;
        const movedFrom = { path: trail.path ?? path, line: trail.base + 1 };
        answers.set(line, own ?? { movedFrom, ...(trail.or && { or: trail.or }) });
      } else answers.set(line, unknown('the line was not found in the file'));
    }
  }
  return answers;
}

/**
 * The origin of the W whose place an A has taken. Between the A's and the W's nothing lies but the rest of the block, and they are equal line
 * by line; what only stands near says nothing.
 *
 *     W  W  |            |  A  A
 *     a  }  |  b  c  d   |  a  }        or the other way round
 */
function slidOrigin({ lines, trails }: State, added: ReadonlySet<number>, i: number): Origin | undefined {
  const isTaken = (at: number) => added.has(at + 1) && 'base' in (trails[at] ?? {});
  for (const way of [-1, 1]) {
    let end = i; // of the A's, where the block is
    while (isTaken(end + way)) end += way;
    const hand = originAt(trails, end + way);
    for (let at = end + way; hand && isOf(originAt(trails, at), hand); at += way) {
      const step = at - end;
      const slid = (one: number) => !added.has(one + step + 1) && lines[one + step] === lines[one];
      let one = end;
      while (one !== i && slid(one)) one -= way;
      if (one === i && slid(i)) return originAt(trails, i + step);
    }
  }
  return undefined;
}

function originAt(trails: readonly Trail[], at: number): Origin | undefined {
  const trail = trails[at];
  return trail && 'origin' in trail ? trail.origin : undefined;
}

function isOf(origin: Origin | undefined, hand: Origin): boolean {
  return origin !== undefined && sameVoice(origin, hand);
}
