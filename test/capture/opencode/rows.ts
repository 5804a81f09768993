import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { TranscriptFile } from '../../../src/capture/adapter.ts';
import { openDatabase } from '../../../src/sessions/sqlite.ts';
import { transcriptOf } from '../recorded.ts';

type Row = Record<string, unknown>;
const TABLES = ['session', 'message', 'part'];

/** A database of recorded rows, each with its table, as far as the decoder's questions go. */
export function databaseOf(values: readonly unknown[], worktrees = ['/repo']): TranscriptFile {
  const all = values.filter((value): value is Row => typeof value === 'object' && value !== null);
  return transcriptOf('', {
    path: '/home/user/.local/share/opencode/opencode.db',
    worktrees,
    rows: (sql, [session] = []) => {
      const table = /FROM (\w+)/.exec(sql)?.[1];
      if (table === 'sqlite_master') return TABLES.map((name) => ({ name }));
      return all.filter((row) => row.table === table && (session === undefined || row.session_id === session));
    },
  });
}

/** The same rows in a real one. */
export function realDatabase(folder: string, values: readonly Row[]): TranscriptFile & { close(): void } {
  const file = path.join(folder, 'opencode.db');
  const { Database } = createRequire(import.meta.url)('node-sqlite3-wasm');
  const database = new Database(file);
  for (const table of TABLES) {
    const rows = values.filter((row) => row.table === table).map(({ table: _, ...row }) => row);
    const columns = Object.keys(rows[0] ?? {});
    database.run(`CREATE TABLE ${table} (${columns.join(', ')})`);
    for (const row of rows)
      database.run(
        `INSERT INTO ${table} VALUES (${columns.map(() => '?').join(', ')})`,
        columns.map((key) => row[key] ?? null),
      );
  }
  database.close();
  fs.accessSync(file);
  const open = openDatabase(file);
  const rows = (sql: string, given: readonly (string | number)[] = []) => open.rows(sql, given);
  return { ...transcriptOf('', { path: file, rows }), close: () => open.close() };
}
