import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openDatabase } from '../../src/sessions/sqlite.ts';
import { removeFolder } from '../support/remove.ts';
import { makeFolder } from '../support/repository.ts';

const { Database } = createRequire(import.meta.url)('node-sqlite3-wasm');
const folder = makeFolder('db');
const file = path.join(folder, 'a.db');
afterEach(() => removeFolder(folder));

test('what stands in the log only is seen, and nothing of the owner’s is touched', () => {
  fs.mkdirSync(folder, { recursive: true });
  const owner = new Database(file);
  owner.exec('PRAGMA locking_mode=exclusive; PRAGMA journal_mode=wal; PRAGMA wal_autocheckpoint=0');
  owner.exec('CREATE TABLE part (id TEXT, data TEXT)');
  owner.run('INSERT INTO part VALUES (?, ?)', ['p1', '{"a":1}']);
  const bytes = () => [file, `${file}-wal`].map((name) => fs.readFileSync(name, 'hex'));
  const before = bytes();
  expect(fs.existsSync(`${file}-wal`)).toBe(true);
  const database = openDatabase(file);
  expect(database.rows('SELECT * FROM part WHERE id = ?', ['p1'])).toEqual([{ id: 'p1', data: '{"a":1}' }]);
  expect(() => database.rows('SELECT * FROM missing', [])).toThrow(/no such table/);
  database.close();
  expect(bytes()).toEqual(before);
  owner.close();
});

test('a file that is no database is an error, and leaves nothing behind', () => {
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(file, 'not a database, but long enough to be taken for one'.repeat(100));
  expect(() => openDatabase(file).rows('SELECT 1 FROM sqlite_master', [])).toThrow();
});
