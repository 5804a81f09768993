import fs from 'node:fs';

/** Opening a pipe waits for whoever is at its other end, for ever if need be. Windows has no such flag. */
const NO_WAIT = fs.constants.O_NONBLOCK ?? 0;

/** Opens a plain file. What else stands in its place, a pipe or a device, is told as node tells of a folder there: EISDIR. */
export function openPlain(file: string, flags: number, mode?: number): number {
  const handle = fs.openSync(file, flags | NO_WAIT, mode);
  if (fs.fstatSync(handle).isFile()) return handle;
  fs.closeSync(handle);
  throw Object.assign(new Error(`${file} is no plain file`), { code: 'EISDIR' });
}

export function readPlain(file: string): Buffer;
export function readPlain(file: string, encoding: BufferEncoding): string;
export function readPlain(file: string, encoding?: BufferEncoding): Buffer | string {
  const handle = openPlain(file, fs.constants.O_RDONLY);
  try {
    return fs.readFileSync(handle, encoding);
  } finally {
    fs.closeSync(handle);
  }
}
