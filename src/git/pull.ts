import type { GitWord } from './paths.ts';
import { beginGit, type GitAnswer, type GitInput, type GitPlace } from './run.ts';

/** A git that is at work on a long answer. */
export interface PulledGit {
  /** Pieces of whole lines, to be gone through once. */
  readonly pieces: AsyncIterable<Buffer>;
  readonly end: Promise<Omit<GitAnswer, 'out'>>;
  /** Ends it, whether or not anything was read. */
  stop(): void;
}

/** Starts git at once. What nobody has asked for yet stays in its pipe: git waits then, and nothing piles up. */
export function pullLines(place: GitPlace, args: readonly GitWord[], input?: GitInput): PulledGit {
  const { child, end } = beginGit(place, args, input);
  end.catch(() => {});
  // else node throws away what is still unread when git ends
  child.stdout?.on('readable', () => {});
  return { pieces: wholeLines(child.stdout ?? []), end, stop: () => void child.kill() };
}

const LF = 10;

export async function* wholeLines(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
  const rest: Buffer[] = [];
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(LF) + 1;
    if (end > 0) yield Buffer.concat([...rest.splice(0), chunk.subarray(0, end)]);
    if (end < chunk.length) rest.push(chunk.subarray(end));
  }
  if (rest.length > 0) yield Buffer.concat(rest);
}
