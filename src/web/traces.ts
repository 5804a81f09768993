import { parseNote } from '../trace/parse.ts';
import type { TraceRecord } from '../trace/record.ts';
import { readNotes, traceRefs } from './notes.ts';
import { openRepository, type Place } from './repository.ts';

export interface TracesQuestion extends Place {
  /** Full ids; they need not be in the clone. Without: every commit that has a note. */
  readonly commits?: Iterable<string>;
  /** Notes refs in full. Without: `refs/notes/agent/trace` and what was fetched as `refs/notes/REMOTE/agent/trace`. */
  readonly refs?: readonly string[];
}

export interface Traces {
  /** By commit, in order of their ids: every record that a note of the commit holds, each once. */
  readonly records: ReadonlyMap<string, readonly TraceRecord[]>;
  /** Lines of notes that are no records. */
  readonly foreign: number;
  /** Notes that are too large, damaged, wholly or in part, or not in this clone. */
  readonly skipped: number;
  /** Notes refs that cannot be read, or not all of them. */
  readonly unread: readonly string[];
}

/** The Agent Trace records of commits: the union of local and fetched notes. */
export async function readTraces(question: TracesQuestion): Promise<Traces> {
  const repository = openRepository(question);
  await repository.ready();
  const refs = question.refs ?? (await traceRefs(repository));
  const { notes, skipped, unread } = await readNotes(repository, refs, question.commits);
  const records = new Map<string, readonly TraceRecord[]>();
  let foreign = 0;
  for (const [commit, lines] of notes) {
    const parsed = parseNote(lines);
    foreign += parsed.foreign.length;
    if (parsed.records.length > 0) records.set(commit, parsed.records);
  }
  return { records, foreign, skipped, unread };
}
