import { Fault } from '../fault.ts';
import { diffTrees } from '../git/diff.ts';
import { withObjects } from '../git/objects.ts';
import { type GitPlace, runGit } from '../git/run.ts';
import { findTorn, findUnread, readAllNotes, readNotes } from '../notes/read.ts';
import { readNoteRefs, TRACE_REF } from '../notes/refs.ts';

/** Commits whose notes say something that the other side's do not. */
export interface NotesDistance {
  readonly remote: string;
  readonly ahead: number;
  readonly behind: number;
}

export interface NotesDistances {
  /** Of those whose notes can be read. */
  readonly remotes: readonly NotesDistance[];
  /** Refs of notes that cannot be read, or not all of them. */
  readonly unread: readonly string[];
}

/** How far our notes and those fetched from each remote are apart; only notes that differ are read. */
export async function notesDistances(place: GitPlace): Promise<NotesDistances> {
  const refs = await readNoteRefs(place);
  const all = [...refs.trace, ...refs.log, ...refs.seal];
  const unread = await withObjects(place, (reader) => findTorn(reader, all));
  const trace = refs.trace.filter((ref) => !unread.includes(ref));
  const compare = trace.includes(TRACE_REF) ? distance : allBehind;
  const others = trace.filter((ref) => ref !== TRACE_REF);
  try {
    return { remotes: await Promise.all(others.map((ref) => compare(place, ref))), unread };
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'git') throw error;
    // a folder further down is not here: in which of them, a look at all tells
    return { remotes: [], unread: await findUnread(place, all) };
  }
}

const treeOf = (ref: string) => `${ref}^{tree}`;

async function allBehind(place: GitPlace, ref: string): Promise<NotesDistance> {
  const { notes, unread } = await readAllNotes(place, [ref]);
  if (unread.length > 0) throw new Fault('git', `${ref} cannot be read.`);
  return { remote: remoteOf(ref), ahead: 0, behind: notes.size };
}

function remoteOf(ref: string): string {
  return ref.slice('refs/notes/'.length, -'/agent/trace'.length);
}

async function distance(place: GitPlace, ref: string): Promise<NotesDistance> {
  const trees = await runGit(place, ['rev-parse', treeOf(TRACE_REF), treeOf(ref)]);
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
