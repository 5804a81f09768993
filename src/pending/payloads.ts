import fs from 'node:fs';
import path from 'node:path';
import { isRunning } from '../git/realm.ts';
import type { StoredCommand } from '../sessions/commands.ts';
import { listFolder, readTail } from '../sessions/disk.ts';
import { type Fact, isSecond, JOURNAL_START, LAST_MS, readJournal } from '../sessions/journal.ts';
import { findLeft } from '../sessions/left.ts';
import { type Missed, readMissed } from '../sessions/missed.ts';
import type { Surroundings } from './world.ts';

export type PayloadFact = Extract<Fact, { fact: 'payload' }> & {
  /** In full where it lies among the temporary files: its hook was killed before it could file it. */
  readonly left?: string;
};

/** A fact is written so soon after its payload, in milliseconds, unless it is lost. */
const GRACE = 5000;

/** Payloads that facts speak of, and those whose fact was lost, with the journal or when a shim was killed: none is older than it looks. */
export function waitingPayloads(
  world: Surroundings,
  { facts, damaged }: ReturnType<typeof readJournal>,
  silent: boolean,
): PayloadFact[] {
  const told = facts.filter((fact): fact is PayloadFact => fact.fact === 'payload');
  const lost = untold(world, facts, { names: /^\.?\d+-\d+-\d+$/, grace: damaged || silent ? 0 : GRACE });
  return [
    ...toldBefore(
      world,
      lost.map((one) => ({ fact: 'payload', agent: '', seq: 0, ...one })),
    ),
    ...leftBehind(world),
    ...told.map((fact) => moreExact(world, fact)),
  ];
}

/** The disk knows when a payload was written to the millisecond, also where the hook's clock does not. */
function moreExact({ store }: Surroundings, fact: PayloadFact): PayloadFact {
  if (!isSecond(fact)) return fact;
  const { mtimeMs = 0 } = fs.statSync(path.join(store.dir, 'payloads', fact.file), { throwIfNoEntry: false }) ?? {};
  return Math.floor(mtimeMs / 1000) * 1000 === fact.at ? { ...fact, at: Math.floor(mtimeMs) } : fact;
}

function leftBehind(world: Surroundings): PayloadFact[] {
  const worktrees = world.worktrees.flatMap(({ path: tree, bare }) => (bare ? [] : [tree]));
  const left = findLeft(world.env, worktrees, { before: world.now() - GRACE });
  return left.map(({ file, at }) => ({
    fact: 'payload',
    agent: '',
    file: path.basename(file),
    at,
    seq: 0,
    left: file,
  }));
}

/** The same for what git told of commits that became others. One that outlived its work tells nothing new, and does no harm. */
export function waitingRewrites(world: Surroundings, { facts }: ReturnType<typeof readJournal>): Waiting[] {
  const told = facts.filter((fact) => fact.fact === 'rewrite');
  return [...untold(world, facts, { names: /^\.?rewrite-\d+-\d+$/, grace: GRACE }), ...told];
}

interface Waiting {
  readonly file: string;
  readonly at: number;
}

/** Files of which no fact speaks, and none will any more. */
function untold(world: Surroundings, facts: readonly Fact[], which: { names: RegExp; grace: number }): Waiting[] {
  const known = new Set(facts.flatMap((fact) => ('file' in fact ? [fact.file] : [])));
  const folder = path.join(world.store.dir, 'payloads');
  return listFolder(folder).flatMap((file): Waiting[] => {
    // a hook that is killed before it gives a file its name leaves it with a dot
    if (known.has(file) || !which.names.test(file) || isBeingWritten(file)) return [];
    const at = fs.statSync(path.join(folder, file), { throwIfNoEntry: false })?.mtimeMs ?? world.now();
    return world.now() - at < which.grace ? [] : [{ file, at: Math.floor(at) }];
  });
}

function isBeingWritten(file: string): boolean {
  const pid = Number(/^\.(?:\d+-(\d+)-\d+|rewrite-\d+-(\d+))$/.exec(file)?.slice(1).join('') ?? 0);
  return pid > 0 && isRunning(pid);
}

/** A payload that outlived its work (killed before it was removed) has its fact further back: that says where it belongs. */
function toldBefore(world: Surroundings, lost: readonly PayloadFact[]): PayloadFact[] {
  if (lost.length === 0) return [];
  const { facts } = readJournal(world.store, JOURNAL_START, world.now());
  const told = new Map(facts.flatMap((fact) => (fact.fact === 'payload' ? [[fact.file, fact] as const] : [])));
  return lost.map((fact) => moreExact(world, told.get(fact.file) ?? fact));
}

/** What the agents' hook says of itself where it cannot file what it was told, or cannot tell of it. */
const MISHAP = /^(\S+Z) agent-hook: the (payload could not be stored|journal could not be written)$/gm;
const LOG_TAIL = 64 * 1024;

export interface Mishaps {
  /** Some fact was not written. */
  readonly silent: boolean;
  /** Calls that nothing is left of: commands without words, wherever they may have been. */
  readonly lost: readonly StoredCommand[];
}

/** What hooks could not even say in the log: commands without words, too. */
export function readMissedCalls({ store, worktrees }: Surroundings, since: number): Missed & Pick<Mishaps, 'lost'> {
  const missed = readMissed(store);
  const { times, until } = missed;
  // some hooks know the second only
  const spans = [
    ...times.map((at) => [at, at % 1000 === 0 ? at + LAST_MS : at] as const),
    ...(until === undefined ? [] : [[since, until] as const]),
  ];
  const lost = spans.flatMap(([from, to]) => {
    const call = { event: `missed ${to}`, session: '', tool: { name: 'unknown' }, command: '', from, to };
    return worktrees.map(({ name }): StoredCommand => ({ ...call, worktree: name }));
  });
  return { ...missed, lost };
}

/** Since a moment; the log knows seconds. */
export function readMishaps({ store, worktrees }: Surroundings, since: number): Mishaps {
  const log = readTail(path.join(store.dir, 'hooks.log'), LOG_TAIL);
  const late = [...log.matchAll(MISHAP)].filter(([, time = '']) => Date.parse(time) + 999 >= since);
  const lost = late.flatMap(([, time = '', words = '']): StoredCommand[] => {
    if (!words.startsWith('payload')) return [];
    const [from, to] = [Date.parse(time), Date.parse(time) + 999];
    const call = { event: `lost ${from}`, session: '', tool: { name: 'unknown' }, command: '', from, to };
    return worktrees.map(({ name }) => ({ ...call, worktree: name }));
  });
  return { silent: late.some(([, , words = '']) => words.startsWith('journal')), lost };
}
