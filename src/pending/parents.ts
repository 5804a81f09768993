import { blameArguments, parseBlame } from '../git/blame.ts';
import { askGit, offline } from '../git/run.ts';
import type { ParentLine } from '../join/file.ts';
import type { Origin } from '../lines/origin.ts';
import { rangesOf } from '../lines/range.ts';
import { readNotes } from '../notes/read.ts';
import { readNoteRefs } from '../notes/refs.ts';
import { originsOf } from '../trace/covers.ts';
import { withoutCopied } from '../trace/own.ts';
import { parseNote } from '../trace/parse.ts';
import type { Joining } from './joining.ts';

/** So many files are looked up: a commit that moves lines out of more is a reorganisation, and its lines stay unknown. */
const MAX_FILES = 50;

/** Origins of lines of the parent that were only moved: what the records say of the commits that wrote them. */
export async function parentOrigins(
  { world, diff, unwritten }: Pick<Joining, 'world' | 'diff' | 'unwritten'>,
  wanted: ReadonlyMap<string, ReadonlySet<number>>,
): Promise<(path: string, line: number) => Origin | undefined> {
  const revision = diff.parents[0];
  if (!revision || wanted.size === 0) return () => undefined;
  const blamed = new Map<string, { commit: string; file: string; line: number }>();
  for (const [file, lines] of [...wanted].slice(0, MAX_FILES)) {
    const ranges = rangesOf([...lines].sort((a, b) => a - b)).flatMap(({ start, end }) => ['-L', `${start},${end}`]);
    const args = blameArguments({ options: ['--porcelain', ...ranges], revision, file });
    const answer = await askGit(offline(world.repository.place), args);
    if (answer.code !== 0) continue; // not in the parent after all, or not in this partial clone
    for (const line of parseBlame(answer.out)) {
      blamed.set(`${line.line} ${file}`, { commit: line.commit, file: line.originalFile, line: line.originalLine });
    }
  }
  const commits = [...new Set([...blamed.values()].map(({ commit }) => commit))];
  const { trace } = await readNoteRefs(world.repository.place);
  const [{ notes }, due] = await Promise.all([readNotes(world.repository.place, trace, commits), unwritten(commits)]);
  const noteOf = (commit: string) => [...(notes.get(commit) ?? []), ...(due.get(commit) ?? [])];
  const records = new Map(commits.map((commit) => [commit, withoutCopied(parseNote(noteOf(commit)).records, commit)]));
  return (path, line) => {
    const place = blamed.get(`${line} ${path}`);
    return place && originsOf(records.get(place.commit) ?? [], place.file).at(place.line)?.origin;
  };
}

/** By path and line of a commit: where each stood before it. */
export type PlacesBefore = ReadonlyMap<string, ReadonlyMap<number, ParentLine>>;

/** The origins that lines had where they stood, each joining with its own parent and places. */
export async function originsThere(
  asked: readonly (readonly [Pick<Joining, 'world' | 'diff' | 'unwritten'>, PlacesBefore])[],
): Promise<(path: string, line: number) => Origin | undefined> {
  const found = new Map<string, Origin>();
  for (const [joining, places] of asked) {
    const originAt = await parentOrigins(joining, linesOf(places));
    for (const [path, lines] of places) {
      for (const [line, from] of lines) {
        const origin = originAt(from.path, from.line);
        if (origin) found.set(`${line} ${path}`, origin);
      }
    }
  }
  return (path, line) => found.get(`${line} ${path}`);
}

function linesOf(places: PlacesBefore): Map<string, Set<number>> {
  const wanted = new Map<string, Set<number>>();
  for (const { path, line } of [...places.values()].flatMap((lines) => [...lines.values()])) {
    const lines = wanted.get(path) ?? new Set<number>();
    wanted.set(path, lines.add(line));
  }
  return wanted;
}
