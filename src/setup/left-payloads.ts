import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isRunning } from '../git/realm.ts';
import { lstat } from './files.ts';
import { type Check, FIX, warn } from './verdict.ts';

/** No hook takes so long. */
const LEFT_MS = 3600_000;
/** The hook's by its process; by chance, where that name was taken; a plugin's. */
const NAME = /^agent-hook\.(?:(?<pid>\d{1,10})|[A-Za-z0-9]{6}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** What hooks of this user were told and could neither file nor remove, since they were killed: secrets may be in it. */
export function findLeftPayloads(env: Readonly<Record<string, string | undefined>>): string[] {
  const folder = env.TMPDIR || os.tmpdir();
  return namesIn(folder).flatMap((name) => {
    const match = NAME.exec(name);
    if (!match) return [];
    const file = path.join(folder, name);
    const found = lstat(file);
    if (!found?.isFile() || found.uid !== (process.getuid?.() ?? found.uid)) return [];
    const pid = Number(match.groups?.pid ?? 0);
    return Date.now() - found.mtimeMs > LEFT_MS && !(pid > 0 && isRunning(pid)) ? [file] : [];
  });
}

export function checkLeftPayloads(files: readonly string[]): Check[] {
  const [first] = files;
  if (first === undefined) return [];
  const more = files.length > 1 ? ` and ${files.length - 1} more have` : ' has';
  return [warn('hooks that were killed', `${first}${more} what an agent told, secrets and all`, FIX)];
}

export function removeLeftPayloads(files: readonly string[]): string[] {
  return files.map((file) => {
    fs.rmSync(file, { force: true });
    return `${file}, left by a hook that was killed, is removed`;
  });
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return []; // not there, or not ours to read
  }
}
