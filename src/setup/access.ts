import fs from 'node:fs';
import path from 'node:path';
import { lstat } from './files.ts';
import { type Check, fail } from './verdict.ts';

/** Something that is there and that this user may not use. */
export interface Closed {
  readonly file: string;
  readonly to: 'read' | 'write';
}

const { R_OK, W_OK, X_OK } = fs.constants;
/** Where git keeps what we have it write. */
const GIT_FOLDERS = [
  ...['', 'objects', 'refs', 'refs/notes', 'refs/notes/agent', 'logs', 'logs/refs', 'logs/refs/notes'],
  'reftable',
];
const OWN_FOLDERS = ['', 'hooks', 'payloads', 'timelines', 'texts', 'sessions', 'cache'];
/** What is in these comes and goes, or is not written by us. */
const UNSEEN = new Set(['hooks', 'payloads', 'cache']);

/** Everything of `agent/`, and of git's own, that cannot be read or written, whoever's fault it is. */
export function findClosed(commonDir: string): Closed[] {
  const agentDir = path.join(commonDir, 'agent');
  const own = OWN_FOLDERS.flatMap((name) => {
    const folder = path.join(agentDir, name);
    return [folder, ...(UNSEEN.has(name) ? [] : filesIn(folder))];
  });
  const gits = GIT_FOLDERS.map((name) => path.join(commonDir, name));
  return [...new Set([...gits, ...own])].flatMap((file): Closed[] => {
    const found = find(file);
    if (!found) return [];
    if (!may(file, found.isDirectory() ? R_OK | X_OK : R_OK)) return [{ file, to: 'read' }];
    return may(file, W_OK) ? [] : [{ file, to: 'write' }];
  });
}

export function checkAccess(closed: readonly Closed[]): Check[] {
  const [first] = closed;
  if (!first) return [];
  const more = closed.length > 1 ? ` and ${closed.length - 1} more` : '';
  const said = `${first.file}${more} cannot be ${first.to === 'read' ? 'read' : 'written'}`;
  return [fail('rights', said, 'see who owns it, and give your user the right to it')];
}

function filesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder).map((name) => path.join(folder, name));
  } catch {
    return []; // not there, or closed itself
  }
}

/** Links are not followed: what they lead to is not ours. */
function find(file: string): fs.Stats | undefined {
  try {
    const found = lstat(file);
    return found?.isSymbolicLink() ? undefined : found;
  } catch {
    return undefined; // in a folder that is closed itself
  }
}

function may(file: string, what: number): boolean {
  try {
    fs.accessSync(file, what);
    return true;
  } catch {
    return false;
  }
}
