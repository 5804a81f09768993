import fs from 'node:fs';
import path from 'node:path';
import { listOutside, type ReflogEntry } from '../git/history.ts';
import { readObjects } from '../git/objects.ts';
import type { RepoPath } from '../git/paths.ts';
import type { GitPlace } from '../git/run.ts';
import { readHeadFiles } from '../git/trees.ts';
import type { ParentLine } from '../join/file.ts';
import { WENT_AWAY } from '../join/pool.ts';
import { BY_GIT } from '../join/state.ts';
import { type Standing, stillStanding } from '../join/still-standing.ts';
import { MOVED, type TimelineEdit } from '../join/timeline.ts';
import { type Origin, unknown } from '../lines/origin.ts';
import { isBinary, type Lines, sameLines, splitBytes } from '../lines/text.ts';
import type { OriginFile } from '../trace/build.ts';
import { cutRuns } from '../trace/runs.ts';
import { headFolder, readHeadLog } from './head-moves.ts';
import { type Joining, timeOf } from './joining.ts';
import { originsThere } from './parents.ts';
import { MAX_BYTES } from './search.ts';
import { findSaved } from './standing.ts';

/** A commit that HEAD left while the work tree stayed as it was, or so it may be: of `reset` the reflog does not tell. */
export interface Left {
  readonly commit: string;
  /** At the latest. */
  readonly at: number;
}

/** So much of the reflog is looked at, and so many commits that were left. */
const MAX_ENTRIES = 50;
const MAX_LEFT = 10;
/** An entry without a word is `update-ref`'s. */
const LEAVES = /^(reset|commit \(amend\)|)$/;

/** What HEAD had left when a commit was made, the latest first. */
export function leftBefore(
  log: readonly ReflogEntry[],
  made: { readonly commit: string; readonly at: number },
): Left[] {
  const end = log.findIndex((entry) => entry.new === made.commit);
  const before = end < 0 ? log.filter(({ time }) => time * 1000 <= made.at) : log.slice(0, end);
  const some = before.slice(-MAX_ENTRIES).reverse();
  const left = some.filter(({ action, old, new: next }) => LEAVES.test(action) && old !== next && !/^0+$/.test(old));
  const latest = new Map(left.reverse().map(({ old, time }) => [old, time * 1000 + 999]));
  return [...latest].map(([commit, at]) => ({ commit, at })).sort((a, b) => b.at - a.at);
}

/**
 * What git has taken out of the history again, and what still stands where that commit had it, is whose that commit's records say: nobody has
 * typed it since. An agent that was seen to write it here has the say. Where it may have been thrown away and typed anew, nobody knows.
 */
export async function withLeftBehind(
  asked: Omit<Joining, 'beginning'>,
  files: readonly OriginFile[],
  isRestored: (path: string) => boolean,
): Promise<ToldFile[]> {
  // jj itself tells what was typed
  if (asked.one.typed !== undefined) return [...files];
  const open = files.filter(({ path, runs }) => !isRestored(path) && runs.some(({ origin }) => isOpen(origin)));
  const left = open.length > 0 ? await leftOutside(asked) : [];
  if (left.length === 0) return [...files];
  const standing = await standingIn(asked, left, open);
  return files.map((file) => {
    const lines = standing.get(file.path);
    if (!lines) return file;
    const answer = (line: number, here: Origin) => {
      const there = isOpen(here) ? lines.get(line) : undefined;
      return there ? settled(here, there) : here;
    };
    const told = new Set([...lines].flatMap(([line, { proof }]) => (proof === 'none' ? [] : [line])));
    return { ...file, told, runs: file.runs.flatMap((run) => cutRuns(run, (line) => answer(line, run.origin))) };
  });
}

export interface ToldFile extends OriginFile {
  /** Lines of which records have told: what is a person's by them needs no others. */
  readonly told?: ReadonlySet<number>;
}

function isOpen({ type, reason }: Origin): boolean {
  return type === 'human' || reason === MOVED || reason === BY_GIT;
}

interface Told {
  readonly origin: Origin;
  readonly proof: Standing['proof'];
}

function settled(here: Origin, { origin, proof }: Told): Origin {
  if (origin.type === here.type) return here;
  if (proof === 'none') return here.type === 'human' && origin.agent ? unknown(WENT_AWAY) : here;
  return proof === 'run' && origin.agent ? { ...origin, evidence: 'matched' } : origin;
}

async function leftOutside({ world, one, diff, commit }: Omit<Joining, 'beginning'>): Promise<Left[]> {
  const left = leftBefore(readHeadLog(world, one.worktree), { commit: one.id, at: timeOf({ one, commit }) });
  if (left.length === 0) return [];
  const outside = await listOutside(
    world.repository.place,
    left.map((one) => one.commit),
    diff.parents,
  );
  return left.filter((one) => outside.has(one.commit)).slice(0, MAX_LEFT);
}

/** By path and line: what the records say of it where it stood, in the commit that was left last. */
async function standingIn(
  asked: Omit<Joining, 'beginning'>,
  left: readonly Left[],
  files: readonly OriginFile[],
): Promise<Map<string, Map<number, Told>>> {
  const told = new Map(files.map(({ path }) => [path, new Map<number, Told>()]));
  const isTold = (path: string, line: number) => told.get(path)?.has(line) === true;
  const hasOpen = ({ path, runs }: OriginFile) =>
    runs.some(({ start, lines, origin }) => isOpen(origin) && lines.some((_, i) => !isTold(path, start + i)));
  for (const one of left) {
    const places = await placesIn(asked, one, files.filter(hasOpen));
    const joining = { ...asked, diff: { ...asked.diff, parents: [one.commit] } };
    const originAt = await originsThere([[joining, places]]);
    for (const [path, lines] of places) {
      for (const [line, { proof }] of lines) {
        const origin = isTold(path, line) ? undefined : originAt(path, line);
        if (origin) told.get(path)?.set(line, { origin, proof });
      }
    }
  }
  return told;
}

type Places = ReadonlyMap<string, ReadonlyMap<number, ParentLine & Pick<Standing, 'proof'>>>;

/** For the lines of each file that stood in the commit as well: where. */
async function placesIn(asked: Omit<Joining, 'beginning'>, left: Left, files: readonly OriginFile[]): Promise<Places> {
  const { world, view, one, diff } = asked;
  if (files.length === 0) return new Map();
  const { place } = world.repository;
  const diffs = diff.files.filter(({ path }) => files.some((file) => file.path === path));
  const names = diffs.flatMap(({ path, oldPath }) => [path, oldPath ?? path]);
  const heads = await readHeadFiles(place, left.commit, names);
  const known = diffs.flatMap((file) => {
    const path = heads.get(file.path) ? file.path : (file.oldPath ?? file.path);
    const blob = heads.get(path)?.blob;
    return blob && blob !== file.oldBlob ? [{ file, path, blob }] : [];
  });
  const ids = known.flatMap(({ file, blob }) => [blob, file.oldBlob ?? [], file.newBlob ?? []].flat());
  const textOf = await readLines(place, ids, asked.texts);
  return new Map(
    known.map(({ file, path, blob }) => {
      const edits = view.history(file.path, one.worktree).edits;
      const seen = edits.filter(({ at }) => at > left.at && at <= timeOf(asked)).flatMap(textsOf);
      const added = file.added.flatMap(({ start, lines }) => lines.map((_, i) => start + i));
      const texts = { left: textOf(blob), base: textOf(file.oldBlob), text: textOf(file.newBlob) };
      const standing = stillStanding({ ...texts, added, seen, kept: isKept(asked, left, file.path, texts.text) });
      return [file.path, new Map([...standing].map(([line, { proof, ...from }]) => [line, { path, ...from, proof }]))];
    }),
  );
}

/** It stands in the work tree as it was when HEAD left: what git throws away it writes anew. */
function isKept(asked: Pick<Joining, 'world' | 'one'>, left: Left, path: RepoPath, text: Lines): boolean {
  const saved = findSaved(asked, path);
  return saved !== undefined && saved.at < leftAt(asked, left) && sameLines(saved.lines, text);
}

/** The reflog knows seconds; what a reset noted down as it began tells more, while it is the last that did. */
function leftAt({ world, one }: Pick<Joining, 'world' | 'one'>, { commit, at }: Left): number {
  const early = Math.floor(at / 1000) * 1000;
  try {
    const file = path.join(headFolder(world, one.worktree), 'ORIG_HEAD');
    return fs.readFileSync(file, 'utf8').trim() === commit ? fs.statSync(file).mtimeMs : early;
  } catch {
    return early;
  }
}

function textsOf({ change }: TimelineEdit): Lines[] {
  if (change.kind !== 'full' && change.kind !== 'write') return [];
  return [change.kind === 'full' ? change.before : null, change.after].flatMap((text) => (text ? [text] : []));
}

async function readLines(
  place: GitPlace,
  ids: readonly string[],
  texts: Joining['texts'],
): Promise<(id: string | null) => Lines> {
  const wanted = new Set(ids.filter((id) => !texts?.has(id)));
  const objects = await readObjects(place, [...wanted], { maxBytes: MAX_BYTES });
  return (id) => {
    const bytes = id === null ? undefined : objects.get(id)?.bytes;
    return texts?.get(id ?? '') ?? (bytes && !isBinary(bytes) ? splitBytes(bytes) : []);
  };
}
