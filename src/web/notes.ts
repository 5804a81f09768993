import { readable } from '../lines/text.ts';
import { MAX_NOTE, noteLines } from '../notes/lines.ts';
import { hasOwnWords } from '../trace/own.ts';
import { soundnessOf } from '../trace/parse.ts';
import type { Repository } from './repository.ts';
import { isFolder, isRegular } from './tree.ts';
import { inTurns } from './turns.ts';

export interface NotesRead {
  /** The lines of each commit that has any, over all refs: each once, in the order of the refs. */
  readonly notes: ReadonlyMap<string, readonly string[]>;
  /** Notes that are too large, damaged, wholly or in part, or not here. */
  readonly skipped: number;
  /** Refs that cannot be read, or not as far as was asked. */
  readonly unread: readonly string[];
}

const TRACE_REF = 'refs/notes/agent/trace';

/** Our own notes first, then those fetched from remotes (`refs/notes/REMOTE/agent/trace`). */
export async function traceRefs(repository: Repository): Promise<string[]> {
  const refs = (await repository.noteRefs()).filter((ref) => ref.endsWith('/agent/trace'));
  const remotes = refs.filter((ref) => ref !== TRACE_REF).sort();
  return refs.includes(TRACE_REF) ? [TRACE_REF, ...remotes] : remotes;
}

/** The notes of these commits, which need not exist, or every note there is. */
export async function readNotes(
  repository: Repository,
  refs: readonly string[],
  commits?: Iterable<string>,
): Promise<NotesRead> {
  const wanted = commits && wayTo(commits);
  const blobs = new Map<string, Set<string>>();
  const unread: string[] = [];
  for (const ref of refs) {
    const root = await repository.rootOf(ref);
    if (root === undefined || !(await findNotes(repository, { root, wanted, blobs }))) unread.push(ref);
  }
  const found = [...blobs].map(([commit, ids]) => ({ commit, ids, lines: new Set<string>() }));
  let skipped = 0;
  await inTurns(found, async ({ ids, lines }) => {
    for (const id of ids) {
      const bytes = await repository.blob(id);
      if (!bytes || bytes.length > MAX_NOTE) skipped++;
      else for (const line of noteLines(bufferOf(bytes))) lines.add(line);
    }
  });
  for (const { commit, lines } of found) {
    const all = [...lines];
    if (soundnessOf(all, hasOwnWords(all, commit)) !== 'whole') skipped++;
  }
  const told = found.filter(({ lines }) => lines.size > 0).sort((a, b) => (a.commit < b.commit ? -1 : 1));
  return { notes: new Map(told.map(({ commit, lines }) => [commit, [...lines].map(readable)])), skipped, unread };
}

/** Commits, and the folders in which their notes may be. */
interface Way {
  readonly commits: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
}

function wayTo(commits: Iterable<string>): Way {
  const ids = new Set([...commits].filter((id) => /^[0-9a-f]{40}$/.test(id)));
  const folders = new Set<string>();
  for (const id of ids) for (let depth = 2; depth < ID_LENGTH; depth += 2) folders.add(id.slice(0, depth));
  return { commits: ids, folders };
}

interface Search {
  /** The tree of a notes ref. */
  readonly root: string;
  /** Undefined: all. */
  readonly wanted: Way | undefined;
  /** What is found is put here: by commit, the ids of its notes. */
  readonly blobs: Map<string, Set<string>>;
}

/** A hostile tree may repeat itself without end when all of it is asked for. */
const MAX_FOLDERS = 200_000;
const ID_LENGTH = 40;

/**
 * A note of commit abcdef... is called `abcdef...`, `ab/cdef...` or `ab/cd/ef...`, as deep as git found it useful; isomorphic-git's own
 * functions know only the first. One level after the other, from the top. False: a folder is not here.
 */
async function findNotes(repository: Repository, { root, wanted, blobs }: Search): Promise<boolean> {
  let folders = [{ prefix: '', id: root }];
  let whole = true;
  for (let count = 0; folders.length > 0 && count < MAX_FOLDERS; ) {
    count += folders.length;
    const below: typeof folders = [];
    await inTurns(folders, async ({ prefix, id }) => {
      const tree = await repository.tree(id);
      whole &&= tree !== undefined;
      for (const [name, entry] of tree ?? []) {
        const path = prefix + name;
        if (!/^[0-9a-f]+$/.test(name) || path.length > ID_LENGTH) continue;
        if (isRegular(entry) && path.length === ID_LENGTH && (wanted?.commits.has(path) ?? true))
          blobs.set(path, (blobs.get(path) ?? new Set()).add(entry.id));
        if (isFolder(entry) && name.length === 2 && (wanted?.folders.has(path) ?? true))
          below.push({ prefix: path, id: entry.id });
      }
    });
    folders = below;
  }
  return whole && folders.length === 0;
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
