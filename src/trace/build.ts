import { hashLines } from '../lines/hash.ts';
import type { Origin, ToolInfo } from '../lines/origin.ts';
import type { Lines } from '../lines/text.ts';
import { conversationUrl } from './conversation.ts';
import { uuidOf } from './parse.ts';
import { checkRecord } from './print.ts';
import {
  type Contributor,
  HASH_RULE,
  OWN_KEY,
  OWN_TOOL,
  type OwnFile,
  type OwnMetadata,
  type OwnRange,
  TRACE_VERSION,
  type TraceConversation,
  type TraceFile,
  type TraceRange,
  type TraceRecord,
  type Vcs,
} from './record.ts';
import { type Run, runsByTool } from './runs.ts';

/** Lines that the commit adds, from line `start` on, and who wrote them. */
export interface OriginRun {
  readonly start: number;
  readonly lines: Lines;
  readonly origin: Origin;
}

export interface OriginFile {
  readonly path: string;
  readonly blob: string;
  readonly runs: readonly OriginRun[];
  /** Formatters that went over the file, as `name@version`. */
  readonly postProcessing?: readonly string[];
}

export interface TraceInput {
  readonly commit: string;
  /** The change id in the commit's header or trailer. */
  readonly changeId?: string;
  readonly vcs: Vcs;
  /** The commit's time, in milliseconds since 1970. */
  readonly time: number;
  readonly ownVersion: string;
  /** Setting `agent.conversationUrl`. */
  readonly conversationUrl?: string;
  /** Ids of the records in the commit's note that these replace. */
  readonly supersedes?: readonly string[];
  /** Who says so, where nothing was seen; `time` is then that of the saying. */
  readonly declaredBy?: string;
  /** The commit's own time, where that is another. */
  readonly committed?: number;
  readonly files: readonly OriginFile[];
}

/**
 * One record per agent and version, one of our own for the lines that no agent wrote (more than one where a record would grow beyond
 * what readers take). The same origins give the same bytes, in whatever order they come.
 */
export function buildRecords(input: TraceInput): TraceRecord[] {
  return buildLines(input).map(({ record }) => record);
}

/** A record, and how it is printed: its id is worked out from most of that. */
export interface BuiltRecord {
  readonly record: TraceRecord;
  line(): string;
}

export function buildLines(input: TraceInput): BuiltRecord[] {
  const own: ToolInfo = { name: OWN_TOOL, version: input.ownVersion };
  return runsByTool(input.files, own).map(({ tool, runs }) => buildRecord(input, tool, runs));
}

function buildRecord(input: TraceInput, tool: ToolInfo, runs: readonly Run[]): BuiltRecord {
  const files = byFile(runs);
  const formatters = new Set(files.flatMap(([run]) => run.file.postProcessing ?? []));
  const { type, revision } = input.vcs;
  const content: Omit<TraceRecord, 'id'> = {
    version: TRACE_VERSION,
    timestamp: timestampOf(input.time),
    vcs: { type, revision },
    tool,
    files: files.map((one) => traceFile(one, input.conversationUrl)),
    metadata: {
      ...(formatters.size > 0 ? { post_processing_tools: [...formatters].sort() } : {}),
      [OWN_KEY]: ownMetadata(input, files),
    },
  };
  // the content names the commit and the tool, so no two records share an id
  const { version, ...rest } = content;
  const text = JSON.stringify(content);
  const id = uuidOf(text);
  const record = { version, id, ...rest };
  const head = JSON.stringify({ version }).slice(0, -1);
  return {
    record,
    // all fields are in the order in which they are printed, and the id comes second
    line() {
      checkRecord(record);
      return `${head},"id":"${id}"${text.slice(head.length)}`;
    },
  };
}

type FileRuns = readonly [Run, ...Run[]];

/** The runs come sorted by path. */
function byFile(runs: readonly Run[]): FileRuns[] {
  const files: [Run, ...Run[]][] = [];
  for (const run of runs) {
    const last = files.at(-1);
    if (last && last[0].file === run.file) last.push(run);
    else files.push([run]);
  }
  return files;
}

/** The schema allows no longer name of a model. */
const MAX_MODEL = 250;

/** Ranges with one url and one contributor are one conversation. */
function traceFile(runs: FileRuns, template: string | undefined): TraceFile {
  const conversations = new Map<string, TraceConversation & { readonly ranges: TraceRange[] }>();
  for (const { start, lines, origin } of runs) {
    const model = origin.agent?.model;
    const contributor: Contributor = {
      type: origin.type,
      ...(model && model.length <= MAX_MODEL ? { model_id: model } : {}),
    };
    const url = origin.agent?.session ? { url: conversationUrl(origin.agent, template) } : {};
    const key = JSON.stringify([url, contributor]);
    const conversation = conversations.get(key) ?? { ...url, contributor, ranges: [] };
    conversation.ranges.push({
      start_line: start,
      end_line: start + lines.length - 1,
      content_hash: hashLines(lines).content,
    });
    conversations.set(key, conversation);
  }
  return { path: runs[0].file.path, conversations: [...conversations.values()] };
}

function ownMetadata(input: TraceInput, files: readonly FileRuns[]): OwnMetadata {
  // a file may be called __proto__
  const byPath: Record<string, OwnFile> = Object.create(null);
  for (const runs of files) {
    byPath[runs[0].file.path] = {
      blob: runs[0].file.blob,
      ranges: runs.map(ownRange),
      lines: runs.map((run) => hashLines(run.lines).each).join(''),
    };
  }
  const supersedes = [...new Set(input.supersedes)].sort();
  return {
    schema: 1,
    commit: input.commit,
    ...(input.changeId ? { change_id: input.changeId } : {}),
    hash_rule: HASH_RULE,
    ...(supersedes.length > 0 ? { supersedes } : {}),
    ...(input.declaredBy ? { declared: { by: input.declaredBy, committed: input.committed ?? input.time } } : {}),
    files: byPath,
  };
}

function ownRange({ start, lines, origin }: Run): OwnRange {
  const { type, evidence, agent, reason } = origin;
  return {
    start,
    end: start + lines.length - 1,
    type,
    ...(evidence ? { evidence } : {}),
    ...(agent?.session ? { session: agent.session } : {}),
    ...(agent?.event ? { event: agent.event } : {}),
    ...(reason ? { reason } : {}),
  };
}

/** RFC 3339 knows the years 0 to 9999; git's clock goes further. */
function timestampOf(time: number): string {
  const clamped = Math.min(Math.max(Math.trunc(time), 0), 253_402_300_799_999);
  return new Date(Number.isFinite(clamped) ? clamped : 0).toISOString().replace('.000Z', 'Z');
}
