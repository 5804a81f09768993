import type { JsonObject } from '../../json.ts';
import type { TranscriptFile } from '../adapter.ts';
import { listOf, objectOf, textOf } from '../fields.ts';
import { parseJsonFile, type Skipped, skip } from '../json-lines.ts';
import { isNear } from './locate.ts';
import type { Stored, StoredMessage } from './transcript.ts';

/** A session of versions before 1.2, whose messages and parts are files of their own; or what `export` prints. */
export function readDocument(file: TranscriptFile): Stored[] {
  const whole = objectOf(parseJsonFile(file.text()));
  if (!whole) return [{ info: {}, messages: [], children: [], skipped: { 'broken file': 1 } }];
  const info = objectOf(whole.info) ?? whole;
  if (!isNear(textOf(info.directory), file.worktrees)) return [];
  const skipped: Skipped = {};
  const messages = whole.info === undefined ? filedMessages(file, info, skipped) : exported(whole.messages);
  return [{ info, messages, children: [], skipped }];
}

function exported(messages: unknown): StoredMessage[] {
  return listOf(messages).map((value) => {
    const message = objectOf(value);
    const parts = listOf(message?.parts).map((part) => objectOf(part) ?? {});
    const info = objectOf(message?.info) ?? {};
    return { id: idOf(info), info, parts: parts.map((part) => ({ id: idOf(part), part })) };
  });
}

const idOf = ({ id }: JsonObject) => textOf(id) ?? '';

/** `storage/session/PROJECT/SESSION.json`, `storage/message/SESSION/MESSAGE.json`, `storage/part/MESSAGE/PART.json` */
function filedMessages(file: TranscriptFile, info: JsonObject, skipped: Skipped): StoredMessage[] {
  const root = file.path.replace(/[\\/]session[\\/][^\\/]+[\\/][^\\/]+$/, '');
  const below = (folder: string, id: string) => (isName(id) ? objectsIn(file, `${root}/${folder}/${id}`, skipped) : []);
  return below('message', idOf(info)).map((message) => ({
    id: idOf(message),
    info: message,
    parts: below('part', idOf(message)).map((part) => ({ id: idOf(part), part })),
  }));
}

function isName(id: string): boolean {
  return /^[A-Za-z0-9_-]{1,100}$/.test(id);
}

/** In order of their names, which is that of time. */
function objectsIn(file: TranscriptFile, folder: string, skipped: Skipped): JsonObject[] {
  const names = (file.list?.(folder) ?? []).flatMap(({ name }) => (name.endsWith('.json') ? [name] : []));
  return names.sort().flatMap((name) => {
    const value = objectOf(parseJsonFile(file.read(`${folder}/${name}`) ?? ''));
    if (!value) skip(skipped, 'broken file');
    return value ? [value] : [];
  });
}
