import type { AgentLogDocument } from '../agentlog/document.ts';
import { parseDocument } from '../agentlog/parse.ts';
import { isObject, type JsonObject, sameJson } from '../json.ts';
import { uuidOf } from '../trace/parse.ts';
import { TRACE_VERSION, type TraceRecord } from '../trace/record.ts';
import { printCanonical } from './as-json.ts';
import { attributionOf, recordOf, recordsOf } from './attribution.ts';
import { eventOf } from './entries.ts';
import { TRACE_FIELD } from './from-agentlog.ts';
import type { Mark } from './marks.ts';
import { difference, type Patch, pick, textOf, without } from './patch.ts';
import { contextOf, envelopeOf, isOwn, objectIn, sessionOf } from './session.ts';
import { AGENTLOG_FIELD, timestampOf, VAC_PROPERTY } from './shared-fields.ts';
import { flatEntries, plainEntries, type Spot } from './tree.ts';

export interface VacSession {
  readonly document: AgentLogDocument;
  readonly records: readonly TraceRecord[];
  /** Entries that are none. */
  readonly skipped: number;
}

const FILES = 'file-attribution';
/** Beside the members of another's record: how its session, its entries and its values were formed. */
export const SHAPE_FIELD = 'git-agent-blame:shape';
/** Members of the record that are made anew when it is written, or are told elsewhere. */
const OWN_MEMBERS = ['version', 'id', 'session', 'created', FILES, 'vcs', 'recording-agent', TRACE_FIELD];

/**
 * The session and the attribution of a record, as `parseVac` gives it: of ours exactly what `vacOf` was given, of others what their fields
 * say, with the rest kept in properties.
 */
export function sessionFrom(
  record: JsonObject,
  marks: readonly Mark[] = [],
): VacSession | { readonly problem: string } {
  const session = objectIn(record, 'session');
  const context = contextOf(session);
  const all: readonly unknown[] = Array.isArray(session.entries) ? session.entries : [];
  // ours are one per event as they stand
  const { entries, spots, skipped } = isOwn(session) ? plainEntries(all) : flatEntries(all);
  const records = tracesOf(record, session);
  const rest = isOwn(session) ? restOfOwn(record, session, records) : restOfOther(record, session, { spots, marks });
  const envelope = withRest(envelopeOf(session), rest);
  const events = entries.map((entry) => eventOf(entry, context));
  const parsed = parseDocument(printCanonical({ ...envelope, events }));
  return parsed.kind === 'foreign' ? { problem: parsed.problem } : { document: parsed.document, records, skipped };
}

function tracesOf(record: JsonObject, session: JsonObject): TraceRecord[] {
  const attribution = record[FILES];
  if (Array.isArray(record[TRACE_FIELD])) return recordsOf(attribution, record[TRACE_FIELD]);
  if (!isObject(attribution)) return [];
  const meta = objectIn(session, 'agent-meta');
  const vcs = [objectIn(record, 'vcs'), objectIn(objectIn(session, 'environment'), 'vcs')];
  const { time } = contextOf(session);
  const id = textOf(record.id) ?? '';
  return recordOf(attribution, {
    version: TRACE_VERSION,
    id: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id) ? id : uuidOf(printCanonical(record)),
    timestamp: timestampOf(record.created) ?? timestampOf(session['session-end']) ?? time,
    vcs: vcs.map((one) => pick(one, ['type', 'revision'])).find((one) => textOf(one.revision) !== undefined),
    tool: { name: textOf(meta['cli-name']), version: textOf(meta['cli-version']) },
  });
}

/** What neither the document nor the records say. */
function restOfOwn(record: JsonObject, session: JsonObject, records: readonly TraceRecord[]): JsonObject {
  const toldFiles = record[FILES] === undefined || sameJson(attributionOf(records).attribution, record[FILES]);
  const inSession = sessionPatch(session)?.set;
  return {
    ...without(record, OWN_MEMBERS),
    ...(!toldFiles && { [FILES]: record[FILES] }),
    ...(inSession && { session: inSession }),
  };
}

/** All that it takes to give another's record back as it came (`original.ts`); its attribution may be of a repository that is not here. */
function restOfOther(
  record: JsonObject,
  session: JsonObject,
  { spots, marks }: { readonly spots: readonly Spot[]; readonly marks: readonly Mark[] },
): JsonObject {
  const patch = sessionPatch(session);
  const drop = patch?.drop?.filter((key) => key !== AGENTLOG_FIELD) ?? [];
  const isList = spots.every((spot, i) => spot.at === i && Object.keys(spot).length === 1);
  return {
    ...without(record, ['session']),
    ...(patch?.set && { session: patch.set }),
    [SHAPE_FIELD]: {
      ...(drop.length > 0 && { drop }),
      ...(!isList && { spots }),
      ...(marks.length > 0 && { marks }),
    },
  };
}

function sessionPatch(session: JsonObject): Patch | undefined {
  return difference(sessionOf(envelopeOf(session)), without(session, ['entries']));
}

function withRest(envelope: JsonObject, rest: JsonObject): JsonObject {
  if (Object.keys(rest).length === 0) return envelope;
  return { ...envelope, properties: { ...objectIn(envelope, 'properties'), [VAC_PROPERTY]: rest } };
}
