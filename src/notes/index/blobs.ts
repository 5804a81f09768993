import { batchDecoder } from '../../git/batch.ts';
import { askGit, ended, type GitPlace, gitFault, offline, runGit, startGit } from '../../git/run.ts';
import { MAX_NOTE } from '../lines.ts';
import type { NoteBlob } from './changes.ts';

/**
 * Reads the notes with two processes (what they are, contents) whatever their number, and hands them over one by one, in any order; git
 * waits meanwhile. Gives the number of those whose contents are not in this repository (a partial clone). `tip` has them in its tree.
 */
export async function readBlobs(
  place: GitPlace,
  { tip, notes }: { readonly tip: string; readonly notes: readonly NoteBlob[] },
  take: (commit: string, bytes: Buffer) => void,
): Promise<number> {
  if (notes.length === 0) return 0;
  const { order, missing } = await readOrder(place, tip, notes);
  const child = startGit(offline(place), ['cat-file', '--batch', '--buffer']);
  const end = ended(child);
  end.catch(() => {});
  // where git ends early, what it did not answer is missing
  child.stdin?.on('error', () => {});
  child.stdin?.end(order.map(({ blob }) => `${blob}\n`).join(''));
  child.stderr?.resume();
  let next = 0;
  let read = 0;
  const decode = batchDecoder(true, (answer) => {
    const note = order[next++];
    if (!answer || !note) return;
    read++;
    take(note.commit, answer.bytes);
  });
  for await (const chunk of child.stdout ?? []) decode(chunk);
  await end;
  return missing + order.length - read;
}

/** The notes that are here and not too large (what nobody reads is not indexed either), in the order in which git reads them fastest. */
async function readOrder(
  place: GitPlace,
  tip: string,
  notes: readonly NoteBlob[],
): Promise<{ readonly order: readonly NoteBlob[]; readonly missing: number }> {
  const stored = await readStored(place, tip, notes);
  return {
    order: basesFirst(notes, stored).flatMap((i) => ((stored[i]?.size ?? 0) <= MAX_NOTE ? (notes[i] ?? []) : [])),
    missing: stored.filter((one) => !one).length,
  };
}

interface Stored {
  readonly size: number;
  /** The object that git keeps only the difference from. */
  readonly base: string;
}

/** Places of the notes that are here, each after the one that it is the difference from: git then has that one at hand. */
function basesFirst(notes: readonly NoteBlob[], stored: readonly (Stored | undefined)[]): number[] {
  const blobs = new Set(notes.map(({ blob }) => blob));
  const differing = new Map<string, number[]>();
  const stack: number[] = [];
  for (const [i, one] of stored.entries()) {
    if (!one) continue;
    if (!blobs.has(one.base)) stack.push(i);
    else differing.set(one.base, [...(differing.get(one.base) ?? []), i]);
  }
  const order: number[] = [];
  for (let i = stack.pop(); i !== undefined; i = stack.pop()) {
    order.push(i);
    const blob = notes[i]?.blob ?? '';
    stack.push(...(differing.get(blob) ?? []));
    // two commits may have the same note
    differing.delete(blob);
  }
  return order;
}

/** Undefined for what is not here. Before 2.44, git dies at the first of those instead of saying so. */
async function readStored(
  place: GitPlace,
  tip: string,
  notes: readonly NoteBlob[],
): Promise<readonly (Stored | undefined)[]> {
  const ids = notes.map(({ blob }) => blob);
  const answer = await askStored(place, ids);
  if (answer.code === 0) return parseStored(answer.out);
  const missing = await findMissing(place, tip);
  const second = await askStored(
    place,
    ids.filter((id) => !missing.has(id)),
  );
  if (second.code !== 0) throw gitFault(['cat-file'], second);
  const there = parseStored(second.out).values();
  return ids.map((id) => (missing.has(id) ? undefined : there.next().value));
}

function askStored(place: GitPlace, ids: readonly string[]): ReturnType<typeof askGit> {
  const args = ['cat-file', '--batch-check=%(objectsize) %(deltabase)', '--buffer'];
  return askGit(offline(place), args, ids.map((id) => `${id}\n`).join(''));
}

/** `SIZE BASE`, or `ID missing`. */
function parseStored(out: Buffer): (Stored | undefined)[] {
  const lines = out.toString('latin1').split('\n').slice(0, -1);
  return lines.map((line) => {
    const space = line.indexOf(' ');
    const base = line.slice(space + 1);
    return base === 'missing' ? undefined : { size: Number(line.slice(0, space)), base };
  });
}

async function findMissing(place: GitPlace, tip: string): Promise<Set<string>> {
  const args = ['rev-list', '--objects', '--no-object-names', '--missing=print', '--end-of-options', `${tip}^{tree}`];
  const lines = (await runGit(offline(place), args)).toString('latin1').split('\n');
  return new Set(lines.filter((line) => line.startsWith('?')).map((line) => line.slice(1)));
}
