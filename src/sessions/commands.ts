import path from 'node:path';
import { isLoose } from '../capture/print.ts';
import type { RepoPath } from '../git/paths.ts';
import { isObject } from '../json.ts';
import type { ToolInfo } from '../lines/origin.ts';
import { appendMissing, readTail } from './disk.ts';
import { type LostTime, lostTimes } from './lost.ts';
import type { Store } from './store.ts';

/** One sight of a shell command: its beginning, its end, or both. Sights of one event are put together on reading. */
export interface StoredCommand {
  readonly event: string;
  readonly session: string;
  readonly tool: ToolInfo;
  readonly model?: string;
  readonly worktree: string;
  readonly command: string;
  readonly from?: number;
  readonly to?: number;
  readonly background?: boolean;
  readonly refused?: boolean;
  /** Snapshots around it. */
  readonly before?: string;
  readonly after?: string;
  /** Files of which its snapshots tell nothing: git could not read or store them. */
  readonly unseen?: readonly RepoPath[];
  /** What HEAD was when it began. */
  readonly head?: string;
  /** What `refs/stash` was when it began. */
  readonly stash?: string;
  /** What `refs/stash` was when it had ended. */
  readonly left?: string;
  /** Nobody told of its end: `after` is what its session saw next. */
  readonly lent?: boolean;
  /** Its changes were too many to take apart: they stay unexplained. */
  readonly tooMany?: boolean;
  /** Ids that it had before its own was known. */
  readonly also?: readonly string[];
}

/** Enough for some ten thousand commands: what is older has long been committed. */
const TAIL = 4 * 1024 * 1024;

/** Gives the files that were added to. */
export function appendCommands(store: Store, commands: readonly StoredCommand[]): string[] {
  if (commands.length === 0) return [];
  const file = fileOf(store);
  const lines = commands.map((command) => JSON.stringify(command));
  return appendMissing(file, lines, TAIL) ? [file] : [];
}

export interface StoredCommands {
  readonly commands: readonly StoredCommand[];
  /** When commands ran that can no longer be read. */
  readonly lost: readonly LostTime[];
}

export function readCommands(store: Store): StoredCommands {
  const lines = readTail(fileOf(store), TAIL).split('\n');
  const read = lines.filter((line) => line !== '').map(parseCommand);
  const commands = read.filter((one) => one !== undefined);
  const lost = commands.length === read.length ? [] : lostTimes(read.map((one) => one && (one.from ?? one.to ?? 0)));
  return { commands, lost };
}

/** One command per event: earliest beginning, first known end, every snapshot. The first seen session keeps it. */
export function mergeCommands(sights: readonly StoredCommand[]): StoredCommand[] {
  const merged = new Map<string, StoredCommand>();
  const loose: StoredCommand[] = [];
  for (const sight of sights) {
    if (isLoose(sight.event)) loose.push(sight);
    else mergeInto(merged, sight);
  }
  for (const one of runsOf(loose)) {
    const named = findNamed(merged.values(), one);
    mergeInto(merged, named ? { ...one, event: named.event, also: [one.event] } : one);
  }
  return [...merged.values()];
}

function mergeInto(merged: Map<string, StoredCommand>, sight: StoredCommand): void {
  const key = `${sight.event}\0${sight.worktree}`;
  const had = merged.get(key);
  merged.set(key, had ? { ...sight, ...had, ...between(had, sight) } : sight);
}

/** Hooks that tell no ids: every beginning is a run of its own, and an end ends the youngest that has none. */
function runsOf(sights: readonly StoredCommand[]): StoredCommand[] {
  const runs: StoredCommand[] = [];
  for (const sight of sights) {
    const isOpen = (run: StoredCommand) => (run.to === undefined || run.lent === true) && isSame(run, sight);
    const open = sight.to === undefined ? -1 : runs.findLastIndex(isOpen);
    const run = runs[open];
    lendEnds(runs, sight);
    if (run) runs[open] = { ...sight, ...ownPart(run), ...between(ownPart(run), sight) };
    else runs.push({ ...sight, event: `${sight.event}-${sight.from ?? sight.to ?? 0}` });
  }
  return runs;
}

/** Later it tells nothing of a command. */
const LENT_FOR = 600_000;

/** Not every agent's hooks tell of a command that failed. When its session goes on it has ended: what it left is in the next snapshot. */
function lendEnds(runs: StoredCommand[], sight: StoredCommand): void {
  const [to, after] = [sight.from ?? sight.to, sight.before ?? sight.after];
  if (to === undefined || after === undefined) return;
  runs.forEach((run, i) => {
    const open = run.to === undefined && run.before !== undefined && !run.background;
    const here = run.session === sight.session && run.worktree === sight.worktree;
    if (open && here && to - (run.from ?? 0) <= LENT_FOR)
      runs[i] = { ...run, ...unseenBy(run, sight), to, after, lent: true };
  });
}

function ownPart(run: StoredCommand): StoredCommand {
  if (!run.lent) return run;
  const { to: _, after: __, lent: ___, ...own } = run;
  return own;
}

/** The run of a loose event begins with its id. */
function isSame(run: StoredCommand, sight: StoredCommand): boolean {
  return run.worktree === sight.worktree && run.session === sight.session && run.event.startsWith(sight.event);
}

/** A transcript may be written some time before or after the hook is called. */
const APART = 15_000;

/** The same command in the session's transcript, which knows its id. */
function findNamed(commands: Iterable<StoredCommand>, run: StoredCommand): StoredCommand | undefined {
  let best: StoredCommand | undefined;
  const distance = ({ from, to }: StoredCommand) => Math.abs((from ?? to ?? 0) - (run.from ?? run.to ?? 0));
  for (const one of commands) {
    const alike = one.session === run.session && one.worktree === run.worktree && one.command === run.command;
    if (!alike || one.before !== undefined || one.after !== undefined) continue;
    if (distance(one) > APART && !holds(one, run)) continue;
    if (!best || distance(one) < distance(best)) best = one;
  }
  return best;
}

/** Where a transcript knows only when the call was thought of, and when all of its response had run. */
function holds({ from, to }: StoredCommand, run: StoredCommand): boolean {
  const start = run.from ?? run.to;
  return start !== undefined && from !== undefined && to !== undefined && from <= start && start <= to;
}

function between(a: StoredCommand, b: StoredCommand): Partial<StoredCommand> {
  // a transcript tells when the call was made up, not when it was let run: the snapshot's own time counts
  const from = (a.before ? a.from : b.before ? b.from : undefined) ?? Math.min(a.from ?? Infinity, b.from ?? Infinity);
  // what the snapshot shows may have come about until it was taken
  const to = (a.lent && a.to) || (b.lent && b.to) || Math.min(a.to ?? Infinity, b.to ?? Infinity);
  return {
    ...(Number.isFinite(from) && { from }),
    ...(Number.isFinite(to) && { to }),
    ...((a.background || b.background) && { background: true }),
    // hooks do not name the version; the transcript does
    tool: { ...b.tool, ...a.tool },
    ...unseenBy(a, b),
    ...(b.also && { also: [...(a.also ?? []), ...b.also] }),
  };
}

function unseenBy(a: StoredCommand, b: StoredCommand): Pick<StoredCommand, 'unseen'> {
  if (!a.unseen && !b.unseen) return {};
  return { unseen: [...new Set([...(a.unseen ?? []), ...(b.unseen ?? [])])] };
}

function parseCommand(line: string): StoredCommand | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const whole = isObject(value) && typeof value.event === 'string' && typeof value.command === 'string';
    return whole && isObject(value.tool) ? (value as unknown as StoredCommand) : undefined;
  } catch {
    return undefined;
  }
}

function fileOf(store: Store): string {
  return path.join(store.dir, 'commands.jsonl');
}
