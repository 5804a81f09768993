import fs from 'node:fs';
import path from 'node:path';
import { readBends } from '../git/bends.ts';
import type { Repository } from '../git/repository.ts';
import type { KeptCommit, Telling } from '../kept/entry.ts';
import { openMemory } from '../kept/memory.ts';
import type { NoteRefs } from '../notes/refs.ts';
import type { World } from './command.ts';
import { type KnownRecords, reported } from './counted.ts';
import type { ToldCommit } from './survey.ts';

/** Raised whenever something else is told of the same commits and notes. */
const FORM = 1;

/** What was told of commits before. */
export interface Remembered {
  find(commits: readonly string[]): ReadonlyMap<string, KeptCommit>;
  /** Of what was told just now, what is certain. */
  keep(told: Told): void;
}

/** Undefined where nothing can be kept, or commits are not what their objects say. */
export async function openRemembered(
  { version }: Pick<World, 'version'>,
  repository: Repository,
  { commits, refs }: { readonly commits: readonly string[]; readonly refs: Promise<NoteRefs> },
): Promise<Remembered | undefined> {
  const folder = path.join(repository.commonDir, 'agent');
  if (!fs.existsSync(folder)) return undefined;
  const [bends, { replaced }] = await Promise.all([readBends(repository), refs]);
  if (bends === undefined || replaced) return undefined;
  const head = `git-agent-blame ${JSON.stringify([FORM, version, bends])}`;
  const memory = openMemory(path.join(folder, 'cache', 'told'), head, new Set(commits));
  return {
    find: (some) => new Map(some.flatMap((id) => entryOf(id, memory.find(id)))),
    keep: (told) => memory.keep(keepable(told)),
  };
}

function entryOf(id: string, kept: KeptCommit | undefined): [string, KeptCommit][] {
  return kept ? [[id, kept]] : [];
}

export interface Told {
  readonly told: readonly ToldCommit[];
  readonly known: KnownRecords;
  /** What is kept already. */
  readonly kept: ReadonlyMap<string, KeptCommit>;
}

function keepable({ told, known, kept }: Told): KeptCommit[] {
  return told.flatMap((one) => {
    const { id, files } = one.diff;
    // a person's own attributes decide what is binary
    if (known.recalled.has(id) || files.some(({ binary }) => binary)) return [];
    const telling = certainOf(one, known);
    if (!telling && kept.has(id)) return [];
    return [{ id, files, ...(telling && { told: telling }) }];
  });
}

/**
 * Only what hangs on the notes of the commit alone: every line is told by them, in our own words, so that nothing that is still pending has a
 * say. Who adds no line needs no words.
 */
function certainOf({ diff: { id, files }, lines }: ToldCommit, known: KnownRecords): Telling | undefined {
  const [commit, found] = [known.commits.get(id), known.certain(id)];
  if (!commit || !found) return undefined;
  const nothing = files.every(({ added }) => added.length === 0);
  const byNotes = found.ownWords && lines.every(({ runs }) => runs.every(({ via }) => via === 'note'));
  if (!nothing && !byNotes) return undefined;
  // a line that a note speaks of has told that already
  return { notes: found.notes, commit: reported(commit, lines.length > 0 || known.has(id)), lines };
}
