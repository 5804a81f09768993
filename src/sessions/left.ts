import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isRunning } from '../git/realm.ts';
import { isObject, parseJson } from '../json.ts';
import { listFolder } from './disk.ts';

/** What a hook that was killed has left among the temporary files: the whole of what it was told. */
export interface LeftPayload {
  readonly file: string;
  /** When it was told. */
  readonly at: number;
}

const LOOKED_AT = 64 << 20;
/** No system opens a longer one, and each folder above would be looked for. */
const LONGEST_PATH = 4096;
const HOLDS_A_PATH = /^(?:file_path|notebook_path|filePath|filepath|path)$/;

/** Those of this user that are about one of these work trees. Whose hook still runs is about to be filed. */
export function findLeft(
  env: Readonly<Record<string, string | undefined>>,
  worktrees: readonly string[],
  { before }: { readonly before: number },
): LeftPayload[] {
  const folder = env.TMPDIR || os.tmpdir();
  return listFolder(folder).flatMap((name): LeftPayload[] => {
    const pid = Number(/^agent-hook\.(\d{1,10})$/.exec(name)?.[1] ?? 0);
    if (pid === 0 || isRunning(pid)) return [];
    const file = path.join(folder, name);
    const found = fs.lstatSync(file, { throwIfNoEntry: false });
    if (!found?.isFile() || found.uid !== (process.getuid?.() ?? found.uid)) return [];
    if (found.size === 0 || found.size > LOOKED_AT || found.mtimeMs > before) return [];
    return isAbout(file, worktrees) ? [{ file, at: Math.floor(found.mtimeMs) }] : [];
  });
}

/** As the hook would have placed it: by the file that was edited, else by the agent's folder. */
function isAbout(file: string, worktrees: readonly string[]): boolean {
  const parsed = parseJson(fs.readFileSync(file, 'utf8'), LOOKED_AT);
  if (!('value' in parsed) || !isObject(parsed.value)) return false;
  const { cwd, ...rest } = parsed.value;
  const base = typeof cwd === 'string' ? cwd : '/';
  const named = firstPath(rest, 3);
  if (base.length + (named?.length ?? 0) > LONGEST_PATH) return false;
  return worktrees.includes(topOf(named === undefined ? base : path.dirname(path.resolve(base, named))));
}

function firstPath(value: unknown, depth: number): string | undefined {
  if (!isObject(value) || depth === 0) return undefined;
  for (const [key, one] of Object.entries(value)) {
    const found = typeof one === 'string' ? (HOLDS_A_PATH.test(key) ? one : undefined) : firstPath(one, depth - 1);
    if (found !== undefined && found !== '') return found;
  }
  return undefined;
}

/** The nearest folder above that is a repository's: another may lie inside a work tree of ours. */
function topOf(folder: string): string {
  let at = folder;
  while (!fs.existsSync(path.join(at, '.git')) && path.dirname(at) !== at) at = path.dirname(at);
  try {
    return fs.realpathSync(at);
  } catch {
    return at;
  }
}
