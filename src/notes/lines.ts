/** A note is some hundred bytes per record; more than this is nobody's work, and nobody reads it. */
export const MAX_NOTE = 32 << 20;

/** The lines of a note that say something, as latin1: one character per byte, so that equal means equal bytes. */
export function noteLines(bytes: Buffer): string[] {
  return bytes
    .toString('latin1')
    .split('\n')
    .filter((line) => /[^\t\r ]/.test(line));
}

/** The bytes with the new lines after them, or undefined when there is nothing new. What is there already stays as it is. */
export function appendLines(
  bytes: Buffer,
  additions: readonly string[],
  elsewhere: readonly string[] = [],
): Buffer | undefined {
  const known = new Set([...noteLines(bytes), ...elsewhere]);
  const fresh: string[] = [];
  for (const addition of additions) {
    const line = Buffer.from(addition, 'utf8').toString('latin1');
    if (known.has(line) || !/[^\t\r ]/.test(line)) continue;
    known.add(line);
    fresh.push(line);
  }
  if (fresh.length === 0) return undefined;
  const gap = bytes.length > 0 && bytes.at(-1) !== 10 ? '\n' : '';
  return Buffer.concat([bytes, Buffer.from(`${gap}${fresh.join('\n')}\n`, 'latin1')]);
}
