import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { appendBytes, findFile, listFolder, replaceFile } from './disk.ts';

/** The file's bytes up to the end of its last whole line, and its lines with the places where they begin. */
export interface WholeLines {
  readonly size: number;
  readonly lines: readonly { readonly text: string; readonly at: number }[];
}

/** One character of a line is one byte: whatever is in it comes out as it was. */
export function readWholeLines(file: string): WholeLines {
  const text = findFile(file)?.toString('latin1') ?? '';
  const size = text.lastIndexOf('\n') + 1;
  let at = 0;
  const lines = text
    .slice(0, size)
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const one = { text: line, at };
      at += line.length + 1;
      return one;
    });
  return { size, lines };
}

/** A hook opens the file, writes one line and closes it: nobody holds it open for longer than this. */
const GRACE = 100;

/**
 * Puts other lines into the place of those that were read, in a file that hooks append to without asking for the lock. Whoever has
 * opened the old file just before still writes there: it is kept beside, by the name `.NAME.old-SIZE`, until nobody can, and what came is
 * brought over. There is no moment without the file, and killed at any point, the next one brings it over.
 */
export async function replaceLines(file: string, read: WholeLines, lines: readonly string[]): Promise<boolean> {
  const old = path.join(path.dirname(file), `.${path.basename(file)}.old-${read.size}`);
  try {
    fs.linkSync(file, old);
  } catch {
    return false; // a file system without links: too much is kept rather than a fact lost
  }
  replaceFile(file, Buffer.from(lines.map((line) => `${line}\n`).join(''), 'latin1'));
  await sleep(GRACE);
  bringOver(file, old, read.size);
  return true;
}

/** What a killed one left behind. */
export function finishReplacing(file: string): void {
  const folder = path.dirname(file);
  const start = `.${path.basename(file)}.old-`;
  for (const name of listFolder(folder)) {
    const size = name.startsWith(start) ? name.slice(start.length) : '';
    if (/^\d{1,15}$/.test(size)) bringOver(file, path.join(folder, name), Number(size));
  }
}

function bringOver(file: string, old: string, size: number): void {
  const [here, there] = [fs.statSync(file, { throwIfNoEntry: false }), fs.statSync(old)];
  // killed before the new one was in place: nothing has happened
  const same = here?.ino === there.ino && here.dev === there.dev;
  const late = same ? undefined : findFile(old)?.subarray(size);
  if (late && late.length > 0) {
    const whole = late.at(-1) === 0x0a ? late : Buffer.concat([late, Buffer.from('\n')]);
    appendBytes(file, whole);
  }
  fs.rmSync(old, { force: true });
}

/** For files whose writers hold the lock: every line is another one, itself, or gone (undefined). True when anything changed. */
export function rewriteLines(file: string, rewrite: (line: string) => string | undefined): boolean {
  const text = findFile(file)?.toString('utf8');
  if (text === undefined) return false;
  const lines = text.split('\n').filter((line) => line !== '');
  const kept = lines.flatMap((line) => rewrite(line) ?? []);
  if (kept.length === lines.length && kept.every((line, i) => line === lines[i])) return false;
  replaceFile(file, kept.map((line) => `${line}\n`).join(''));
  return true;
}
