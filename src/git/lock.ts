import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '../fault.ts';
import { readPlain } from '../plain-file.ts';
import { canSee, hasEnded, ownRealm, type Realm, startOf } from './realm.ts';

/** Who holds the lock: the text of the lock file. */
export interface Holder {
  readonly token: string;
  readonly pid: number;
  readonly host: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** When the process began, where the system tells: a process id is used again. */
  readonly started: string;
  /** Where its process id means something, where the system tells: the running system and the container in it. */
  readonly realm: Realm;
  /** Whose the lock file is, and so the process. */
  readonly owner?: number;
}

export interface LockOptions {
  /** How long to wait for other writers before giving up. */
  readonly waitMs?: number;
}

/** A holder on another host cannot be asked whether it lives. */
const FOREIGN_STALE_MS = 10 * 60_000;
const UNREADABLE_STALE_MS = 5_000;
const WAIT_MS = 30_000;
const DRAFT = 'lock-draft.';

/** Locks held by the work under way: a writer that calls another one does not wait for itself. */
const held = new AsyncLocalStorage<ReadonlySet<string>>();
let taken = 0;

/** One writer at a time in a repository, over all its work trees and all processes. */
export async function withLock<T>(commonDir: string, work: () => Promise<T>, options: LockOptions = {}): Promise<T> {
  const folder = path.join(commonDir, 'agent');
  const mine = held.getStore();
  if (mine?.has(folder)) return work();
  const token = await takeLock(folder, options.waitMs ?? WAIT_MS);
  const inside = new Set([...(mine ?? []), folder]);
  try {
    return await held.run(inside, work);
  } finally {
    inside.delete(folder);
    const file = path.join(folder, 'lock');
    if (readHolder(file)?.token === token) fs.rmSync(file, { force: true });
  }
}

/** The living writer that holds the lock now, if there is one. */
export function holder(commonDir: string): Holder | undefined {
  const found = readHolder(path.join(commonDir, 'agent', 'lock'));
  return found && isAlive(found) ? found : undefined;
}

async function takeLock(folder: string, waitMs: number): Promise<string> {
  const me = describeMe();
  const file = path.join(folder, 'lock');
  const deadline = Date.now() + waitMs;
  let late = false;
  for (let pause = 2; ; pause = Math.min(pause * 1.5, 40)) {
    if (createHolder(file, me)) return me.token;
    const again = removeDead(folder, me);
    // what was just freed is tried for once more, however late it is
    const over = Date.now() >= deadline && (late || !again);
    late = Date.now() >= deadline;
    if (over) {
      const pid = readHolder(file)?.pid;
      throw new Fault(
        'surroundings',
        `Process ${pid ?? '?'} is still writing to ${folder}: try again when it has ended.`,
      );
    }
    // two waiters that began together must not keep step
    await sleep(again ? 0 : pause + (process.pid % 7));
  }
}

/**
 * Removes the lock of a dead holder. The right to do so is won by creating the file `lock.TOKEN` of that holder, which only one process
 * can ever do; should the winner die before it is done, the right to its right is won in the same way. True: try again at once.
 */
function removeDead(folder: string, me: Holder): boolean {
  const file = path.join(folder, 'lock');
  const root = readHolder(file);
  const claims: string[] = [];
  for (let dead = root; dead; ) {
    if (isAlive(dead)) return false;
    const claim = path.join(folder, `lock.${dead.token}`);
    claims.push(claim);
    if (createHolder(claim, me)) break;
    dead = readHolder(claim);
    if (!dead) return true;
  }
  if (!root) return true;
  // claims are removed after the lock they are about: an old lock that is still there is really ours to remove
  if (readHolder(file)?.token === root.token) fs.rmSync(file, { force: true });
  else claims.splice(0, claims.length - 1);
  for (const claim of claims) fs.rmSync(claim, { force: true });
  removeDrafts(folder);
  return true;
}

/** What killed waiters left behind; a draft lives for less than a millisecond. */
function removeDrafts(folder: string): void {
  for (const name of fs.readdirSync(folder)) {
    if (!name.startsWith(DRAFT)) continue;
    const file = path.join(folder, name);
    const age = Date.now() - (fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > 60_000) fs.rmSync(file, { force: true });
  }
}

/** Creates the file with its whole text at once, or not at all: a link fails where the name is taken. */
function createHolder(file: string, me: Holder): boolean {
  if (fs.existsSync(file)) {
    // it may be gone meanwhile: then it is tried for again
    if (fs.statSync(file, { throwIfNoEntry: false })?.isFile() !== false) return false;
    // no process has made it, and none will take it away
    throw new Fault('surroundings', `${file} is no plain file: git agent doctor --fix takes it away.`);
  }
  const folder = path.dirname(file);
  const draft = path.join(folder, DRAFT + me.token);
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    fs.writeFileSync(draft, printHolder(me), { mode: 0o600 });
  } catch (error) {
    // on a full disk it is there, and empty
    if (fs.existsSync(draft)) fs.rmSync(draft, { force: true });
    throw notWritable(folder, error);
  }
  try {
    fs.linkSync(draft, file);
    return true;
  } catch (error) {
    return codeOf(error) === 'EEXIST' ? false : writeHolder(file, me);
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

/** Some file systems have no links: there the text follows the name a moment later. */
function writeHolder(file: string, me: Holder): boolean {
  try {
    fs.writeFileSync(file, printHolder(me), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw notWritable(path.dirname(file), error);
  }
}

function notWritable(folder: string, error: unknown): Fault {
  return new Fault(
    'surroundings',
    `${folder} cannot be written to (${codeOf(error)}): check who may write there, and the space left.`,
  );
}

function readHolder(file: string): Holder | undefined {
  try {
    const found = parseHolder(readPlain(file, 'utf8'));
    const stats = fs.statSync(file);
    return found ? { ...found, owner: stats.uid } : unreadable(stats);
  } catch {
    return undefined;
  }
}

function printHolder({ realm: { boot, space }, owner: _, ...rest }: Holder): string {
  return JSON.stringify({ ...rest, boot, space });
}

function parseHolder(text: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    const { token, pid, host, at, started, boot, space } = value as Record<string, unknown>;
    if (typeof token !== 'string' || !/^[\w-]+$/.test(token)) return undefined;
    if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return undefined;
    const realm = { boot: String(boot ?? ''), space: String(space ?? '') };
    return { token, pid, host: String(host), at: Number(at), started: String(started), realm };
  } catch {
    return undefined;
  }
}

/** A lock without a readable text: being written, or left behind by a machine that lost its power. */
function unreadable({ ino, mtimeMs }: fs.Stats): Holder {
  const token = `unreadable-${ino}-${Math.trunc(mtimeMs)}`;
  return { token, pid: 0, host: '', at: mtimeMs, started: '', realm: { boot: '', space: '' } };
}

function describeMe(): Holder {
  const at = Date.now();
  const host = os.hostname();
  // in two containers of one name two processes may have one number
  const token = `${host.replace(/[^\w-]/g, '_')}-${process.pid}-${at}-${taken++}-${randomBytes(4).toString('hex')}`;
  return { token, pid: process.pid, host, at, started: startOf(process.pid), realm: ownRealm() };
}

function isAlive({ pid, host, at, started, realm, owner }: Holder): boolean {
  if (pid === 0) return Date.now() - at < UNREADABLE_STALE_MS;
  if (host !== os.hostname() || !canSee(realm, at))
    return Date.now() - at < FOREIGN_STALE_MS && !hasEnded(realm, owner);
  try {
    process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
  const now = startOf(pid);
  return now === '' || started === '' || now === started;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
