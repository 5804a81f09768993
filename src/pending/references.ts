import type { GitPlace } from '../git/run.ts';
import { isObject, parseJson } from '../json.ts';
import { readAllNotes } from '../notes/read.ts';
import { readNoteRefs } from '../notes/refs.ts';
import { parseConversationUrl } from '../trace/conversation.ts';

/** What notes, ours and those of remotes, speak of. */
export interface References {
  /** Of the sessions asked for, those that some note refers to in whatever way. */
  readonly sessions: ReadonlySet<string>;
  /** Commits that have a note. */
  readonly commits: ReadonlySet<string>;
  /** Notes, and refs of them, that could not be read: nobody knows what they refer to. */
  readonly unread: number;
}

/** `due`: lines of notes that are about to be written. */
export async function readReferences(
  place: GitPlace,
  asked: ReadonlySet<string>,
  due: ReadonlyMap<string, readonly string[]>,
): Promise<References> {
  const refs = await readNoteRefs(place);
  const { notes, skipped, unread } = await readAllNotes(place, [...refs.trace, ...refs.log, ...refs.seal]);
  const sessions = new Set<string>();
  for (const lines of [...notes.values(), ...due.values()]) {
    for (const line of lines) if (sessions.size < asked.size) addReferences(sessions, line, asked);
  }
  return { sessions, commits: new Set([...notes.keys(), ...due.keys()]), unread: skipped + unread.length };
}

const MAX_LINE = 64 * 1024 * 1024;

/** Every text in the note's line that is a session's id, or part of an address that names it. Of what is no JSON, the id anywhere in it. */
export function addReferences(found: Set<string>, line: string, asked: ReadonlySet<string>): void {
  const parsed = parseJson(line, MAX_LINE);
  if ('problem' in parsed) {
    for (const id of asked) if (line.includes(id)) found.add(id);
    return;
  }
  for (const text of textsIn(parsed.value)) {
    if (asked.has(text)) found.add(text);
    if (!text.includes(':')) continue;
    for (const part of partsOf(text)) if (asked.has(part)) found.add(part);
  }
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const one of value) yield* textsIn(one);
  else if (isObject(value)) {
    for (const [key, one] of Object.entries(value)) {
      yield key;
      yield* textsIn(one);
    }
  }
}

/** Longer addresses are nobody's. */
const MAX_URL = 10_000;

/** `agentlog:SESSION#EVENT`, or whatever `agent.conversationUrl` has made at the time. */
function partsOf(url: string): string[] {
  const own = parseConversationUrl(url);
  if (own) return [own.session];
  return url
    .slice(0, MAX_URL)
    .split(/[/?#&=]/)
    .map((part) => parseConversationUrl(`agentlog:${part}`)?.session ?? '');
}
