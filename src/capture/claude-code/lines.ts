import { type JsonObject, parseJson } from '../../json.ts';
import { objectOf, plainId, textOf, timeOf } from '../fields.ts';

/** Lines longer than this are not looked at. */
export const MAX_LINE = 64 * 1024 * 1024;
/** Kinds of skipped input that are told apart. */
const MAX_KINDS = 50;

/** One line of a transcript: what all lines share, and the rest. */
export interface Line {
  readonly type: string;
  readonly id: string | undefined;
  readonly at: number | undefined;
  readonly session: string | undefined;
  readonly sidechain: boolean;
  readonly agentId: string | undefined;
  readonly fields: JsonObject;
}

/** Counts by kind. */
export type Skipped = Record<string, number>;

export function skip(skipped: Skipped, kind: string): void {
  const known = Object.hasOwn(skipped, kind) || Object.keys(skipped).length < MAX_KINDS;
  const key = known ? kind : 'other';
  skipped[key] = (skipped[key] ?? 0) + 1;
}

export function* parseLines(lines: Iterable<string>, skipped: Skipped): Generator<Line> {
  for (const raw of lines) {
    if (raw.length > MAX_LINE) {
      skip(skipped, 'line too long');
      continue;
    }
    // a crash may leave blocks of NUL in front of what was written next
    const text = raw.replace(/^[\s\0\uFEFF]+|[\s\0]+$/g, '');
    if (text === '') {
      if (raw.includes('\0')) skip(skipped, 'line of NUL');
      continue;
    }
    const parsed = parseJson(text, MAX_LINE);
    const fields = 'value' in parsed ? objectOf(parsed.value) : undefined;
    const type = textOf(fields?.type);
    if (fields && type !== undefined) yield lineOf(type, fields);
    else skip(skipped, fields ? 'line without type' : 'broken line');
  }
}

function lineOf(type: string, fields: JsonObject): Line {
  return {
    type,
    id: plainId(fields.uuid),
    at: timeOf(fields.timestamp),
    session: plainId(fields.sessionId),
    sidechain: fields.isSidechain === true,
    agentId: plainId(fields.agentId),
    fields,
  };
}
