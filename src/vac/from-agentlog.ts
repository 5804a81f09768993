import type { AgentLogDocument } from '../agentlog/document.ts';
import type { JsonObject } from '../json.ts';
import { revisionOf } from '../trace/own.ts';
import { uuidOf } from '../trace/parse.ts';
import { OWN_TOOL, type TraceRecord } from '../trace/record.ts';
import { printCanonical } from './as-json.ts';
import { attributionOf } from './attribution.ts';
import { entryOf } from './entries.ts';
import { VAC_VERSION, type VacRecord } from './record.ts';
import { contextOf, objectIn, sessionOf, vcsOfProject } from './session.ts';

/** Where the record keeps what the draft's file attribution has no place for. */
export const TRACE_FIELD = 'agent-trace';

export interface VacSource {
  readonly document: AgentLogDocument;
  /** The records of the session's commits. */
  readonly records?: readonly TraceRecord[];
  /** When the record is made, RFC 3339. */
  readonly created?: string;
  /** Of this program. */
  readonly version?: string;
}

/**
 * The verifiable agent record of a session. Its id follows from the session and the attribution, so that the same ones have the same.
 * Nothing of either is lost: `sessionFrom` gives them back.
 */
export function vacOf({ document, records = [], created, version }: VacSource): VacRecord {
  const plain = document as unknown as JsonObject;
  const session = sessionOf(plain);
  const context = contextOf(session);
  const events = document.events.map((event) =>
    event.type === 'opaque' ? event.raw : (event as unknown as JsonObject),
  );
  const vcs = vcsOf(records, objectIn(plain, 'project'));
  const body = {
    version: VAC_VERSION,
    session: { ...session, entries: events.map((event) => entryOf(event, context)) },
    ...attributed(records),
    ...(vcs && { vcs }),
  };
  return {
    ...body,
    id: uuidOf(printCanonical(body)),
    ...(created !== undefined && { created }),
    'recording-agent': { name: OWN_TOOL, ...(version !== undefined && { version }) },
  } as unknown as VacRecord;
}

function attributed(records: readonly TraceRecord[]): JsonObject {
  if (records.length === 0) return {};
  const { attribution, envelopes } = attributionOf(records);
  return { 'file-attribution': attribution, [TRACE_FIELD]: envelopes };
}

/** The revision whose lines are counted. Of several, none: which file is of which, the trace envelopes say. */
function vcsOf(records: readonly TraceRecord[], project: JsonObject): JsonObject | undefined {
  const told = vcsOfProject(project);
  const revisions = records.map(revisionOf).filter((one) => one !== undefined);
  const [first] = revisions;
  if (!first) return told;
  const { revision: _, ...rest } = told ?? {};
  const isOne = revisions.every(({ type, revision }) => type === first.type && revision === first.revision);
  return { ...rest, type: first.type, ...(isOne && { revision: first.revision }) };
}
