import { type AgentRef, type Origin, unknown } from '../lines/origin.ts';
import { type Lines, sameLines } from '../lines/text.ts';
import { applyHunks, applyReplacements, type LineReplacement, type PlacedHunk } from './apply.ts';
import { carriedTrails } from './carried.ts';
import { carriesContents } from './carrying.ts';
import { conflictGap } from './conflict.ts';
import type { Copy } from './copies.ts';
import type { Answer } from './file.ts';
import { Pool } from './pool.ts';
import { recall } from './recall.ts';
import { advanceUpon } from './returned.ts';
import { isServerCall, serverDoubt } from './server-tool.ts';
import { cannotHaveWritten, formatterIn, movesContents, names, opensEditor, readsCommits } from './shell.ts';
import { BY_GIT, baseState, type State, type Writer } from './state.ts';
import { BEFORE_CAPTURE, stepsOf } from './steps.ts';
import { onlyTests } from './testing.ts';
import { type CommandWindow, ranBetween } from './window.ts';

/** A change of one file as the join sees it: texts are lines; `null` where the file did not exist. */
export type TimelineChange =
  | { readonly kind: 'full'; readonly before: Lines | null; readonly after: Lines | null }
  | { readonly kind: 'hunks'; readonly hunks: readonly PlacedHunk[] }
  | { readonly kind: 'replace'; readonly pairs: readonly LineReplacement[] }
  | { readonly kind: 'write'; readonly after: Lines };

/** The shell command that made an edit. */
export interface ShellWindow {
  readonly command: string;
  readonly from: number;
  /** It names a file that was changed while it ran: it is there that it wrote. */
  readonly named?: boolean;
}

/** One edit of the file, by an edit tool or (then with `shell`) by a command between two snapshots. */
export interface TimelineEdit {
  readonly agent: AgentRef;
  readonly at: number;
  readonly change: TimelineChange;
  /** Blob ids of the texts before and after, where they are known: they tell when the file was clean. */
  readonly beforeId?: string | null;
  readonly afterId?: string | null;
  readonly lossy?: boolean;
  readonly userModified?: boolean;
  readonly shell?: ShellWindow;
  /** The path that it was made in, where the file was moved since. */
  readonly elsewhere?: string;
  /** Another path that had the text before it: it was only moved or copied. */
  readonly movedFrom?: string;
  /** Lines that a command copied from where they stood, or that an edit tool moved. */
  readonly copies?: readonly TimelineCopy[];
  /** For lines of the text after it (from 0): what is known of those that they were copied from. */
  readonly copied?: ReadonlyMap<number, Answer>;
  /** What git had put aside when the command began, and may have brought back. */
  readonly stashed?: StashedLines;
}

/** A text that stood in the file until git put it aside, upon the text of a commit. */
export interface StashedLines {
  readonly at: number;
  readonly text: Lines;
  readonly over: Lines;
  /** When that commit was made. */
  readonly since: number;
}

/** With the text that was copied from, where it is still there. */
export interface TimelineCopy extends Copy {
  readonly text?: Lines;
  /** When they stood there; absent: when the command began. */
  readonly at?: number;
  /** Somebody may as well have copied them from here to there before. */
  readonly either?: true;
}

/** A text that git put there. */
export interface PlacedLines {
  readonly at: number;
  readonly text: Lines;
  /** What was committed in the file before; what else stood there, git has put aside (`--autostash`) and not lost. */
  readonly over?: Lines;
  /** Only if what was not committed is gone. */
  readonly drops?: boolean;
  /** When this text was committed, where that is known. */
  readonly born?: number;
}

/** A text that stood there when capture began. */
export interface EarlyLines {
  readonly at: number;
  readonly text: Lines;
}

export interface TimelineContext {
  readonly path: string;
  /** The file's name in the parent, where it was another. */
  readonly oldPath?: string;
  /** When the base text was committed. */
  readonly baseTime: number;
  /** Since when capture was active here; absent: it was not. */
  readonly captureSince?: number;
  /** The text that stood there uncommitted when capture began, where there was one: nobody saw who wrote it, unless edits before it tell. */
  readonly early?: EarlyLines;
  /** Texts that git itself put there: a checkout, a rebase, a merge. In order of time. */
  readonly placed?: readonly PlacedLines[];
  /** Edits whose texts were committed before the base: lines of theirs that went since may come back. */
  readonly settled?: readonly TimelineEdit[];
  /** Those of them of which nothing was committed. */
  readonly undone?: ReadonlySet<TimelineEdit>;
  readonly shellSeconds: number;
  readonly commands: readonly CommandWindow[];
  /** When the file was last committed: what was written before and is not in there may have gone, and come back. */
  readonly lastCommitted?: number;
}

export interface Timeline {
  readonly states: readonly State[];
  readonly pool: Pool;
  readonly formatters: ReadonlySet<string>;
  /** When the last state was seen. */
  readonly until: number;
  /** What edits wrote that found no place. */
  readonly unplaced: Lines;
}

/** Plays the edits upon the base text, one state after each. */
export function play(base: Lines, edits: readonly TimelineEdit[], context: TimelineContext): Timeline {
  const pool = new Pool();
  const standing = new Set(base);
  for (const edit of context.settled ?? []) {
    const doubted = edit.shell !== undefined && shellDoubt(edit, edit.shell, context) !== undefined;
    recall(standing, edit, { pool, path: context.path, doubted, undone: context.undone?.has(edit) ?? false });
  }
  const formatters = new Set<string>();
  const states: State[] = [baseState(base)];
  const unplaced: string[] = [];
  let seen = context.baseTime;
  let first = true;
  const go = (next: Lines, writer: Writer, formatter: string, more: { over?: Lines; edit?: TimelineEdit } = {}) => {
    const state = states.at(-1) ?? baseState(base);
    const committed = more.over && { committed: new Set(more.over) };
    const carried = more.edit && { carried: carriedTrails(more.edit, next, context.path) };
    const onReflow = () => formatters.add(formatter);
    const after = advanceUpon(base, state, next, { writer, pool, ...committed, ...carried, onReflow });
    // all as it was: undone, or switched back. Then every line is the base's own again
    states.push(writer.gap && sameLines(next, base) ? baseState(base) : after);
  };
  for (const step of stepsOf(base, edits, context)) {
    const { edit } = step;
    if (!edit && step.stashed) {
      const { text, over } = step.stashed;
      const known = states.findLast(({ lines }) => sameLines(lines, text));
      // an agent's shell has put it aside itself, and it was seen just before
      if (known) states.push(known);
      else go(text, { origin: stashGap(context, seen, step.stashed), gap: true, reflows: true }, 'unnamed formatter');
      go(over, { origin: unknown(BY_GIT), gap: true, reflows: false }, '', { over });
      seen = step.at;
      continue; // it tells nothing of what stood there when the first edit came
    }
    if (!edit)
      go(step.see, { origin: unknown(step.reason), gap: true, reflows: false }, '', step.over && { over: step.over });
    else if (step.see) {
      const lossy = edit.lossy ? unknown('the text before an edit was not shown exactly') : conflictGap(step.see);
      const origin = lossy ?? (first ? firstGap(context, step.at) : gapOrigin(context, seen, step.at));
      go(step.see, { origin, gap: true, reflows: true }, 'unnamed formatter');
    } else {
      const next = nextText(states.at(-1)?.lines ?? [], edit, pool);
      const writer = writerOf(edit, context, next?.doubt);
      const formatter = (edit.shell && formatterIn(edit.shell.command)) ?? 'unnamed formatter';
      // where git moves contents about in the agent's shell, it puts aside what is not committed, and brings it back
      const over = edit.shell && movesContents(edit.shell.command) && { over: base };
      if (next) go(next.lines, writer, formatter, { edit, ...over });
      else unplaced.push(...writtenBy(edit));
    }
    first = false;
    seen = step.at;
  }
  return { states, pool, formatters, until: seen, unplaced };
}

/** The lines that an edit of parts of a text brought in. */
export function writtenBy({ change }: TimelineEdit): Lines {
  if (change.kind === 'hunks') return change.hunks.flatMap(({ older, newer }) => without(newer, older));
  if (change.kind !== 'replace') return [];
  return change.pairs.flatMap((pair) => without(pair.new.split('\n'), pair.old.split('\n')));
}

function without(lines: Lines, others: Lines): Lines {
  const had = new Set(others);
  return lines.filter((line) => !had.has(line));
}

/** The text before the first edit differs from the committed one: a person's, if capture was there to see any agent. */
function firstGap(context: TimelineContext, to: number): Origin {
  if (context.captureSince === undefined) return unknown('capture was not active');
  if (context.captureSince > context.baseTime || to < (context.early?.at ?? to)) return unknown(BEFORE_CAPTURE);
  return gapOrigin(context, context.baseTime, to);
}

/** Who wrote what git put aside: whoever typed since the commit that it was put aside from, or since the file was seen. */
function stashGap(context: TimelineContext, seen: number, { text, at, since }: StashedLines): Origin {
  if (context.captureSince === undefined) return unknown('capture was not active');
  return conflictGap(text) ?? gapOrigin(context, Math.min(seen, since), at);
}

/** Who typed between two moments: a person, unless a command ran that nothing explains. */
export function gapOrigin({ commands }: Pick<TimelineContext, 'commands'>, from: number, to: number): Origin {
  const found = commands.find((command) => ranBetween(command, from, to) && !command.explained);
  if (found) return unknown(found.reason ?? 'a shell command ran that no snapshot explains');
  return { type: 'human', evidence: 'observed' };
}

export function writerOf(edit: TimelineEdit, context: TimelineContext, doubt?: string): Writer {
  const reason = doubt ?? (edit.shell ? shellDoubt(edit, edit.shell, context) : undefined);
  const seen = edit.change.kind === 'full' ? 'observed' : 'replayed';
  const evidence = edit.elsewhere || edit.at < (context.lastCommitted ?? 0) ? 'matched' : seen;
  const origin: Origin = reason
    ? unknown(reason)
    : { type: edit.userModified ? 'mixed' : 'ai', evidence, agent: edit.agent };
  const moves = edit.shell !== undefined && movesContents(edit.shell.command);
  const carries = edit.shell !== undefined && carriesContents(edit.shell.command, edit.elsewhere ?? context.path);
  return { origin, gap: moves || carries, reflows: edit.shell !== undefined && !moves };
}

export const MOVED = 'a shell command moved contents about';

/** Nobody saves another file in so short a time, in milliseconds. */
const QUICK = 1000;

/** Why what changed while a command ran may not be its doing. */
function shellDoubt(edit: TimelineEdit, shell: ShellWindow, context: TimelineContext): string | undefined {
  if (movesContents(shell.command)) return MOVED;
  const path = edit.elsewhere ?? context.path;
  if (isServerCall(shell.command)) return serverDoubt(shell.command, path);
  if (cannotHaveWritten(shell.command, path)) return 'changed while a shell command ran that does not write it';
  if (carriesContents(shell.command, path) || readsCommits(shell.command)) return MOVED;
  // a test that is told which file to try does not write that file either
  if (onlyTests(shell.command, path)) return 'changed while tests or installers ran, which write no such file';
  if (opensEditor(shell.command)) return 'changed while an editor was open';
  if (names(shell.command, path)) return undefined;
  const lasted = edit.at - shell.from;
  if (lasted > context.shellSeconds * 1000) return 'changed while a long shell command ran';
  if (shell.named && lasted > QUICK) return 'changed while a shell command ran that names other files';
  const crowded = context.commands.some(
    (other) => other.session !== edit.agent.session && ranBetween(other, shell.from, edit.at),
  );
  return crowded ? 'two agents ran shell commands at once' : undefined;
}

/** The text after the edit. What cannot be placed waits in the pool. */
function nextText(text: Lines, edit: TimelineEdit, pool: Pool): { lines: Lines; doubt?: string } | undefined {
  const { change } = edit;
  switch (change.kind) {
    case 'full':
      return { lines: change.after ?? [] };
    case 'write':
      // since it was last seen a person may have typed what the agent has read, and writes along
      return text.length === 0
        ? { lines: change.after }
        : { lines: change.after, doubt: 'what stood there before a write was not recorded' };
    case 'hunks': {
      const lines = applyHunks(text, change.hunks);
      if (lines) return { lines };
      for (const hunk of change.hunks) pour(hunk.older, hunk.newer, edit, pool);
      return undefined;
    }
    case 'replace': {
      const lines = applyReplacements(text, change.pairs);
      if (lines) return { lines };
      for (const pair of change.pairs) pour(pair.old.split('\n'), pair.new.split('\n'), edit, pool);
      return undefined;
    }
    default:
      return change satisfies never;
  }
}

function pour(older: Lines, newer: Lines, edit: TimelineEdit, pool: Pool): void {
  const lines = without(newer, older);
  const type = edit.userModified ? 'mixed' : 'ai';
  pool.add(
    lines,
    lines.map((): Origin => ({ type, evidence: 'matched', agent: edit.agent })),
  );
}
