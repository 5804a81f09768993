import { batchDecoder } from '../../git/batch.ts';
import { askGit, ended, type GitPlace, gitFault, offline, runGit, startGit } from '../../git/run.ts';
import { MAX_NOTE } from '../lines.ts';
import type { NoteList } from './changes.ts';

/**
 * Reads the notes with two processes (what they are, contents) whatever their number, and hands them over one by one, in any order; git
 * waits meanwhile. Gives the number of those whose contents are not in this repository (a partial clone). `tip` has them in its tree.
 */
export async function readBlobs(
  place: GitPlace,
  { tip, notes }: { readonly tip: string; readonly notes: NoteList },
  take: (commit: string, bytes: Buffer) => void,
): Promise<number> {
  if (notes.length === 0) return 0;
  const { order, missing } = await readOrder(place, tip, notes);
  const child = startGit(offline(place), ['cat-file', '--batch', '--buffer']);
  const end = ended(child);
  end.catch(() => {});
  // where git ends early, what it did not answer is missing
  child.stdin?.on('error', () => {});
  child.stdin?.end(printIds(notes, order));
  child.stderr?.resume();
  let next = 0;
  let read = 0;
  const decode = batchDecoder(true, (answer) => {
    const note = order[next++];
    if (!answer || note === undefined) return;
    read++;
    take(notes.commitAt(note), answer.bytes);
  });
  for await (const chunk of child.stdout ?? []) decode(chunk);
  await end;
  return missing + order.length - read;
}

/** The notes that are here and not too large (what nobody reads is not indexed either), in the order in which git reads them fastest. */
async function readOrder(
  place: GitPlace,
  tip: string,
  notes: NoteList,
): Promise<{ readonly order: Uint32Array; readonly missing: number }> {
  const stored = await readStored(place, tip, notes);
  return {
    order: basesFirst(stored).filter((i) => (stored.sizes[i] ?? 0) <= MAX_NOTE),
    missing: stored.sizes.reduce((sum, size) => (size === MISSING ? sum + 1 : sum), 0),
  };
}

/** By the notes' places: as objects, those of many notes would take more memory than all that is made of them. */
interface Stored {
  readonly sizes: Float64Array;
  /** Place of the note that git keeps only the difference from; itself where there is none. */
  readonly bases: Uint32Array;
}

const MISSING = -1;

/** Places of the notes that are here, each after the one that it is the difference from: git then has that one at hand. */
function basesFirst({ sizes, bases }: Stored): Uint32Array {
  const here = (i: number) => sizes[i] !== MISSING;
  // what follows from a note, one after the other: the first of them, and for each the next
  const [first, next] = [new Uint32Array(bases.length), new Uint32Array(bases.length)];
  const stack: number[] = [];
  for (const [i, base] of bases.entries()) {
    if (!here(i)) continue;
    if (base === i || !here(base)) stack.push(i);
    else {
      next[i] = first[base] ?? 0;
      first[base] = i + 1;
    }
  }
  const order = new Uint32Array(bases.length);
  let end = 0;
  for (let i = stack.pop(); i !== undefined; i = stack.pop()) {
    order[end++] = i;
    for (let one = first[i] ?? 0; one > 0; one = next[one - 1] ?? 0) stack.push(one - 1);
  }
  return order.subarray(0, end);
}

/** Before 2.44, git dies at the first that is not here instead of saying so. */
async function readStored(place: GitPlace, tip: string, notes: NoteList): Promise<Stored> {
  const all = new Uint32Array(notes.length).map((_, i) => i);
  const answer = await askStored(place, notes, all);
  if (answer.code === 0) return parseStored(answer.out, notes, all);
  const missing = await findMissing(place, tip);
  const here = all.filter((i) => !missing.has(notes.blobAt(i)));
  const second = await askStored(place, notes, here);
  if (second.code !== 0) throw gitFault(['cat-file'], second);
  return parseStored(second.out, notes, here);
}

function askStored(place: GitPlace, notes: NoteList, asked: Uint32Array): ReturnType<typeof askGit> {
  const args = ['cat-file', '--batch-check=%(objectsize) %(deltabase)', '--buffer'];
  return askGit(offline(place), args, printIds(notes, asked));
}

/** As git reads them: one in a line. */
function printIds(notes: NoteList, which: Uint32Array): Buffer {
  const length = which.length === 0 ? 0 : notes.blobAt(0).length + 1;
  const lines = Buffer.alloc(which.length * length, '\n');
  for (const [n, i] of which.entries()) lines.write(notes.blobAt(i), n * length, 'latin1');
  return lines;
}

/** `SIZE BASE`, or `ID missing`, for each that was asked for. */
function parseStored(out: Buffer, notes: NoteList, asked: Uint32Array): Stored {
  const sizes = new Float64Array(notes.length).fill(MISSING);
  const bases = new Uint32Array(notes.length).map((_, i) => i);
  const places = new Map<string, number>();
  for (const i of asked) places.set(notes.blobAt(i), i);
  let at = 0;
  for (const i of asked) {
    const [space, end] = [out.indexOf(32, at), out.indexOf(10, at)];
    if (space < 0 || end < 0) break;
    const base = out.toString('latin1', space + 1, end);
    if (base !== 'missing') sizes[i] = Number(out.toString('latin1', at, space));
    bases[i] = places.get(base) ?? i;
    at = end + 1;
  }
  return { sizes, bases };
}

async function findMissing(place: GitPlace, tip: string): Promise<Set<string>> {
  const args = ['rev-list', '--objects', '--no-object-names', '--missing=print', '--end-of-options', `${tip}^{tree}`];
  const lines = (await runGit(offline(place), args)).toString('latin1').split('\n');
  return new Set(lines.filter((line) => line.startsWith('?')).map((line) => line.slice(1)));
}
