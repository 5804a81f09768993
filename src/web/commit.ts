import type { Moment } from '../blame/moment.ts';

export interface Person extends Moment {
  readonly name: string;
  readonly mail: string;
}

export interface HistoryCommit {
  readonly id: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Person;
  readonly committer: Person;
  /** The `change-id` header, as jj and others write it. */
  readonly changeId?: string;
  readonly message: string;
}

/** A commit object as git stores it. Read here and not by isomorphic-git, which takes every commit for UTF-8. */
export function decodeCommit(id: string, bytes: Uint8Array): HistoryCommit {
  const latin1 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const text = decodeText(bytes, /^(?:[^\n]+\n)*?encoding ([^\n]+)\n/.exec(latin1)?.[1]);
  const end = text.indexOf('\n\n');
  const headers = (end < 0 ? text : text.slice(0, end)).split('\n');
  const values = (name: string) =>
    headers.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  const changeId = values('change-id')[0];
  return {
    id,
    tree: values('tree')[0] ?? '',
    parents: values('parent'),
    author: parsePerson(values('author')[0] ?? ''),
    committer: parsePerson(values('committer')[0] ?? ''),
    ...(changeId !== undefined && { changeId }),
    message: end < 0 ? '' : text.slice(end + 2),
  };
}

/** `NAME <MAIL> SECONDS ZONE`, read as git does: in names of long ago stand angle brackets too many. */
function parsePerson(value: string): Person {
  const open = value.indexOf('<');
  const close = value.indexOf('>', open);
  const [seconds, zone = '+0000'] = value
    .slice(value.lastIndexOf('>') + 1)
    .trim()
    .split(' ');
  return {
    name: (open < 0 ? value : value.slice(0, open)).trim(),
    mail: open < 0 || close < 0 ? '' : value.slice(open + 1, close),
    seconds: Number(seconds) || 0,
    zone,
  };
}

function decodeText(bytes: Uint8Array, encoding = 'utf-8'): string {
  try {
    return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
  } catch {
    // an encoding nobody knows: no byte is lost
    return Buffer.from(bytes).toString('latin1');
  }
}
