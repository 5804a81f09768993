import type { FileDiff } from '../git/diff.ts';
import { readObjects } from '../git/objects.ts';
import { readHeadFiles } from '../git/trees.ts';
import { type Answer, type FileAnswers, isPersons, sinceClean } from '../join/file.ts';
import type { TimelineCopy, TimelineEdit } from '../join/timeline.ts';
import { diffLines, type Hunk, hunksOf } from '../lines/diff.ts';
import { type Origin, unknown } from '../lines/origin.ts';
import { isInformative, type Lines, splitBytes } from '../lines/text.ts';
import { MAX_TEXT } from '../sessions/texts.ts';
import { type Joining, timeOf } from './joining.ts';

/** Answers for the lines that files had over the parent's when something was copied from them. */
export type AskSources = (
  then: Omit<Joining, 'beginning'>,
  sources: readonly FileDiff[],
) => Promise<ReadonlyMap<string, FileAnswers>> | ReadonlyMap<string, FileAnswers>;

interface Edits {
  readonly edits: ReadonlyMap<string, readonly TimelineEdit[]>;
  readonly ancestors: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** So many moments at which something was copied are followed for one commit; what commands copied at others is unknown. */
const MAX_MOMENTS = 20;

/** The edits, with what is known of the lines that they copied: where these stood in the parent, or who had written them by then. */
export async function withCopied(
  joining: Joining,
  { edits, ancestors }: Edits,
  ask: AskSources,
): Promise<ReadonlyMap<string, readonly TimelineEdit[]>> {
  const due = new Set<TimelineEdit>();
  for (const [path, all] of edits) {
    const since = sinceClean({ edits: all, ancestors: ancestors.get(path) ?? new Map(), time: timeOf(joining) });
    for (const edit of since) if (edit.copies) due.add(edit);
  }
  if (due.size === 0) return edits;
  const known = new Map<TimelineEdit, TimelineEdit>();
  for (const { at, some } of momentsOf(due).slice(-MAX_MOMENTS)) {
    const copies = some.flatMap((one) => one.copies);
    const asker = Math.min(...some.map(({ edit }) => edit.at));
    const answers = await answersAt({ ...joining, asker }, { at, texts: textsOf(copies) }, ask);
    for (const one of some) {
      const had = known.get(one.edit)?.copied ?? [];
      known.set(one.edit, { ...one.edit, copied: new Map([...had, ...copiedLines(one.copies, answers)]) });
    }
  }
  return new Map([...edits].map(([path, all]) => [path, all.map((edit) => known.get(edit) ?? edit)]));
}

interface Copied {
  readonly edit: TimelineEdit;
  readonly copies: readonly TimelineCopy[];
}

interface Moment {
  readonly at: number;
  readonly some: Copied[];
}

/**
 * The edits that copied something, by when it stood where they had it from. Those that put it in before it was taken out there ask for
 * themselves: of what came after them they know nothing.
 */
function momentsOf(edits: Iterable<TimelineEdit>): Moment[] {
  const moments = new Map<string, Moment>();
  for (const edit of edits) {
    const copies = edit.copies ?? [];
    const momentOf = ({ at }: TimelineCopy) => at ?? edit.shell?.from ?? edit.at;
    for (const at of new Set(copies.map(momentOf))) {
      const key = `${at} ${edit.at <= at}`;
      const moment = moments.get(key) ?? { at, some: [] };
      moment.some.push({ edit, copies: copies.filter((copy) => momentOf(copy) === at) });
      moments.set(key, moment);
    }
  }
  return [...moments.values()];
}

type Texts = ReadonlyMap<string, { readonly blob: string; readonly lines: Lines }>;

/** By path: at one moment each file had one text. */
function textsOf(copies: readonly TimelineCopy[]): Texts {
  return new Map(copies.flatMap(({ path, blob, text }) => (text ? [[path, { blob, lines: text }]] : [])));
}

type SourceAnswers = (path: string, line: number) => Answer | undefined;

function copiedLines(copies: readonly TimelineCopy[], answers: SourceAnswers): Map<number, Answer> {
  const found = new Map<number, Answer>();
  for (const { line, count, path, from, either } of copies) {
    for (let i = 0; i < count; i++) {
      const answer = answers(path, from + i);
      const doubted = either && answer && isPersons(answer) ? unknown(EITHER) : answer;
      if (doubted) found.set(line - 1 + i, doubted);
    }
  }
  return found;
}

const EITHER = 'the same stood in a copy of the file, and nobody saw where first';

async function answersAt(
  joining: Joining,
  { at, texts }: { readonly at: number; readonly texts: Texts },
  ask: AskSources,
): Promise<SourceAnswers> {
  const { world, parent, one } = joining;
  const place = world.repository.place;
  const had = parent ? await readHeadFiles(place, parent.id, [...texts.keys()]) : new Map<string, undefined>();
  const bases = await readObjects(
    place,
    [...texts].flatMap(([path, { blob }]) => (had.get(path)?.blob === blob ? [] : (had.get(path)?.blob ?? []))),
    { maxBytes: MAX_TEXT },
  );
  const maps = new Map<string, readonly number[]>();
  const changed: FileDiff[] = [];
  for (const [path, { blob, lines }] of texts) {
    const oldBlob = had.get(path)?.blob ?? null;
    if (oldBlob === blob) continue;
    const base = splitBytes(bases.get(oldBlob ?? '')?.bytes ?? Buffer.alloc(0));
    const map = diffLines(base, lines);
    maps.set(path, map);
    changed.push(diffOf({ path, oldBlob, newBlob: blob }, hunksOf(map, base.length), lines));
  }
  const { session: _, ...rest } = one;
  const known = new Map([
    ...(joining.texts ?? []),
    ...[...texts.values()].map((one) => [one.blob, one.lines] as const),
  ]);
  const then = { ...joining, one: { ...rest, at }, texts: known };
  const answers = changed.length > 0 ? await ask(then, changed) : new Map<string, FileAnswers>();
  return (path, line) => {
    const [map, known] = [maps.get(path), answers.get(path)?.answers ?? NONE];
    const old = map ? (map[line - 1] ?? -1) : line - 1;
    if (old < 0) return known.get(line);
    const or = besideOf(line, texts.get(path)?.lines ?? [], known);
    return { movedFrom: { path, line: old + 1 }, ...(or && { or }) };
  };
}

const NONE: ReadonlyMap<number, Answer> = new Map();

/**
 * For a line that says nothing and that a diff calls old in the midst of new ones: whose those are, and one that is no person's rather. Which of
 * two equal braces stayed, and which is new, a diff only guesses.
 */
function besideOf(line: number, lines: Lines, known: ReadonlyMap<number, Answer>): Origin | undefined {
  if (isInformative(lines[line - 1] ?? '')) return undefined;
  const [before, after] = [known.get(line - 1), known.get(line + 1)];
  if (!before || !after || 'movedFrom' in before || 'movedFrom' in after) return undefined;
  return isPersons(before) ? after : before;
}

type Blobs = Pick<FileDiff, 'path' | 'oldBlob' | 'newBlob'>;

/** What a commit of the text would have added to the parent's. */
function diffOf(blobs: Blobs, hunks: readonly Hunk[], lines: Lines): FileDiff {
  const added = hunks
    .filter(({ newStart, newEnd }) => newEnd > newStart)
    .map(({ newStart, newEnd }) => ({ start: newStart + 1, lines: lines.slice(newStart, newEnd) }));
  const [oldMode, newMode] = [blobs.oldBlob === null ? '000000' : '100644', '100644'];
  return { ...blobs, status: blobs.oldBlob === null ? 'A' : 'M', oldMode, newMode, binary: false, added, removed: [] };
}
