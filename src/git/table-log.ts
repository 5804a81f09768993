import fs from 'node:fs';
import path from 'node:path';
import { type ReflogEntry, reflogEntry } from './history.ts';
import { askGitAtOnce } from './run.ts';

/** About as many as are read of a file. */
const MAX_ENTRIES = 3000;

/** As long as the tables have the same names, nothing was written to them. */
const known = new Map<string, { readonly tables: string; readonly entries: readonly ReflogEntry[] }>();

/**
 * What HEAD of a git dir went through, oldest first, where refs are kept in tables (reftable, git 2.45) and there is no file to read; undefined
 * where they are not.
 */
export function findTableLog(gitDir: string): readonly ReflogEntry[] | undefined {
  const list = path.join(gitDir, 'reftable', 'tables.list');
  if (!fs.existsSync(list)) return undefined;
  const tables = fs.readFileSync(list, 'latin1');
  const had = known.get(gitDir);
  if (had?.tables === tables) return had.entries;
  const place = { cwd: gitDir, env: { GIT_DIR: gitDir, GIT_WORK_TREE: undefined } };
  const form = ['-s', '--no-show-signature', '--date=raw', '--format=tformat:%H %gd%x09%gs'];
  const out = askGitAtOnce(place, ['log', '-g', `--max-count=${MAX_ENTRIES}`, ...form, 'HEAD', '--']);
  const entries = parseTableLog(out.toString('utf8'));
  known.set(gitDir, { tables, entries });
  return entries;
}

/** Git prints the newest first, and where HEAD came to: it came from where the entry before has left it. */
export function parseTableLog(out: string): ReflogEntry[] {
  const entries: ReflogEntry[] = [];
  for (const line of out.split('\n').reverse()) {
    const [, next, time, said = ''] = /^([0-9a-f]{40,64}) HEAD@\{(\d+) [+-]\d+\}\t(.*)$/.exec(line) ?? [];
    if (next === undefined || time === undefined) continue;
    const old = entries.at(-1)?.new ?? '0'.repeat(next.length);
    entries.push(reflogEntry({ old, new: next, time: Number(time) }, said));
  }
  return entries;
}
