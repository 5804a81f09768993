import { listAllRefs, listRefs } from '../git/refs.ts';
import type { GitPlace } from '../git/run.ts';

export const TRACE_REF = 'refs/notes/agent/trace';
export const LOG_REF = 'refs/notes/agent/log';
export const SEAL_REF = 'refs/notes/agent/seal';

/** Every notes ref of ours: what is exchanged. */
export const OWN_REFS = [TRACE_REF, LOG_REF, SEAL_REF] as const;

export interface NoteRefs {
  readonly trace: readonly string[];
  readonly log: readonly string[];
  readonly seal: readonly string[];
  /** Whether refs stand for objects in the place of others: commits may then not be what their ids say. */
  readonly replaced: boolean;
}

/**
 * The notes refs that exist, ours first, then those fetched from remotes (`refs/notes/REMOTE/agent/...`); one process. Those that git cannot
 * read are among them: whoever reads them finds out, and says so.
 */
export async function readNoteRefs(place: GitPlace): Promise<NoteRefs> {
  const found = await listAllRefs(place, [...KINDS.flatMap(patternsOf), REPLACED]);
  const refs = new Set([...found.refs.keys(), ...found.broken]);
  const ofKind = (own: string, kind: string) => {
    const remotes = [...refs].filter((ref) => ref !== own && isNotesRef(ref, kind)).sort();
    return refs.has(own) ? [own, ...remotes] : remotes;
  };
  return {
    trace: ofKind(TRACE_REF, 'trace'),
    log: ofKind(LOG_REF, 'log'),
    seal: ofKind(SEAL_REF, 'seal'),
    replaced: [...refs].some((ref) => ref.startsWith(REPLACED)),
  };
}

const KINDS = ['trace', 'log', 'seal'] as const;
const REPLACED = 'refs/replace/';

export type NoteKind = (typeof KINDS)[number];

/** What those who read notes would read this ref for; undefined: they would not. */
export function kindOf(ref: string): NoteKind | undefined {
  return KINDS.find((kind) => isNotesRef(ref, kind));
}

/** The refs of one kind that git can read, and where they are. */
export async function listNotes(place: GitPlace, kind: NoteKind): Promise<ReadonlyMap<string, string>> {
  return listRefs(place, patternsOf(kind));
}

function patternsOf(kind: NoteKind): string[] {
  // a remote's name may have slashes in it
  return [`refs/notes/agent/${kind}`, `refs/notes/**/agent/${kind}`];
}

function isNotesRef(ref: string, kind: string): boolean {
  return ref.startsWith('refs/notes/') && ref.endsWith(`/agent/${kind}`);
}
