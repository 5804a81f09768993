import { isObject, type JsonObject, parseJson } from '../json.ts';
import { lineHash } from '../lines/hash.ts';
import { timeOf } from '../shape.ts';
import { type AttributedRange, attributionsOf } from '../trace/attribution.ts';
import { isUri } from '../trace/conversation.ts';
import { MAX_LINE_LENGTH, uuidOf } from '../trace/parse.ts';
import {
  HASH_RULE,
  OWN_KEY,
  type OwnFile,
  type OwnRange,
  TRACE_VERSION,
  type TraceConversation,
  type TraceRecord,
} from '../trace/record.ts';
import type { CommitFile } from './claim.ts';

/** The commit that a stranger's record turned out to speak of. */
export interface Home {
  readonly commit: string;
  /** The commit's time, in milliseconds since 1970. */
  readonly time: number;
  findFile(path: string): CommitFile | undefined;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * A stranger's record as a complete record of this commit: its own words and all its fields, with the revision put right. Hashes of the
 * lines are added, so that they are found again whatever becomes of the commit. `raw` is the record as it came.
 */
export function completeRecord(record: TraceRecord, raw: string, home: Home): TraceRecord {
  const { commit, time } = home;
  const stands = {
    id: UUID.test(record.id) ? record.id : uuidOf(raw),
    timestamp: timeOf(record.timestamp) === undefined ? isoOf(time) : record.timestamp,
  };
  const came = { version: record.version, ...(record.vcs && { vcs: record.vcs }) };
  return {
    ...record,
    ...stands,
    version: TRACE_VERSION,
    vcs: { ...record.vcs, type: 'git', revision: commit },
    files: record.files.map((file) => ({ ...file, conversations: file.conversations.map(withUri) })),
    metadata: {
      ...record.metadata,
      [OWN_KEY]: {
        schema: 1,
        commit,
        hash_rule: HASH_RULE,
        declared: { by: record.tool?.name || 'an imported record' },
        imported: { ...came, ...otherwise(raw, { ...record, ...stands }) },
        files: ownFiles(record, home),
      },
    },
  };
}

/** What the record said in words that are read as others, as it came; of its files those that are no file here, or are read otherwise. */
function otherwise(raw: string, read: TraceRecord): JsonObject {
  const json = parseJson(raw, MAX_LINE_LENGTH);
  const said: JsonObject = 'value' in json && isObject(json.value) ? json.value : {};
  const fields = (['id', 'timestamp', 'tool', 'metadata'] as const).filter(
    (key) => said[key] !== undefined && JSON.stringify(said[key]) !== JSON.stringify(read[key]),
  );
  const same = new Set(read.files.map((file) => JSON.stringify(file)));
  const files = Array.isArray(said.files) ? said.files.filter((file) => !same.has(JSON.stringify(file))) : [];
  return { ...Object.fromEntries(fields.map((key) => [key, said[key]])), ...(files.length > 0 && { files }) };
}

/** RFC 3339 ends with the year 9999. */
function isoOf(time: number): string {
  return new Date(Math.min(Math.max(Math.trunc(time) || 0, 0), 253_402_300_799_999)).toISOString();
}

/** `file://c:\a b` and the like: what may not stand in a URI is written as such things are. */
function withUri(conversation: TraceConversation): TraceConversation {
  const { url, ...rest } = conversation;
  if (url === undefined || isUri(url)) return conversation;
  const encoded = encodeURI(url.replace(/\p{Surrogate}/gu, '\uFFFD')).replace(/[[\]]/g, encodeURIComponent);
  return isUri(encoded) ? { ...rest, url: encoded } : { ...rest, ...{ original_url: url } };
}

/** Honest ranges hardly overlap; those that go over a file again and again get no hashes. */
const MAX_PASSES = 4;

function ownFiles(record: TraceRecord, { findFile }: Home): Readonly<Record<string, OwnFile>> {
  // a file may be called __proto__
  const files: Record<string, OwnFile> = Object.create(null);
  for (const path of new Set(record.files.map((file) => file.path))) {
    const file = findFile(path);
    if (!file) continue;
    const ranges = attributionsOf(record, path).filter((range) => isAdded(file, range));
    const count = ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0);
    if (count === 0 || count > MAX_PASSES * file.lines.length) continue;
    const hashes = ranges.flatMap(({ start, end }) => file.lines.slice(start - 1, end).map(lineHash));
    files[path] = { blob: file.blob, ranges: ranges.map(ownRange), lines: hashes.join('') };
  }
  return files;
}

/** Lines that the commit does not add are not told by it: their hashes would claim them elsewhere. */
function isAdded({ lines, added }: CommitFile, { start, end }: AttributedRange): boolean {
  return end <= lines.length && (!added || added.some((range) => range.start <= start && end <= range.end));
}

function ownRange({ start, end, origin }: AttributedRange): OwnRange {
  const { type, agent, reason } = origin;
  return {
    start,
    end,
    type,
    ...(type === 'unknown' ? {} : { evidence: 'declared' as const }),
    ...(agent?.session ? { session: agent.session } : {}),
    ...(agent?.event ? { event: agent.event } : {}),
    ...(reason ? { reason } : {}),
  };
}
