import { isObject, type JsonObject, sameJson } from '../json.ts';
import { parseRecord } from '../trace/parse.ts';
import type { Contributor, TraceConversation, TraceFile, TraceRange, TraceRecord } from '../trace/record.ts';
import { printCanonical } from './as-json.ts';
import { textOf, without } from './patch.ts';
import type { FileAttribution, VacContributor, VacConversation, VacFile, VacRange } from './record.ts';

/**
 * Beside the file attribution, which says neither of which revision nor by which record: for each Agent Trace record all that is not in
 * its files, how many of the files are its own, and those that the attribution could not tell in full, by number.
 */
export interface TraceEnvelope {
  readonly record: JsonObject;
  readonly files: number;
  readonly exactly?: Readonly<Record<string, unknown>>;
}

export interface Attributed {
  readonly attribution: FileAttribution;
  readonly envelopes: readonly TraceEnvelope[];
}

export function attributionOf(records: readonly TraceRecord[]): Attributed {
  return {
    attribution: { files: records.flatMap((record) => record.files.map(vacFile)) },
    envelopes: records.map(envelopeOf),
  };
}

function envelopeOf(record: TraceRecord): TraceEnvelope {
  const exactly = record.files.flatMap((file, i) =>
    sameJson(traceFile(vacFile(file)), file) ? [] : [[`${i}`, file] as const],
  );
  return {
    record: without(record as unknown as JsonObject, ['files']),
    files: record.files.length,
    ...(exactly.length > 0 && { exactly: Object.fromEntries(exactly) }),
  };
}

/** The Agent Trace records that envelopes and attribution came from. Both may come from anywhere. */
export function recordsOf(attribution: unknown, envelopes: unknown): TraceRecord[] {
  const files = filesIn(attribution);
  let next = 0;
  return (Array.isArray(envelopes) ? envelopes : []).flatMap((envelope: unknown) => {
    if (!isObject(envelope) || !isObject(envelope.record) || !Number.isSafeInteger(envelope.files)) return [];
    const own = files.slice(next, next + Math.max(0, Number(envelope.files)));
    next += own.length;
    const exactly = isObject(envelope.exactly) ? envelope.exactly : {};
    const all = own.map((file, i) => (Object.hasOwn(exactly, `${i}`) ? exactly[`${i}`] : traceFile(file)));
    return readRecord({ ...envelope.record, files: all });
  });
}

/** A record of our own making for an attribution that came without any. */
export function recordOf(attribution: unknown, record: JsonObject): TraceRecord[] {
  return readRecord({ ...record, files: filesIn(attribution).map(traceFile) });
}

/** By way of the reader of such records: it leaves out what makes no sense. */
function readRecord(value: JsonObject): TraceRecord[] {
  const parsed = parseRecord(printCanonical(value));
  return parsed.kind === 'record' ? [parsed.record] : [];
}

function filesIn(attribution: unknown): VacFile[] {
  const files: unknown = isObject(attribution) ? attribution.files : undefined;
  return (Array.isArray(files) ? files.filter(isObject) : []) as unknown as VacFile[];
}

function vacFile({ path, conversations }: TraceFile): VacFile {
  return { path, conversations: conversations.map(vacConversation) };
}

function vacConversation({ url, contributor, ranges, related }: TraceConversation): VacConversation {
  return {
    // the draft's pattern has fragments of one line
    ...(url !== undefined && !/[\r\n]/.test(url) && { url }),
    ...(contributor && { contributor: vacContributor(contributor) }),
    ranges: ranges.map(vacRange),
    ...(Array.isArray(related) && {
      related: related.filter(isResource).map(({ type, url: at }) => ({ type, url: at })),
    }),
  };
}

function isResource(value: unknown): value is { readonly type: string; readonly url: string } {
  return (
    isObject(value) && typeof value.type === 'string' && typeof value.url === 'string' && !/[\r\n]/.test(value.url)
  );
}

function vacContributor({ type, model_id: model }: Contributor): VacContributor {
  return { type, ...(typeof model === 'string' && { 'model-id': model }) };
}

function vacRange(range: TraceRange): VacRange {
  return {
    'start-line': range.start_line,
    'end-line': range.end_line,
    ...hashFields(range.content_hash),
    ...(range.contributor && { contributor: vacContributor(range.contributor) }),
  };
}

const SHA_256 = { trace: 'sha256', vac: 'sha-256' };

/** `murmur3:9f2e8a1b` says its algorithm; the draft has a field for that, and takes SHA-256 where it is empty. */
function hashFields(hash: string | undefined): Pick<VacRange, 'content-hash' | 'content-hash-alg'> {
  if (hash === undefined) return {};
  const [, algorithm = 'unknown', digits = hash] = /^([A-Za-z0-9-]+):(.*)$/s.exec(hash) ?? [];
  return { 'content-hash': digits, 'content-hash-alg': algorithm === SHA_256.trace ? SHA_256.vac : algorithm };
}

function traceHash(hash: string, algorithm: string): string {
  if (algorithm === 'unknown') return hash;
  return `${algorithm === SHA_256.vac ? SHA_256.trace : algorithm}:${hash}`;
}

/** The files of strangers are looked at by `parseRecord` afterwards; here, what is no list is an empty one. */
function traceFile({ path, conversations }: VacFile): TraceFile {
  return { path, conversations: listOf(conversations).map(traceConversation) };
}

function traceConversation({ url, contributor, ranges, related }: VacConversation): TraceConversation {
  return {
    ...(url !== undefined && { url }),
    ...(contributor && { contributor: traceContributor(contributor) }),
    ranges: listOf(ranges).map(traceRange),
    ...(related && { related }),
  };
}

function traceContributor(contributor: VacContributor): Contributor {
  const model = contributor['model-id'];
  return { type: contributor.type, ...(model !== undefined && { model_id: model }) };
}

function traceRange(range: VacRange): TraceRange {
  const hash = textOf(range['content-hash']);
  return {
    start_line: range['start-line'],
    end_line: range['end-line'],
    ...(hash !== undefined && { content_hash: traceHash(hash, textOf(range['content-hash-alg']) ?? SHA_256.vac) }),
    ...(range.contributor && { contributor: traceContributor(range.contributor) }),
  };
}

function listOf<T>(value: readonly T[]): readonly T[] {
  return Array.isArray(value) ? (value.filter(isObject) as unknown as readonly T[]) : [];
}
