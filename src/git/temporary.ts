import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isRunning, ownRealm } from './realm.ts';

/** Nothing of ours takes so long. */
const LONG_MS = 86_400_000;
const NAME = /^git-agent-[a-z]+\.(?<pid>\d{1,10})\.(?<space>\d+)\.[A-Za-z0-9]{6}$/;

/**
 * A folder among the temporary files, for whoever makes it to remove. One who is killed cannot: what such ones have left goes here, before the
 * next is made.
 */
export function makeTemporary(kind: string): string {
  const all = os.tmpdir();
  sweep(all);
  return fs.mkdtempSync(path.join(all, `git-agent-${kind}.${process.pid}.${ownSpace()}.`));
}

function sweep(all: string): void {
  for (const name of namesIn(all)) {
    const { pid, space } = NAME.exec(name)?.groups ?? {};
    if (pid === undefined) continue;
    try {
      const found = fs.lstatSync(path.join(all, name));
      if (!found.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid)) continue;
      // a process of another container is not seen from here
      const left = space === ownSpace() ? !isRunning(Number(pid)) : Date.now() - found.mtimeMs > LONG_MS;
      if (left) fs.rmSync(path.join(all, name), { recursive: true, force: true });
    } catch {
      // somebody else was faster
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return []; // not there, or not ours to read
  }
}

/** The number of the container, so to speak, in which our process has its own. */
function ownSpace(): string {
  return /\d+/.exec(ownRealm().space)?.[0] ?? '0';
}
