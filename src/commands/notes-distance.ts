import { diffTrees } from '../git/diff.ts';
import { type GitPlace, runGit } from '../git/run.ts';
import { readAllNotes, readNotes } from '../notes/read.ts';
import { readNoteRefs, TRACE_REF } from '../notes/refs.ts';

/** Commits whose notes say something that the other side's do not. */
export interface NotesDistance {
  readonly remote: string;
  readonly ahead: number;
  readonly behind: number;
}

/** How far our notes and those fetched from each remote are apart; only notes that differ are read. */
export async function notesDistances(place: GitPlace): Promise<NotesDistance[]> {
  const { trace } = await readNoteRefs(place);
  const remotes = trace.filter((ref) => ref !== TRACE_REF);
  if (!trace.includes(TRACE_REF)) return Promise.all(remotes.map((ref) => allBehind(place, ref)));
  return Promise.all(remotes.map((ref) => distance(place, ref)));
}

async function allBehind(place: GitPlace, ref: string): Promise<NotesDistance> {
  return { remote: remoteOf(ref), ahead: 0, behind: (await readAllNotes(place, [ref])).notes.size };
}

function remoteOf(ref: string): string {
  return ref.slice('refs/notes/'.length, -'/agent/trace'.length);
}

async function distance(place: GitPlace, ref: string): Promise<NotesDistance> {
  const trees = await runGit(place, ['rev-parse', `${TRACE_REF}^{tree}`, `${ref}^{tree}`]);
  const [own = '', other = ''] = trees.toString('latin1').split('\n');
  const [changed] = await diffTrees(place, [[own, other]]);
  // notes lie in folders made of the first digits
  const commits = [...new Set(changed?.map(({ path }) => path.replaceAll('/', '')))];
  const [ours, theirs] = await Promise.all([readNotes(place, [TRACE_REF], commits), readNotes(place, [ref], commits)]);
  const lacks = (some: readonly string[] = [], others: readonly string[] = []) =>
    some.some((line) => !others.includes(line));
  return {
    remote: remoteOf(ref),
    ahead: commits.filter((commit) => lacks(ours.notes.get(commit), theirs.notes.get(commit))).length,
    behind: commits.filter((commit) => lacks(theirs.notes.get(commit), ours.notes.get(commit))).length,
  };
}
