import path from 'node:path';
import { isObject } from '../json.ts';
import type { ToolInfo } from '../lines/origin.ts';
import { appendLines, readTail } from './disk.ts';
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
  /** Its changes were too many to take apart: they stay unexplained. */
  readonly tooMany?: boolean;
}

/** Enough for some ten thousand commands: what is older has long been committed. */
const TAIL = 4 * 1024 * 1024;

export function appendCommands(store: Store, commands: readonly StoredCommand[]): void {
  appendLines(
    fileOf(store),
    commands.map((command) => JSON.stringify(command)),
  );
}

export function readCommands(store: Store): StoredCommand[] {
  return readTail(fileOf(store), TAIL)
    .split('\n')
    .flatMap((line) => parseCommand(line) ?? []);
}

/** One command per event: earliest beginning, first known end, every snapshot. The first seen session keeps it. */
export function mergeCommands(sights: readonly StoredCommand[]): StoredCommand[] {
  const merged = new Map<string, StoredCommand>();
  for (const sight of sights) {
    const key = `${sight.event}\0${sight.worktree}`;
    const had = merged.get(key);
    merged.set(key, had ? { ...sight, ...had, ...between(had, sight) } : sight);
  }
  return [...merged.values()];
}

function between(a: StoredCommand, b: StoredCommand): Partial<StoredCommand> {
  const from = Math.min(a.from ?? Infinity, b.from ?? Infinity);
  const to = Math.min(a.to ?? Infinity, b.to ?? Infinity);
  return {
    ...(Number.isFinite(from) && { from }),
    ...(Number.isFinite(to) && { to }),
    ...((a.background || b.background) && { background: true }),
    // hooks do not name the version; the transcript does
    tool: { ...b.tool, ...a.tool },
  };
}

function parseCommand(line: string): StoredCommand | undefined {
  if (line === '') return undefined;
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
