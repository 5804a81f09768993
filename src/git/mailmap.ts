import { askGit, type GitPlace, offline } from './run.ts';

export interface Contact {
  readonly name: string;
  readonly mail: string;
}

const key = ({ name, mail }: Contact) => `${name} <${mail}>`;

/** Who people are by `.mailmap`, as git blame and shortlog have it, with one process. Whom git does not take is as they say. */
export async function mapContacts<T extends Contact>(place: GitPlace, all: readonly T[]): Promise<(one: T) => Contact> {
  const asked = [...new Set(all.map(key))].filter((contact) => /^[^<>\n\0]*<[^<>\n\0]+>$/.test(contact));
  if (asked.length === 0) return (one) => one;
  const { out } = await askGit(offline(place), ['check-mailmap', '--stdin'], `${asked.join('\n')}\n`);
  const told = out.toString('utf8').split('\n').slice(0, -1);
  if (told.length !== asked.length) return (one) => one;
  const known = new Map(asked.map((contact, i) => [contact, parseContact(told[i] ?? '')]));
  return (one) => known.get(key(one)) ?? one;
}

function parseContact(text: string): Contact | undefined {
  const [, name, mail] = /^(.*?) ?<([^<>]*)>$/.exec(text) ?? [];
  return name === undefined || mail === undefined ? undefined : { name, mail };
}
