import { type Origin, sameVoice, unknown } from '../lines/origin.ts';
import { isDistinct } from '../lines/text.ts';
import {
  type Answer,
  endGap,
  type FileAnswers,
  type FileJoin,
  joinFile,
  type ParentLine,
  wholeAnswer,
} from './file.ts';
import { type ChangedFile, findMoves, type Move } from './moves.ts';
import { WENT_AWAY } from './pool.ts';
import type { CommandWindow } from './window.ts';

/** One changed text file of a commit; `timeline` is there when agents have touched the file, or lines like its own elsewhere. */
export interface CommitFile extends ChangedFile {
  readonly timeline?: FileJoin;
  /** Without a timeline: why its lines may not be a person's. */
  readonly doubt?: string;
  /** Without a timeline: when agents' commands ran. */
  readonly commands?: readonly CommandWindow[];
}

export interface CommitJoin {
  readonly files: readonly CommitFile[];
  readonly time: number;
  readonly baseTime: number;
  readonly doubt?: string;
}

/** For every file of the commit, an answer for every added line, each exactly once. */
export function joinCommit(commit: CommitJoin): Map<string, FileAnswers> {
  const moves = findMoves(commit.files);
  const answers = new Map<string, FileAnswers>();
  const untouched = openUntouched(commit);
  for (const file of commit.files) {
    const joined = file.timeline ? joinFile(file.timeline) : allOf(file, untouched(file));
    const moved = moves.get(file.path);
    answers.set(file.path, moved ? withMoved(file, joined, moved) : joined);
  }
  return answers;
}

/** Who wrote a file that no agent is seen to have touched. Nearly always the same commands ran for all of them. */
function openUntouched(commit: CommitJoin): (file: CommitFile) => Origin {
  const known = new Map<readonly CommandWindow[], Origin>();
  return ({ doubt, commands = NONE }) => {
    if (doubt) return unknown(doubt);
    const origin = known.get(commands) ?? endGap({ ...commit, commands }, commit.baseTime);
    known.set(commands, origin);
    return origin;
  };
}

const NONE: readonly CommandWindow[] = [];

function withMoved(file: CommitFile, joined: FileAnswers, moved: ReadonlyMap<number, Move>): FileAnswers {
  const { answers, postProcessing, restored } = joined;
  const kept = [...moved].filter(([line, { sure, again, also }]) => {
    const answer = answers.get(line);
    return (sure || !wroteAnew(file, line, answer)) && (!(again || also) || isPersons(answer));
  });
  const settled = kept.map(([line, move]): [number, Answer] => [line, movedAnswer(move, answers.get(line))]);
  return { answers: new Map([...answers, ...settled]), postProcessing, ...(restored && { restored }) };
}

function movedAnswer({ movedFrom, also, doubtful }: Move, here: Answer | undefined): Answer {
  if (!doubtful || !here) return { movedFrom, ...(also && { also }) };
  return 'movedFrom' in here ? here : { movedFrom, or: here };
}

function isPersons(answer: Answer | undefined): boolean {
  return answer !== undefined && !('movedFrom' in answer) && answer.type === 'human';
}

/** An agent was seen to write a line that everybody writes: that such a line went elsewhere proves no move. */
function wroteAnew({ added }: CommitFile, line: number, answer: Answer | undefined): boolean {
  if (!answer || 'movedFrom' in answer || answer.type !== 'ai' || answer.evidence !== 'observed') return false;
  const block = added.find(({ start, lines }) => line >= start && line < start + lines.length);
  return !isDistinct(block?.lines[line - block.start] ?? '');
}

function allOf(file: CommitFile, origin: Origin): FileAnswers {
  return wholeAnswer(
    origin,
    file.added.map(({ start, lines }) => ({ start, end: start + lines.length - 1 })),
  );
}

/** The lines of the parent whose origins the answers want. */
export function movedLines(answers: Iterable<FileAnswers>): Map<string, Set<number>> {
  const wanted = new Map<string, Set<number>>();
  for (const file of answers) {
    // a hand that is known has moved nothing
    for (const answer of file.whole ? [] : file.answers.values()) {
      if (!('movedFrom' in answer)) continue;
      for (const { path, line } of [answer.movedFrom, ...(answer.also ?? [])]) {
        const set = wanted.get(path) ?? new Set<number>();
        wanted.set(path, set.add(line));
      }
    }
  }
  return wanted;
}

/** With the parent's origins at hand, every answer becomes an origin. */
export function originOf(answer: Answer, parent: (path: string, line: number) => Origin | undefined): Origin {
  if (!('movedFrom' in answer)) return answer;
  const { movedFrom, or, also = [] } = answer;
  const before = parent(movedFrom.path, movedFrom.line) ?? unknown('moved here from a line that has no record');
  const isOthers = ({ path, line }: ParentLine) => !sameVoice(parent(path, line) ?? before, before);
  if (also.some(isOthers)) return unknown(WENT_AWAY);
  return or && !sameVoice(or, before) ? unknown(WENT_AWAY) : before;
}
