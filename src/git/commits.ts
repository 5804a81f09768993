import { isAscii } from 'node:buffer';
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

/** A push has thousands: most are plain ASCII, and are decoded once, as a whole. Only what is asked for is taken out of the head. */
export function decodeCommit({ id, bytes }: { readonly id: string; readonly bytes: Buffer }): Commit {
  const raw = bytes.toString('latin1');
  const end = raw.indexOf('\n\n');
  const head = end < 0 ? raw : raw.slice(0, end);
  const encoding = head.includes('\nencoding ') ? ENCODING.exec(head)?.[1] : undefined;
  const decode = isAscii(bytes)
    ? (part: string) => part
    : (part: string) => decodeText(Buffer.from(part, 'latin1'), encoding);
  const said = firstHeaders(head);
  const [author = '', committer = '', changeId] = [said.author, said.committer, said['change-id']];
  const person = parsePerson(decode(author));
  const commit: { -readonly [K in keyof Commit]: Commit[K] } = {
    id,
    tree: said.tree ?? '',
    parents: said.parents,
    author: person,
    committer: committer === author ? person : parsePerson(decode(committer)),
    message: end < 0 ? '' : decode(raw.slice(end + 2)),
    get headers() {
      return parseHeaders(decode(head));
    },
  };
  if (changeId !== undefined) commit.changeId = decode(changeId);
  return commit;
}

const ENCODING = /^encoding (.+)$/m;

interface First {
  readonly parents: string[];
  tree?: string;
  author?: string;
  committer?: string;
  'change-id'?: string;
}

/** The headers that are asked for; each counts where it is said first. */
function firstHeaders(head: string): First {
  const first: First = { parents: [] };
  for (let at = 0, end = 0; end >= 0; at = end + 1) {
    end = head.indexOf('\n', at);
    // what goes on in the next line is a signature, or nothing that any of these may have
    if (head.charCodeAt(at) === SPACE) continue;
    const space = head.indexOf(' ', at);
    const name = head.slice(at, space);
    const value = () => head.slice(space + 1, end < 0 ? undefined : end);
    if (name === 'parent') first.parents.push(value());
    else if (isFirst(name)) first[name] ??= value();
  }
  return first;
}

const SPACE = 32;
const FIRST = ['tree', 'author', 'committer', 'change-id'] as const;

function isFirst(name: string): name is (typeof FIRST)[number] {
  return (FIRST as readonly string[]).includes(name);
}

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

const NOBODY: Person = { name: '', mail: '', time: 0, zone: '+0000' };
const WHEN = /^ ?(-?\d+)? ?([+-]\d+)?$/;

/** `NAME <MAIL> TIME ZONE`, without whatever is missing. */
function parsePerson(value: string): Person {
  const [left, right] = [value.indexOf('<'), value.lastIndexOf('>')];
  const when = left >= 0 && right > left ? WHEN.exec(value.slice(right + 1)) : null;
  if (!when) return NOBODY;
  const name = value.slice(0, value[left - 1] === ' ' ? left - 1 : left);
  return { name, mail: value.slice(left + 1, right), time: Number(when[1] ?? 0), zone: when[2] ?? '+0000' };
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
