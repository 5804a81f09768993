import { annotate } from '../blame/annotate.ts';
import { outlineOf, type Stretch } from '../blame/outline.ts';
import type { Slice } from '../blame/slices.ts';
import { type BlamedLine, type BlamedSpan, blameReader, type PrintedBlame, parseIncremental } from '../git/blame.ts';
import { hashBlob } from '../git/objects.ts';
import type { RepoPath } from '../git/paths.ts';
import type { PulledGit } from '../git/pull.ts';
import { saidFault } from '../git/said.ts';
import { linesOf, rangesOf } from '../lines/range.ts';
import type { AskedHuge } from './blame-huge.ts';
import { type Inquiry, type Learned, learn, type Records } from './blame-known.ts';
import type { Turn } from './blame-lines.ts';
import { changed, ownSlices } from './blame-texts.ts';
import { quietly } from './quietly.ts';

/** A file whose lines come in slices, while what is said of them is known. */
export interface StreamedBlame {
  readonly file: string;
  /** The commit that was asked for; null for the work tree. */
  readonly revision: string | null;
  readonly outline: readonly Stretch[];
  /** To be gone through once. */
  readonly slices: AsyncIterable<Slice>;
}

interface HugeFile {
  readonly huge: AskedHuge;
  readonly file: RepoPath;
  /** None is told before it. */
  readonly first: boolean;
}

/** A file that is told as its lines are read. Undefined where git refuses: whoever asks for the whole is told why. */
export async function streamTurn(
  inquiry: Inquiry,
  { huge, file, first }: HugeFile,
): Promise<Turn<StreamedBlame> | undefined> {
  const read = async () => {
    const bytes = await ownBytes(inquiry, file, huge);
    if (!bytes) huge.pull();
    return bytes;
  };
  // while git looks for who wrote what; of the others in their turn, so that one of them is in memory at a time
  const begun = first ? quietly(read()) : undefined;
  const { code, out } = await huge.spans;
  if (code !== 0) return undefined;
  const spans = parseIncremental(out);
  const committed = spans.filter(({ by }) => !by.uncommitted);
  return {
    commits: new Set(committed.map(({ by }) => by.commit)),
    prepare: () => void (huge.blob ?? huge.pull()),
    async tell(records) {
      const bytes = await (begun ?? read());
      const told = await tellSpans(inquiry, records, { file, spans });
      const texts = bytes ? ownSlices(bytes, spans) : pulledSlices(huge.pull(), spans);
      return {
        file,
        revision: await inquiry.revision(),
        outline: told.outline,
        slices: annotated(texts, told.learned),
      };
    },
  };
}

async function tellSpans(
  inquiry: Inquiry,
  records: Records,
  { file, spans }: { readonly file: RepoPath; readonly spans: readonly BlamedSpan[] },
): Promise<{ readonly outline: readonly Stretch[]; readonly learned: Learned }> {
  let outline: Stretch[] = [];
  const { learned } = await learn(inquiry, records, {
    file,
    added: rangesOf(linesOf(spans.filter(({ by }) => by.uncommitted).map(rangeOf))),
    tell: (known) => {
      outline = outlineOf(spans, known);
      return outline.map(({ last }) => last);
    },
  });
  return { outline, learned };
}

function rangeOf({ start, count }: BlamedSpan) {
  return { start, end: start + count - 1 };
}

/** The file as it stands, where git blames just these bytes: filters and line ends may be between the two. */
async function ownBytes(
  { repository, contents }: Inquiry,
  file: RepoPath,
  { blob }: AskedHuge,
): Promise<Buffer | undefined> {
  const asked = await blob;
  if (asked?.code !== 0 || repository.worktree === null) return undefined;
  try {
    const { buffer, byteOffset, byteLength } = contents.text(file);
    const bytes = Buffer.from(buffer, byteOffset, byteLength);
    return hashBlob(repository.objectFormat, bytes) === asked.out.toString('latin1').trim() ? bytes : undefined;
  } catch {
    return undefined; // gone since: git tells
  }
}

/** Lines as they come, and what git printed of them, where git did. */
type Read = Partial<PrintedBlame> & { readonly lines: readonly BlamedLine[] };

async function* annotated(slices: AsyncIterable<Read> | Iterable<Read>, learned: Learned): AsyncGenerator<Slice> {
  for await (const { lines, text, places } of slices) {
    const told = annotate(lines, learned);
    yield text !== undefined && places ? { lines: told, printed: { text, places } } : { lines: told };
  }
}

/** Git's own output; it must be about the lines that were looked up. */
async function* pulledSlices({ pieces, end }: PulledGit, spans: readonly BlamedSpan[]): AsyncGenerator<Read> {
  const read = blameReader();
  const isNext = follower(spans);
  for await (const piece of pieces) {
    const slice = read(piece);
    if (!slice.lines.every(isNext)) throw changed();
    yield slice;
  }
  const ended = await end;
  // half a file must not look like a whole one
  if (ended.code !== 0) throw saidFault(ended, 'git blame');
  if (!isNext(undefined)) throw changed();
}

/** Whether lines come as the spans say: each next one, and undefined at the end. */
function follower(spans: readonly BlamedSpan[]): (line: BlamedLine | undefined) => boolean {
  let [at, nth] = [0, 0];
  return (line) => {
    const span = spans[at];
    if (!line || !span) return !line && !span;
    const { start, originalStart, count, by } = span;
    const fits = line.line === start + nth && line.originalLine === originalStart + nth && line.commit === by.commit;
    nth++;
    if (nth === count) [at, nth] = [at + 1, 0];
    return fits;
  };
}
