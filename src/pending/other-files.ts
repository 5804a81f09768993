import type { FileDiff } from '../git/diff.ts';
import { ELSEWHERE, type Likeness, likenesses, type Written, writingsOf, writtenIn } from '../join/elsewhere.ts';
import { type FileAnswers, isPersons } from '../join/file.ts';
import { withTaken } from '../join/taken.ts';
import type { TimelineEdit } from '../join/timeline.ts';
import { type Origin, unknown } from '../lines/origin.ts';
import { isInformative, type Lines } from '../lines/text.ts';
import type { OriginFile, OriginRun } from '../trace/build.ts';
import { cutRuns } from '../trace/runs.ts';
import { baseTime, type Joining, timeOf } from './joining.ts';
import { committedTexts } from './moved.ts';
import { readStanding } from './standing.ts';

/** So much older than the base, in milliseconds, may be what a commit has left out. */
const LONG_BEFORE = 3600_000;

type Asked = Omit<Joining, 'beginning'>;

/** Runs that stand one after the other, whosever they are. */
interface Stretch {
  readonly start: number;
  readonly lines: Lines;
}

/** A stretch, and what of it an agent wrote in other files. */
interface Found {
  readonly stretch: Stretch;
  readonly alike: readonly Likeness[];
}

/**
 * A person takes lines out of the file where an agent wrote them, and puts them into another one, before anything of it is committed: there
 * nobody was seen to write them. What still stands where it was written was only copied, and that is the person's.
 */
export async function withOtherFiles(asked: Asked, files: readonly OriginFile[]): Promise<readonly OriginFile[]> {
  const open = files.filter(({ runs }) => runs.some(isOpen));
  if (open.length === 0) return files;
  const edits = editsBefore(asked);
  const written = writtenBy(edits);
  if (written.length === 0) return files;
  const found = new Map<OriginFile, readonly Found[]>();
  for (const file of open) {
    const writings = writingsOf(written.filter(({ path }) => path !== file.path));
    // of what the agent wrote and what it wrote it into, which the person moved together, each may be known to be another's by now
    const stretches = stretchesOf(file.runs).map((stretch) => ({
      stretch,
      alike: likenesses(stretch.lines, writings),
    }));
    if (stretches.some(({ alike }) => alike.length > 0)) found.set(file, stretches);
  }
  if (found.size === 0) return files;
  const all = [...found.values()].flat().flatMap(({ alike }) => alike);
  const paths = all.map(({ path }) => path);
  const standing = await readStanding(asked, [...new Set(paths)]);
  const wasCommitted = await openCommitted(asked, edits, all);
  return files.map((file) => {
    const stretches = found.get(file);
    return stretches ? moved(asked, file, { stretches, standing, wasCommitted }) : file;
  });
}

/**
 * What stood in a file when an agent moved it out of there, and was a person's as far as anybody saw: where an agent had written the same in
 * another file, the person may have moved it before, and nobody tells any more what stood where by then.
 */
export function doubtOthers(
  asked: Asked,
  files: readonly FileDiff[],
  told: ReadonlyMap<string, FileAnswers>,
): ReadonlyMap<string, FileAnswers> {
  let written: readonly Written[] | undefined;
  const doubted = new Map(told);
  for (const { path, added } of files) {
    const answers = told.get(path);
    if (!answers || ![...answers.answers.values()].some(isPersons)) continue;
    written ??= writtenBy(editsBefore(asked));
    const writings = writingsOf(written.filter((one) => one.path !== path));
    const open = new Map(answers.answers);
    for (const { start, lines } of added) {
      for (const i of likenesses(lines, writings).flatMap((one) => doubtedIn(one, lines))) {
        const answer = open.get(start + i);
        if (answer && isPersons(answer)) open.set(start + i, unknown(ELSEWHERE));
      }
    }
    doubted.set(path, { answers: open, postProcessing: answers.postProcessing });
  }
  return doubted;
}

/** What the agent wrote there, and what says nothing and stands among it: which brace was there before, and which is new, nobody can tell. */
function doubtedIn({ start, end, fresh }: Likeness, lines: Lines): number[] {
  const run = Array.from({ length: end - start }, (_, k) => start + k);
  return run.filter((i) => fresh.has(i) || !isInformative(lines[i] ?? ''));
}

/** What agents did since the base, and some time before. */
function editsBefore(asked: Asked): ReadonlyMap<string, readonly TimelineEdit[]> {
  // whoever asks has not written what it asks about
  const to = Math.min(timeOf(asked), (asked.asker ?? Infinity) - 1);
  const between = { from: baseTime(asked.parent) - LONG_BEFORE, to };
  return withTaken(asked.view.editsBeside(new Set(), asked.one.worktree, between));
}

function writtenBy(edits: ReadonlyMap<string, readonly TimelineEdit[]>): Written[] {
  return [...edits].flatMap(([path, all]) => all.flatMap((edit) => writtenIn(path, edit) ?? []));
}

type WasCommitted = (said: Lines, likeness: Likeness) => boolean;

/** Whether what an agent wrote before the base was committed where it was written: then other records tell of it. */
async function openCommitted(
  asked: Asked,
  edits: ReadonlyMap<string, readonly TimelineEdit[]>,
  alike: readonly Likeness[],
): Promise<WasCommitted> {
  const base = baseTime(asked.parent);
  const older = alike.flatMap(({ path, at }) => (at < base ? path : []));
  const committed = await committedTexts(asked, [...new Set(older)]);
  return (said, { path, at }) =>
    at < base &&
    (edits.get(path) ?? []).some(({ at: later, afterId, change }) => {
      const text = change.kind === 'full' && later >= at && committed.get(path)?.has(afterId ?? '') && change.after;
      return text && said.every((line) => text.includes(line));
    });
}

/** A person wrote it, as far as anybody saw. */
function isOpen({ origin, lines }: OriginRun): boolean {
  return origin.type === 'human' && lines.some(isInformative);
}

function stretchesOf(runs: readonly OriginRun[]): Stretch[] {
  const stretches: { start: number; lines: string[] }[] = [];
  for (const { start, lines } of runs) {
    const last = stretches.at(-1);
    if (last && last.start + last.lines.length === start) last.lines.push(...lines);
    else stretches.push({ start, lines: [...lines] });
  }
  return stretches;
}

interface Looked {
  readonly stretches: readonly Found[];
  /** What stands in the other files. */
  readonly standing: ReadonlyMap<string, ReadonlySet<string>>;
  readonly wasCommitted: WasCommitted;
}

function moved(asked: Asked, file: OriginFile, { stretches, standing, wasCommitted }: Looked): OriginFile {
  const seen = seenBefore(asked, file.path);
  const known = new Map<number, Origin>();
  for (const { stretch, alike } of stretches) {
    for (const likeness of alike) {
      const { fresh, path, at, origin } = likeness;
      const said = [...fresh].map((i) => stretch.lines[i] ?? '').filter(isInformative);
      if (said.every((line) => standing.get(path)?.has(line)) || said.some((line) => seen(line, at))) continue;
      if (wasCommitted(said, likeness)) continue;
      for (const i of fresh) known.set(stretch.start + i, origin);
    }
  }
  const told = (run: OriginRun) => cutRuns(run, (line) => known.get(line) ?? run.origin);
  return { ...file, runs: file.runs.flatMap((run) => (run.origin.type === 'human' ? told(run) : [run])) };
}

/** Whether a line was seen in this file before that moment: then it was not brought here later. */
function seenBefore({ view, one }: Asked, path: string): (line: string, at: number) => boolean {
  const texts = view.history(path, one.worktree).edits.flatMap(({ change, at }) => {
    const lines = change.kind === 'full' ? [...(change.before ?? []), ...(change.after ?? [])] : [];
    return lines.length > 0 ? [{ at, lines: new Set(lines) }] : [];
  });
  return (line, at) => texts.some((text) => text.at < at && text.lines.has(line));
}
