import fs from 'node:fs';
import path from 'node:path';
import { findFile } from './disk.ts';
import type { Store } from './store.ts';

/** `agent-missed`, beside `agent/`: a line for each call that a hook could not record, behind this one. Empty: the disk had no room for one. */
export const NOTHING_MISSED = '-\n';

export interface Missed {
  /** When calls were made that are not recorded, in milliseconds. */
  readonly times: readonly number[];
  /** The last of some that have no times. */
  readonly until?: number;
  /** How much of the file was read. */
  readonly size: number;
}

const LOOKED_AT = 1 << 20;

export function readMissed(store: Store): Missed {
  const file = fileOf(store);
  const found = fs.statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile() || found.size > LOOKED_AT) return { times: [], size: found?.size ?? 0 };
  const text = findFile(file)?.toString('latin1') ?? NOTHING_MISSED;
  const times = text.split('\n').flatMap((line) => (/^\d{13}$/.test(line) ? [Number(line)] : []));
  const cut = !text.startsWith(NOTHING_MISSED);
  return { times, size: text.length, ...(cut && { until: Math.ceil(found.mtimeMs) }) };
}

/** It is known now; unless more came meanwhile. */
export function clearMissed(store: Store, { times, until, size }: Missed): void {
  if (times.length === 0 && until === undefined) return;
  try {
    const file = fileOf(store);
    if (fs.statSync(file).size === size) fs.writeFileSync(file, NOTHING_MISSED);
  } catch {
    // what is told twice counts once
  }
}

function fileOf(store: Store): string {
  return path.join(path.dirname(store.dir), 'agent-missed');
}
