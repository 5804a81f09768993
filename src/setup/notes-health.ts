import { readObjects } from '../git/objects.ts';
import { listAllRefs } from '../git/refs.ts';
import { askGit, type GitPlace } from '../git/run.ts';

/** A ref of notes with what it points to. */
export interface NotesHealth {
  readonly ref: string;
  readonly id: string;
  /** False: its tree, or a folder of it, cannot be read. */
  readonly readable: boolean;
  /** It leads to something that is no history: nothing is damaged. */
  readonly odd?: boolean;
  /** Notes that are no JSON Lines, among those that were looked at. */
  readonly foreign: number;
}

/** So many notes of our own are looked into. */
const LOOKED_AT = 500;

export async function readNotes(place: GitPlace): Promise<NotesHealth[]> {
  const { refs, broken } = await listAllRefs(place, ['refs/notes']);
  return [
    ...broken.filter(isOurs).map((ref) => ({ ref, id: '', readable: false, foreign: 0 })),
    ...(await readWholeRefs(
      place,
      [...refs].filter(([ref]) => isOurs(ref)),
    )),
  ];
}

const isOurs = (ref: string) => /^refs\/notes\/(.+\/)?agent\//.test(ref);

async function readWholeRefs(place: GitPlace, refs: readonly (readonly [string, string])[]): Promise<NotesHealth[]> {
  const asked = refs.map(([, id]) => `${id}^{tree}\n${id}\n`).join('');
  const answers = (await askGit(place, ['cat-file', '--batch-check'], asked)).out.toString('utf8').split('\n');
  return Promise.all(
    refs.map(async ([ref, id], i) => {
      const whole = / tree \d+$/.test(answers[2 * i] ?? '');
      const odd = / (?:blob|tree|tag) \d+$/.test(answers[2 * i + 1] ?? '');
      const blobs = whole ? await listBlobs(place, id) : undefined;
      const foreign = blobs && ref.startsWith('refs/notes/agent/') ? await countForeign(place, blobs) : 0;
      return { ref, id, readable: blobs !== undefined, foreign, ...(odd && { odd }) };
    }),
  );
}

/** Undefined: a folder cannot be read. */
async function listBlobs(place: GitPlace, id: string): Promise<string[] | undefined> {
  const { code, out } = await askGit(place, ['ls-tree', '-r', id]);
  return code === 0
    ? [...out.toString('latin1').matchAll(/ blob ([0-9a-f]+)\t/g)].map(([, blob = '']) => blob)
    : undefined;
}

async function countForeign(place: GitPlace, blobs: readonly string[]): Promise<number> {
  const objects = await readObjects(place, blobs.slice(0, LOOKED_AT), { maxBytes: 1 << 20 });
  return [...objects.values()].filter((note) => note && !isJsonLines(note.bytes.toString('utf8'))).length;
}

function isJsonLines(text: string): boolean {
  return text.split('\n').every((line) => line.trim() === '' || /^\s*\{.*\}\s*$/.test(line));
}
