import type { AttributedRange } from '../trace/attribution.ts';
import { type Cover, coversOf } from '../trace/covers.ts';
import { revisionOf, speaksOf } from '../trace/own.ts';
import { parseNote } from '../trace/parse.ts';
import type { TraceRecord } from '../trace/record.ts';
import type { Found, LineBook, Row } from './annotate.ts';

export interface RecordSources {
  /** Note lines of a commit, written and pending. */
  lines(commit: string): readonly string[];
  parents(commit: string): readonly string[];
}

/** Reads a commit's note when the first line asks for it, and a file's ranges when its first line does. */
export function openRecords(sources: RecordSources): LineBook {
  const notes = new Map<string, Note>();
  return bookOf((commit) => {
    const known = notes.get(commit) ?? openNote(commit, sources);
    notes.set(commit, known);
    return known;
  });
}

/** The same for who asks commit by commit: a note is let go when the next one is asked for. */
export function openInTurn(sources: RecordSources): LineBook {
  let last: { readonly commit: string; readonly note: Note } | undefined;
  return bookOf((commit) => {
    if (last?.commit !== commit) last = { commit, note: openNote(commit, sources) };
    return last.note;
  });
}

function bookOf(noteOf: (commit: string) => Note): LineBook {
  const findRow = (commit: string, file: string, line: number): Row => {
    const note = noteOf(commit);
    if (note.empty) return { said: 'no record', end: line };
    const part = coverIn(note, file).part(line);
    return part ? { said: foundBy(note, part.by), end: part.end } : { said: 'not covered', end: line };
  };
  return { find: (commit, file, line) => findRow(commit, file, line).said, findRow };
}

function openNote(commit: string, sources: RecordSources): Note {
  const records = readNote(commit, sources);
  return { empty: records.length === 0, cover: coversOf(records), covers: new Map(), answers: new Map() };
}

function coverIn({ cover, covers }: Note, file: string): Cover {
  const known = covers.get(file) ?? cover(file);
  covers.set(file, known);
  return known;
}

/** One answer for all lines of a range: printers know it again. */
function foundBy({ answers }: Note, range: AttributedRange): Found {
  const known = answers.get(range);
  if (known) return known;
  const { origin, record, url } = range;
  const found: Found = url
    ? { origin, via: 'note', trace: record, conversation: url }
    : { origin, via: 'note', trace: record };
  answers.set(range, found);
  return found;
}

interface Note {
  /** No record speaks of the commit. */
  readonly empty: boolean;
  cover(file: string): Cover;
  readonly covers: Map<string, Cover>;
  readonly answers: Map<AttributedRange, Found>;
}

/** The records that count this commit's lines: one that names another revision counts lines we are not looking at. */
export function readNote(commit: string, sources: RecordSources): readonly TraceRecord[] {
  return parseNote(sources.lines(commit)).records.filter(
    (record) => revisionOf(record) === undefined || speaksOf(record, commit, sources.parents(commit)) !== 'other',
  );
}
