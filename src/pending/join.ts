import { type Commit, readCommits } from '../git/commits.ts';
import { type FileDiff, readDiffs } from '../git/diff.ts';
import { isRegular } from '../git/raw.ts';
import { type CommitFile, joinCommit, movedLines, originOf } from '../join/commit.ts';
import type { FileAnswers } from '../join/file.ts';
import type { Origin } from '../lines/origin.ts';
import type { OriginFile } from '../trace/build.ts';
import { type DueCommit, isPlain, readMakings } from './due.ts';
import { baseTime, beginningOf, doubtOf, type Joining, timeOf } from './joining.ts';
import { parentOrigins } from './parents.ts';
import { earlyTexts, fileTimelines } from './timelines.ts';
import type { View } from './view.ts';
import type { Surroundings } from './world.ts';

/** A commit with an origin for every line it adds. */
export interface JoinedCommit {
  readonly commit: Commit;
  readonly files: readonly OriginFile[];
}

export interface JoinOptions {
  onJoined(joined: JoinedCommit): void;
  /** Note lines of commits joined before: lines that moved may come from there. */
  unwritten(commit: string): readonly string[];
  /** Told of a commit that could not be joined; the others go on. */
  onFailure?(commit: string, cause: unknown): void;
}

/** Joins commits one after the other; what rewrites history (rebase, cherry-pick, am, revert) is not joined: its lines have a record elsewhere. */
export async function joinCommits(
  world: Surroundings,
  view: View,
  due: readonly DueCommit[],
  options: JoinOptions,
): Promise<void> {
  if (due.length === 0) return;
  const ids = due.map(({ id }) => id);
  const [commits, diffs] = await Promise.all([
    readCommits(world.repository.place, ids),
    readDiffs(world.repository.place, ids),
  ]);
  const parents = await readCommits(
    world.repository.place,
    [...diffs.values()].flatMap((diff) => diff.parents.slice(0, 1)),
  );
  const makings = readMakings(world);
  for (const one of due) {
    const [commit, diff] = [commits.get(one.id), diffs.get(one.id)];
    const making = makings.get(one.id);
    if (!commit || !diff || (making !== undefined && !isPlain(making))) continue;
    try {
      const parent = parents.get(diff.parents[0] ?? '');
      const joining = {
        world,
        view,
        one: { ...one, worktree: one.worktree ?? making?.worktree ?? '' },
        commit,
        diff,
        parent,
        plain: isPlain(making),
        unwritten: options.unwritten,
      };
      const files = await joinOne(joining);
      if (making === undefined && one.at === undefined && !files.some(hasAgent)) continue; // perhaps somebody else's, pulled from a folder
      options.onJoined({ commit, files });
    } catch (cause) {
      options.onFailure?.(one.id, cause);
    }
  }
}

/** An origin for every line that one commit, or what stands in the work tree, adds. */
export async function joinOne(asked: Omit<Joining, 'beginning'>): Promise<OriginFile[]> {
  const { view, diff, parent, one } = asked;
  const files = diff.files.filter(isText);
  const begun: Joining = { ...asked, beginning: beginningOf(asked) };
  const early = await earlyTexts(begun, files);
  // when the snapshot is gone, nothing tells any more what stood there before
  const joining: Joining = early ? begun : { ...begun, beginning: { kind: 'unknown' } };
  const timelines = await fileTimelines(joining, files, early ?? new Map());
  const commitFiles = files.map((file): CommitFile => {
    const timeline = timelines.get(file.path);
    return timeline ? { ...file, timeline } : file;
  });
  const doubt = doubtOf(joining);
  const answers = joinCommit({
    files: commitFiles,
    time: timeOf(joining),
    baseTime: baseTime(parent),
    commands: view.windows(one.worktree),
    ...(doubt && { doubt }),
  });
  const origins = await parentOrigins(joining, movedLines(answers.values()));
  return files.flatMap((file) => originFile(file, answers.get(file.path), origins) ?? []);
}

function hasAgent({ lines }: OriginFile): boolean {
  return lines.some(({ origin }) => origin.agent !== undefined);
}

export function isText(file: FileDiff): boolean {
  return !file.binary && file.added.length > 0 && isRegular(file.newMode);
}

function originFile(
  file: FileDiff,
  answers: FileAnswers | undefined,
  parent: (path: string, line: number) => Origin | undefined,
): OriginFile | undefined {
  if (!answers || file.newBlob === null) return undefined;
  const lines = file.added.flatMap(({ start, lines: texts }) =>
    texts.map((text, i) => {
      const answer = answers.answers.get(start + i) ?? {
        type: 'unknown' as const,
        reason: 'the line was not found in the file',
      };
      return { line: start + i, text, origin: originOf(answer, parent) };
    }),
  );
  const { postProcessing } = answers;
  return { path: file.path, blob: file.newBlob, lines, ...(postProcessing.length > 0 && { postProcessing }) };
}
