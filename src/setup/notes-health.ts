import { findBrokenRefs } from '../git/broken-refs.ts';
import { readObjects } from '../git/objects.ts';
import { askGit, type GitPlace } from '../git/run.ts';

/** A ref of notes with what it points to. */
export interface NotesHealth {
  readonly ref: string;
  readonly id: string;
  /** False: its tree cannot be read. */
  readonly readable: boolean;
  /** It leads to something that is no history: nothing is damaged. */
  readonly odd?: boolean;
  /** Notes that are no JSON Lines, among those that were looked at. */
  readonly foreign: number;
}

/** So many notes of our own are looked into. */
const LOOKED_AT = 500;

export async function readNotes(place: GitPlace): Promise<NotesHealth[]> {
  const broken = await findBrokenRefs(place, 'refs/notes');
  return [
    ...broken.filter(isOurs).map((ref) => ({ ref, id: '', readable: false, foreign: 0 })),
    ...(await readWholeRefs(place)),
  ];
}

const isOurs = (ref: string) => /^refs\/notes\/(.+\/)?agent\//.test(ref);

async function readWholeRefs(place: GitPlace): Promise<NotesHealth[]> {
  const { out } = await askGit(place, ['for-each-ref', '--format=%(refname) %(objectname)', 'refs/notes']);
  const refs = out.toString('utf8').split('\n').filter(isOurs);
  const ids = refs.map((line) => line.split(' ')[1]);
  const checked = await askGit(place, ['cat-file', '--batch-check'], ids.map((id) => `${id}^{tree}\n${id}\n`).join(''));
  const answers = checked.out.toString('utf8').split('\n');
  return Promise.all(
    refs.map(async (line, i) => {
      const [ref = '', id = ''] = line.split(' ');
      const readable = / tree \d+$/.test(answers[2 * i] ?? '');
      const odd = / (?:blob|tree|tag) \d+$/.test(answers[2 * i + 1] ?? '');
      const foreign = readable && ref.startsWith('refs/notes/agent/') ? await countForeign(place, id) : 0;
      return { ref, id, readable, foreign, ...(odd && { odd }) };
    }),
  );
}

async function countForeign(place: GitPlace, id: string): Promise<number> {
  const { out } = await askGit(place, ['ls-tree', '-r', id]);
  const lines = out.toString('latin1').split('\n').slice(0, LOOKED_AT);
  const blobs = lines.flatMap((line) => / blob ([0-9a-f]+)\t/.exec(line)?.[1] ?? []);
  const objects = await readObjects(place, blobs, { maxBytes: 1 << 20 });
  return [...objects.values()].filter((note) => note && !isJsonLines(note.bytes.toString('utf8'))).length;
}

function isJsonLines(text: string): boolean {
  return text.split('\n').every((line) => line.trim() === '' || /^\s*\{.*\}\s*$/.test(line));
}
