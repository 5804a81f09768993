import type { AgentRef, Origin } from '../lines/origin.ts';
import { timeOf } from '../shape.ts';
import { parseConversationUrl } from './conversation.ts';
import { findOwnFile, type OwnFileRead } from './own.ts';
import type { Contributor, OwnRange, TraceConversation, TraceFile, TraceRange, TraceRecord } from './record.ts';

/** What a record says of some lines of one file: the form in which everybody reads records, ours or not. */
export interface AttributedRange {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  /** A session, or an event, that the record does not name is an empty string. */
  readonly origin: Origin;
  readonly url?: string;
  readonly contentHash?: string;
  /** `lineHash` of every line, 8 characters each, one after the other. Only ours have it. */
  readonly lineHashes?: string;
  /** The file's blob in the commit. Only ours have it. */
  readonly blob?: string;
  /** Id of the record. */
  readonly record: string;
  /** Milliseconds since 1970; 0 when the record's is not readable. */
  readonly time: number;
}

/** Every range of the record, or those of one path, in the record's order. */
export function attributionsOf(record: TraceRecord, path?: string): AttributedRange[] {
  const speeches = speechesOf(record).filter(({ file }) => path === undefined || file.path === path);
  return speeches.flatMap(rangesOf);
}

/** What a record has to say, file by file, not yet looked into. */
export function speechesOf(record: TraceRecord): Speech[] {
  const [id, time] = [plain(record.id), timeOf(record.timestamp) ?? 0];
  return record.files.map((file) => ({ record, file, id, time }));
}

export interface Speech {
  readonly record: TraceRecord;
  readonly file: TraceFile;
  readonly id: string;
  readonly time: number;
}

export function rangesOf({ record, file, id, time }: Speech): AttributedRange[] {
  const all: AttributedRange[] = [];
  const own = findOwnFile(record, file.path);
  const findOwn = own && ownIndex(own);
  for (const conversation of file.conversations) {
    const url = conversation.url && plain(conversation.url);
    for (const range of conversation.ranges) {
      const { start_line: start, end_line: end, content_hash: contentHash } = range;
      const nth = findOwn?.(start, end) ?? -1;
      const origin = originOf({ record, conversation, range, ownRange: own?.ranges[nth] });
      // field by field: spreads cost ten times as much, and a push of a thousand commits has ten thousand ranges
      const said: Open<AttributedRange> = { path: file.path, start, end, origin, record: id, time };
      if (url) said.url = url;
      if (contentHash) said.contentHash = contentHash;
      const lineHashes = own?.hashes[nth];
      if (lineHashes) said.lineHashes = lineHashes;
      if (own?.blob) said.blob = own.blob;
      all.push(said);
    }
  }
  return all;
}

/** Finds the last of our ranges that begins on a line, if it is just as long; most files have one or two. */
function ownIndex({ ranges }: OwnFileRead): (start: number, end: number) => number {
  const starts = ranges.map(({ start }) => start);
  const many = starts.length > 8 ? new Map(starts.map((start, i) => [start, i])) : undefined;
  return (start, end) => {
    const nth = many ? (many.get(start) ?? -1) : starts.lastIndexOf(start);
    return ranges[nth]?.end === end ? nth : -1;
  };
}

type Open<T> = { -readonly [K in keyof T]: T[K] };

interface Said {
  readonly record: TraceRecord;
  readonly conversation: TraceConversation;
  readonly range: TraceRange;
  readonly ownRange: OwnRange | undefined;
}

function originOf(said: Said): Origin {
  const { conversation, range, ownRange } = said;
  const contributor = range.contributor ?? conversation.contributor;
  const type = ownRange?.type ?? contributor?.type ?? 'unknown';
  const unsaid = contributor ? 'the record says unknown' : 'the record names no contributor';
  if (type === 'unknown') return { type, reason: plain(ownRange?.reason ?? unsaid) };
  // what a stranger's record says is its word, and no more
  const origin: Open<Origin> = { type, evidence: ownRange?.evidence ?? 'declared' };
  if (type !== 'human') origin.agent = agentOf(said, contributor);
  if (ownRange?.reason) origin.reason = plain(ownRange.reason);
  return origin;
}

function agentOf({ record, conversation, ownRange }: Said, contributor: Contributor | undefined): AgentRef {
  const ref = ownRange ?? parseConversationUrl(conversation.url ?? '');
  const agent: Open<AgentRef> = {
    session: plain(ref?.session ?? ''),
    event: plain(ref?.event ?? ''),
    tool: toolOf(record),
  };
  if (contributor?.model_id) agent.model = plain(contributor.model_id);
  return agent;
}

const tools = new WeakMap<TraceRecord, AgentRef['tool']>();

/** One for all ranges of a record. */
function toolOf(record: TraceRecord): AgentRef['tool'] {
  const known = tools.get(record);
  if (known) return known;
  const { name, version } = record.tool ?? {};
  const tool = { name: plain(name || 'unknown'), ...(version ? { version: plain(version) } : {}) };
  tools.set(record, tool);
  return tool;
}

/** Longer names are nobody's. */
const MAX_NAME = 1000;

/** These words end up in terminals and in line-based formats: no line ends, no control sequences. */
function plain(text: string): string {
  if (text.length <= MAX_NAME && PRINTABLE.test(text)) return text;
  return text.slice(0, MAX_NAME).replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '?');
}

const PRINTABLE = /^[ -~]*$/;
