import { hash } from 'node:crypto';
import path from 'node:path';
import { isLoose } from '../capture/print.ts';
import { isObject } from '../json.ts';
import type { ToolInfo } from '../lines/origin.ts';
import { appendMissing, findFile } from './disk.ts';
import { type LostTime, lostTimes } from './lost.ts';
import type { Store } from './store.ts';

/** One edit of one path, as a line of the path's timeline; texts are named by their blob ids. */
export interface StoredEdit {
  readonly path: string;
  readonly worktree: string;
  readonly session: string;
  readonly event: string;
  readonly tool: ToolInfo;
  readonly model?: string;
  readonly at: number;
  readonly source: 'hook' | 'transcript';
  /** `untold`: its contents were too large to keep. */
  readonly kind: 'full' | 'hunks' | 'replace' | 'write' | 'untold';
  /** `full`: the texts before and after, null where there was no file. `write`: only after; `replace`: where it is known. */
  readonly before?: string | null;
  readonly after?: string | null;
  /** `hunks`, `replace`: a text that holds them as JSON. */
  readonly detail?: string;
  readonly lossy?: boolean;
  readonly userModified?: boolean;
  /** What the call was, where hooks do not tell its id. */
  readonly print?: string;
  readonly shell?: { readonly command: string; readonly from: number; readonly named?: boolean };
  /** Another path of the work tree had this very content before: it was only moved or copied. */
  readonly movedFrom?: string;
  /** Lines of the text after it, from `line` on, that stood elsewhere in the work tree before: there from `from` on. Both count from 1. */
  readonly copies?: readonly StoredCopy[];
  /** What git had put aside of this path when the command began. */
  readonly stashed?: StoredStash;
}

/** A stash: when it was made, in which commit's place, what stood there, and what that commit has. */
export interface StoredStash {
  readonly at: number;
  readonly since: number;
  readonly blob: string | null;
  readonly over: string | null;
}

export interface StoredCopy {
  readonly line: number;
  readonly count: number;
  readonly path: string;
  readonly from: number;
  /** The text that it was copied from. */
  readonly blob: string;
}

const STRENGTH = ['untold', 'write', 'replace', 'hunks', 'full'] as const;

/** Gives the files that were added to. */
export function appendEdits(store: Store, edits: readonly StoredEdit[]): string[] {
  const byFile = new Map<string, string[]>();
  for (const edit of edits) {
    const file = fileOf(edit.path);
    const lines = byFile.get(file) ?? [];
    // the path first: it is looked for without parsing the rest
    const { path: name, ...rest } = edit;
    lines.push(JSON.stringify({ path: name, ...rest }));
    byFile.set(file, lines);
  }
  const files = [...byFile].map(([name, lines]) => [pathOf(store, name), lines] as const);
  return files.flatMap(([file, lines]) => (appendMissing(file, lines) ? [file] : []));
}

/** The timelines, opened for many questions: each file is read once. */
export interface OpenEdits {
  of(path: string): readonly StoredEdit[];
  /** When edits were written down, perhaps of this path, that can no longer be read. */
  lost(path: string): LostTime[];
}

export function openEdits(store: Store): OpenEdits {
  const files = new Map<string, PathLines>();
  const open = (name: string) => {
    const file = fileOf(name);
    const lines = files.get(file) ?? linesByPath(findFile(pathOf(store, file))?.toString('utf8') ?? '');
    files.set(file, lines);
    return lines;
  };
  // both are mostly asked of one path after the other
  let last: { readonly name: string; readonly told: PathEdits } | undefined;
  const look = (name: string): PathEdits => {
    if (last?.name !== name) last = { name, told: parsePathEdits(open(name), name) };
    return last.told;
  };
  return {
    of: (name) => look(name).edits,
    lost(name) {
      const { file, broken } = look(name);
      if (file.foreign.size === 0 && broken.size === 0) return [];
      return lostTimes(file.all.map((line) => (file.foreign.has(line) || broken.has(line) ? undefined : timeIn(line))));
    },
  };
}

/** What there is of one path. */
interface PathEdits {
  readonly file: PathLines;
  readonly edits: readonly StoredEdit[];
  /** Lines that are no edits any more. */
  readonly broken: ReadonlySet<string>;
}

function parsePathEdits(file: PathLines, name: string): PathEdits {
  const edits: StoredEdit[] = [];
  const broken = new Set<string>();
  for (const line of file.byPath.get(name) ?? []) {
    const edit = parseEdit(line);
    if (edit) edits.push(edit);
    else broken.add(line);
  }
  return { file, edits, broken };
}

interface PathLines {
  readonly all: readonly string[];
  readonly byPath: ReadonlyMap<string, readonly string[]>;
  /** Lines that do not begin with a path are not ours. */
  readonly foreign: ReadonlySet<string>;
}

function linesByPath(text: string): PathLines {
  const byPath = new Map<string, string[]>();
  const foreign = new Set<string>();
  const all = text.split('\n').filter((line) => line !== '');
  for (const line of all) {
    const name = pathIn(line);
    const lines = name === undefined ? undefined : byPath.get(name);
    if (name === undefined) foreign.add(line);
    else if (lines) lines.push(line);
    else byPath.set(name, [line]);
  }
  return { all, byPath, foreign };
}

/** Of a line of another path, whole or not: near enough. */
function timeIn(line: string): number {
  return Number(/"at":(\d{1,15})/.exec(line)?.[1] ?? 0);
}

/** The path is what such a line begins with. */
export function pathIn(line: string): string | undefined {
  const head = /^\{"path":("(?:[^"\\]|\\.)*")/.exec(line)?.[1];
  try {
    return head === undefined ? undefined : JSON.parse(head);
  } catch {
    return undefined;
  }
}

/**
 * The same edit seen twice is one (key: tool call and path): the better told one wins, hook before transcript, and takes what only the
 * other knows. Copies in a forked session carry the same tool call: the first seen keeps it. In order of time.
 */
export function mergeEdits(edits: readonly StoredEdit[]): StoredEdit[] {
  if (edits.length < 2) return [...edits];
  const merged = new Map<string, StoredEdit>();
  const loose = new Map<string, StoredEdit>();
  const take = (edit: StoredEdit, into: Map<string, StoredEdit>) => {
    const key = `${edit.event}\0${edit.path}\0${edit.worktree}`;
    const had = into.get(key);
    into.set(key, had ? better(had, edit) : edit);
  };
  for (const edit of edits) take(edit, isLoose(edit.event) && !edit.shell ? loose : merged);
  const named = new Set(merged.values());
  for (const edit of [...loose.values()].sort(byTime)) {
    const same = findNamed(edit, named);
    // a second one like it is another
    if (same) named.delete(same);
    take({ ...edit, event: same?.event ?? edit.event }, merged);
  }
  return [...merged.values()].sort(byTime);
}

const byTime = (a: StoredEdit, b: StoredEdit) => a.at - b.at;

/** Between a hook's call and what the transcript says of the same: it may say so only when all else of a response has run, too. */
const [BEFORE, AFTER] = [15_000, 600_000];

/** A hook that tells no ids: the transcript knows the call, by what it was and when. */
function findNamed(edit: StoredEdit, named: ReadonlySet<StoredEdit>): StoredEdit | undefined {
  let best: StoredEdit | undefined;
  const distance = (other: StoredEdit) => Math.abs(other.at - edit.at);
  for (const other of named) {
    const alike = other.print === edit.print && other.session === edit.session && other.path === edit.path;
    const near = other.at >= edit.at - BEFORE && other.at <= edit.at + AFTER;
    if (!alike || other.worktree !== edit.worktree || !near) continue;
    if (!best || distance(other) < distance(best)) best = other;
  }
  return best;
}

function better(first: StoredEdit, second: StoredEdit): StoredEdit {
  const rank = (edit: StoredEdit) => STRENGTH.indexOf(edit.kind) * 2 + (edit.source === 'hook' ? 1 : 0);
  const [best, other] = rank(second) > rank(first) ? [second, first] : [first, second];
  const model = best.model ?? other.model;
  // one hook tells what was replaced, another what became of the whole
  const after = best.kind === 'replace' && other.kind === 'write' ? other.after : undefined;
  const version = best.tool.version ?? other.tool.version;
  return {
    ...best,
    ...(after !== undefined && { after }),
    session: first.session,
    tool: { name: first.tool.name, ...(version !== undefined && { version }) },
    ...(model !== undefined && { model }),
  };
}

export function parseEdit(line: string): StoredEdit | undefined {
  if (line === '') return undefined;
  try {
    const value: unknown = JSON.parse(line);
    // our own file, written by this module: the shape is checked as far as a torn or foreign line could matter
    const whole =
      isObject(value) &&
      typeof value.path === 'string' &&
      typeof value.event === 'string' &&
      typeof value.at === 'number';
    return whole && isObject(value.tool) ? (value as unknown as StoredEdit) : undefined;
  } catch {
    return undefined;
  }
}

export const FILES = [...'0123456789abcdef'].map((digit) => `${digit}.jsonl`);

/** Sixteen files: few to open when a thousand paths change, and a sixteenth to read when one is asked for. */
function fileOf(name: string): string {
  return `${hash('sha256', name, 'hex').slice(0, 1)}.jsonl`;
}

export function pathOf(store: Store, file: string): string {
  return path.join(store.dir, 'timelines', file);
}
