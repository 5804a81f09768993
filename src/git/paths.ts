import { isUtf8 } from 'node:buffer';

/**
 * A path inside a repository, `/` between its parts. Git's paths are bytes: valid UTF-8 is decoded, anything else is kept in git's
 * C-quoted form with its double quotes (`"a\377b"`), so that every path survives the way there and back.
 */
export type RepoPath = string;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ESCAPES = new Map([
  ['a', 7],
  ['b', 8],
  ['t', 9],
  ['n', 10],
  ['v', 11],
  ['f', 12],
  ['r', 13],
  ['"', QUOTE],
  ['\\', BACKSLASH],
]);

export function decodePath(bytes: Uint8Array): RepoPath {
  // a name that itself begins with a quote would be taken for a quoted one
  if (bytes[0] !== QUOTE && isUtf8(bytes)) return Buffer.from(bytes).toString('utf8');
  return quote(bytes);
}

export function encodePath(file: RepoPath): Buffer {
  return file.startsWith('"') ? readEscapes(file, 'utf8') : Buffer.from(file, 'utf8');
}

/** A name as a person types it: its text, or git's quoted form where the bytes are no text. */
export function nameOf(file: RepoPath): string {
  return nameOfBytes(encodePath(file));
}

export function nameOfBytes(bytes: Uint8Array): string {
  return isUtf8(bytes) ? Buffer.from(bytes).toString('utf8') : quote(bytes);
}

/** Git's own print of a name that is no text; other names may begin with a quote, too, and stand for themselves. */
const QUOTED = /^".*\\[2-3][0-7]{2}.*"$/s;

export function pathOf(name: string): RepoPath {
  return QUOTED.test(name) ? name : decodePath(Buffer.from(name, 'utf8'));
}

/** A word of git's command line; bytes where a file's name is no text. */
export type GitWord = string | Uint8Array;

export function pathWord(file: RepoPath): GitWord {
  const bytes = encodePath(file);
  return isUtf8(bytes) ? bytes.toString('utf8') : bytes;
}

/** The same of a name as a person types it. */
export function typedWord(name: string): GitWord {
  return pathWord(pathOf(name));
}

/** Works on a path as `node:path` does on text, byte by byte: what it knows of a path is ASCII. */
export function onBytes(file: RepoPath, change: (bytes: string) => string): RepoPath {
  return decodePath(Buffer.from(change(encodePath(file).toString('latin1')), 'latin1'));
}

/** Most names: they stand for themselves. */
const PLAIN = /^[ !#-~][ -~]*$/;

/** A name as git printed it, quoted or not, one latin1 character per byte. */
export function unquote(printed: string): RepoPath {
  if (PLAIN.test(printed)) return printed;
  return decodePath(printed.startsWith('"') ? readEscapes(printed, 'latin1') : Buffer.from(printed, 'latin1'));
}

function quote(bytes: Uint8Array): string {
  let text = '"';
  for (const byte of bytes) {
    if (byte === QUOTE || byte === BACKSLASH) text += `\\${String.fromCharCode(byte)}`;
    else if (byte < 0x20 || byte > 0x7e) text += `\\${byte.toString(8).padStart(3, '0')}`;
    else text += String.fromCharCode(byte);
  }
  return `${text}"`;
}

/** Undoes the quoting; what is not an escape stands for itself, so hostile input cannot fail. */
function readEscapes(quoted: string, encoding: 'utf8' | 'latin1'): Buffer {
  const inner = quoted.slice(1, quoted.length > 1 && quoted.endsWith('"') ? -1 : undefined);
  const pieces: Buffer[] = [];
  for (const [plain, octal, letter] of inner.matchAll(/\\([0-3][0-7]{2})|\\([abtnvfr"\\])|\\|[^\\]+/g)) {
    if (octal !== undefined) pieces.push(Buffer.of(Number.parseInt(octal, 8)));
    else if (letter !== undefined) pieces.push(Buffer.of(ESCAPES.get(letter) ?? 0));
    else pieces.push(Buffer.from(plain, encoding));
  }
  return Buffer.concat(pieces);
}
