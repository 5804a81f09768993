import { askGit, ended, type GitPlace, offline, startGit } from '../git/run.ts';
import { type NotesRead, readNotes } from '../notes/read.ts';

/** What git says of commits: their parents, and how many digits its abbreviation has. */
export type CommitFacts = ReadonlyMap<string, { readonly parents: readonly string[]; readonly digits: number }>;

const FORMAT = ['--format=%H %h %P', '--no-patch', '--no-show-signature', '--no-notes'];
/** The standing lines of most files come from fewer; a longer history is not read in vain. */
const MOST = 2000;

/**
 * The commits that git blame will probably name, while it still looks for them: those that changed the file. Blame takes seconds where
 * this takes milliseconds; should it be done first, what is known by then is enough.
 */
export async function guessCommits(
  place: GitPlace,
  { revisions, files }: { readonly revisions: readonly string[]; readonly files: readonly string[] },
  blamed: Promise<unknown>,
): Promise<CommitFacts> {
  const args = ['--literal-pathspecs', 'log', `--max-count=${MOST}`, ...FORMAT, ...revisions, '--', ...files];
  const child = startGit(offline(place), args, 'ignore');
  const out: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr?.resume();
  const stop = () => void child.kill();
  blamed.then(stop, stop);
  await ended(child);
  return parseFacts(Buffer.concat(out).toString('latin1'));
}

function parseFacts(text: string): Map<string, { parents: readonly string[]; digits: number }> {
  const facts = new Map<string, { parents: readonly string[]; digits: number }>();
  // a last line that was cut short tells nothing
  for (const line of text.slice(0, text.lastIndexOf('\n') + 1).split('\n')) {
    const [commit = '', short = '', ...parents] = line.split(' ');
    if (commit !== '') facts.set(commit, { parents, digits: short.length });
  }
  return facts;
}

/** The facts that were guessed, and those of the commits that were not. */
export async function completeFacts(
  place: GitPlace,
  known: CommitFacts,
  commits: readonly string[],
): Promise<CommitFacts> {
  const missing = commits.filter((commit) => !known.has(commit));
  if (missing.length === 0) return known;
  const { out } = await askGit(offline(place), ['log', '--no-walk=unsorted', '--stdin', ...FORMAT], missing.join('\n'));
  return new Map([...known, ...parseFacts(out.toString('latin1'))]);
}

/** The notes that were read ahead, and those of the commits that were not guessed. */
export async function completeNotes(
  place: GitPlace,
  refs: readonly string[],
  { guessed, commits, read }: Completion,
): Promise<NotesRead> {
  const missing = commits.filter((commit) => !guessed.has(commit));
  if (missing.length === 0) return read;
  const more = await readNotes(place, refs, missing);
  return { notes: new Map([...read.notes, ...more.notes]), skipped: read.skipped + more.skipped };
}

export interface Completion {
  readonly guessed: CommitFacts;
  readonly commits: readonly string[];
  readonly read: NotesRead;
}
