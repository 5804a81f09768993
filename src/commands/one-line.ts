import { encodePath, nameOfBytes, pathOf } from '../git/paths.ts';

/** FILE:LINE, as people and editors name a line. */
export interface NamedLine {
  readonly file: string;
  readonly line: number;
}

/** A name that is no text came in quotes as a whole. */
export function parseLine(word: string): NamedLine | undefined {
  const [, file, line] = /^(.+):(\d+)$/s.exec(word) ?? [];
  if (file && line) return { file, line: Number(line) };
  const [, name, number] = /^(.+):(\d+)$/s.exec(encodePath(pathOf(word)).toString('latin1')) ?? [];
  return name && number ? { file: nameOfBytes(Buffer.from(name, 'latin1')), line: Number(number) } : undefined;
}
