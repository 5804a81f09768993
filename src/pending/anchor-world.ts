import type { Rewritten } from '../anchor/lineage.ts';
import { withUnwritten } from '../anchor/overlay.ts';
import type { Repository } from '../git/repository.ts';
import { openIndex } from '../notes/index/index.ts';
import { readNotes } from '../notes/read.ts';
import { readNoteRefs } from '../notes/refs.ts';
import { parseNote } from '../trace/parse.ts';
import type { AnchorWorld } from './anchors.ts';
import type { NoteLines } from './records.ts';

/** The notes as they are, and what is about to be added to them. */
export async function anchorWorld(
  repository: Repository,
  rewrites: readonly Rewritten[],
  unwritten: ReadonlyMap<string, Pick<NoteLines, 'trace'>>,
): Promise<AnchorWorld> {
  const { place } = repository;
  const { trace } = await readNoteRefs(place);
  const index = await openIndex(repository, trace);
  const parsed = new Map([...unwritten].map(([id, one]) => [id, parseNote(one.trace).records]));
  return {
    place,
    rewrites,
    index: withUnwritten(index, parsed),
    async records(commits) {
      const { notes } = await readNotes(place, trace, commits);
      return new Map(commits.map((id) => [id, [...parseNote(notes.get(id) ?? []).records, ...(parsed.get(id) ?? [])]]));
    },
  };
}
