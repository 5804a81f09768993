import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { blameArguments } from '../git/blame.ts';
import { diskPath } from '../git/disk-path.ts';
import { pathOf, pathWord } from '../git/paths.ts';
import { type PulledGit, pullLines } from '../git/pull.ts';
import { askGit, type GitAnswer } from '../git/run.ts';
import type { Asking, LinesQuestion } from './blame-asked.ts';
import { quietly } from './quietly.ts';

/**
 * What git is asked of a huge file: first who wrote which lines, without their texts. That is little, and there as soon as git has found
 * out: columns, notes and anchors need no more. The texts are then told as they are read, and what is told is what the whole would say.
 */
export interface AskedHuge {
  readonly spans: Promise<GitAnswer>;
  /** The id that the file in the work tree has for git; undefined where other contents are asked for. */
  readonly blob: Promise<GitAnswer> | undefined;
  /** Git's own output, read as it is wanted: where it is passed on, or only git knows the texts. It has to find out all once more for it. */
  pull(): PulledGit;
  stop(): void;
}

export function askHuge(name: string, { place, question, input, inTurn }: Asking): AskedHuge | undefined {
  const file = pathOf(name);
  if (!isHuge(diskPath(place.cwd, file), question, { cwd: place.cwd, input })) return undefined;
  const own = !question.passesOn && question.revisions.length === 0 && question.contents === undefined;
  // two gits on one processor take longer than waiting for one
  if (!own && os.availableParallelism() < 2) return undefined;
  const options = blameOptions({ ...question, everyHeader: false });
  const spans = quietly(inTurn(() => askGit(place, blameArguments({ options, file }, '--incremental'), input)));
  const blob = own ? quietly(inTurn(() => askGit(place, ['hash-object', '--', pathWord(file)]))) : undefined;
  let pulled: PulledGit | undefined;
  const pull = () => {
    pulled ??= pullLines(place, blameArguments({ options: blameOptions(question), file }), input);
    return pulled;
  };
  // of several files the next ones' texts are asked for in their turn
  if (!own && name === question.files[0]) pull();
  return { spans, blob, pull, stop: () => pulled?.stop() };
}

/** A few lines of it are no more than those of another. */
function isHuge(
  file: Buffer,
  { gitArgs, contents, hugeFrom }: LinesQuestion,
  { cwd, input }: { readonly cwd: string; readonly input: Buffer | undefined },
): boolean {
  if (hugeFrom === undefined || gitArgs.some((word) => word.startsWith('-L'))) return false;
  if (input) return input.length >= hugeFrom;
  try {
    // a link's own contents are what git blames
    const stat = contents === undefined ? fs.lstatSync(file) : fs.statSync(path.resolve(cwd, contents));
    return stat.isFile() && stat.size >= hugeFrom;
  } catch {
    return false; // git says what is wrong with it
  }
}

export function blameOptions({ everyHeader, gitArgs, revisions }: LinesQuestion): string[] {
  return [...(everyHeader ? ['--line-porcelain'] : []), ...gitArgs, ...revisions];
}
