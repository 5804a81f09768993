import { askGit, type GitPlace, offline } from '../git/run.ts';
import { type NotesRead, readNotes } from '../notes/read.ts';
import { type CommitFacts, FACT, QUIET, readFact } from './foresight.ts';

/** The facts that are known, and those of the other commits. */
export async function completeFacts(
  place: GitPlace,
  known: CommitFacts,
  commits: readonly string[],
): Promise<CommitFacts> {
  const missing = commits.filter((commit) => !known.has(commit));
  if (missing.length === 0) return known;
  const args = ['log', '--no-walk=unsorted', '--stdin', `--format=${FACT}`, '--no-notes', ...QUIET];
  const { out } = await askGit(offline(place), args, missing.join('\n'));
  const facts = out.toString('latin1').split('\n').filter(Boolean).map(readFact);
  return new Map([...known, ...facts.map((fact) => [fact.commit, fact] as const)]);
}

/** The notes that were read already, and those of the other commits. */
export async function completeNotes(
  place: GitPlace,
  refs: readonly string[],
  { known, commits }: { readonly known: NotesRead; readonly commits: readonly string[] },
): Promise<NotesRead> {
  const missing = commits.filter((commit) => !known.notes.has(commit));
  if (missing.length === 0) return known;
  const more = await readNotes(place, refs, missing);
  return {
    notes: new Map([...known.notes, ...more.notes]),
    skipped: known.skipped + more.skipped,
    unread: [...new Set([...known.unread, ...more.unread])],
  };
}
