import fs from 'node:fs';
import path from 'node:path';
import { parseJson } from '../json.ts';
import { listFolder, sizeOf } from '../sessions/disk.ts';
import { finishDropping, keepTexts, listTexts, type TextEntry } from '../sessions/drop-texts.ts';
import { dropGoneTrees } from '../sessions/gone-trees.ts';
import { parseJournal } from '../sessions/journal.ts';
import { readState, writeState } from '../sessions/state.ts';
import type { Store } from '../sessions/store.ts';
import { finishReplacing, readWholeLines, replaceLines, rewriteLines, type WholeLines } from '../sessions/thin.ts';
import { readReferences } from './references.ts';
import { type AgedSession, isStaleFact, isStaleLine, readAges, withoutText, withoutWords } from './stale.ts';
import type { Surroundings } from './world.ts';

/** What is older than the retention and referred to by no note. */
export interface Sweep {
  readonly cutoff: number;
  readonly sessions: readonly AgedSession[];
  /** As old, and kept because notes refer to them. */
  readonly referred: number;
  readonly unreadable: number;
  /** Notes that could not be read: while there are any, nothing is removed. */
  readonly unread: number;
  readonly texts: readonly TextEntry[];
  readonly edits: number;
  readonly commands: number;
  readonly facts: number;
  readonly diagnostics: number;
  /** Of the sessions, texts and lines that go. */
  readonly bytes: number;
  /** How to carry it out. */
  readonly rules: Rules;
}

interface Rules {
  readonly edit: (line: string) => string;
  readonly command: (line: string) => string | undefined;
  readonly fact: (line: string, at: number) => boolean;
  readonly keptTexts: readonly TextEntry[];
}

/** What is pending, for a plan that is made before it is worked in. */
export interface PendingLines {
  readonly sessions: ReadonlySet<string>;
  readonly notes: ReadonlyMap<string, readonly string[]>;
}

const LOGS = ['diagnostics.jsonl', 'diagnostics.jsonl.1', 'hooks.log', 'hooks.log.1'];

/** Works out what would go. Nothing is written. */
export async function planSweep(
  { store, repository }: Pick<Surroundings, 'store' | 'repository'>,
  cutoff: number,
  pending: PendingLines = { sessions: new Set(), notes: new Map() },
): Promise<Sweep> {
  const { all, unreadable } = readAges(store);
  const isOld = ({ id, last }: AgedSession) => last < cutoff && !pending.sessions.has(id);
  const old = all.filter(isOld);
  const others = all.filter((one) => !isOld(one)).map(({ id }) => id);
  const young = new Set([...others, ...unreadable, ...pending.sessions]);
  const asked = new Set([...old.map(({ id }) => id), ...namedSessions(store)]);
  const notes = await readReferences(repository.place, asked, pending.notes);
  const isStale = ({ session, at }: { readonly session: string; readonly at: number }) =>
    at < cutoff && !young.has(session) && !notes.sessions.has(session);
  const worked = readState(store).journal;
  const edit = (line: string) => withoutText(line, isStale);
  const rules = {
    edit,
    command: (line: string) =>
      withoutWords(line, ({ session, from, to }) => isStale({ session, at: to ?? from ?? Infinity })),
    fact: (line: string, at: number) => {
      const [fact] = at + line.length < worked ? parseJournal(`${line}\n`, at).facts : [];
      return fact === undefined || !isStaleFact(fact, cutoff, notes.commits);
    },
    ...textsOf(store, edit),
  };
  const sessions = old.filter(({ id }) => !notes.sessions.has(id));
  const counts = countLines(store, cutoff, rules);
  const bytes = [...sessions.map((one) => one.bytes), ...rules.droppedTexts.map(({ length }) => length), counts.bytes];
  return {
    ...counts,
    cutoff,
    sessions,
    referred: old.length - sessions.length,
    unreadable: unreadable.length,
    unread: notes.unread,
    texts: rules.droppedTexts,
    bytes: bytes.reduce((sum, one) => sum + one, 0),
    rules,
  };
}

export function timelineFiles(store: Store): string[] {
  const folder = path.join(store.dir, 'timelines');
  return listFolder(folder)
    .filter((name) => /^[0-9a-f]\.jsonl$/.test(name))
    .map((name) => path.join(folder, name));
}

/** Sessions that timelines and commands name, whether or not their documents are here. */
function namedSessions(store: Store): string[] {
  return [...timelineFiles(store), path.join(store.dir, 'commands.jsonl')].flatMap((file) =>
    utf8Lines(file).flatMap((line) => {
      const id = /"session":("(?:[^"\\]|\\.)*")/.exec(line)?.[1];
      const parsed = id === undefined ? undefined : parseJson(id, id.length);
      return parsed && 'value' in parsed ? [String(parsed.value)] : [];
    }),
  );
}

function utf8Lines(file: string): string[] {
  return readWholeLines(file).lines.map(({ text }) => Buffer.from(text, 'latin1').toString('utf8'));
}

/** Texts that some edit still names, and those that none does. */
function textsOf(store: Store, edit: (line: string) => string) {
  const named = new Set<string>();
  for (const file of timelineFiles(store)) {
    for (const line of utf8Lines(file)) {
      for (const [, id = ''] of edit(line).matchAll(/"(?:before|after|detail|blob)":"([0-9a-f]{40,64})"/g))
        named.add(id);
    }
  }
  const all = listTexts(store);
  return { keptTexts: all.filter(({ id }) => named.has(id)), droppedTexts: all.filter(({ id }) => !named.has(id)) };
}

function countLines(store: Store, cutoff: number, rules: Rules) {
  let bytes = 0;
  const changed = (files: readonly string[], rewrite: (line: string) => string | undefined) =>
    files.flatMap(utf8Lines).filter((line) => {
      const next = rewrite(line);
      if (next !== line) bytes += line.length - (next?.length ?? -1);
      return next !== line;
    });
  const edits = changed(timelineFiles(store), rules.edit);
  const commands = changed([path.join(store.dir, 'commands.jsonl')], rules.command);
  const logs = LOGS.map((name) => path.join(store.dir, name));
  const diagnostics = changed(logs, (line) => (isStaleLine(line, cutoff) ? undefined : line)).length;
  const facts = readWholeLines(path.join(store.dir, 'journal')).lines.filter(({ text, at }) => !rules.fact(text, at));
  bytes += facts.reduce((sum, { text }) => sum + text.length + 1, 0);
  return { edits: countCalls(edits), commands: countCalls(commands), diagnostics, facts: facts.length, bytes };
}

/** A call has a line for each that told of it: its beginning, its end, its transcript. */
function countCalls(lines: readonly string[]): number {
  const part = (line: string, key: string) => new RegExp(`"${key}":"(?:[^"\\\\]|\\\\.)*"`).exec(line)?.[0] ?? '';
  return new Set(lines.map((line) => `${part(line, 'path')} ${part(line, 'event')}`)).size;
}

/** What a killed one has begun. */
export function finishSweep(store: Store): void {
  for (const name of ['journal', ...LOGS]) finishReplacing(path.join(store.dir, name));
  finishDropping(store);
}

/**
 * Carries the plan out, with the lock held. Every step leaves a store that can be read and a plan that can be made again: killed at any
 * point, the next one goes on.
 */
export async function carryOutSweep(store: Store, sweep: Sweep): Promise<void> {
  const { rules, cutoff } = sweep;
  for (const { file } of sweep.sessions) fs.rmSync(file, { force: true });
  for (const file of timelineFiles(store)) rewriteLines(file, rules.edit);
  rewriteLines(path.join(store.dir, 'commands.jsonl'), rules.command);
  // after the edits that named them
  if (sweep.texts.length > 0) keepTexts(store, rules.keptTexts);
  if (sweep.facts > 0) await thinJournal(store, rules);
  dropGoneTrees(store, cutoff);
  for (const name of LOGS) {
    const file = path.join(store.dir, name);
    await thin(file, (line) => !isStaleLine(Buffer.from(line, 'latin1').toString('utf8'), cutoff));
  }
}

/** While the journal is another one and the state does not know it yet, everything counts as unread: that is safe, and only slower. */
async function thinJournal(store: Store, rules: Rules): Promise<void> {
  const state = readState(store);
  const file = path.join(store.dir, 'journal');
  const read = readWholeLines(file);
  const kept = read.lines.filter(({ text, at }) => rules.fact(text, at));
  const before = kept.filter(({ at }) => at < state.journal);
  writeState(store, { ...state, journal: 0, latest: 0 });
  const done = await replaceLines(
    file,
    read,
    kept.map(({ text }) => text),
  );
  const journal = done ? before.reduce((sum, { text }) => sum + text.length + 1, 0) : state.journal;
  const told = Math.min(state.told ?? 0, sizeOf(file));
  writeState(store, { ...state, journal, ...(told > 0 && { told }) });
}

async function thin(file: string, keep: (line: string) => boolean): Promise<void> {
  const read: WholeLines = readWholeLines(file);
  const kept = read.lines.filter(({ text }) => keep(text));
  if (kept.length === read.lines.length) return;
  await replaceLines(
    file,
    read,
    kept.map(({ text }) => text),
  );
}
