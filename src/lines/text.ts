/**
 * The lines of a text, without their endings (LF or CR LF). Each line is a latin1 string: one character per byte, so that equal
 * strings mean equal bytes, whatever the file's encoding. `readable` turns one into what a person reads.
 */
export type Lines = readonly string[];

export function splitBytes(bytes: Uint8Array): Lines {
  return splitLatin1(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'));
}

/** For texts that reached us as JavaScript strings (hook payloads, transcripts). */
export function splitString(text: string): Lines {
  return splitLatin1(isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1'));
}

/** Then it is the same text in UTF-8 and in latin1, as most are: nothing has to be copied. */
export function isAscii(text: string): boolean {
  return !/[\x80-\uffff]/.test(text);
}

function splitLatin1(text: string): Lines {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

export function sameLines(a: Lines, b: Lines): boolean {
  return a === b || (a.length === b.length && a.every((line, i) => line === b[i]));
}

export function bytesOf(line: string): Buffer {
  return Buffer.from(line, 'latin1');
}

/** The line as a person reads it: UTF-8, with U+FFFD for what is not. */
export function readable(line: string): string {
  return isAscii(line) ? line : bytesOf(line).toString('utf8');
}

/** Git's own test: a NUL in the first 8000 bytes makes a file binary. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8000).includes(0);
}

/** A line that says something of its own: `}`, blank lines and rulers do not, and must not prove a place. */
export function isInformative(line: string): boolean {
  let letters = 0;
  for (let i = 0; i < line.length; i++) {
    if (isLetter(line.charCodeAt(i))) letters++;
    if (letters >= 3) return true;
  }
  return false;
}

/** So many letters that hardly two people write the line. */
const DISTINCT = 12;
const UNDERSCORE = 95;

/** A line that proves where it comes from by itself: `return null;` does not. */
export function isDistinct(line: string): boolean {
  let letters = 0;
  for (let i = 0; i < line.length; i++) {
    const c = line.charCodeAt(i);
    if (isLetter(c) || c === UNDERSCORE) letters++;
    if (letters >= DISTINCT) return true;
  }
  return false;
}

const OPENING =
  /^\s{0,80}(?:(?:import|from|using|use|package|require|include)\b|#\s{0,8}include\b|(?:const|let|var)\s[^=]{1,200}=\s{0,8}require\()/;

/** What files begin with, whoever writes them: many of them in a row still do not say who it was. */
export function isOpening(line: string): boolean {
  return OPENING.test(line);
}

/** Digits, letters, and every byte of a multi-byte character. */
function isLetter(c: number): boolean {
  return (c >= 48 && c <= 57) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122) || c >= 128;
}

/** The line without white space: what a formatter that only reflows keeps. */
export function withoutSpace(line: string): string {
  return line.replace(/[\t-\r ]+/g, '');
}
