import path from 'node:path';
import { Fault } from '../fault.ts';
import { bytesOf } from './bytes.ts';
import type { Change, Plan } from './change.ts';
import { ownPaths } from './places.ts';
import type { Wishes } from './plan.ts';
import { capturedAgents } from './plan-agents.ts';
import type { Found } from './survey.ts';

/** `agent/` in the common git dir, and what lies in it from the start. */
export function planOwnFiles(found: Found, wishes: Wishes): Plan {
  const own = ownPaths(found.places, found.shims.keys());
  const [agentDir] = own.folders;
  const store = `${agentDir}: the journal and the recorded sessions, for you alone to read`;
  const copies = `${path.dirname(own.program)}: copies of our hooks, and the program that they start`;
  const folders = own.folders
    .filter((folder) => modeOf(found, folder) !== 0o700)
    .map((folder): Change => ({ kind: 'own-folder', path: folder, said: store }));
  const files: Change[] = [];
  const write = (file: string, text: string, { mode = 0o600, said = store } = {}) => {
    if (textOf(found, file) !== text || modeOf(found, file) !== mode)
      files.push({ kind: 'own-file', path: file, text, mode, said });
  };
  if (modeOf(found, own.journal) === undefined) write(own.journal, '');
  if (modeOf(found, own.missed) === undefined) write(own.missed, '-\n'); // NOTHING_MISSED in sessions
  const [since, agents] = [textOf(found, own.since), capturedAgents(found, wishes)];
  // what was there from the last time is not told as new
  const noted = since === undefined ? store : `${own.since}: captured here from now on: ${agents.join(', ')}`;
  write(own.since, printSince(since, wishes, agents), { said: noted });
  write(own.program, bytesOf(`${wishes.program.node}\n${wishes.program.script}\n`), { said: copies });
  for (const [name, file] of own.shims) write(file, found.shims.get(name) ?? '', { mode: 0o700, said: copies });
  return { changes: [...folders, ...files], remarks: [], refusals: [] };
}

/** The form of what is kept in `agent/`: what reads it knows this one and all before it. */
export const STORE_FORMAT = 1;

/**
 * When capture began, for which agents, and what stood there then; what is said already stays, agents come to it. While there were none,
 * nothing had begun.
 */
function printSince(there: string | undefined, { now, start }: Wishes, agents: readonly string[]): string {
  const fresh = { at: now, agents: [], ...start, version: STORE_FORMAT };
  const said = parseSince(there) ?? fresh;
  if (typeof said.version === 'number' && said.version > STORE_FORMAT) {
    // what a newer program keeps is not ours to write over
    const form = `form ${said.version}, this program knows ${STORE_FORMAT}`;
    throw new Fault('surroundings', `What is recorded here is of ${form}: install a newer one.`);
  }
  const since = said.agents.length === 0 && agents.length > 0 ? fresh : said;
  const all = [...new Set([...since.agents, ...agents])].sort();
  return `${JSON.stringify({ ...since, agents: all, version: STORE_FORMAT })}\n`;
}

function parseSince(text: string | undefined): { at: number; agents: string[]; version?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    if (typeof value !== 'object' || value === null || !('at' in value) || !('agents' in value)) return undefined;
    const { at, agents } = value;
    if (typeof at !== 'number' || !Array.isArray(agents)) return undefined;
    return { ...value, at, agents: agents.filter((name) => typeof name === 'string') };
  } catch {
    return undefined;
  }
}

function textOf(found: Found, file: string): string | undefined {
  const there = found.own.get(file);
  return there === undefined || there.kind === 'none' ? undefined : there.text;
}

function modeOf(found: Found, file: string): number | undefined {
  const there = found.own.get(file);
  return there === undefined || there.kind === 'none' ? undefined : there.mode;
}
