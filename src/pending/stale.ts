import { parseDocument } from '../agentlog/parse.ts';
import { cannotWrite, runsOn } from '../join/shell.ts';
import { isObject } from '../json.ts';
import type { StoredCommand } from '../sessions/commands.ts';
import type { Fact } from '../sessions/journal.ts';
import { scanSessions } from '../sessions/scan.ts';
import type { Store } from '../sessions/store.ts';
import type { StoredEdit } from '../sessions/timelines.ts';
import { timeOf } from '../shape.ts';

/** A stored session, and when it was last at work. */
export interface AgedSession {
  readonly id: string;
  readonly agent: string;
  readonly file: string;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly last: number;
}

export interface AgedSessions {
  readonly all: readonly AgedSession[];
  /** Ids of documents that are none any more: left alone, and what belongs to them. */
  readonly unreadable: readonly string[];
}

export function readAges(store: Store): AgedSessions {
  const all: AgedSession[] = [];
  const unreadable: string[] = [];
  for (const { id: name, agent, file, text, mtime } of scanSessions(store)) {
    const parsed = parseDocument(text);
    if (parsed.kind === 'foreign') unreadable.push(name);
    else {
      const { id, startTime, endTime, events } = parsed.document;
      const times = [startTime, endTime ?? '', ...events.map(({ timestamp }) => timestamp)];
      const last = times.reduce((latest, time) => Math.max(latest, timeOf(time) ?? -1), -1);
      all.push({ id, agent, file, bytes: Buffer.byteLength(text), last: last < 0 ? mtime : last });
    }
  }
  return { all, unreadable };
}

/** A line of a timeline without what was written: that somebody wrote there then stays known, or the line would pass for a person's. */
export function withoutText(line: string, isStale: (edit: StoredEdit) => boolean): string {
  const edit = parseLine(line) as StoredEdit | undefined;
  if (!edit || typeof edit.path !== 'string' || typeof edit.at !== 'number' || !isStale(edit)) return line;
  const { before: _, after: __, detail: ___, print: ____, movedFrom: _____, copies: ______, shell, ...rest } = edit;
  return JSON.stringify({ ...rest, kind: 'untold', ...(shell && { shell: { command: '', from: shell.from } }) });
}

/** What stands in the place of a command's words. It may have written, as far as anybody can tell. */
export const FORGOTTEN = '(no longer kept)';

/**
 * A command that cannot have written is not needed any more. Of any other its time stays: whatever changed then and was not seen is
 * unknown, and not a person's.
 */
export function withoutWords(line: string, isStale: (command: StoredCommand) => boolean): string | undefined {
  const command = parseLine(line) as StoredCommand | undefined;
  if (!command || typeof command.command !== 'string' || !isStale(command)) return line;
  const { command: text, ...rest } = command;
  if (text === '' || text === FORGOTTEN) return line;
  const harmless = cannotWrite(text) && !runsOn(text) && !command.background;
  return harmless ? undefined : JSON.stringify({ ...rest, command: FORGOTTEN });
}

/** A fact that was worked in and is older; what it says of a commit that has a note stays. */
export function isStaleFact(fact: Fact, cutoff: number, commits: ReadonlySet<string>): boolean {
  return fact.at < cutoff && !('commit' in fact && commits.has(fact.commit));
}

/** Diagnostics have their time in a field, the log of hooks at the beginning of the line. */
export function isStaleLine(line: string, cutoff: number): boolean {
  const value = parseLine(line);
  const at = value ? value.at : timeOf(line.split(' ', 1)[0] ?? '');
  return typeof at === 'number' && at < cutoff;
}

function parseLine(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
