import type { CommitPlaces } from '../git/diff.ts';
import { isRegular } from '../git/raw.ts';
import { isObject, parseJson } from '../json.ts';
import { type ContributorType, EVIDENCE, type Evidence, type Origin } from '../lines/origin.ts';
import type { LineRange } from '../lines/range.ts';
import { runOf, sameTold, type Told, type ToldLines, type WrittenLines } from '../report/lines.ts';
import type { ReportedCommit, Run } from '../report/run.ts';
import { KINDS } from '../report/tally.ts';

/** What a commit did to a file, as far as lines are counted. */
export type CountedFile = Pick<
  CommitPlaces['files'][number],
  'path' | 'oldPath' | 'otherPaths' | 'newMode' | 'binary' | 'added'
>;

/** What is kept of a commit. What it changed stays as it is for ever. */
export interface KeptCommit {
  readonly id: string;
  /** None of them binary. */
  readonly files: readonly CountedFile[];
  /** Where it is certain. */
  readonly told?: Telling;
}

/** What the notes of a commit say of its lines: that stays so as long as it has just these notes. */
export interface Telling {
  /** The blobs of the notes, in the order in which they are read. */
  readonly notes: readonly string[];
  readonly commit: ReportedCommit;
  /** In the order of the files and their ranges. */
  readonly lines: readonly ToldLines[];
}

/** The lines that a commit wrote: those of regular files. */
export function writtenLines(commit: string, files: readonly CountedFile[]): WrittenLines[] {
  const written: WrittenLines[] = [];
  for (const { path, binary, newMode, added } of files) {
    if (binary || !isRegular(newMode)) continue;
    for (const { start, end } of added) written.push({ commit, file: path, start, end });
  }
  return written;
}

/**
 * As JSON, without the commit's id: `[[file ...]]`, and where it was told `[[file ...], [note ...], [author, mail, time, subject, recorded], [said ...]]`.
 * A file is `[path, mode, [cuts ...], oldPath, [otherPath ...]]`, the last two where it has them; `said` is `[origin, trace, conversation]`. The
 * cuts are those of one added range: 5, 7, 0, 9, 1 are lines 5 to 7 as the first `said` has it, and 8 and 9 as the second; 5, 9 are lines that
 * nothing is told of.
 */
export function printEntry({ files, told }: KeptCommit): string {
  const table = openTable();
  let next = 0;
  const changed = files.map(({ path, newMode, added, oldPath, otherPaths }) => {
    const counts = told !== undefined && isRegular(newMode);
    const cuts = added.map(({ start, end }) => (counts ? cutsOf(told.lines[next++]?.runs ?? [], table) : [start, end]));
    const file: unknown[] = [path, newMode, cuts];
    if (oldPath !== undefined || otherPaths) file.push(oldPath ?? null);
    if (otherPaths) file.push(otherPaths);
    return file;
  });
  if (!told) return JSON.stringify([changed]);
  const { author, mail, time, subject, recorded } = told.commit;
  return JSON.stringify([changed, told.notes, [author, mail, time, subject, recorded], table.list()]);
}

function cutsOf(runs: readonly Run[], { nth }: Table): number[] {
  const cuts: number[] = [];
  for (const run of runs) {
    if (cuts.length === 0) cuts.push(run.start);
    cuts.push(run.end, nth(run));
  }
  return cuts;
}

/** What is said of lines, each once: a commit has many runs, and hardly more than a few hands. */
interface Table {
  nth(run: Run): number;
  list(): unknown[];
}

function openTable(): Table {
  const places = new Map<string, number>();
  const all: Run[] = [];
  return {
    nth(run) {
      const { origin, trace } = run;
      // a guess, and quick: a whole origin as text takes ten times as long
      const key = `${trace} ${origin.evidence} ${origin.agent?.event}`;
      const at = places.get(key) ?? -1;
      const known = all[at];
      if (known && sameTold(known, run)) return at;
      places.set(key, all.length);
      return all.push(run) - 1;
    },
    list: () => all.map(({ origin, trace, conversation }) => [origin, trace, conversation]),
  };
}

/** More is nothing that anybody waits for. */
export const MAX_ENTRY = 1 << 20;

/** Undefined: not as we print it. Places in lists are asked for one by one: taking a list apart takes its time, and there are many. */
export function parseEntry(id: string, text: string): KeptCommit | undefined {
  const json = parseJson(text, MAX_ENTRY);
  if (!('value' in json) || !Array.isArray(json.value)) return undefined;
  const parts: readonly unknown[] = json.value;
  const lines: ToldLines[] = [];
  const untold = parts.length === 1;
  const tells = untold ? undefined : parseList(parts[3], parseTold);
  const files = parseList(parts[0], (value) => parseFile(value, { id, tells, lines }));
  if (!files || untold) return files && { id, files };
  const [notes, commit] = [parts[1], parseCommit(id, parts[2])];
  if (!tells || !commit || !areTexts(notes)) return undefined;
  return { id, files, told: { notes, commit, lines } };
}

function parseCommit(id: string, value: unknown): ReportedCommit | undefined {
  if (!Array.isArray(value)) return undefined;
  const [author, mail, time, subject, recorded]: unknown[] = value;
  if (typeof author !== 'string' || typeof mail !== 'string' || typeof subject !== 'string') return undefined;
  if (typeof time !== 'number' || typeof recorded !== 'boolean') return undefined;
  return { id, author, mail, time, subject, recorded };
}

interface Parsing {
  readonly id: string;
  /** Undefined: nothing is told of any line. */
  readonly tells: readonly Told[] | undefined;
  readonly lines: ToldLines[];
}

function parseFile(value: unknown, { id, tells, lines }: Parsing): CountedFile | undefined {
  if (!Array.isArray(value)) return undefined;
  const parts: readonly unknown[] = value;
  const [path, newMode, oldPath, otherPaths] = [parts[0], parts[1], parts[3], parts[4]];
  if (typeof path !== 'string' || typeof newMode !== 'string') return undefined;
  const told = isRegular(newMode) ? tells : undefined;
  const added = parseList(parts[2], (cuts) => {
    const range = parseCuts(cuts, told !== undefined);
    if (!range || !told) return range;
    const written = { commit: id, file: path, start: range.start, end: range.end };
    const runs = cutRuns(written, cuts as unknown[], told);
    if (!runs) return undefined;
    lines.push({ lines: written, runs });
    return range;
  });
  if (!added) return undefined;
  const file: { -readonly [K in keyof CountedFile]: CountedFile[K] } = { path, newMode, binary: false, added };
  if (typeof oldPath === 'string') file.oldPath = oldPath;
  else if (oldPath !== undefined && oldPath !== null) return undefined;
  if (areTexts(otherPaths)) file.otherPaths = otherPaths;
  else if (otherPaths !== undefined) return undefined;
  return file;
}

/** `told`: with a place in the table after each end. */
function parseCuts(value: unknown, told: boolean): LineRange | undefined {
  if (!Array.isArray(value)) return undefined;
  const { length } = value;
  const [start, end]: unknown[] = [value[0], value[told ? length - 2 : 1]];
  const whole = told ? length >= 3 && length % 2 === 1 : length === 2;
  return whole && isLine(start) && isLine(end) && end >= start ? { start, end } : undefined;
}

function isLine(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

/** Undefined where they are not one behind the other, or as something that is not in the table. */
function cutRuns(lines: WrittenLines, cuts: readonly unknown[], tells: readonly Told[]): Run[] | undefined {
  const runs: Run[] = [];
  let start = lines.start;
  for (let at = 1; at < cuts.length; at += 2) {
    const [end, nth] = [cuts[at], cuts[at + 1]];
    const told = typeof nth === 'number' ? tells[nth] : undefined;
    if (!isLine(end) || end < start || !told) return undefined;
    runs.push(runOf(lines, told, { start, end }));
    start = end + 1;
  }
  return runs;
}

function parseTold(value: unknown): Told | undefined {
  if (!Array.isArray(value) || value.length !== 3) return undefined;
  const [said, trace, conversation]: unknown[] = value;
  const origin = parseOrigin(said);
  if (!origin || !isMaybeText(trace) || !isMaybeText(conversation)) return undefined;
  // what is not there is null in a list
  return { origin, via: 'note', ...(trace !== null && { trace }), ...(conversation !== null && { conversation }) };
}

function parseOrigin(value: unknown): Origin | undefined {
  if (!isObject(value)) return undefined;
  const { type, evidence, agent, reason } = value;
  if (!KINDS.includes(type as ContributorType)) return undefined;
  if (evidence !== undefined && !EVIDENCE.includes(evidence as Evidence)) return undefined;
  if (!isAgent(agent) || (reason !== undefined && typeof reason !== 'string')) return undefined;
  return value as unknown as Origin;
}

function isAgent(value: unknown): boolean {
  if (value === undefined) return true;
  if (!isObject(value) || !isObject(value.tool)) return false;
  const { session, event, model, tool } = value;
  const may = [model, tool.version].filter((one) => one !== undefined);
  return areTexts([session, event, tool.name, ...may]);
}

function parseList<T>(value: unknown, parse: (item: unknown) => T | undefined): T[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const list: T[] = [];
  for (const item of value) {
    const parsed = parse(item);
    if (parsed === undefined) return undefined;
    list.push(parsed);
  }
  return list;
}

function areTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function isMaybeText(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}
