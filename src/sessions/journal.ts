import path from 'node:path';
import { isObject } from '../json.ts';
import { appendLines, readFrom, replaceFile, sizeOf, whileSame } from './disk.ts';
import type { Store } from './store.ts';

/**
 * What the shims write down; src/README.md has the forms. `seq` is the fact's place in the journal; a work tree whose name a shim could
 * not print is absent.
 */
export type Fact = { readonly at: number; readonly seq: number; readonly worktree?: string } & (
  | {
      readonly fact: 'payload';
      readonly agent: string;
      readonly file: string;
      readonly tree?: string;
      /** Milliseconds from `at` until the snapshot was there. */
      readonly took?: number;
      /** Of some files the snapshot tells nothing: their names are in a file beside the payload. */
      readonly unseen?: true;
      readonly head?: string;
      /** Where the hook saw the work tree. */
      readonly top?: string;
      /** What `refs/stash` was. */
      readonly stash?: string;
    }
  | { readonly fact: 'commit'; readonly commit: string; readonly agent?: string; readonly session?: string }
  | { readonly fact: 'rewrite'; readonly kind: string; readonly file: string }
  | Merge
  | { readonly fact: 'applied'; readonly commit: string }
);

/** Of a squash also what was squashed: its newest commit, and how many there were. */
export interface Merge {
  readonly fact: 'merge';
  readonly commit: string;
  readonly squash: boolean;
  readonly tip?: string;
  readonly count?: number;
}

let counter = 0;

/** The same that the shims do: the payload is put there whole, then the journal speaks of it. */
export function appendPayload(
  store: Store,
  payload: unknown,
  fact: { readonly at: number; readonly agent: string; readonly worktree: string; readonly tree?: string },
): void {
  const file = `${Math.floor(fact.at)}-${process.pid}-${counter++}`;
  replaceFile(path.join(store.dir, 'payloads', file), JSON.stringify(payload));
  appendLines(path.join(store.dir, 'journal'), [JSON.stringify({ fact: 'payload', file, ...fact })]);
}

/** How far the journal has been read. */
export interface JournalPlace {
  readonly journal: number;
  /** The latest time that a fact has told. */
  readonly latest: number;
}

export const JOURNAL_START: JournalPlace = { journal: 0, latest: 0 };

export interface JournalTail {
  readonly facts: readonly Fact[];
  /** Where the next reading starts: behind the last whole line. */
  readonly journal: number;
  /** Lines that were torn or are not ours. */
  readonly torn: number;
}

export function readJournal(store: Store, from: JournalPlace, now: number): JournalTail & Steadied & Damage {
  const file = path.join(store.dir, 'journal');
  // a journal that is shorter than what was read of it is another one
  const cut = from.journal > sizeOf(file);
  const start = cut ? JOURNAL_START : from;
  const tail = parseJournal(readFrom(file, start.journal, 'latin1'), start.journal);
  return { ...tail, ...steady(tail.facts, start.latest, now), damaged: cut || tail.torn > 0 };
}

/** The commits that facts behind this place tell of, as far as a look at the text shows. */
export function glimpseCommits(store: Store, { journal }: Pick<JournalPlace, 'journal'>): string[] {
  const text = readFrom(path.join(store.dir, 'journal'), journal, 'latin1');
  return Array.from(text.matchAll(TOLD_COMMIT), ([, id = '']) => id);
}

const TOLD_COMMIT = /^\{"fact":"commit","at":\d+,"commit":"([0-9a-f]{40,64})"/gm;

interface Damage {
  /** Some of what was told is not there any more. */
  readonly damaged: boolean;
}

/** Whether there is something in the journal behind what was read of it. */
export function hasGrown(store: Store, { journal }: Pick<JournalPlace, 'journal'>): boolean {
  return sizeOf(path.join(store.dir, 'journal')) > journal;
}

type Steadied = Pick<JournalTail & JournalPlace, 'facts' | 'latest'>;

/** A hook writes its line later than it looks at the clock, by the time that a snapshot takes, which it may tell; without one at once, or nearly. */
const SLOW_HOOK = 120_000;
const NEARLY = 1000;
/** From where it has told how long it took until it is written. */
const QUICKLY = 250;
const DAY = 86_400_000;

/**
 * Where the clock was set back, a fact counts as told at the latest time before it: then its place in the journal decides. So it does within a
 * second where the clock knows no less.
 */
export function steady(facts: readonly Fact[], from: number, now: number): Steadied {
  let [latest, back] = [from, false];
  const steadied = facts.map((fact) => {
    // until the clock is where it was no fact comes before the one that told of it
    back = fact.at < latest - (back ? 0 : slowness(fact)) || (isSecond(fact) && fact.at + LAST_MS === latest);
    const at = back ? latest : fact.at;
    // a clock that was years ahead for a moment is no measure for what follows
    if (at < now + DAY) latest = Math.max(latest, at);
    return at === fact.at ? fact : { ...fact, at };
  });
  return { facts: steadied, latest };
}

function slowness(fact: Fact): number {
  if (fact.fact !== 'payload' || fact.tree === undefined) return NEARLY;
  return fact.took === undefined ? SLOW_HOOK : Math.min(fact.took + QUICKLY, SLOW_HOOK);
}

/** Where `date` tells no milliseconds (busybox, BSD), a payload counts from the start of its second, and all else from the last moment of it. */
export function isSecond({ fact, at }: Fact): boolean {
  return fact === 'payload' && at % 1000 === 0;
}
export const LAST_MS = 999;

/** One character of the text is one byte: whatever junk is in it, places stay true. What shims print is ASCII, but for paths. */
export function parseJournal(text: string, from: number): JournalTail {
  const facts: Fact[] = [];
  let torn = 0;
  let seq = from;
  const end = text.lastIndexOf('\n') + 1; // what follows is still being written, or torn: the next reading sees it again
  for (const line of text.slice(0, end).split('\n').slice(0, -1)) {
    const fact = parseFact(line, seq) ?? parseFact(line.slice(Math.max(0, line.lastIndexOf('{"fact"'))), seq);
    if (fact) facts.push(fact);
    else if (line.trim() !== '') torn++;
    seq += line.length + 1;
  }
  return { facts, journal: from + end, torn };
}

function parseFact(line: string, seq: number): Fact | undefined {
  const value = parseJson(line);
  if (!isObject(value) || typeof value.at !== 'number' || !(value.at >= 0 && value.at <= MAX_TIME)) return undefined;
  const text = (key: string) =>
    typeof value[key] === 'string' && value[key] !== '' ? (value[key] as string) : undefined;
  const worktree = value.worktree === '' ? '' : plainName(text('worktree'));
  const common = { at: value.at, seq, ...(worktree !== undefined && { worktree }) };
  const [agent, session, commit, file] = [
    text('agent'),
    text('session'),
    hexId(text('commit')),
    plainName(text('file')),
  ];
  switch (value.fact) {
    case 'payload': {
      if (!agent || !file) return undefined;
      const [tree, head, stash] = [hexId(text('tree')), hexId(text('head')), hexId(text('stash'))];
      const top = wholePath(text('top'));
      const took = typeof value.took === 'number' && value.took >= 0 && { took: value.took };
      const unseen = value.unseen === 1 && { unseen: true as const };
      const around = { ...(tree && { tree }), ...took, ...unseen, ...(head && { head }), ...(stash && { stash }) };
      return { ...common, fact: 'payload', agent, file, ...(top && { top }), ...around };
    }
    case 'commit':
      return commit
        ? { ...common, fact: 'commit', commit, ...(agent && { agent }), ...(session && { session }) }
        : undefined;
    case 'rewrite':
      return file ? { ...common, fact: 'rewrite', kind: text('kind') ?? '', file } : undefined;
    case 'merge': {
      if (!commit) return undefined;
      const [tip, { count }] = [hexId(text('tip')), value];
      const of = tip && typeof count === 'number' ? { tip, count } : {};
      return { ...common, fact: 'merge', commit, squash: text('squash') === '1', ...of };
    }
    case 'applied':
      return commit ? { ...common, fact: 'applied', commit } : undefined;
    default:
      return undefined;
  }
}

/** The last moment that a date can tell. */
const MAX_TIME = 8.64e15;

function hexId(id: string | undefined): string | undefined {
  return id && /^[0-9a-f]{40,64}$/.test(id) ? id : undefined;
}

/** Read as bytes, told in UTF-8. */
function wholePath(bytes: string | undefined): string | undefined {
  return bytes?.startsWith('/') ? Buffer.from(bytes, 'latin1').toString('utf8') : undefined;
}

/** A payload's name leads nowhere but into `payloads/`, a work tree's nowhere but into `worktrees/`. */
function plainName(name: string | undefined): string | undefined {
  return name && /^[\w][\w.-]*$/.test(name) ? name : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Enough for some ten thousand facts. */
const TAIL = 2 * 1024 * 1024;

/** When hooks saw commits being made, in milliseconds. */
export function readCommitTimes(store: Store): Map<string, number> {
  return new Map(
    lateCommits(store).flatMap((fact) => (fact.fact === 'commit' ? [[fact.commit, fact.at] as const] : [])),
  );
}

/** What was squashed into a work tree between the commit before and this one. */
export function readSquashes(store: Store, commit: string): Merge[] {
  const facts = lateCommits(store);
  const at = facts.findLastIndex((fact) => fact.fact === 'commit' && fact.commit === commit);
  const here = facts.slice(0, Math.max(0, at)).filter(({ worktree }) => worktree === facts[at]?.worktree);
  const before = here.findLastIndex((fact) => fact.fact === 'commit' || fact.fact === 'applied');
  return here.slice(before + 1).flatMap((fact) => (fact.fact === 'merge' && fact.squash ? [fact] : []));
}

function lateCommits(store: Store): readonly Fact[] {
  return readLateCommits(path.join(store.dir, 'journal'));
}

/** The late facts that speak of a commit: nearly all others are payloads, and only these are parsed. */
const readLateCommits = whileSame((file): readonly Fact[] => {
  const tail = readFrom(file, Math.max(0, sizeOf(file) - TAIL), 'latin1');
  const whole = tail.slice(0, tail.lastIndexOf('\n') + 1);
  const told = whole.split('\n').filter((line) => line.includes('"commit"'));
  return parseJournal(`${told.join('\n')}\n`, 0).facts;
});
