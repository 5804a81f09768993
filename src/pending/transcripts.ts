import fs from 'node:fs';
import type { AgentAdapter, TranscriptFile } from '../capture/adapter.ts';
import { findTableLog } from '../git/table-log.ts';
import { type Database, openDatabase } from '../sessions/sqlite.ts';
import type { State } from '../sessions/state.ts';
import { findSince } from '../sessions/store.ts';
import { unpackText } from '../sessions/unpack.ts';
import type { Surroundings } from './world.ts';

/** A transcript that has grown since it was last decoded. */
export interface GrownTranscript {
  readonly agent: AgentAdapter;
  readonly file: string;
  readonly size: number;
  readonly mtime: number;
  /** It was never decoded before. */
  readonly unread?: boolean;
}

/** Transcripts by agent's name that hooks have spoken of, wherever they lie. */
export type NamedTranscripts = ReadonlyMap<string, ReadonlySet<string>>;

/** Transcripts of all agents that may speak of this repository, and that have changed since the state was written. */
export function grownTranscripts(world: Surroundings, state: State, named: NamedTranscripts): GrownTranscript[] {
  // after `deinit` what was recorded is still read, and nothing new is
  if (!world.settings.transcripts || !findSince(world.store)) return [];
  return findTranscripts(world, named).filter(({ file, size, mtime }) => {
    const had = state.transcripts[file];
    return !had || had.size !== size || had.mtime !== mtime;
  });
}

/** A disk's clock ticks so slowly, in milliseconds. */
const TICK = 20;

/** A database may be written to twice within one tick and keep its size: what was that young is read once more. */
export function settledSize({ size, mtime }: GrownTranscript, now: number): State['transcripts'][string] {
  return { size, mtime: mtime > now - TICK ? 0 : mtime };
}

/** Every transcript on this machine that may speak of this repository. */
export function allTranscripts(world: Surroundings): GrownTranscript[] {
  return findTranscripts(world, new Map());
}

function findTranscripts(world: Surroundings, named: NamedTranscripts): GrownTranscript[] {
  const worktrees = world.worktrees.filter((tree) => !tree.bare).map((tree) => tree.path);
  const grown: (GrownTranscript & { born: number })[] = [];
  for (const agent of world.agents) {
    const located = agent.locate({ home: world.home, env: world.env, worktrees, list: listEntries, read: readSmall });
    for (const file of new Set([...located, ...(named.get(agent.name) ?? [])])) {
      const found = statFile(file);
      if (!found) continue;
      grown.push({ agent, file, size: found.size, mtime: found.mtimeMs, born: found.birthtimeMs });
    }
  }
  // a forked session repeats the calls of the one before it, which keeps them: the older file comes first
  return grown.sort((a, b) => a.born - b.born);
}

function listEntries(folder: string): { name: string; folder: boolean }[] {
  try {
    return fs
      .readdirSync(folder, { withFileTypes: true })
      .map((entry) => ({ name: entry.name, folder: entry.isDirectory() }));
  } catch {
    return []; // not there, or not ours to read
  }
}

/** A database grows in the log beside it before it grows itself. */
function statFile(file: string): Pick<fs.Stats, 'size' | 'mtimeMs' | 'birthtimeMs'> | undefined {
  const found = statOne(file);
  const log = found && /\.(?:db|sqlite|vscdb)$/.test(file) ? statOne(`${file}-wal`) : undefined;
  if (!found || !log) return found;
  const { birthtimeMs } = found;
  return { size: found.size + log.size, mtimeMs: Math.max(found.mtimeMs, log.mtimeMs), birthtimeMs };
}

function statOne(file: string): fs.Stats | undefined {
  try {
    const found = fs.statSync(file);
    return found.isFile() ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Longer lines are not looked at, larger documents not read; nor are larger files beside a transcript. */
const MAX_LINE = 64 << 20;
const MAX_TEXT = 256 << 20;
const MAX_SMALL = 4 << 20;

function readSmall(file: string, limit = MAX_SMALL): string | undefined {
  const found = statOne(file);
  if (!found || found.size > limit) return undefined;
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return undefined; // gone meanwhile, or not ours to read
  }
}

/** The reflog of a git dir whose refs are kept in tables, as the file that others have. */
function printTableLog(file: string): string | undefined {
  const [, gitDir] = /^(.+)\/logs\/HEAD$/.exec(file) ?? [];
  const entries = gitDir === undefined ? undefined : findTableLog(gitDir);
  return entries
    ?.map(({ old, new: next, time, action, message }) => `${old} ${next} <> ${time} +0000\t${action}: ${message}\n`)
    .join('');
}

/** `close` it when it has been read. */
export function openTranscript(
  { worktrees }: Pick<Surroundings, 'worktrees'>,
  { file, mtime, unread = false }: GrownTranscript,
): TranscriptFile & { close(): void } {
  let database: Database | undefined;
  return {
    close: () => database?.close(),
    path: file,
    modified: Math.floor(mtime),
    unread,
    worktrees: worktrees.filter((tree) => !tree.bare).map((tree) => tree.path),
    lines: () => readLines(file, MAX_LINE),
    text: () => readSmall(file, MAX_TEXT) ?? '',
    read: (other) => readSmall(other) ?? printTableLog(other),
    unpack: unpackText,
    list: listEntries,
    rows: (sql, values = []) => {
      database ??= openDatabase(file);
      return database.rows(sql, values);
    },
  };
}

/** Of many transcripts only the first line is read. */
const CHUNK = 1 << 17;

/** The lines of a file one after the other, at most `limit` bytes each: a longer one is given as a marker that no decoder understands. */
export function* readLines(file: string, limit: number): Generator<string> {
  const handle = fs.openSync(file, 'r');
  try {
    const chunk = Buffer.allocUnsafe(CHUNK);
    let pieces: Buffer[] = [];
    let length = 0;
    for (let read = fs.readSync(handle, chunk); read > 0; read = fs.readSync(handle, chunk)) {
      let from = 0;
      for (let end = chunk.indexOf(10); end >= 0 && end < read; end = chunk.indexOf(10, from)) {
        yield lineOf(pieces, chunk.subarray(from, end), limit);
        [pieces, length, from] = [[], 0, end + 1];
      }
      length += read - from;
      // what is too long is not kept, only noticed
      if (length <= limit) pieces.push(Buffer.from(chunk.subarray(from, read)));
      else pieces = [Buffer.alloc(0, 0), TOO_LONG];
    }
    if (pieces.length > 0) yield lineOf(pieces, Buffer.alloc(0), limit);
  } finally {
    fs.closeSync(handle);
  }
}

const TOO_LONG = Buffer.from('line too long');

function lineOf(pieces: readonly Buffer[], last: Buffer, limit: number): string {
  if (pieces.includes(TOO_LONG)) return TOO_LONG.toString();
  const line = pieces.length === 0 ? last : Buffer.concat([...pieces, last]);
  return line.length > limit ? TOO_LONG.toString() : line.toString('utf8');
}
