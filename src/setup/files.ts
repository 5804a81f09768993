import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Fault } from '../fault.ts';
import { readPlain } from '../plain-file.ts';
import type { FoundFile, Standing } from './hook-file.ts';

/** Anything longer is no hook and no settings file that we could read: it is treated as bytes we do not understand. */
const LONGEST = 4 << 20;

export function readFound(file: string): FoundFile {
  const at = lstat(file);
  if (at === undefined) return { kind: 'none' };
  const target = at.isSymbolicLink() ? fs.readlinkSync(file) : undefined;
  const real = fs.statSync(file, { throwIfNoEntry: false });
  const text = real?.isFile() && real.size <= LONGEST ? fs.readFileSync(file, 'latin1') : '\0';
  const mode = (real?.mode ?? 0) & 0o7777;
  return target === undefined ? { kind: 'file', text, mode } : { kind: 'link', target, text, mode };
}

/** The file's text as it was written; undefined where there is none. */
export function readText(file: string): string | undefined {
  return unlessAbsent(file, () => readPlain(file, 'latin1'));
}

export function lstat(file: string): fs.Stats | undefined {
  return unlessAbsent(file, () => fs.lstatSync(file, { throwIfNoEntry: false }));
}

function unlessAbsent<T>(file: string, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    // a folder in a file's place, or a file in a folder's, is not what was asked for either; ENXIO: a socket
    if (['ENOENT', 'ENOTDIR', 'EISDIR', 'ENXIO'].includes(String(code))) return undefined;
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
    throw new Fault('surroundings', `${file} cannot be read (${code}): check who may read it.`);
  }
}

/** Whole or not at all, with exactly this mode. */
export function replaceFile(file: string, text: string, mode: number): void {
  if (lstat(file)?.isDirectory()) throw new Fault('surroundings', `${file} is a folder: move it away.`);
  const temporary = temporaryBeside(file);
  try {
    fs.writeFileSync(temporary, text, { encoding: 'latin1', mode: 0o600, flag: 'wx' });
    fs.chmodSync(temporary, mode);
    fs.renameSync(temporary, file);
  } finally {
    fs.rmSync(temporary, { force: true });
  }
}

/** Removes a folder into which a hook may be writing at this moment. */
export function removeFolder(folder: string): void {
  for (let left = 5; ; left--) {
    try {
      fs.rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}

/** Puts a file or a link back as it was. */
export function restore(file: string, before: Standing): void {
  if (before.kind === 'none') fs.rmSync(file, { force: true });
  else if (before.kind === 'file') replaceFile(file, before.text, before.mode);
  else {
    const temporary = temporaryBeside(file);
    fs.symlinkSync(before.target, temporary);
    fs.renameSync(temporary, file);
  }
}

/** The real path of a file that may not exist yet: links on the way are followed. */
export function realFile(file: string): string {
  try {
    return fs.realpathSync(file);
  } catch {
    const parent = path.dirname(file);
    return parent === file ? file : path.join(realFile(parent), path.basename(file));
  }
}

export function isInside(file: string, folder: string): boolean {
  const below = path.relative(folder, file);
  return below === '' || (below !== '..' && !below.startsWith(`..${path.sep}`) && !path.isAbsolute(below));
}

function temporaryBeside(file: string): string {
  return path.join(path.dirname(file), `.${path.basename(file)}.${crypto.randomBytes(6).toString('hex')}`);
}
