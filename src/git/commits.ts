import { type GitObjects, type ObjectReader, readObjects } from './objects.ts';
import type { GitPlace } from './run.ts';

export interface Person {
  readonly name: string;
  readonly mail: string;
  /** Seconds since 1970. */
  readonly time: number;
  readonly zone: string;
}

export interface Commit {
  readonly id: string;
  readonly tree: string;
  /** As the commit says, also where a shallow clone does not have them. */
  readonly parents: readonly string[];
  readonly author: Person;
  readonly committer: Person;
  /** The `change-id` header, as jj and others write it. */
  readonly changeId?: string;
  /** Every header in order; values of several lines are joined by LF. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly message: string;
}

/** A commit object of more than this is no commit that anybody wrote. */
const MAX_COMMIT = 16 << 20;

type Commits = Map<string, Commit>;

/** Commits that are not here are not in the answer. */
export async function readCommits(place: GitPlace, ids: readonly string[]): Promise<Commits> {
  return decodeCommits(await readObjects(place, ids));
}

/** The same, and beside them those of their first parents that are none of them. */
export async function readWithParents(
  reader: ObjectReader,
  ids: readonly string[],
): Promise<{ readonly commits: Commits; readonly parents: Commits }> {
  const commits = decodeCommits(await reader.read(ids));
  const first = [...commits.values()].flatMap(({ parents }) => parents.slice(0, 1));
  return { commits, parents: decodeCommits(await reader.read(first.filter((id) => !commits.has(id)))) };
}

/** Those of the objects that are commits. */
export function decodeCommits(objects: GitObjects): Commits {
  const commits: Commits = new Map();
  for (const [name, object] of objects) {
    if (object?.type === 'commit' && object.bytes.length <= MAX_COMMIT) commits.set(name, decodeCommit(object));
  }
  return commits;
}

export function decodeCommit({ id, bytes }: { readonly id: string; readonly bytes: Buffer }): Commit {
  const end = bytes.indexOf('\n\n');
  const head = end < 0 ? bytes : bytes.subarray(0, end);
  const encoding = head.includes('\nencoding ') ? ENCODING.exec(head.toString('latin1'))?.[1] : undefined;
  const headers = parseHeaders(decodeText(head, encoding));
  const parents: string[] = [];
  // each counts where it is said first
  const said = new Map<string, string>();
  for (const [name, value] of headers) {
    if (name === 'parent') parents.push(value);
    else if (!said.has(name)) said.set(name, value);
  }
  const [author = '', committer = '', changeId] = [said.get('author'), said.get('committer'), said.get('change-id')];
  const person = parsePerson(author);
  const commit: { -readonly [K in keyof Commit]: Commit[K] } = {
    id,
    tree: said.get('tree') ?? '',
    parents,
    author: person,
    committer: committer === author ? person : parsePerson(committer),
    headers,
    message: end < 0 ? '' : decodeText(bytes.subarray(end + 2), encoding),
  };
  if (changeId !== undefined) commit.changeId = changeId;
  return commit;
}

const ENCODING = /^encoding (.+)$/m;

/** Lines that begin with a space continue the header before them: signatures, `jj:trees`. */
function parseHeaders(head: string): [string, string][] {
  const headers: [string, string][] = [];
  for (const line of head.split('\n')) {
    const last = headers.at(-1);
    if (line.startsWith(' ') && last) last[1] += `\n${line.slice(1)}`;
    else {
      const space = line.indexOf(' ');
      headers.push(space < 0 ? [line, ''] : [line.slice(0, space), line.slice(space + 1)]);
    }
  }
  return headers;
}

function parsePerson(value: string): Person {
  const [, name = '', mail = '', time = '0', zone = '+0000'] =
    /^(.*?) ?<(.*)> ?(-?\d+)? ?([+-]\d+)?$/.exec(value) ?? [];
  return { name, mail, time: Number(time), zone };
}

function decodeText(bytes: Buffer, encoding: string | undefined): string {
  if (encoding === undefined) return bytes.toString('utf8');
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    // an encoding nobody knows: no byte is lost
    return bytes.toString('latin1');
  }
}
