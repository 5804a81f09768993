import type { Anchored, Anchors } from '../anchor/target.ts';
import type { FileDiff } from '../git/diff.ts';
import { isUnseen, type Origin, unknown } from '../lines/origin.ts';
import { isDistinct } from '../lines/text.ts';
import type { OriginFile, OriginRun } from '../trace/build.ts';
import { cutRuns, originsByLine } from '../trace/runs.ts';
import { FOREIGN, joinHere, type Stems } from './foreign.ts';
import { isText, joinOne, UNTOLD } from './join-one.ts';
import type { Joining } from './joining.ts';
import { revertedOrigins } from './reverted.ts';
import { stoodOrigins } from './stood.ts';

/**
 * A commit that was made out of others (amend, rebase, squash, cherry-pick ...): its lines keep the origins they had there. What is new in
 * it, a conflict's resolution for instance, is joined like any other. Undefined: nothing at all is known of it.
 */
export async function joinRewritten(
  joining: Omit<Joining, 'beginning'>,
  anchors: Anchors,
  { reverted, picked, sources = [], last, alone, ...stems }: RewrittenOptions,
): Promise<OriginFile[] | undefined> {
  const files = joining.diff.files.filter(isText);
  const open = files.some((file) =>
    file.added.some(({ start, lines }) => lines.some((_, i) => !isKnown(anchors.get(file.path)?.get(start + i)))),
  );
  const blank = [...anchors.values()].every((lines) => lines.size === 0);
  const joined = open ? await joinHere(joining, { ...stems, blank }) : [];
  const typed = open && picked ? (await joinOne({ ...joining, plain: true })).map((file) => typedOf(file, picked)) : [];
  const [own, hand] = [joined, typed].map((all) => new Map(all.map((file) => [file.path, originsByLine(file)])));
  const backOf = await revertedOrigins(joining, open ? reverted : []);
  const unseen = joined.some(({ runs }) => runs.some(({ origin }) => origin.type === 'unknown'));
  const stoodAt = await stoodOrigins(joining, unseen ? sources : []);
  const heldAt = await heldOrigins(joining, joined, last);
  let found = joining.plain;
  const weak = new Map(files.map((file) => [file.path, weaklyAnchored(file, anchors.get(file.path))]));
  const answer = (path: string, line: number): Origin => {
    const [anchored, seen, back] = [anchors.get(path)?.get(line), own?.get(path)?.get(line), backOf(path, line)];
    const by = seen?.type === 'unknown' && seen.reason !== FOREIGN ? hand?.get(path)?.get(line) : undefined;
    const told = by ?? seen;
    const here = alone && told?.type === 'human' ? unknown(UNTOLD) : told;
    found ||= anchored !== undefined || here?.agent !== undefined || back !== undefined || by !== undefined;
    if (here?.agent && here.evidence === 'observed' && weak.get(path)?.has(line)) return here;
    if (anchored && isKnown(anchored)) return anchored.origin;
    if (back && !here?.agent) return back;
    const held = here?.agent || by ? undefined : heldAt(path, line);
    found ||= held !== undefined;
    if (held) return held;
    const stood = here?.type === 'unknown' ? stoodAt(path, line) : undefined;
    found ||= stood !== undefined;
    if (stood && stood.type !== 'unknown') return stood;
    if (anchored && !here?.agent && !by) return anchored.origin;
    return here ?? unknown('nothing tells where the line comes from');
  };
  const result = files.flatMap((file): OriginFile[] => {
    if (file.newBlob === null) return [];
    const runs = file.added.flatMap((block) => cutRuns(block, (line) => answer(file.path, line)));
    return [{ path: file.path, blob: file.newBlob, runs }];
  });
  return found ? result : undefined;
}

/**
 * A file that git calls new may have had another name before: so much was put together with its renaming that git does not see that. Then some
 * of its lines are older than all that the commit was made of, and are whose they were in the last of those.
 */
function heldOrigins(joining: Omit<Joining, 'beginning'>, joined: readonly OriginFile[], last: string | undefined) {
  const open = new Set(joined.filter(({ runs }) => runs.some(({ origin }) => !origin.agent)).map(({ path }) => path));
  const isNew = ({ path, oldBlob, oldPath }: FileDiff) => open.has(path) && oldBlob === null && !oldPath;
  const diff = { ...joining.diff, files: joining.diff.files.filter(isNew) };
  return stoodOrigins({ ...joining, diff }, last === undefined ? [] : [last]);
}

/**
 * The lines of a new file that were found in the other commits without one that says much among them: what everybody writes. They need not
 * come from there.
 */
function weaklyAnchored(
  { oldBlob, oldPath, added }: FileDiff,
  anchors: ReadonlyMap<number, Anchored> | undefined,
): Set<number> {
  const weak = new Set<number>();
  if (oldBlob !== null || oldPath !== undefined || !anchors) return weak;
  for (const { start, lines } of added) {
    for (let from = 0, to = 0; from < lines.length; from = to + 1) {
      to = from;
      while (to < lines.length && anchors.has(start + to)) to++;
      if (lines.slice(from, to).some(isDistinct)) continue;
      for (let at = from; at < to; at++) weak.add(start + at);
    }
  }
  return weak;
}

export interface RewrittenOptions extends Stems {
  /** The commits that it was picked from, where it stopped on the way. */
  readonly sources?: readonly string[];
  /** The last of those that it was made of: what stood there in a file was not typed since. */
  readonly last?: string | undefined;
  /** Git made it without stopping: nobody can have typed anything. */
  readonly alone?: boolean;
  /** The commits that its message says it takes back. */
  readonly reverted: readonly string[];
  /** Somebody committed by hand what git had brought in: whether a line may come from there, rather than from them. */
  picked?(text: string): boolean;
}

/** What a person typed when they went on with it: what nobody was seen to write, but for what was picked. */
function typedOf(file: OriginFile, picked: (text: string) => boolean): OriginFile {
  const typed = file.runs.filter(({ origin }) => isUnseen(origin));
  const settle = (run: OriginRun) =>
    run.lines.flatMap((text, i) => (picked(text) ? [] : [{ ...run, start: run.start + i, lines: [text] }]));
  return { ...file, runs: typed.flatMap(settle) };
}

/** What a record said of the line stays; where it did not know, an agent seen to write it here counts, that none was seen does not. */
export function heir(recorded: Origin | undefined, here: Origin): Origin {
  if (!recorded) return here;
  return recorded.type === 'unknown' && here.agent ? here : recorded;
}

function isKnown(anchored: Anchored | undefined): boolean {
  return anchored !== undefined && anchored.origin.type !== 'unknown';
}

/** What one of several commits comes after. */
export interface Order {
  /** Those that it stems from, or stands upon. */
  after(commit: string): readonly string[];
  /** Made anew, and not of others. */
  isNew(commit: string): boolean;
}

/**
 * Cuts commits into waves: in each, those that come after none that is still to come. New ones go first; those of which nobody knows what
 * they stem from (a squash) wait until no other can go: any of them may be it. And of those first the ones that others wait for, which may be it
 * in turn.
 */
export function wavesOf(ids: readonly string[], { after, isNew }: Order): string[][] {
  const waves: string[][] = [];
  let waiting = new Set(ids);
  while (waiting.size > 0) {
    const ready = [...waiting].filter((id) => !after(id).some((old) => waiting.has(old)));
    const told = ready.filter((id) => after(id).length > 0);
    const awaited = new Set([...waiting].flatMap(after));
    const under = ready.filter((id) => awaited.has(id));
    const some = [ready.filter(isNew), told, under, ready].find((group) => group.length > 0);
    const wave = new Set(some ?? waiting); // a circle of undo and redo: all at once
    waves.push([...wave]);
    waiting = new Set([...waiting].filter((id) => !wave.has(id)));
  }
  return waves;
}
