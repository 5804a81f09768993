import fs from 'node:fs';
import { crc32 } from 'node:zlib';
import { openPlain, readPlain } from '../plain-file.ts';
import { replaceFile } from '../sessions/disk.ts';
import { type KeptCommit, MAX_ENTRY, parseEntry, printEntry } from './entry.ts';

/** What was told of commits before, in one file. */
export interface Memory {
  find(commit: string): KeptCommit | undefined;
  /** Where nothing can be written, nothing is kept. */
  keep(commits: readonly KeptCommit[]): void;
}

/** Then it begins anew: most of what is asked for again was asked for lately. */
const MOST = 32 << 20;

/**
 * A line for each commit, `ID SUM ENTRY`, behind a first one that says by what all of them were worked out: under another one nothing here is
 * believed. Lines are only ever added, a commit's last one counts, and what is torn or damaged is as good as not there.
 */
export function openMemory(file: string, head: string, wanted: ReadonlySet<string>): Memory {
  const first = Buffer.from(`${head}\n`);
  const bytes = findBytes(file, first);
  const places = bytes ? findLines(bytes, wanted) : new Map<string, Line>();
  return {
    find(commit) {
      const line = places.get(commit);
      return bytes && line && decodeLine(commit, bytes.subarray(line.start, line.end));
    },
    keep(commits) {
      let text = '';
      for (const commit of commits) if (text.length < MOST) text += printLine(commit);
      if (text === '') return;
      try {
        const fresh = { first, text, anew: places.size < commits.length };
        if (!append(file, fresh)) replaceFile(file, `${first}${text}`);
      } catch {
        // read-only, or no room: the next one works it out again
      }
    },
  };
}

interface Line {
  readonly start: number;
  readonly end: number;
}

/** Undefined: not there, or by something else. */
function findBytes(file: string, first: Buffer): Buffer | undefined {
  try {
    if (fs.statSync(file).size > 2 * MOST) return undefined;
    const bytes = readPlain(file);
    return bytes.subarray(0, first.length).equals(first) ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** Where the last line of each commit is; nothing of it is read yet. */
function findLines(bytes: Buffer, wanted: ReadonlySet<string>): Map<string, Line> {
  const places = new Map<string, Line>();
  const [{ length } = ''] = wanted;
  for (let start = 0, end = bytes.indexOf(LF); end >= 0; start = end + 1, end = bytes.indexOf(LF, start)) {
    const id = bytes.toString('latin1', start, start + length);
    if (wanted.has(id)) places.set(id, { start: start + length + 1, end });
  }
  return places;
}

const LF = 10;
const SUM = 8;

function printLine(commit: KeptCommit): string {
  const entry = printEntry(commit);
  return entry.length > MAX_ENTRY ? '' : `${commit.id} ${sumOf(commit.id, Buffer.from(entry))} ${entry}\n`;
}

/** `SUM ENTRY`: undefined where the one does not belong to the other. */
function decodeLine(id: string, line: Buffer): KeptCommit | undefined {
  const entry = line.subarray(SUM + 1);
  return line.toString('latin1', 0, SUM) === sumOf(id, entry) ? parseEntry(id, entry.toString('utf8')) : undefined;
}

function sumOf(id: string, entry: Buffer): string {
  return crc32(entry, crc32(id)).toString(16).padStart(SUM, '0');
}

interface Fresh {
  readonly first: Buffer;
  readonly text: string;
  /** Whether what is there may go where there is no room beside it. */
  readonly anew: boolean;
}

const { O_APPEND, O_RDWR } = fs.constants;
const NO_LINK = fs.constants.O_NOFOLLOW ?? 0;

/** In one write, to the very file that was looked at: another may be renamed into its place meanwhile. False: it is to begin anew. */
function append(file: string, { first, text, anew }: Fresh): boolean {
  let handle: number | undefined;
  try {
    handle = openPlain(file, O_RDWR | O_APPEND | NO_LINK);
    const there = Buffer.alloc(first.length);
    fs.readSync(handle, there, 0, there.length, 0);
    if (!there.equals(first)) return false;
    if (fs.fstatSync(handle).size + text.length > MOST) return !anew;
    // a line that was torn ends here
    fs.writeFileSync(handle, `\n${text}`);
    return true;
  } catch (cause) {
    if (['ENOENT', 'ELOOP'].includes((cause as NodeJS.ErrnoException).code ?? '')) return false;
    throw cause;
  } finally {
    if (handle !== undefined) fs.closeSync(handle);
  }
}
