import path from 'node:path';
import { textOf } from './bytes.ts';
import { readText } from './files.ts';

/** The repositories that use the user-level hooks, one common git dir per line. */
export function readRepositories(userDir: string): readonly string[] {
  const text = readText(path.join(userDir, 'repositories')) ?? '';
  return textOf(text).split('\n').filter(Boolean);
}
