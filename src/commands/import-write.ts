import { withLock } from '../git/lock.ts';
import { isObject } from '../json.ts';
import { appendToRefs } from '../notes/append.ts';
import { readNotes } from '../notes/read.ts';
import { LOG_REF, readNoteRefs, TRACE_REF } from '../notes/refs.ts';
import type { Surroundings } from '../pending/world.ts';
import { ownPart } from '../trace/own.ts';
import { objectIn } from './import-parts.ts';
import type { PlacedTrace } from './import-place.ts';

export interface FreshLines {
  /** Lines that no note has yet, by commit. */
  readonly additions: ReadonlyMap<string, readonly string[]>;
  readonly records: number;
  /** Records that are there already. */
  readonly known: number;
  /** Ids of records that say something else than another record of the same commit and id. */
  readonly differing: readonly string[];
}

/** The records that the notes of their commits do not have, neither ours nor those fetched from remotes. */
export async function freshRecords(
  { repository: { place } }: Surroundings,
  placed: readonly PlacedTrace[],
): Promise<FreshLines> {
  const { trace } = await readNoteRefs(place);
  const commits = [...new Set(placed.map(({ commit }) => commit))];
  const { notes } = await readNotes(place, trace, commits);
  const seen = new Map(commits.map((commit) => [commit, new Set((notes.get(commit) ?? []).map(saidIn))]));
  const ids = new Map(commits.map((commit) => [commit, new Set((notes.get(commit) ?? []).map(idIn))]));
  const additions = new Map<string, string[]>();
  const differing: string[] = [];
  let records = 0;
  for (const { commit, line } of placed) {
    const [said, had] = [saidIn(line), seen.get(commit)];
    if (had?.has(said)) continue;
    had?.add(said);
    const id = idIn(line);
    if (id !== undefined && ids.get(commit)?.has(id)) differing.push(id);
    ids.get(commit)?.add(id);
    if (additions.has(commit)) additions.get(commit)?.push(line);
    else additions.set(commit, [line]);
    records++;
  }
  return { additions, records, known: placed.length - records, differing };
}

function idIn(line: string): string | undefined {
  const id = objectIn(line)?.id;
  return typeof id === 'string' ? id : undefined;
}

/** What a record says, in whatever order and with whatever spaces. What others' notes say does not depend on our version. */
function saidIn(line: string): string {
  const value = objectIn(line);
  if (!value) return line;
  const own = ownPart(value.metadata);
  if (own?.declared === undefined || own.imported !== undefined) return inOrder(value);
  const tool = isObject(value.tool) ? value.tool.name : undefined;
  return inOrder({ declared: own.declared, tool, files: value.files, own: own.files });
}

/** JSON with the keys in order. */
function inOrder(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOrder).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const pairs = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${pairs.map(([key, part]) => `${JSON.stringify(key)}:${inOrder(part)}`).join(',')}}`;
}

export interface NewNotes {
  readonly trace: ReadonlyMap<string, readonly string[]>;
  readonly log: ReadonlyMap<string, readonly string[]>;
}

/** `store` is called under the same lock: sessions before the notes that name them. */
export async function writeImported(world: Surroundings, { trace, log }: NewNotes, store: () => void): Promise<void> {
  await withLock(world.repository.commonDir, async () => {
    store();
    const notes = new Map([
      [TRACE_REF, trace],
      [LOG_REF, log],
    ]);
    await appendToRefs(world.repository, notes);
  });
}
