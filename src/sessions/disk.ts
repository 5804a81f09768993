import fs from 'node:fs';
import path from 'node:path';
import { Fault } from '../fault.ts';
import { openPlain, readPlain } from '../plain-file.ts';

/** Only the owner may read what we keep. */
const FOLDER = 0o700;
const FILE = 0o600;

/** Not through a link: whoever planted one under a name of ours would have us write elsewhere. Windows has no such flag. */
const { O_APPEND, O_CREAT, O_RDONLY, O_RDWR, O_TRUNC, O_WRONLY } = fs.constants;
const NO_LINK = fs.constants.O_NOFOLLOW ?? 0;
const AFRESH = O_WRONLY | O_CREAT | O_TRUNC | NO_LINK;
const AT_THE_END = O_RDWR | O_CREAT | O_APPEND | NO_LINK;

let counter = 0;

/** Writes beside the place and renames into it: a reader sees the old bytes or the new ones, never a part. */
export function replaceFile(file: string, bytes: string | Uint8Array): void {
  const draft = path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}.${counter++}`);
  let handle: number | undefined;
  try {
    // a draft that is there already is that of a killed process, whose number is ours now
    handle = openIn(draft, AFRESH);
    fs.writeFileSync(handle, bytes);
    fs.renameSync(draft, file);
  } catch (cause) {
    if (fs.existsSync(draft)) fs.rmSync(draft, { force: true });
    throw notWritable(file, cause);
  } finally {
    if (handle !== undefined) fs.closeSync(handle);
  }
}

/** Into a file that a person named: where that is no plain file (`/dev/null`, a pipe, a link) it stays what it is. */
export function writeNamed(file: string, bytes: string | Uint8Array): void {
  const there = fs.lstatSync(file, { throwIfNoEntry: false });
  if (!there || there.isFile()) {
    replaceFile(file, bytes);
    return;
  }
  try {
    fs.writeFileSync(file, bytes);
  } catch (cause) {
    throw notWritable(file, cause);
  }
}

/** The folder is there nearly always: it is made when opening tells that it is not. */
function openIn(file: string, flags: number): number {
  try {
    return openPlain(file, flags, FILE);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    makeFolder(path.dirname(file));
    return openPlain(file, flags, FILE);
  }
}

/** A disk that is full, or not ours to write to, is no mistake of ours. */
function notWritable(file: string, cause: unknown): unknown {
  const code = (cause as NodeJS.ErrnoException)?.code;
  if (code === undefined) return cause;
  return new Fault(
    'surroundings',
    `${file} cannot be written to (${code}): check who may write there, and the space left.`,
  );
}

/** Appends whole lines in one write. A line torn by a crash before us is closed first, so that ours is not lost with it. */
export function appendLines(file: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  appending(file, (handle, size) => {
    const last = Buffer.alloc(1);
    if (size > 0) fs.readSync(handle, last, 0, 1, size - 1);
    const torn = size > 0 && last[0] !== 0x0a;
    fs.writeFileSync(handle, `${torn ? '\n' : ''}${lines.join('\n')}\n`);
  });
}

/**
 * The same for what is told again and again, as a transcript is read from its beginning whenever it has grown: only what the last `within`
 * bytes do not have yet. Tells whether there was any.
 */
export function appendMissing(file: string, lines: readonly string[], within = Infinity): boolean {
  const missing = missingFrom(file, lines, within);
  appendLines(file, missing);
  return missing.length > 0;
}

/** Each as often as it is told. */
function missingFrom(file: string, lines: readonly string[], within: number): readonly string[] {
  const size = sizeOf(file);
  const offset = Math.max(0, size - within);
  const bytes = size > 0 ? readPart(file, { offset, length: size - offset }) : undefined;
  if (!bytes) return lines;
  const there = new Map<string, number>(lines.map((line) => [line, 0]));
  for (let at = 0, end = 0; end >= 0; at = end + 1) {
    end = bytes.indexOf(0x0a, at);
    // line by line: the whole as text would take twice its room
    const line = bytes.toString('utf8', at, end < 0 ? undefined : end);
    const count = there.get(line);
    if (count !== undefined) there.set(line, count + 1);
  }
  return lines.filter((line) => {
    const count = there.get(line) ?? 0;
    there.set(line, count - 1);
    return count <= 0;
  });
}

/** Appends bytes; tells where they begin. Only for files with one writer at a time. */
export function appendBytes(file: string, bytes: Uint8Array): number {
  return appending(file, (handle, size) => {
    fs.writeFileSync(handle, bytes);
    return size;
  });
}

export function cutFile(file: string, size: number): void {
  const handle = openPlain(file, O_WRONLY | NO_LINK);
  try {
    fs.ftruncateSync(handle, size);
  } catch (cause) {
    throw notWritable(file, cause);
  } finally {
    fs.closeSync(handle);
  }
}

function appending<T>(file: string, write: (handle: number, size: number) => T): T {
  let handle: number | undefined;
  try {
    handle = openIn(file, AT_THE_END);
    return write(handle, fs.fstatSync(handle).size);
  } catch (cause) {
    throw notWritable(file, cause);
  } finally {
    if (handle !== undefined) fs.closeSync(handle);
  }
}

/** Files that are gone or were not ours to write to, and disks that know no such thing. */
const NOT_FLUSHED = new Set(['ENOENT', 'EACCES', 'EPERM', 'EROFS', 'EINVAL', 'ENOSYS', 'ENOTSUP']);

/** Has the bytes of these files brought to the disk, all at once: without it a power cut takes what was written in the last half minute. */
export async function flushFiles(files: readonly string[]): Promise<void> {
  await Promise.all(
    files.map((file) =>
      flushFile(file).catch((cause) => {
        if (!NOT_FLUSHED.has(cause.code)) throw notWritable(file, cause);
      }),
    ),
  );
}

async function flushFile(file: string): Promise<void> {
  const handle = await fs.promises.open(file, 'r+');
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/** What cannot be read is kept under another name, for whoever can make something of it; gives that name. */
export function setAside(file: string): string {
  for (let n = 1; ; n++) {
    const aside = `${file}.damaged${n === 1 ? '' : `-${n}`}`;
    if (fs.existsSync(aside)) continue;
    try {
      fs.renameSync(file, aside);
    } catch (cause) {
      throw notWritable(file, cause);
    }
    return aside;
  }
}

export function makeFolder(folder: string): void {
  fs.mkdirSync(folder, { recursive: true, mode: FOLDER });
}

/** The file's bytes; absence is not an error. */
export function findFile(file: string): Buffer | undefined {
  return unlessAbsent(file, () => readPlain(file));
}

/** The same as text: of many small files node reads twice as many in the time if it need not show their bytes. */
export function findText(file: string): string | undefined {
  return unlessAbsent(file, () => readPlain(file, 'utf8'));
}

/** Files whose making is kept at a time. */
const MOST_KEPT = 16;

/** What is made of a file, and made again only where the file is another one: many ask for it within a moment. */
export function whileSame<T>(make: (file: string) => T): (file: string) => T {
  const kept = new Map<string, { readonly state: string; readonly made: T }>();
  return (file) => {
    const { ino, size, mtimeMs } = unlessAbsent(file, () => fs.statSync(file)) ?? { ino: 0, size: 0, mtimeMs: 0 };
    const state = `${ino} ${size} ${mtimeMs}`;
    const had = kept.get(file);
    if (had?.state === state) return had.made;
    const made = make(file);
    kept.delete(file);
    kept.set(file, { state, made });
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    return made;
  };
}

/** The names in a folder; none where there is no folder. */
export function listFolder(folder: string): string[] {
  return unlessAbsent(folder, () => fs.readdirSync(folder)) ?? [];
}

/** Reads some bytes of a file; fewer where it ends before. Undefined where there is no file. */
export function readPart(file: string, { offset, length }: { offset: number; length: number }): Buffer | undefined {
  return unlessAbsent(file, () => {
    const handle = openPlain(file, O_RDONLY);
    try {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, fs.readSync(handle, bytes, 0, length, offset));
    } finally {
      fs.closeSync(handle);
    }
  });
}

/** At most the last `limit` bytes of a file, from a line's start. */
export function readTail(file: string, limit: number): string {
  return readFrom(file, Math.max(0, sizeOf(file) - limit)).replace(/^[^\n]*\n/, (cut) =>
    sizeOf(file) > limit ? '' : cut,
  );
}

export function readFrom(file: string, offset: number, encoding: 'utf8' | 'latin1' = 'utf8'): string {
  const size = sizeOf(file);
  if (size <= offset) return '';
  return readPart(file, { offset, length: size - offset })?.toString(encoding) ?? '';
}

export function sizeOf(file: string): number {
  return unlessAbsent(file, () => fs.statSync(file).size) ?? 0;
}

/** What is there and may not be read is not absent: whoever went on without it would write down less than is known. */
function unlessAbsent<T>(file: string, read: () => T): T | undefined {
  try {
    return read();
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException)?.code;
    // a folder in a file's place, or a file in a folder's, is not what was asked for either; ENXIO: a socket
    if (['ENOENT', 'ENOTDIR', 'EISDIR', 'ENXIO'].includes(code ?? '')) return undefined;
    throw code === undefined
      ? cause
      : new Fault('surroundings', `${file} cannot be read (${code}): check who may read it.`);
  }
}
