import fs from 'node:fs';
import { diskPath } from '../git/disk-path.ts';
import { readObjects } from '../git/objects.ts';
import { readHeadFiles } from '../git/trees.ts';
import { type Likeness, likenesses, writingsOf, writtenIn } from '../join/elsewhere.ts';
import { withTaken } from '../join/taken.ts';
import { isInformative, splitBytes } from '../lines/text.ts';
import type { OriginFile, OriginRun } from '../trace/build.ts';
import { cutRuns } from '../trace/runs.ts';
import { baseTime, type Joining, timeOf } from './joining.ts';
import { commitsAround, isDirty } from './moved.ts';

type Asked = Omit<Joining, 'beginning'>;

/** A run that a person wrote, as far as anybody saw, and what of it an agent wrote in other files. */
interface Found {
  readonly run: OriginRun;
  readonly alike: readonly Likeness[];
}

/**
 * A person takes lines out of the file where an agent wrote them, and puts them into another one, before anything of it is committed: there
 * nobody was seen to write them. What still stands where it was written was only copied, and that is the person's.
 */
export async function withOtherFiles(asked: Asked, files: readonly OriginFile[]): Promise<readonly OriginFile[]> {
  const open = files.filter(({ runs }) => runs.some(mayBeMoved));
  if (open.length === 0) return files;
  const between = { from: baseTime(asked.parent), to: timeOf(asked) };
  const edits = withTaken(asked.view.editsBeside(new Set(), asked.one.worktree, between));
  const written = [...edits].flatMap(([path, all]) => all.flatMap((edit) => writtenIn(path, edit) ?? []));
  if (written.length === 0) return files;
  const found = new Map<OriginFile, readonly Found[]>();
  for (const file of open) {
    const writings = writingsOf(written.filter(({ path }) => path !== file.path));
    const runs = file.runs.filter(mayBeMoved).map((run) => ({ run, alike: likenesses(run.lines, writings) }));
    if (runs.some(({ alike }) => alike.length > 0)) found.set(file, runs);
  }
  if (found.size === 0) return files;
  const paths = [...found.values()].flat().flatMap(({ alike }) => alike.map(({ path }) => path));
  const standing = await readStanding(asked, [...new Set(paths)]);
  return files.map((file) => {
    const runs = found.get(file);
    return runs ? moved(asked, file, { runs, standing }) : file;
  });
}

/** A run that nobody was seen to write, with so much in it that it may have been moved. */
function mayBeMoved({ origin, lines }: OriginRun): boolean {
  return origin.type === 'human' && lines.filter(isInformative).length >= 2;
}

function moved(
  asked: Asked,
  file: OriginFile,
  { runs, standing }: { readonly runs: readonly Found[]; readonly standing: ReadonlyMap<string, ReadonlySet<string>> },
): OriginFile {
  const seen = seenBefore(asked, file.path);
  const isMoved = ({ lines }: OriginRun, { start, end, path, at }: Likeness) => {
    const said = lines.slice(start, end).filter(isInformative);
    return !said.every((line) => standing.get(path)?.has(line)) && !said.some((line) => seen(line, at));
  };
  const cut = new Map(
    runs.map(({ run, alike }) => {
      const kept = alike.filter((one) => isMoved(run, one));
      const originAt = (line: number) => {
        const at = line - run.start;
        return kept.find(({ fresh }) => fresh.has(at))?.origin ?? run.origin;
      };
      return [run, kept.length > 0 ? cutRuns(run, originAt) : [run]];
    }),
  );
  return { ...file, runs: file.runs.flatMap((run) => cut.get(run) ?? [run]) };
}

/** Whether a line was seen in this file before that moment: then it was not brought here later. */
function seenBefore({ view, one }: Asked, path: string): (line: string, at: number) => boolean {
  const texts = view.history(path, one.worktree).edits.flatMap(({ change, at }) => {
    const lines = change.kind === 'full' ? [...(change.before ?? []), ...(change.after ?? [])] : [];
    return lines.length > 0 ? [{ at, lines: new Set(lines) }] : [];
  });
  return (line, at) => texts.some((text) => text.at < at && text.lines.has(line));
}

/** The lines of these files as the commit, or the work tree, has them, and the commits that HEAD left: what stands there was not moved. */
async function readStanding(asked: Asked, paths: readonly string[]): Promise<Map<string, Set<string>>> {
  const { world, one } = asked;
  const { place } = world.repository;
  const heads = await Promise.all(commitsAround(asked).map((commit) => readHeadFiles(place, commit, paths)));
  const blobsOf = (path: string) => heads.flatMap((files) => files.get(path)?.blob ?? []);
  const objects = await readObjects(place, paths.flatMap(blobsOf), { maxBytes: MAX_BYTES });
  const top = isDirty(asked) ? world.worktrees.find(({ name }) => name === one.worktree)?.path : undefined;
  return new Map(
    paths.map((path) => {
      const saved = top === undefined ? undefined : findFile(diskPath(top, path));
      const texts = [saved, ...blobsOf(path).map((blob) => objects.get(blob)?.bytes)];
      return [path, new Set(texts.flatMap((bytes) => (bytes ? splitBytes(bytes) : [])))];
    }),
  );
}

const MAX_BYTES = 4 << 20;

function findFile(file: Buffer): Buffer | undefined {
  try {
    const stat = fs.statSync(file);
    return stat.isFile() && stat.size <= MAX_BYTES ? fs.readFileSync(file) : undefined;
  } catch {
    return undefined;
  }
}
