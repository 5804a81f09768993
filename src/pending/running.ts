import type { FileDiff } from '../git/diff.ts';
import { readHeadFiles } from '../git/trees.ts';
import { callsJj, cannotWrite, commits, mayCommit, names, onlyLooks } from '../join/shell.ts';
import type { TimelineEdit } from '../join/timeline.ts';
import { type CommandWindow, ranBetween } from '../join/window.ts';
import type { Lines } from '../lines/text.ts';
import type { StoredCommand } from '../sessions/commands.ts';
import { type Joining, timeOf } from './joining.ts';

/** A file's content when the command began that the commit was made in, by the agent's own shell. */
export interface Running {
  readonly command: StoredCommand;
  readonly before: string | null;
}

/** The agent commits by itself: its command is still running, so that the commit itself shows what the command has done. */
export async function runningCommand(joining: Joining, files: readonly FileDiff[]): Promise<Map<string, Running>> {
  const { world, one } = joining;
  const command = one.session ? sessionsCommand(joining) : namelessCommand(joining);
  if (!command?.before) return new Map();
  const before = await readHeadFiles(
    world.repository.place,
    command.before,
    files.map(({ path }) => path),
  );
  return new Map(files.map(({ path }) => [path, { command, before: before.get(path)?.blob ?? null }]));
}

function sessionsCommand({ view, one: { at, session, worktree } }: Joining): StoredCommand | undefined {
  if (at === undefined) return undefined;
  return view.commands(worktree).findLast((command) => command.session === session && ranAt(command, at, at));
}

/** Agents whose shell tells a git hook which session it is: a commit that names none was not made there, unless it names the agent. */
const TELLS_SESSION = new Set(['claude-code', 'codex', 'copilot', 'amp', 'pi', 'qwen-code', 'cursor']);

/** The shell of some agents says nothing of itself, or switches hooks off: what it ran then, and that it was to commit, tells. */
function namelessCommand(joining: Joining): StoredCommand | undefined {
  const { view, one, diff } = joining;
  // jj has not looked at the work tree for it: it is made of other commits alone
  if (isOfJj(one) && one.at === undefined) return undefined;
  const isAt = momentOf(joining);
  const mayBe = ({ tool }: StoredCommand) => isOfJj(one) || !TELLS_SESSION.has(tool.name) || tool.name === one.agent;
  const makes = isOfJj(one) ? callsJj : commits;
  const found = view
    .commands(one.worktree)
    .filter((command) => mayBe(command) && isAt(command) && makes(command.command));
  // git's clock knows seconds: of two that ran in the same one, the commit is the one's that began at its parent
  const [parent] = diff.parents;
  const exact = found.length > 1 ? found.filter(({ head }) => head === parent) : found;
  return exact.length === 1 ? exact[0] : undefined;
}

/** When commands of agents ran that may have written a file. */
export type WindowsOf = (path: string) => readonly CommandWindow[];

/**
 * One that was at work when the commit was made, though that names no session, has perhaps made it, or was seen by it half done: what it changed
 * before that is not told by what stood there after it. What stood there just so when it began it has not changed.
 */
export async function windowsOf(joining: Joining, files: readonly FileDiff[]): Promise<WindowsOf> {
  const { view, one, world } = joining;
  // what stood there when capture began was seen then: what ran before, perhaps in another clone at the same place, changed nothing since
  const begun = view.since?.at ?? 0;
  const windows = view.windows(one.worktree).filter((run) => run.from >= begun || ranBetween(run, begun - 1, Infinity));
  if (one.session || one.at === undefined) return () => windows;
  const [isAt, at] = [momentOf(joining), one.at];
  const mayHave = view.commands(one.worktree).filter((command) => {
    const { from = Infinity, to = Infinity } = command;
    const [isNear, isAround] = [isAt(command), from < at && to > at];
    // of a long history few are: the others need not be read
    if (!isNear && !isAround) return false;
    return mayHaveMade(command, one) ? isNear : isAround && isBusy(command);
  });
  if (mayHave.length === 0) return () => windows;
  const paths = files.map(({ path }) => path);
  const stood = await Promise.all(
    mayHave.map(async ({ event, before }) => {
      const found = before ? await readHeadFiles(world.repository.place, before, paths) : new Map();
      return { event, blobOf: (path: string): string | undefined => found.get(path)?.blob };
    }),
  );
  const committed = new Map(files.map(({ path, newBlob }) => [path, newBlob]));
  return (path) => {
    const changed = stood.filter(({ blobOf }) => blobOf(path) === undefined || blobOf(path) !== committed.get(path));
    const events = new Set(changed.map(({ event }) => event));
    return windows.map((one) => (events.has(one.event) ? { ...one, explained: false } : one));
  };
}

function mayHaveMade({ command }: StoredCommand, one: Joining['one']): boolean {
  return isOfJj(one) ? callsJj(command) : mayCommit(command);
}

/** It says nothing of a commit, and may change files. At the very moment of the commit, as far as a clock of seconds tells, it has ended. */
function isBusy({ command }: StoredCommand): boolean {
  return !cannotWrite(command) && !onlyLooks(command);
}

/** jj runs no hooks, and says itself when it looked at the work tree. */
function isOfJj({ typed }: Joining['one']): boolean {
  return typed !== undefined;
}

/** Whether a command ran when the commit was made. Where no hook saw that, git's own clock knows only the second. */
function momentOf({ one, commit }: Pick<Joining, 'one' | 'commit'>): (command: StoredCommand) => boolean {
  const second = commit.committer.time * 1000;
  const [from, to] = one.at === undefined ? [second, second + 999] : [one.at, one.at];
  return (command) => ranAt(command, from, to);
}

function ranAt({ from, to }: StoredCommand, first: number, last: number): boolean {
  return from !== undefined && from <= last && (to ?? Infinity) >= first;
}

export function commandEdit(
  joining: Joining,
  { command, before: beforeId }: Running,
  texts: { before: Lines; after: Lines },
): TimelineEdit {
  const { session, event, tool, model } = command;
  return {
    agent: { session, event, tool, ...(model !== undefined && { model }) },
    at: timeOf(joining),
    change: { kind: 'full', before: beforeId === null ? null : texts.before, after: texts.after },
    beforeId,
    shell: {
      command: command.command,
      from: command.from ?? timeOf(joining),
      named: joining.diff.files.some(({ path }) => names(command.command, path)),
    },
  };
}
