import type { AgentLogDocument } from '../agentlog/document.ts';
import type { AgentblameNote } from '../foreign/agentblame.ts';
import type { GitAiNote } from '../foreign/git-ai.ts';
import type { Format } from '../foreign/recognise.ts';
import { parseRecord } from '../trace/parse.ts';
import type { TraceRecord } from '../trace/record.ts';
import type { World } from './command.ts';
import { mendDocument, rawOf } from './import-mend.ts';
import { countRounded, partsOf } from './import-parts.ts';
import { judgeSigned } from './import-signed.ts';
import type { Source } from './import-source.ts';

/** A trace record, as it came and as it is read. */
export interface Trace {
  readonly raw: string;
  readonly record: TraceRecord;
  /** The commit in whose note it was found. */
  readonly found?: string;
  /** What of it says nothing here: to be told where the record is kept. */
  readonly odd?: string;
}

/** Another tool's note, which speaks of its commit alone. */
export type ForeignNote =
  | { readonly kind: 'git-ai'; readonly note: GitAiNote; readonly commit: string | undefined }
  | { readonly kind: 'agentblame'; readonly note: AgentblameNote; readonly commit: string | undefined };

/** What a source holds. */
export interface Holdings {
  readonly documents: readonly AgentLogDocument[];
  readonly traces: readonly Trace[];
  readonly notes: readonly ForeignNote[];
  /** Parts that are not understood, by the reason. */
  readonly left: readonly string[];
  /** To be said to the person. */
  readonly remarks: readonly string[];
}

export const NOTHING: Holdings = { documents: [], traces: [], notes: [], left: [], remarks: [] };

/** The names of the formats, as their documents have them. */
export const NAMES: Readonly<Record<Format, string>> = {
  agentlog: 'AgentLog',
  'agent-trace': 'Agent Trace',
  'agent-activity': 'agent_activity.v1',
  'vac-json': 'verifiable-agent-record (JSON)',
  'vac-cbor': 'verifiable-agent-record (CBOR)',
  'vac-signed': 'verifiable-agent-record (signed)',
  'git-ai-note': 'git-ai note',
  'agentblame-note': 'agentblame note',
};

/** Reads a source that was recognised. What is not understood is counted, never lost without a word. */
export async function readHoldings(world: World, source: Source, format: Format): Promise<Holdings> {
  switch (format) {
    case 'agentlog':
      return withRounded(source, sum(partsOf(textOf(source)).map(({ raw }) => readDocument(raw, source.modified))));
    case 'agent-trace':
      return sum(partsOf(textOf(source)).map(({ raw }) => readTrace(raw, source.commit)));
    case 'agent-activity':
      return withRounded(source, await readActivity(source));
    case 'vac-json': {
      const parts = partsOf(textOf(source));
      return withRounded(source, sum(await Promise.all(parts.map(({ raw }) => readVac(raw, source.modified)))));
    }
    case 'vac-cbor':
      return readVac(source.bytes, source.modified);
    case 'vac-signed':
      return readSigned(world, source);
    case 'git-ai-note': {
      const parsed = (await import('../foreign/git-ai.ts')).parseGitAiNote(textOf(source));
      if (parsed.kind === 'foreign') return { ...NOTHING, left: [parsed.problem] };
      return { ...NOTHING, notes: [{ kind: 'git-ai', note: parsed.note, commit: source.commit }] };
    }
    case 'agentblame-note':
      return readAgentblame(source);
  }
}

/** Records of Agent Trace are kept as bytes; what becomes a session is read as numbers. */
function withRounded(source: Source, held: Holdings): Holdings {
  const count = countRounded(textOf(source));
  const remark = `${count} numbers are beyond 2^53: the nearest that can be kept are`;
  return count > 0 ? { ...held, remarks: [...held.remarks, remark] } : held;
}

export function sum(all: readonly Holdings[]): Holdings {
  return {
    documents: all.flatMap(({ documents }) => documents),
    traces: all.flatMap(({ traces }) => traces),
    notes: all.flatMap(({ notes }) => notes),
    left: all.flatMap(({ left }) => left),
    remarks: all.flatMap(({ remarks }) => remarks),
  };
}

export function textOf({ bytes }: Source): string {
  return new TextDecoder().decode(bytes);
}

function readDocument(raw: string, modified: number): Holdings {
  const mended = mendDocument(raw, modified);
  if ('problem' in mended) return { ...NOTHING, left: [mended.problem] };
  const remark = `${mended.odd} events of ${mended.document.id} are no objects: they are kept beside the others`;
  const remarks = mended.odd > 0 ? [remark] : [];
  return { ...NOTHING, documents: [mended.document], remarks };
}

function readTrace(raw: string, found: string | undefined): Holdings {
  const parsed = parseRecord(raw);
  if (parsed.kind === 'foreign') return { ...NOTHING, left: [parsed.problem] };
  const { files, ranges } = parsed.skipped;
  const odd = `of ${parsed.record.id} ${files} files and ${ranges} ranges are none of a repository: they are only kept`;
  const more = { ...(found && { found }), ...(files + ranges > 0 && { odd }) };
  return { ...NOTHING, traces: [{ raw, record: parsed.record, ...more }] };
}

async function readActivity(source: Source): Promise<Holdings> {
  const [{ parseStream }, { sessionsOf }, { scrubEvent }, { replaceKnown }] = await Promise.all([
    import('../activity/parse.ts'),
    import('../activity/to-session.ts'),
    import('../activity/scrub.ts'),
    import('../redact/secrets.ts'),
  ]);
  const parts = partsOf(textOf(source));
  const { events, foreign, cut } = parseStream(parts.map(({ raw }) => raw).join('\n'));
  // the page asks for it, and a session goes on into formats that would not
  const clean = events.map((event) => scrubEvent(event, replaceKnown));
  const { documents, homeless } = sessionsOf(clean, source.modified);
  const mended = documents.map((document) => readDocument(rawOf(document), source.modified));
  return sum([
    ...mended,
    {
      ...NOTHING,
      left: foreign.map(({ problem }) => problem),
      remarks: [
        ...(homeless > 0 ? [homeless === 1 ? '1 event names no session' : `${homeless} events name no session`] : []),
        ...(cut ? ['the stream goes on after what was read'] : []),
      ],
    },
  ]);
}

async function readVac(input: string | Uint8Array, modified: number): Promise<Holdings> {
  const [{ parseVac }, { sessionFrom }] = await Promise.all([
    import('../vac/parse.ts'),
    import('../vac/to-agentlog.ts'),
  ]);
  const parsed = parseVac(input);
  const inner = parsed.kind === 'signed' ? parsed.payload : parsed;
  if (!inner) {
    const hashed = parsed.kind === 'signed' && parsed.hashed;
    const what = hashed
      ? 'the signature carries only the hash of its record'
      : 'the signature does not carry its record';
    return { ...NOTHING, left: [`${what}: verify it with --payload, and import the record itself`] };
  }
  if (inner.kind !== 'record') return { ...NOTHING, left: [inner.kind === 'foreign' ? inner.problem : 'no record'] };
  const { record, marks } = inner;
  const found = sessionFrom(record, marks === 'too many' ? [] : marks);
  if ('problem' in found) return { ...NOTHING, left: [found.problem] };
  const document = readDocument(rawOf(found.document), modified);
  const traces = found.records.map((record) => readTrace(JSON.stringify(record), undefined));
  const remarks = [
    ...(found.skipped > 0 ? [`${found.skipped} entries are none`] : []),
    ...(marks === 'too many'
      ? ['it says more in CBOR than is kept: bytes, tags and large integers are texts now']
      : []),
  ];
  return sum([document, ...traces, { ...NOTHING, remarks }]);
}

async function readSigned(world: World, source: Source): Promise<Holdings> {
  const { unsound, remark } = await judgeSigned(world, source.bytes);
  if (unsound) return { ...NOTHING, left: [remark] };
  const held = await readVac(source.bytes, source.modified);
  return { ...held, remarks: [remark, ...held.remarks] };
}

async function readAgentblame(source: Source): Promise<Holdings> {
  const { parseAgentblameNote } = await import('../foreign/agentblame.ts');
  return sum(
    partsOf(textOf(source)).map(({ raw }): Holdings => {
      const parsed = parseAgentblameNote(raw);
      if (parsed.kind === 'foreign') return { ...NOTHING, left: [parsed.problem] };
      return { ...NOTHING, notes: [{ kind: 'agentblame', note: parsed.note, commit: source.commit }] };
    }),
  );
}
