import type { FileDiff } from '../git/diff.ts';
import { readObjects } from '../git/objects.ts';
import { readHeadFiles } from '../git/trees.ts';
import { type Answer, type FileAnswers, sinceClean } from '../join/file.ts';
import type { TimelineEdit } from '../join/timeline.ts';
import { diffLines, type Hunk, hunksOf } from '../lines/diff.ts';
import { type Lines, splitBytes } from '../lines/text.ts';
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

/** So many commands that copied are followed for one commit; what others copied is unknown. */
const MAX_COMMANDS = 20;

/** The edits, with what is known of the lines that they copied: where these stood in the parent, or who had written them by then. */
export async function withCopied(
  joining: Joining,
  { edits, ancestors }: Edits,
  ask: AskSources,
): Promise<ReadonlyMap<string, readonly TimelineEdit[]>> {
  const due = new Set<TimelineEdit>();
  for (const [path, all] of edits) {
    const since = sinceClean({ edits: all, ancestors: ancestors.get(path) ?? new Map(), time: timeOf(joining) });
    for (const edit of since) if (edit.copies && edit.shell) due.add(edit);
  }
  if (due.size === 0) return edits;
  const moments = new Map<number, TimelineEdit[]>();
  for (const edit of due) {
    const from = edit.shell?.from ?? edit.at;
    moments.set(from, [...(moments.get(from) ?? []), edit]);
  }
  const known = new Map<TimelineEdit, TimelineEdit>();
  for (const [at, some] of [...moments].slice(-MAX_COMMANDS)) {
    const answers = await answersAt(joining, { at, texts: textsOf(some) }, ask);
    for (const edit of some) known.set(edit, { ...edit, copied: copiedLines(edit, answers) });
  }
  return new Map([...edits].map(([path, all]) => [path, all.map((edit) => known.get(edit) ?? edit)]));
}

type Texts = ReadonlyMap<string, { readonly blob: string; readonly lines: Lines }>;

/** By path: at one moment each file had one text. */
function textsOf(edits: readonly TimelineEdit[]): Texts {
  const copies = edits.flatMap((edit) => edit.copies ?? []);
  return new Map(copies.flatMap(({ path, blob, text }) => (text ? [[path, { blob, lines: text }]] : [])));
}

type SourceAnswers = (path: string, line: number) => Answer | undefined;

function copiedLines({ copies = [] }: TimelineEdit, answers: SourceAnswers): Map<number, Answer> {
  const found = new Map<number, Answer>();
  for (const { line, count, path, from } of copies) {
    for (let i = 0; i < count; i++) {
      const answer = answers(path, from + i);
      if (answer) found.set(line - 1 + i, answer);
    }
  }
  return found;
}

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
    const map = maps.get(path);
    const old = map ? (map[line - 1] ?? -1) : line - 1;
    return old >= 0 ? { movedFrom: { path, line: old + 1 } } : answers.get(path)?.answers.get(line);
  };
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
