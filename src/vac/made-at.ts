import { isObject } from '../json.ts';
import { timeOf } from '../shape.ts';
import { parseRecord } from '../trace/parse.ts';
import { parseVac } from './parse.ts';
import { timestampOf } from './shared-fields.ts';

/** The latest time that a record tells of itself, in milliseconds: nobody can have sealed it before. Traces in files have one too. */
export function vacMadeAt(bytes: Uint8Array): number | undefined {
  const parsed = parseVac(bytes);
  if (parsed.kind !== 'record') return traceMadeAt(bytes);
  const { created, session } = parsed.record;
  const said = [created, ...(isObject(session) ? [session['session-start'], session['session-end']] : [])];
  const times = said.flatMap((value) => timeOf(timestampOf(value) ?? '') ?? []);
  return times.length > 0 ? Math.max(...times) : undefined;
}

function traceMadeAt(bytes: Uint8Array): number | undefined {
  const parsed = parseRecord(Buffer.from(bytes).toString('utf8'));
  return parsed.kind === 'record' ? timeOf(parsed.record.timestamp) : undefined;
}
