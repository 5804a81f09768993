import { type Cover, originsOf } from '../trace/covers.ts';
import { revisionOf, speaksOf } from '../trace/own.ts';
import { parseNote } from '../trace/parse.ts';
import type { TraceRecord } from '../trace/record.ts';
import type { RecordBook } from './annotate.ts';

export interface RecordSources {
  /** Note lines of a commit, written and pending. */
  lines(commit: string): readonly string[];
  parents(commit: string): readonly string[];
}

/** Reads a commit's note when the first line asks for it, and a file's ranges when its first line does. */
export function openRecords(sources: RecordSources): RecordBook {
  const notes = new Map<string, Note>();
  const noteOf = (commit: string): Note => {
    const known = notes.get(commit);
    if (known) return known;
    const read = { records: readNote(commit, sources), covers: new Map<string, Cover>() };
    notes.set(commit, read);
    return read;
  };
  return {
    find(commit, file, line) {
      const note = noteOf(commit);
      if (note.records.length === 0) return 'no record';
      const cover = note.covers.get(file) ?? originsOf(note.records, file);
      note.covers.set(file, cover);
      const by = cover.at(line);
      if (!by) return 'not covered';
      return { origin: by.origin, via: 'note', trace: by.record, ...(by.url ? { conversation: by.url } : {}) };
    },
  };
}

interface Note {
  readonly records: readonly TraceRecord[];
  readonly covers: Map<string, Cover>;
}

/** The records that count this commit's lines: one that names another revision counts lines we are not looking at. */
export function readNote(commit: string, sources: RecordSources): readonly TraceRecord[] {
  return parseNote(sources.lines(commit)).records.filter(
    (record) => revisionOf(record) === undefined || speaksOf(record, commit, sources.parents(commit)) !== 'other',
  );
}
