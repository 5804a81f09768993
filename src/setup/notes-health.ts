import { readObjects } from '../git/objects.ts';
import { listAllRefs } from '../git/refs.ts';
import { askGit, type GitPlace } from '../git/run.ts';
import { isObject, parseJson } from '../json.ts';

/** A ref of notes with what it points to. */
export interface NotesHealth {
  readonly ref: string;
  readonly id: string;
  /** False: its tree, or a folder of it, cannot be read. */
  readonly readable: boolean;
  /** It leads to something that is no history: nothing is damaged. */
  readonly odd?: boolean;
  /** Commits whose notes have lines that are no JSON objects, among those that were looked at. */
  readonly foreign: readonly string[];
}

/** So many notes of each ref are looked into. */
const LOOKED_AT = 500;

export async function readNotes(place: GitPlace): Promise<NotesHealth[]> {
  const { refs, broken } = await listAllRefs(place, ['refs/notes']);
  return [
    ...broken.filter(isOurs).map((ref) => ({ ref, id: '', readable: false, foreign: [] })),
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
      const foreign = blobs ? await findForeign(place, blobs) : [];
      return { ref, id, readable: blobs !== undefined, foreign, ...(odd && { odd }) };
    }),
  );
}

interface NoteBlob {
  readonly commit: string;
  readonly blob: string;
}

/** Undefined: a folder cannot be read. */
async function listBlobs(place: GitPlace, id: string): Promise<NoteBlob[] | undefined> {
  const { code, out } = await askGit(place, ['ls-tree', '-r', id]);
  if (code !== 0) return undefined;
  const entries = out.toString('latin1').matchAll(/ blob ([0-9a-f]+)\t([0-9a-f/]+)$/gm);
  return [...entries].map(([, blob = '', path = '']) => ({ blob, commit: path.replaceAll('/', '') }));
}

async function findForeign(place: GitPlace, blobs: readonly NoteBlob[]): Promise<string[]> {
  const some = blobs.slice(0, LOOKED_AT);
  const objects = await readObjects(
    place,
    some.map(({ blob }) => blob),
    { maxBytes: 1 << 20 },
  );
  const isForeign = ({ blob }: NoteBlob) => {
    const note = objects.get(blob);
    return note !== undefined && !isJsonLines(note.bytes.toString('utf8'));
  };
  return some.filter(isForeign).map(({ commit }) => commit);
}

function isJsonLines(text: string): boolean {
  return text.split('\n').every((line) => {
    if (line.trim() === '') return true;
    const json = parseJson(line, 1 << 20);
    return 'value' in json && isObject(json.value);
  });
}
