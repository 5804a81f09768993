import fs from 'node:fs';
import os from 'node:os';

/** Where a process id means something: the running system, and the container in it. Empty where the system does not tell. */
export interface Realm {
  readonly boot: string;
  readonly space: string;
}

let own: Realm | undefined;

/** Linux tells the running system and the space of process ids, which a container has of its own. */
export function ownRealm(): Realm {
  own ??= {
    boot: tryRead(() => fs.readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()),
    space: tryRead(() => fs.readlinkSync('/proc/self/ns/pid')),
  };
  return own;
}

/** Whether a process of there is one of ours, too, or has ended for certain. What is not told is taken for the same. */
export function canSee({ boot, space }: Realm, at: number): boolean {
  const { boot: system, space: here } = ownRealm();
  // another system by our name, unless it is ours from before it was started again
  if (!isSame(system, boot)) return at < Date.now() - os.uptime() * 1000;
  return isSame(here, space);
}

function isSame(mine: string, other: string): boolean {
  return mine === '' || other === '' || mine === other;
}

/** The number that Linux gives to the space in which all others are. */
const OUTERMOST = 'pid:[4026531836]';

/**
 * Whether a container of this system has no process of the owner any more. Only from the outermost space all others are seen, and of
 * other users' processes nobody is told where they are.
 */
export function hasEnded({ boot, space }: Realm, owner: number | undefined): boolean {
  const { boot: system, space: here } = ownRealm();
  const me = process.getuid?.();
  if (here !== OUTERMOST || system !== boot || (me !== 0 && me !== owner)) return false;
  try {
    return fs.readdirSync('/proc').every((name) => !/^\d+$/.test(name) || isElsewhere(name, space, owner));
  } catch {
    return false;
  }
}

function isElsewhere(pid: string, space: string, owner: number | undefined): boolean {
  try {
    // one number: it is in no container at all
    if (/^NSpid:\t\d+$/m.test(fs.readFileSync(`/proc/${pid}/status`, 'latin1'))) return true;
    return fs.statSync(`/proc/${pid}`).uid !== owner || fs.readlinkSync(`/proc/${pid}/ns/pid`) !== space;
  } catch (error) {
    // it has ended meanwhile; of one that does not show itself nobody knows
    return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH');
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Linux tells when a process began; elsewhere the id alone must do. */
export function startOf(pid: number): string {
  const text = tryRead(() => fs.readFileSync(`/proc/${pid}/stat`, 'latin1'));
  // the name in parentheses may contain anything: fields are counted after it, and the 22nd is the start
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function tryRead(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
