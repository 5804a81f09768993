/** Files that are not ours travel as latin1 strings, one character for each byte, so that they come back as they were. */
export function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

export function textOf(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
