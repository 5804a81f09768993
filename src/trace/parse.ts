import { createHash } from 'node:crypto';
import { isObject, type JsonObject, parseJson } from '../json.ts';
import { isLine, isType, ownPart } from './own.ts';
import { repoPath } from './path.ts';
import type { Contributor, TraceConversation, TraceFile, TraceRange, TraceRecord, TraceTool, Vcs } from './record.ts';

/** What one line of a note is. `raw` is the line as it came: whoever passes it on passes that on. */
export type ParsedRecord = KnownRecord | ForeignLine;

export interface KnownRecord {
  readonly kind: 'record';
  readonly record: TraceRecord;
  readonly raw: string;
  readonly skipped: Skipped;
}

export interface ForeignLine {
  readonly kind: 'foreign';
  readonly raw: string;
  readonly problem: string;
}

/** Parts of a record that say nothing about a line of the repository. */
export interface Skipped {
  readonly files: number;
  readonly ranges: number;
}

export interface ParsedNote {
  readonly records: readonly TraceRecord[];
  readonly foreign: readonly ForeignLine[];
  readonly skipped: Skipped;
}

export const MAX_LINE_LENGTH = 16 * 1024 * 1024;
/** Of files, and of ranges, in one record. */
export const MAX_PARTS = 200_000;

/** The records of a note's lines; what is no record is kept beside them. Blank lines say nothing. */
export function parseNote(lines: readonly string[]): ParsedNote {
  const parsed = lines.filter((line) => line.trim() !== '').map(parseRecord);
  const known = parsed.filter((one) => one.kind === 'record');
  return {
    records: known.map((one) => one.record),
    foreign: parsed.filter((one) => one.kind === 'foreign'),
    skipped: {
      files: known.reduce((sum, one) => sum + one.skipped.files, 0),
      ranges: known.reduce((sum, one) => sum + one.skipped.ranges, 0),
    },
  };
}

/** How much of a note can be read: `partly` where some of its lines are garbage beside others that are not. */
export type Soundness = 'whole' | 'partly' | 'garbled';

/**
 * Garbage is a line that is not so much as a JSON object: it was damaged, or is no record. Objects that we know nothing of are another
 * tool's. Where a look at the text has told that the note speaks in our own words, the ends of a record are enough.
 */
export function soundnessOf(lines: readonly string[], ownWords: boolean): Soundness {
  let [sound, garbage] = [0, 0];
  for (const line of lines) {
    const text = line.trim();
    if (text === '') continue;
    const isSound = hasEnds(text) && ((ownWords && text.startsWith(OWN_START)) || isObjectText(text));
    if (isSound) sound++;
    else garbage++;
  }
  if (garbage === 0 || isOfGitAi(lines)) return 'whole';
  return sound === 0 ? 'garbled' : 'partly';
}

/** As our own records begin. */
const OWN_START = '{"version":';

function hasEnds(line: string): boolean {
  return line.startsWith('{') && line.endsWith('}');
}

/** Paths, below them keys with their lines, then `---` and JSON over several lines: a note of git-ai, which may stand beside ours. */
function isOfGitAi(lines: readonly string[]): boolean {
  const divider = lines.findIndex((line) => line.trimEnd() === '---');
  return divider >= 0 && lines[divider + 1]?.startsWith('{') === true;
}

function isObjectText(line: string): boolean {
  const json = parseJson(line, MAX_LINE_LENGTH);
  return 'value' in json && isObject(json.value);
}

/** Reads any 0.x or 1.x record, however loosely written. Unknown fields stay on their objects. */
export function parseRecord(raw: string): ParsedRecord {
  const foreign = (problem: string): ForeignLine => ({ kind: 'foreign', raw, problem });
  const json = parseJson(raw, MAX_LINE_LENGTH);
  if ('problem' in json) return foreign(json.problem);
  const { value } = json;
  if (!isObject(value)) return foreign('not an object');
  if (!isReadableVersion(value.version)) return foreign('of a version other than 0.x and 1.x');
  if (!Array.isArray(value.files)) return foreign('no files');
  const tally = { files: 0, ranges: 0, read: 0 };
  const files = parseFiles(value.files, ownPart(value.metadata) !== undefined, tally);
  if (value.files.length > MAX_PARTS || tally.read > MAX_PARTS)
    return foreign(`more than ${MAX_PARTS} files or ranges`);
  const record: TraceRecord = amend(value, {
    version: printable(value.version),
    // readers tell records apart by id; one without gets a stable one
    id: textOf(value.id) || uuidOf(raw),
    timestamp: textOf(value.timestamp) ?? '',
    vcs: parseVcs(value.vcs),
    tool: parseTool(value.tool),
    files,
    metadata: isObject(value.metadata) ? value.metadata : undefined,
  });
  return { kind: 'record', record, raw, skipped: { files: tally.files, ranges: tally.ranges } };
}

/**
 * The object with these fields as they should be; `undefined` takes one away. Mostly all are so already, and it is the object itself: of
 * many notes, copies would cost more than all the rest of reading. Those who look at every file and range ask that before they call.
 */
function amend<T extends object>(value: JsonObject, fields: { readonly [K in keyof T]?: T[K] | undefined }): T {
  let amended: Record<string, unknown> | undefined;
  for (const key in fields) {
    const field = fields[key];
    if (field === value[key]) continue;
    amended ??= { ...value };
    if (field === undefined) delete amended[key];
    else amended[key] = field;
  }
  return (amended ?? value) as T;
}

/** The list with each item as it should be, without those that are none; the list itself where nothing is to be done. */
function amendEach<T>(values: readonly unknown[], read: (value: unknown) => T | undefined): readonly T[] {
  let amended: T[] | undefined;
  for (let i = 0; i < values.length; i++) {
    const item = read(values[i]);
    if (!amended && item !== values[i]) amended = values.slice(0, i) as T[];
    if (item !== undefined) amended?.push(item);
  }
  return amended ?? (values as readonly T[]);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** "0.1.0", "0.1", "1.0", 1 and nothing at all are met in the wild; a major version of 2 or more has other required fields. */
function isReadableVersion(version: unknown): boolean {
  if (version === '0.1.0') return true;
  const major = /^\s*v?(\d+)/.exec(printable(version))?.[1];
  return major === undefined || Number(major) < 2;
}

/** Not String(): that calls whatever a stranger's object has for toString. */
function printable(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? `${value}` : '';
}

interface Tally {
  files: number;
  ranges: number;
  read: number;
}

function parseFiles(values: readonly unknown[], own: boolean, tally: Tally): readonly TraceFile[] {
  const some = values.length > MAX_PARTS ? values.slice(0, MAX_PARTS) : values;
  return amendEach(some, (value) => {
    const path = isObject(value) && typeof value.path === 'string' ? repoPath(value.path, own) : undefined;
    if (!isObject(value) || path === undefined || !Array.isArray(value.conversations)) {
      tally.files++;
      return undefined;
    }
    const conversations = amendEach(value.conversations, (one) => parseConversation(one, tally));
    if (path === value.path && conversations === value.conversations) return value as unknown as TraceFile;
    return amend<TraceFile>(value, { path, conversations });
  });
}

function parseConversation(value: unknown, tally: Tally): TraceConversation | undefined {
  if (!isObject(value)) return undefined;
  const url = textOf(value.url);
  const contributor = parseContributor(value.contributor);
  const ranges = Array.isArray(value.ranges) ? parseRanges(value.ranges, tally) : [];
  if (url === value.url && contributor === value.contributor && ranges === value.ranges)
    return value as unknown as TraceConversation;
  return amend<TraceConversation>(value, { url, contributor, ranges });
}

function parseRanges(values: readonly unknown[], tally: Tally): readonly TraceRange[] {
  const room = Math.max(0, MAX_PARTS - tally.read);
  tally.read += values.length;
  return amendEach(values.length > room ? values.slice(0, room) : values, (value) => {
    if (!isObject(value) || !isLine(value.start_line) || !isLine(value.end_line) || value.start_line > value.end_line) {
      tally.ranges++;
      return undefined;
    }
    const content_hash = textOf(value.content_hash);
    if (content_hash === value.content_hash && value.contributor === undefined) return value as unknown as TraceRange;
    return amend<TraceRange>(value, { content_hash, contributor: parseContributor(value.contributor) });
  });
}

/** Also a bare string ("ai"). A type of its own invention is unknown; the model "unknown" is none. */
function parseContributor(value: unknown): Contributor | undefined {
  const bare = typeof value === 'string' ? { type: value } : value;
  if (!isObject(bare)) return undefined;
  const named = textOf(bare.type)?.toLowerCase();
  const said = textOf(bare.model_id);
  const type = isType(named) ? named : 'unknown';
  const model_id = said === '' || said === 'unknown' ? undefined : said;
  if (type === bare.type && model_id === bare.model_id) return bare as unknown as Contributor;
  return amend<Contributor>(bare, { type, model_id });
}

function parseVcs(value: unknown): Vcs | undefined {
  if (!isObject(value) || typeof value.revision !== 'string') return undefined;
  const named = printable(value.type).toLowerCase();
  const type = (['git', 'jj', 'hg', 'svn'] as const).find((one) => one === named);
  return type && amend<Vcs>(value, { type });
}

function parseTool(value: unknown): TraceTool | undefined {
  if (typeof value === 'string') return { name: value };
  if (!isObject(value)) return undefined;
  return amend<TraceTool>(value, { name: textOf(value.name), version: textOf(value.version) });
}

/** A UUID (version 8: made by a rule of one's own, RFC 9562) that follows from the content. */
export function uuidOf(content: string): string {
  const bytes = createHash('sha256').update(content, 'utf8').digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
