import { type JsonObject, parseJson } from '../../json.ts';
import type { TranscriptFile } from '../adapter.ts';
import { countOf, objectOf, plainId, textOf } from '../fields.ts';
import { type Skipped, skip } from '../json-lines.ts';
import { isNear } from './locate.ts';
import type { Stored, StoredMessage } from './transcript.ts';

/** The sessions of a database that were started near the work trees. Other tables are none of our business: some hold credentials. */
export function readDatabase(file: TranscriptFile): Stored[] {
  const tables = file.rows(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('session', 'message', 'part')",
  );
  if (tables.length < 3) return [];
  const sessions = file.rows('SELECT * FROM session').filter((row) => isNear(textOf(row.directory), file.worktrees));
  const born = (row: JsonObject) => countOf(row.time_created) ?? 0;
  // a fork repeats the calls of the one before it, which keeps them
  return [...sessions].sort((a, b) => born(a) - born(b)).map((row) => readSession(file, row, sessions));
}

function readSession(file: TranscriptFile, row: JsonObject, all: readonly JsonObject[]): Stored {
  const id = textOf(row.id) ?? '';
  const skipped: Skipped = {};
  const parts = new Map<string, StoredMessage['parts'][number][]>();
  for (const one of file.rows('SELECT id, message_id, data FROM part WHERE session_id = ? ORDER BY id', [id])) {
    const [message, part] = [textOf(one.message_id) ?? '', dataOf(one, skipped)];
    if (part) parts.set(message, [...(parts.get(message) ?? []), { id: textOf(one.id) ?? '', part }]);
  }
  const messages = file
    .rows('SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id', [id])
    .flatMap((one): StoredMessage[] => {
      const [message, info] = [textOf(one.id) ?? '', dataOf(one, skipped)];
      return info ? [{ id: message, info, parts: parts.get(message) ?? [] }] : [];
    });
  const time = { created: row.time_created, updated: row.time_updated };
  return {
    info: { id, directory: row.directory, version: row.version, parentID: row.parent_id, time },
    messages,
    children: all.flatMap((other) => (other.parent_id === id ? (plainId(other.id) ?? []) : [])),
    skipped,
  };
}

/** No part is larger. */
const MAX_DATA = 64 << 20;

function dataOf({ data }: JsonObject, skipped: Skipped): JsonObject | undefined {
  const parsed = parseJson(textOf(data) ?? '', MAX_DATA);
  const value = 'value' in parsed ? objectOf(parsed.value) : undefined;
  if (!value) skip(skipped, 'broken row');
  return value;
}
