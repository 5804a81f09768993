import type { AgentLogDocument } from '../agentlog/document.ts';
import { isObject, type JsonObject, sameJson } from '../json.ts';
import type { TraceRecord } from '../trace/record.ts';
import { entryOf } from './entries.ts';
import { type Mark, marksIn } from './marks.ts';
import { patched, without } from './patch.ts';
import type { VacRecord } from './record.ts';
import { objectIn, sessionOf } from './session.ts';
import { AGENTLOG_FIELD, VAC_PROPERTY } from './shared-fields.ts';
import { SHAPE_FIELD, sessionFrom } from './to-agentlog.ts';
import { treeOf } from './tree.ts';
import { validateVac } from './validate.ts';

/** Another's record as it came, and what of its CBOR JSON does not say. */
export interface Original {
  readonly record: VacRecord;
  readonly marks: readonly Mark[];
}

/**
 * The record that a session was imported from. Undefined where it was not, or where more is known of the session by now: the record would
 * then not say it all.
 */
export function originalOf(document: AgentLogDocument, records: readonly TraceRecord[]): Original | undefined {
  const came = plainOf(document);
  const kept = objectIn(objectIn(came, 'properties'), VAC_PROPERTY);
  const shape = kept[SHAPE_FIELD];
  if (!isObject(shape)) return undefined;
  const entries = entriesOf(came, shape.spots);
  if (!entries) return undefined;
  const session = without(sessionOf(withoutKept(came)), [AGENTLOG_FIELD]);
  const record = {
    ...without(kept, [SHAPE_FIELD, 'session']),
    session: { ...patched(session, { set: kept.session, drop: shape.drop }), entries },
  };
  const marks = marksIn(shape.marks);
  const again = sessionFrom(record, marks);
  if ('problem' in again || validateVac(record, 'verifiable-agent-record').length > 0) return undefined;
  const isAll = records.every(({ id }) => again.records.some((one) => one.id === id));
  return isAll && sameJson(plainOf(again.document), came)
    ? { record: record as unknown as VacRecord, marks }
    : undefined;
}

/** How much was taken out is ours to say, not the record's. */
function plainOf({ redactions: _, ...document }: AgentLogDocument): JsonObject {
  const events = document.events.map((event) => (event.type === 'opaque' ? event.raw : event));
  return { ...document, events };
}

function withoutKept(document: JsonObject): JsonObject {
  const properties = without(objectIn(document, 'properties'), [VAC_PROPERTY]);
  const rest = without(document, ['properties']);
  return Object.keys(properties).length > 0 ? { ...rest, properties } : rest;
}

function entriesOf(document: JsonObject, spots: unknown): readonly JsonObject[] | undefined {
  const context = { time: String(document.startTime) };
  const flat = (document.events as readonly JsonObject[]).map((event) => entryOf(event, context));
  return spots === undefined ? flat : treeOf(flat, spots);
}
