import { typedWord } from '../git/paths.ts';
import { ended, type GitPlace, offline, startGit } from '../git/run.ts';
import { TRACE_REF } from '../notes/refs.ts';
import type { LinesQuestion } from './blame-asked.ts';

/** What git says of commits: their parents, and how many digits its abbreviation has. */
export type CommitFacts = ReadonlyMap<string, CommitFact>;

interface CommitFact {
  readonly parents: readonly string[];
  readonly digits: number;
}

/** A commit that git blame will probably name, with the lines of its notes. */
export interface Foreseen extends CommitFact {
  readonly commit: string;
  readonly notes: readonly string[];
}

/** What is asked of a commit, as `readFact` reads it. */
export const FACT = '%H %h %P';
export const QUIET = ['--no-patch', '--no-show-signature', '--encoding=UTF-8'];
/** The standing lines of most files come from fewer; a longer history is not read in vain. */
const MOST = 2000;
/** Milliseconds that it may take longer than blame: reading the rest in another way takes as long. Blame of a few lines has few commits. */
const PATIENCE = 40;
/** More than honest notes of so many commits; the rest is read with care. */
const MAX_OUTPUT = 64 << 20;
/** Ours and those fetched from remotes, for a git that shows notes. */
const NOTES = { GIT_NOTES_REF: TRACE_REF, GIT_NOTES_DISPLAY_REF: `${TRACE_REF}:refs/notes/*/agent/trace` };

/**
 * The commits that git blame will probably name, while it still looks for them: those that changed the file. Blame takes seconds where
 * this takes milliseconds; should it be done first, what is known by then is enough. A note that this way shows nothing of (too large, not
 * in this clone) is left to those who can say why.
 */
export function foresee(
  place: GitPlace,
  { revisions, files, gitArgs }: Pick<LinesQuestion, 'revisions' | 'files' | 'gitArgs'>,
  blamed: Promise<unknown>,
): AsyncIterable<readonly Foreseen[]> {
  const mark = `${Math.random()}${Math.random()}`; // no note can have it
  const patience = gitArgs.some((word) => word.startsWith('-L')) ? 0 : PATIENCE;
  const shown = [`--format=${mark}${FACT}%n%N`, '--notes', ...QUIET];
  const args = [
    '--literal-pathspecs',
    'log',
    `--max-count=${MOST}`,
    ...shown,
    ...revisions,
    '--',
    ...files.map(typedWord),
  ];
  const { cwd, env } = offline(place);
  const child = startGit({ cwd, env: { ...env, ...NOTES } }, args, 'ignore');
  const stop = () => void setTimeout(() => child.kill(), patience).unref();
  blamed.then(stop, stop);
  const end = ended(child);
  end.catch(() => {});
  child.stderr?.resume();
  child.stdout?.setEncoding('utf8');
  return parts();

  async function* parts(): AsyncGenerator<readonly Foreseen[]> {
    let open = '';
    let size = 0;
    for await (const chunk of child.stdout ?? []) {
      size += chunk.length;
      if (size > MAX_OUTPUT) break;
      const sections = `${open}${chunk}`.split(mark);
      open = sections.pop() ?? '';
      yield sections.filter(Boolean).map(readSection);
    }
    // what was cut short tells nothing
    if ((await end) === 0 && size <= MAX_OUTPUT && open !== '') yield [readSection(open)];
  }
}

function readSection(section: string): Foreseen {
  const [head = '', ...notes] = section.split('\n');
  return { ...readFact(head), notes: [...new Set(notes.filter((line) => line.trim() !== ''))] };
}

export function readFact(line: string): CommitFact & { readonly commit: string } {
  const [commit = '', short = '', ...parents] = line.split(' ');
  return { commit, parents, digits: short.length };
}
