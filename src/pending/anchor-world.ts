import type { Rewritten } from '../anchor/lineage.ts';
import { type Lookup, withUnwritten } from '../anchor/overlay.ts';
import type { Repository } from '../git/repository.ts';
import { openIndex } from '../notes/index/index.ts';
import { readNotes } from '../notes/read.ts';
import { readNoteRefs } from '../notes/refs.ts';
import { withoutCopied } from '../trace/own.ts';
import { parseNote } from '../trace/parse.ts';
import type { NoteLines } from './records.ts';
import type { AnchorWorld } from './search.ts';

/** The notes as they are: what they can be found by, and where they are read. */
export interface OpenNotes {
  readonly refs: readonly string[];
  readonly index: Lookup;
}

export async function openNotes(repository: Repository): Promise<OpenNotes> {
  const { trace } = await readNoteRefs(repository.place);
  return { refs: trace, index: await openIndex(repository, trace) };
}

/** The notes as they are, and what is about to be added to them. `opened`: for those who have opened them already. */
export async function anchorWorld(
  repository: Repository,
  rewrites: readonly Rewritten[],
  unwritten: ReadonlyMap<string, Pick<NoteLines, 'trace'>>,
  opened?: OpenNotes,
): Promise<AnchorWorld> {
  const { place } = repository;
  const { refs, index } = opened ?? (await openNotes(repository));
  const parsed = new Map([...unwritten].map(([id, one]) => [id, parseNote(one.trace).records]));
  return {
    place,
    rewrites,
    index: withUnwritten(index, parsed),
    async records(commits) {
      const { notes } = await readNotes(place, refs, commits);
      const written = (id: string) => withoutCopied(parseNote(notes.get(id) ?? []).records, id);
      return new Map(commits.map((id) => [id, [...written(id), ...(parsed.get(id) ?? [])]]));
    },
  };
}
