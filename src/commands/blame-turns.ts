import type { Missed } from '../notes/read.ts';
import type { AskedBlames, AskedFile, LinesQuestion } from './blame-asked.ts';
import { type Inquiry, openInquiry, type Records, readRecords } from './blame-known.ts';
import { allCommits, type FileBlame, type Turn, wholeTurn } from './blame-lines.ts';
import { type StreamedBlame, streamTurn } from './blame-stream.ts';
import type { World } from './command.ts';

export type Told = FileBlame | StreamedBlame;

export interface BlamesInTurn extends Missed {
  /** One after the other, each when the one before has been taken; to be gone through once. */
  readonly files: AsyncIterable<Told>;
  /** Hex digits that tell the commits of all files apart. */
  readonly abbrev: number;
}

/**
 * Who wrote each line of the files, told file by file. Git is asked of all of them before the first is told: where it refuses one, nothing
 * is, and revisions are as long as the last file needs them.
 */
export async function blameInTurn(world: World, question: LinesQuestion, asked: AskedBlames): Promise<BlamesInTurn> {
  const inquiry = await openInquiry(world, question, asked);
  const turns: Turn<Told>[] = [];
  for (const [i, file] of asked.files.entries()) turns.push(await turnOf(inquiry, file, i));
  const records = await readRecords(inquiry, allCommits(turns));
  const files = tellAll(turns, records);
  // what is wrong with the first one is said before anything is shown
  const first = await files.next();
  const { abbrev, skipped, unread } = records;
  return { files: first.done ? files : after(first.value, files), abbrev, skipped, unread };
}

async function turnOf(inquiry: Inquiry, asked: AskedFile, nth: number): Promise<Turn<Told>> {
  const [{ huge }, file] = [asked, inquiry.files[nth] ?? ''];
  const streamed = huge && (await streamTurn(inquiry, { huge, file, first: nth === 0 }));
  return streamed ?? wholeTurn(inquiry, asked, file);
}

/** Takes them from the list, so that what was told is let go. */
async function* tellAll(turns: Turn<Told>[], records: Records): AsyncGenerator<Told> {
  try {
    for (let turn = turns.shift(); turn; turn = turns.shift()) {
      const told = await turn.tell(records);
      turns[0]?.prepare();
      // nothing pending is read any more, and the last one may stay in a pager for long
      if (turns.length === 0) records.pending.wake();
      yield told;
    }
  } finally {
    // the reader has gone
    if (turns.length > 0) records.pending.wake();
  }
}

async function* after<T>(first: T, others: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    yield first;
    yield* others;
  } finally {
    await others.return(undefined);
  }
}
