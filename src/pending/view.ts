import { undoReplacements } from '../join/apply.ts';
import { cannotWrite, runsOn } from '../join/shell.ts';
import type { TimelineChange, TimelineCopy, TimelineEdit } from '../join/timeline.ts';
import type { CommandWindow } from '../join/window.ts';
import { isObject } from '../json.ts';
import { type Lines, splitBytes, splitString } from '../lines/text.ts';
import { mergeCommands, readCommands, type StoredCommand } from '../sessions/commands.ts';
import { readEdits, type WhichEdits } from '../sessions/edits-between.ts';
import type { LostTime } from '../sessions/lost.ts';
import { findSince, type Since, type Store } from '../sessions/store.ts';
import { openTexts } from '../sessions/texts.ts';
import { mergeEdits, openEdits, type StoredCopy, type StoredEdit, type StoredStash } from '../sessions/timelines.ts';
import type { Harvest } from './harvest.ts';
import type { KnownTexts } from './known-texts.ts';

/** The store and what was harvested on top of it, as the join reads them. */
export interface View {
  readonly since: Since | undefined;
  /**
   * The life of a path in one work tree: its edits with their texts, and when it was edited in ways that we cannot tell any more. Texts
   * that are known are not read, and those that were read are known from then on.
   */
  history(path: string, worktree: string, known?: KnownTexts): FileHistory;
  /** What agents left in each path they edited between two moments. */
  lastTexts(worktree: string, between: { readonly from: number; readonly to: number }): ReadonlyMap<string, LastText>;
  /** The edits between two moments, of all paths but these; `ofTexts`: only those of files that were there. */
  editsBeside(
    paths: ReadonlySet<string>,
    worktree: string,
    between: WhichEdits,
  ): ReadonlyMap<string, readonly TimelineEdit[]>;
  commands(worktree: string): readonly StoredCommand[];
  windows(worktree: string): readonly CommandWindow[];
}

/** So many of them, the latest. */
const MAX_BESIDE = 200;
/** Of each edit there are a few sights at most: a hook's, a transcript's, that of a session which went on from there. */
const SIGHTS = 4;

export interface FileHistory {
  readonly edits: readonly TimelineEdit[];
  readonly untold: readonly CommandWindow[];
}

export interface LastText {
  readonly id: string;
  readonly bytes: Buffer | undefined;
}

export function viewOf(store: Store, harvest: Pick<Harvest, 'edits' | 'commands' | 'texts'>): View {
  const fresh = new Map<string, StoredEdit[]>();
  for (const edit of harvest.edits) {
    const list = fresh.get(edit.path);
    if (list) list.push(edit);
    else fresh.set(edit.path, [edit]);
  }
  const kept = readCommands(store);
  const commands = mergeCommands([...kept.commands, ...harvest.commands]);
  const lost = kept.lost.map(lostWindow);
  const byEvent = new Map(
    commands.flatMap((command) => [command.event, ...(command.also ?? [])].map((id) => [id, command] as const)),
  );
  const [stored, storedEdits] = [openTexts(store), openEdits(store)];
  const text = (id: string) => harvest.texts.get(id) ?? stored(id);
  // a command's model and version may have come to light after its edits were stored
  const better = (edit: StoredEdit): StoredEdit => {
    const command = edit.shell && byEvent.get(edit.event);
    if (!command) return edit;
    const model = edit.model ?? command.model;
    const tool = { ...command.tool, ...edit.tool };
    return { ...edit, event: command.event, tool, ...(model !== undefined && { model }) };
  };
  const edits = (path: string) => mergeEdits([...storedEdits.of(path), ...(fresh.get(path) ?? [])]);
  const windows = new Map<string, readonly CommandWindow[]>();
  // what is asked for commit by commit is mostly the same
  let lately: KnownTexts = new Map();
  const ofTree = (worktree: string) => commands.filter((command) => command.worktree === worktree);
  return {
    since: findSince(store),
    history(path, worktree, known = new Map()) {
      const [told, untold]: [TimelineEdit[], CommandWindow[]] = [[], []];
      for (const edit of withSources(edits, path)) {
        if (edit.worktree !== worktree) continue;
        const one = timelineEdit(better(edit), { bytes: text, known });
        if (one) told.push(edit.path === path ? one : { ...one, elsewhere: edit.path });
        else untold.push(untoldWindow(edit));
      }
      return { edits: told, untold: [...untold, ...storedEdits.lost(path).map(lostWindow)] };
    },
    lastTexts(worktree, between) {
      const late = harvest.edits.filter(({ at }) => at >= between.from && at <= between.to);
      const last = new Map<string, StoredEdit>();
      for (const edit of [...readEdits(store, between), ...late]) {
        if (edit.worktree === worktree && edit.at >= (last.get(edit.path)?.at ?? 0)) last.set(edit.path, edit);
      }
      return new Map(
        [...last].flatMap(([path, { after }]) => (after ? [[path, { id: after, bytes: text(after) }]] : [])),
      );
    },
    editsBeside(paths, worktree, between) {
      const late = harvest.edits.filter(({ at }) => at >= between.from && at <= between.to);
      const isAsked = (edit: StoredEdit) =>
        edit.worktree === worktree && (!between.ofTexts || edit.before) && !paths.has(edit.path);
      const stored = readEdits(store, { ...between, worktree, except: paths, latest: MAX_BESIDE * SIGHTS });
      const some = [...stored, ...late.filter(isAsked)];
      const beside = new Map<string, TimelineEdit[]>();
      const known: KnownTexts = new Map();
      for (const edit of mergeEdits(some).slice(-MAX_BESIDE)) {
        for (const id of [edit.before, edit.after]) {
          const lines = id ? lately.get(id) : undefined;
          if (id && lines) known.set(id, lines);
        }
        const one = timelineEdit(edit, { bytes: text, known });
        if (one) beside.set(edit.path, [...(beside.get(edit.path) ?? []), one]);
      }
      lately = known;
      return beside;
    },
    commands: ofTree,
    windows(worktree) {
      const known = windows.get(worktree) ?? [
        ...ofTree(worktree).flatMap((command) => windowOf(command) ?? []),
        ...lost,
      ];
      windows.set(worktree, known);
      return known;
    },
  };
}

/** The edits of a path, and those of the paths that its content was moved from, as far back as that was. */
function withSources(edits: (path: string) => readonly StoredEdit[], path: string): StoredEdit[] {
  const own = [...edits(path)];
  const seen = new Set([path]);
  for (const one of own) {
    if (one.movedFrom === undefined || seen.has(one.movedFrom)) continue;
    seen.add(one.movedFrom);
    const until = one.shell?.from ?? one.at;
    own.push(...edits(one.movedFrom).filter(({ at }) => at <= until));
  }
  return own.sort((a, b) => a.at - b.at);
}

/** What runs on in the background is watched for so long; a command whose end we never heard of has ended by then. */
const BACKGROUND = 3600_000;
const LOST = 600_000;

/** A hook told of something, and we could not make out what. */
const NOT_UNDERSTOOD = 'an agent did something that was not understood';

function windowOf(command: StoredCommand): CommandWindow | undefined {
  const from = command.from ?? command.to;
  if (from === undefined || command.refused) return undefined;
  const seen = command.before !== undefined && command.after !== undefined && !command.tooMany;
  const { session, event, command: text } = command;
  if (text === '')
    return { session, event, from: from - 1, to: (command.to ?? from) + 1, explained: false, reason: NOT_UNDERSTOOD };
  const end = command.to ?? from + LOST;
  const latest = Math.max(end, from + BACKGROUND);
  const background = once(() => command.background || runsOn(text));
  const explained = once(() => (seen && !background()) || cannotWrite(text));
  return {
    ...{ session, event, from, latest },
    get to() {
      return background() ? from + BACKGROUND : end;
    },
    get explained() {
      return explained();
    },
  };
}

/** Worked out when it is asked for. */
function once<T>(work: () => T): () => T {
  let done: { readonly value: T } | undefined;
  return () => {
    done ??= { value: work() };
    return done.value;
  };
}

function untoldWindow({ session, event, at, shell }: StoredEdit): CommandWindow {
  const reason = 'an agent edited the file, and what it wrote is not kept';
  return { session, event, from: shell?.from ?? at - 1, to: at + 1, explained: false, reason };
}

/** Whoever did something then, and where. */
function lostWindow(time: LostTime): CommandWindow {
  const reason = 'what agents did then was written down and can no longer be read';
  return { session: '', event: '', ...time, explained: false, reason };
}

interface Texts {
  bytes(id: string): Buffer | undefined;
  readonly known: KnownTexts;
}

function linesOf({ bytes, known }: Texts, id: string): Lines | undefined {
  const found = known.get(id);
  if (found) return found;
  const read = bytes(id);
  const lines = read && splitBytes(read);
  if (lines) known.set(id, lines);
  return lines;
}

function timelineEdit(edit: StoredEdit, texts: Texts): TimelineEdit | undefined {
  const change = changeOf(edit, texts);
  if (!change) return undefined;
  const { session, event, tool, model } = edit;
  return {
    agent: { session, event, tool, ...(model !== undefined && { model }) },
    at: edit.at,
    change,
    ...(edit.before !== undefined && { beforeId: edit.before }),
    ...(edit.after !== undefined && { afterId: edit.after }),
    ...(edit.lossy && { lossy: true }),
    ...(edit.userModified && { userModified: true }),
    ...(edit.shell && { shell: edit.shell }),
    ...(edit.movedFrom !== undefined && { movedFrom: edit.movedFrom }),
    ...(edit.copies && { copies: edit.copies.map((copy) => withText(copy, texts)) }),
    ...(edit.stashed && stashedLines(edit.stashed, texts)),
  };
}

/** Nothing where a text is gone. */
function stashedLines({ at, since, blob, over }: StoredStash, texts: Texts): Pick<TimelineEdit, 'stashed'> {
  const [text, had] = [blob, over].map((id) => (id === null ? [] : linesOf(texts, id)));
  return text && had ? { stashed: { at, since, text, over: had } } : {};
}

function withText(copy: StoredCopy, texts: Texts): TimelineCopy {
  const text = linesOf(texts, copy.blob);
  return text ? { ...copy, text } : copy;
}

/** What stood there before an edit is not guessed: an edit whose texts are gone is untold. */
function changeOf(edit: StoredEdit, texts: Texts): TimelineChange | undefined {
  const lines = (id: string | null | undefined) => (id ? linesOf(texts, id) : id === null ? null : undefined);
  if (edit.kind === 'untold') return undefined;
  if (edit.kind === 'full' || edit.kind === 'write') {
    const [before, after] = [edit.kind === 'full' ? lines(edit.before) : undefined, lines(edit.after)];
    if (after === undefined || (edit.kind === 'full' && before === undefined)) return undefined;
    return before === undefined ? { kind: 'write', after: after ?? [] } : { kind: 'full', before, after };
  }
  const detail = edit.detail ? texts.bytes(edit.detail)?.toString('utf8') : undefined;
  const parts = detail === undefined ? undefined : parseParts(detail);
  // no parts: something was changed, and we were not told what
  if (!parts || parts.length === 0) return undefined;
  if (edit.kind === 'hunks') return { kind: 'hunks', hunks: parts.map(placedHunk) };
  const [pairs, after] = [parts.map(replacement), lines(edit.after)];
  const before = after && undoReplacements(after, pairs);
  return before ? { kind: 'full', before, after } : { kind: 'replace', pairs };
}

/** Our own writing (harvest.ts), from a file that may be damaged. */
function parseParts(detail: string): Record<string, unknown>[] | undefined {
  try {
    const value: unknown = JSON.parse(detail);
    return Array.isArray(value) ? value.filter(isObject) : undefined;
  } catch {
    return undefined;
  }
}

function placedHunk(part: Record<string, unknown>) {
  const lines = Array.isArray(part.lines) ? part.lines.map(String) : [];
  const side = (sign: string) =>
    lines.filter((line) => line[0] === ' ' || line[0] === sign).map((line) => latin1(line.slice(1)));
  return { start: Number(part.oldStart), older: side('-'), newer: side('+') };
}

function replacement(part: Record<string, unknown>) {
  return { old: latin1(String(part.old ?? '')), new: latin1(String(part.new ?? '')), all: part.all === true };
}

function latin1(text: string): string {
  return text.includes('\n')
    ? Buffer.from(text.replace(/\r\n/g, '\n'), 'utf8').toString('latin1')
    : (splitString(text)[0] ?? '');
}
