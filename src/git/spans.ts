import { decodePath, pathWord, type RepoPath, unquote } from './paths.ts';
import { amongObjects, askGit, type GitPlace, gitFault, LACKS_CONTENTS, lackingFault, offline } from './run.ts';

/** Lines in a row that stand in a file now and were written in a row by one commit. */
export interface Span {
  readonly commit: string;
  /** The file's name in that commit. */
  readonly file: RepoPath;
  readonly originalStart: number;
  readonly start: number;
  readonly count: number;
}

/** Which commits wrote the lines of a file, without the lines themselves: what there is to count. */
export async function readSpans(place: GitPlace, revision: string, file: RepoPath): Promise<Span[]> {
  // git blame does not know --end-of-options; the revision is a commit's id
  const args = ['blame', '--incremental', '--no-textconv', revision, '--', pathWord(file)];
  const answer = await askGit(offline(place), args);
  if (answer.code !== 0) throw LACKS_CONTENTS.test(answer.err) ? lackingFault() : gitFault(args, answer);
  return parseSpans(answer.out);
}

/** `ID ORIGINAL FINAL COUNT`, headers of a commit that was not named before, and `filename` at the end. */
export function parseSpans(out: Buffer): Span[] {
  const spans: Span[] = [];
  const keep = keeper();
  let open: string[] | undefined;
  for (const line of out.toString('latin1').split('\n')) {
    if (open && line.startsWith('filename ')) {
      const [commit = '', original, final, count] = open;
      const file = keep(unquote(line.slice('filename '.length)));
      spans.push({
        commit: keep(commit),
        file,
        originalStart: Number(original),
        start: Number(final),
        count: Number(count),
      });
      open = undefined;
    } else if (!open && /^[0-9a-f]{40,64} \d+ \d+ \d+$/.test(line)) open = line.split(' ');
  }
  return spans.sort((a, b) => a.start - b.start);
}

/** A part of a long text holds on to all of it: what is kept of git's output is copied, each word once. */
function keeper(): (text: string) => string {
  const kept = new Map<string, string>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const copy = Buffer.from(text, 'utf8').toString('utf8');
    kept.set(copy, copy);
    return copy;
  };
}

/** Files of a revision that git takes for text and that have a line at least, with the number of their lines, by one process. */
export async function countTextLines(place: GitPlace, revision: string): Promise<Map<string, number>> {
  const args = [
    'grep',
    '--no-color',
    '--no-recurse-submodules',
    '--full-name',
    '-I',
    '-c',
    '-z',
    '-e',
    '',
    revision,
    '--',
  ];
  // as commits are compared: what is text, no committed attribute decides
  const { code, out, err } = await askGit(amongObjects(place), args);
  if (code > 1) throw LACKS_CONTENTS.test(err) ? lackingFault() : gitFault(args, { code, err });
  const found = out.toString('latin1').matchAll(COUNTED);
  const prefix = `${revision}:`.length;
  return new Map(
    Array.from(found, ([, name = '', lines]) => [decodePath(Buffer.from(name.slice(prefix), 'latin1')), Number(lines)]),
  );
}

/** `REVISION:NAME`, NUL, the number. */
const COUNTED = /([^\0]+)\0(\d+)\n/g;
