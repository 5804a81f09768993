import fs from 'node:fs';
import { NO_RECORD } from '../blame/annotate.ts';
import { diskPath } from '../git/disk-path.ts';
import { readObjects, withObjects } from '../git/objects.ts';
import { decodePath, encodePath, pathWord } from '../git/paths.ts';
import type { Repository } from '../git/repository.ts';
import { askGit, type GitPlace, offline } from '../git/run.ts';
import { parseSpans, type Span } from '../git/spans.ts';
import { unknown } from '../lines/origin.ts';
import { type LineRange, linesOf, rangesOf } from '../lines/range.ts';
import { splitBytes } from '../lines/text.ts';
import type { PaintedRun } from '../log/diff.ts';
import type { Missed } from '../notes/read.ts';
import type { World } from './command.ts';
import { countRuns, readRecords, tellLines, writtenIn } from './counted.ts';
import type { Sides } from './diff-sides.ts';
import { type PendingView, pendingOnDemand } from './pending-view.ts';

/** Lines that a diff adds to a file, numbered as they are there. */
export interface AddedTo {
  readonly path: string;
  readonly added: readonly LineRange[];
}

interface Origins extends Missed {
  readonly runs: readonly PaintedRun[];
}

/** Where added lines come from: each as git agent-blame says of it on the new side. */
export async function originsOfAdded(
  world: World,
  found: Repository,
  { fresh, files }: { readonly fresh: Sides['fresh']; readonly files: readonly AddedTo[] },
): Promise<Origins> {
  const repository = found.worktree ? { ...found, place: { ...found.place, cwd: found.worktree } } : found;
  const pending = await pendingOnDemand(repository, world);
  const blamed = await blameAll(repository, fresh, files);
  const spans = blamed.flatMap(({ path, spans }) => spans.map((span) => ({ path, span })));
  const committed = spans.filter(({ span }) => !isOpen(span));
  const ids = [...new Set(committed.map(({ span }) => span.commit))];
  const known = await withObjects(repository.place, (reader) => readRecords(repository, pending, { ids, reader }));
  const written = committed.map(({ path, span }) => writtenIn(path, span));
  const { runs } = await countRuns(repository, { told: tellLines(written, known), known, pending });
  const open: PaintedRun[] = [];
  for (const one of blamed) open.push(...(await openRuns(one, pending)));
  pending.wake();
  return { runs: [...runs, ...open], skipped: known.skipped, unread: known.unread };
}

interface BlamedFile {
  readonly path: string;
  readonly spans: readonly Span[];
  /** The new side's bytes; undefined where there is nothing to read. */
  text(): Uint8Array | undefined;
}

/** At once, so that many files do not start as many processes. */
const AT_ONCE = 4;

async function blameAll(
  repository: Repository,
  fresh: Sides['fresh'],
  files: readonly AddedTo[],
): Promise<BlamedFile[]> {
  const { place, worktree } = repository;
  const staged = fresh === 'index' ? await readStaged(place, files) : new Map<string, Buffer>();
  const born = typeof fresh === 'object' || (await askGit(place, ['rev-parse', '-q', '--verify', 'HEAD'])).code === 0;
  const queue = [...files];
  const blamed: BlamedFile[] = [];
  const worker = async () => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      const { path: name, added } = file;
      const input = fresh === 'index' ? (staged.get(name) ?? Buffer.alloc(0)) : undefined;
      const spans = born
        ? await blameSpans(place, { file, fresh, input })
        : added.map((range) => openSpan(name, range));
      blamed.push({ path: name, spans, text: () => input ?? findBytes(diskPath(worktree ?? '', name)) });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return blamed;
}

/** A link's lines are where it leads to. */
function findBytes(file: Buffer): Uint8Array | undefined {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  if (stat?.isSymbolicLink()) return fs.readlinkSync(file, 'buffer');
  return stat?.isFile() ? fs.readFileSync(file) : undefined;
}

interface BlameOf {
  readonly file: AddedTo;
  readonly fresh: Sides['fresh'];
  readonly input: Buffer | undefined;
}

/** More ranges than this, and the whole file is as quick. */
const MANY = 100;

async function blameSpans(place: GitPlace, { file, fresh, input }: BlameOf): Promise<Span[]> {
  const { path: name, added } = file;
  const ranges = added.length > MANY ? [] : added.map(({ start, end }) => `-L${start},${end}`);
  const revision = typeof fresh === 'object' ? [fresh.commit] : [];
  const contents = input === undefined ? [] : ['--contents', '-'];
  const args = ['blame', '--incremental', '--no-textconv', ...ranges, ...contents, ...revision, '--', pathWord(name)];
  const { code, out } = await askGit(offline(place), args, input);
  // a file that is gone meanwhile: nothing is known of it
  if (code !== 0) return [];
  const wanted = new Set(linesOf(added));
  return parseSpans(out).flatMap((span) => partsOf(span, wanted));
}

/** The parts of a span that were asked for. */
function partsOf(span: Span, wanted: ReadonlySet<number>): Span[] {
  const lines = Array.from({ length: span.count }, (_, i) => span.start + i).filter((line) => wanted.has(line));
  return rangesOf(lines).map(({ start, end }) => ({
    ...span,
    start,
    originalStart: span.originalStart + start - span.start,
    count: end - start + 1,
  }));
}

const OPEN = '0'.repeat(40);

function openSpan(file: string, { start, end }: LineRange): Span {
  return { commit: OPEN, file, start, originalStart: start, count: end - start + 1 };
}

function isOpen({ commit }: Span): boolean {
  return /^0+$/.test(commit);
}

/** Lines that are not committed, from the journal. */
async function openRuns({ path: name, spans, text }: BlamedFile, pending: PendingView): Promise<PaintedRun[]> {
  const added = rangesOf(
    spans
      .filter(isOpen)
      .flatMap(({ start, count }) => Array.from({ length: count }, (_, i) => start + i))
      .sort((a, b) => a - b),
  );
  const bytes = added.length === 0 ? undefined : text();
  if (!bytes) return [];
  const origins = await pending.worktree({ path: name, text: splitBytes(bytes), added });
  return [...linesOf(added)].map((line) => {
    const origin = origins.get(line);
    const conversation = origin?.agent && pending.conversation(origin.agent);
    const told = origin ? { origin, via: 'worktree' as const } : { origin: unknown(NO_RECORD) };
    return { commit: null, path: name, start: line, end: line, ...told, ...(conversation && { conversation }) };
  });
}

/** The contents of the index. */
async function readStaged(place: GitPlace, files: readonly AddedTo[]): Promise<Map<string, Buffer>> {
  const ids = await findStaged(
    place,
    files.map(({ path }) => path).filter((name) => /^"|\n/.test(name)),
  );
  const asked = new Map(files.map(({ path }) => [path, ids.get(path) ?? `:0:${path}`]));
  const named = [...asked].filter(([, object]) => !object.includes('\n'));
  const objects = await readObjects(
    place,
    named.map(([, object]) => object),
  );
  const texts = new Map<string, Buffer>();
  for (const [name, id] of named) {
    const object = objects.get(id);
    if (object?.type === 'blob') texts.set(name, object.bytes);
  }
  return texts;
}

/** The objects of files whose names are kept in quotes, or have a line end in them: nobody can ask for those by name. */
async function findStaged(place: GitPlace, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map();
  const words = names.map((name) => Buffer.concat([Buffer.from(':(top,literal)'), encodePath(name)]));
  const { out } = await askGit(place, ['ls-files', '--stage', '-z', '--full-name', '--', ...words]);
  return new Map(
    out
      .toString('latin1')
      .split('\0')
      .flatMap((entry): [string, string][] => {
        const [, id, name] = /^\d+ ([0-9a-f]+) 0\t([\s\S]+)$/.exec(entry) ?? [];
        return id && name ? [[decodePath(Buffer.from(name, 'latin1')), id]] : [];
      }),
  );
}
