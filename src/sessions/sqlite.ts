import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { makeTemporary } from '../git/temporary.ts';
import type { JsonObject } from '../json.ts';

export interface Database {
  rows(sql: string, values: readonly (string | number)[]): JsonObject[];
  close(): void;
}

/** As much of node-sqlite3-wasm as is used here. */
interface Sqlite {
  readonly Database: new (
    file: string,
  ) => {
    all(sql: string, values: readonly (string | number)[]): JsonObject[];
    close(): void;
  };
}

/** Larger ones are not copied: that would take seconds. */
const MAX_BYTES = 2 ** 31;

/**
 * A database that its owner may be writing to: we look at a copy, with its log, which holds what was written last. SQLite as WebAssembly
 * has no shared memory, so that it reads a log only as the copy's single user.
 */
export function openDatabase(file: string): Database {
  const folder = makeTemporary('db');
  const remove = () => fs.rmSync(folder, { recursive: true, force: true });
  try {
    const copy = copyWhole(file, folder);
    const database = new (loadSqlite().Database)(copy);
    database.all('PRAGMA locking_mode=exclusive', []);
    return {
      rows: (sql, values) => database.all(sql, values),
      close: () => {
        database.close();
        remove();
      },
    };
  } catch (cause) {
    remove();
    throw cause;
  }
}

/** A log that was begun anew while we copied does not belong to the file that we have. */
function copyWhole(file: string, folder: string): string {
  const copy = path.join(folder, 'db');
  const log = `${file}-wal`;
  if (fs.statSync(file).size > MAX_BYTES) throw new Error('the database is too large to be copied');
  for (let tries = 3; ; tries--) {
    const before = headOf(log);
    fs.copyFileSync(file, copy);
    if (before === undefined) return copy;
    fs.copyFileSync(log, `${copy}-wal`);
    if (headOf(log) === before || tries === 0) return copy;
  }
}

/** The first bytes of a log say which it is. */
function headOf(log: string): string | undefined {
  try {
    const handle = fs.openSync(log, 'r');
    try {
      const head = Buffer.alloc(32);
      return fs.readSync(handle, head) === head.length ? head.toString('hex') : undefined;
    } finally {
      fs.closeSync(handle);
    }
  } catch {
    return undefined; // there is none
  }
}

/** Beside the built program, where `build/programs.mjs` puts it; else the package itself. It is large, and loaded only when it is asked for. */
function loadSqlite(): Sqlite {
  const load = createRequire(import.meta.url);
  const found = ['./sqlite.cjs', '../sqlite.cjs'].find((name) => fs.existsSync(new URL(name, import.meta.url)));
  return load(found ?? 'node-sqlite3-wasm');
}
