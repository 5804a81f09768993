import type { FileDiff } from '../git/diff.ts';
import { isRegular } from '../git/raw.ts';
import { type CommitFile, joinCommit, movedLines, originOf } from '../join/commit.ts';
import type { FileAnswers, FileJoin } from '../join/file.ts';
import { isPointer, POINTER } from '../join/pointer.ts';
import { type Origin, unknown } from '../lines/origin.ts';
import type { OriginFile } from '../trace/build.ts';
import { cutRuns } from '../trace/runs.ts';
import { withoutBroughtBack } from './brought-back.ts';
import { withCleaned } from './cleaned.ts';
import { HIDDEN, hiddenFiles } from './hidden.ts';
import { baseTime, beginningOf, doubtOf, type Joining, timeOf } from './joining.ts';
import { type ToldFile, withLeftBehind } from './left-behind.ts';
import { doubtOthers, withOtherFiles } from './other-files.ts';
import { withOtherTrees } from './other-trees.ts';
import { parentOrigins } from './parents.ts';
import { withRestored } from './restored.ts';
import { windowsOf } from './running.ts';
import { withTakenBefore } from './taken-before.ts';
import { earlyTexts, fileTimelines, livesOf } from './timelines.ts';

/** An origin for every line that one commit, or what stands in the work tree, adds. */
export async function joinOne(asked: Omit<Joining, 'beginning'>): Promise<ToldFile[]> {
  const { diff, one } = asked;
  const files = diff.files.filter(isText);
  // a file that only loses lines has none to answer for, and may be where the others' come from
  const answers = await answersOf(asked, files, { others: diff.files.filter(onlyLoses), depth: 0 });
  const origins = await parentOrigins(asked, movedLines(answers.values()));
  const settled = files.flatMap((file) => originFile(file, answers.get(file.path), origins) ?? []);
  const isRestored = (path: string) => answers.get(path)?.restored === true;
  const restored = await withRestored(asked, settled, isRestored);
  const left = await withLeftBehind(asked, restored, isRestored);
  const moved = await withTakenBefore(asked, await withOtherFiles(asked, left));
  const found = moved.map((file) => withOtherTrees(asked, file));
  const told = new Map(left.map((file) => [file.path, file.told]));
  const all = found.map((file) => withTold(file, told.get(file.path)));
  const written = await withoutBroughtBack(asked, all);
  return one.typed === false ? written.map(withoutPersons) : written;
}

function withTold(file: OriginFile, told: ToldFile['told']): ToldFile {
  return told ? { ...file, told } : file;
}

/** What was copied from what was itself copied is followed so far. */
const MAX_DEPTH = 3;

async function answersOf(
  asked: Omit<Joining, 'beginning'>,
  files: readonly FileDiff[],
  { others, depth }: { readonly others: readonly FileDiff[]; readonly depth: number },
): Promise<Map<string, FileAnswers>> {
  const begun: Joining = { ...asked, beginning: beginningOf(asked) };
  const [early, lives] = await Promise.all([earlyTexts(begun, files), livesOf(begun, files)]);
  // when the snapshot is gone, nothing tells any more what stood there before
  const joining: Joining = early ? begun : { ...begun, beginning: { kind: 'unknown' } };
  const ask = async (then: Omit<Joining, 'beginning'>, sources: readonly FileDiff[]) => {
    if (depth >= MAX_DEPTH) return new Map<string, FileAnswers>();
    return doubtOthers(then, sources, await answersOf(then, sources, { others: [], depth: depth + 1 }));
  };
  const windows = await windowsOf(joining, files);
  const found = await fileTimelines(joining, files, { lives, early: early ?? new Map(), ask, windows });
  const timelines = await withCleaned(joining, found);
  const doubt = doubtOf(joining);
  // what an agent did to it later tells nothing of this commit
  const untouched = files.filter(({ path }) => isUntouched(timelines.get(path)));
  const hidden = doubt ? new Set<string>() : await hiddenFiles(joining, untouched);
  const commitFiles = files.map((file): CommitFile => {
    const timeline = timelines.get(file.path);
    if (isPointer(file.added)) return { ...file, doubt: POINTER };
    if (hidden.has(file.path)) return { ...file, doubt: HIDDEN };
    return timeline ? { ...file, timeline } : { ...file, commands: windows(file.path) };
  });
  return joinCommit({
    files: [...commitFiles, ...others],
    time: timeOf(joining),
    baseTime: baseTime(joining.parent),
    ...(doubt && { doubt }),
  });
}

function isUntouched(timeline: FileJoin | undefined): boolean {
  return !timeline || (timeline.edits.length === 0 && !timeline.early && timeline.placed?.length === 0);
}

/** jj brought lines in that nobody typed here: then nobody was seen to write them, which tells nothing. */
function withoutPersons(file: OriginFile): OriginFile {
  const doubted = (origin: Origin) => (origin.type === 'human' ? unknown(UNTOLD) : origin);
  return { ...file, runs: file.runs.map((run) => ({ ...run, origin: doubted(run.origin) })) };
}

export const UNTOLD = 'nothing tells how the commit was made';

export function isText(file: FileDiff): boolean {
  return !file.binary && file.added.length > 0 && isRegular(file.newMode);
}

function onlyLoses(file: FileDiff): boolean {
  return !file.binary && file.added.length === 0 && file.removed.length > 0 && isRegular(file.oldMode);
}

function originFile(
  file: FileDiff,
  answers: FileAnswers | undefined,
  parent: (path: string, line: number) => Origin | undefined,
): OriginFile | undefined {
  if (!answers || file.newBlob === null) return undefined;
  const { whole, postProcessing } = answers;
  const answerOf = (line: number) => answers.answers.get(line) ?? unknown('the line was not found in the file');
  const runs = whole
    ? file.added.map(({ start, lines }) => ({ start, lines, origin: whole }))
    : file.added.flatMap((block) => cutRuns(block, (line) => originOf(answerOf(line), parent)));
  return { path: file.path, blob: file.newBlob, runs, ...(postProcessing.length > 0 && { postProcessing }) };
}
