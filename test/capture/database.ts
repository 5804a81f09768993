import { createRequire } from 'node:module';
import path from 'node:path';
import type { TranscriptFile } from '../../src/capture/adapter.ts';
import { openDatabase } from '../../src/sessions/sqlite.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder } from '../support/repository.ts';
import { transcriptOf } from './recorded.ts';

const { Database } = createRequire(import.meta.url)('node-sqlite3-wasm');

export type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** A real database with these tables and rows, as harvest gives it to an adapter; gone when `read` is through. */
export function withDatabase<T>(
  schema: string,
  rows: Rows,
  read: (file: TranscriptFile) => T,
  more: Partial<TranscriptFile> = {},
): T {
  const folder = makeFolder('database');
  const file = path.join(folder, 'a.db');
  const owner = new Database(file);
  owner.exec(schema);
  for (const [table, list] of Object.entries(rows)) {
    for (const row of list) {
      const keys = Object.keys(row);
      const marks = keys.map(() => '?').join(', ');
      owner.run(`INSERT INTO ${table} (${keys.join(', ')}) VALUES (${marks})`, Object.values(row));
    }
  }
  owner.close();
  const database = openDatabase(file);
  try {
    return read(transcriptOf('', { path: file, ...more, rows: (sql, values = []) => database.rows(sql, values) }));
  } finally {
    database.close();
    removeFolder(folder);
  }
}
