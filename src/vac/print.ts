import { Fault } from '../fault.ts';
import { jsonOf, printCanonical } from './as-json.ts';
import { encodeCbor } from './cbor.ts';
import { type Mark, withMarks } from './marks.ts';
import type { VacRecord } from './record.ts';
import { validateVac } from './validate.ts';

/** The record in canonical JSON: one line, the bytes that a seal signs. We write nothing that the draft does not allow. */
export function printVacJson(record: VacRecord): string {
  return printCanonical(checked(record));
}

/** The same record in CBOR, deterministically encoded. The draft has one data model for both, with text for keys; `marks` tell the rest. */
export function encodeVacCbor(record: VacRecord, marks: readonly Mark[] = []): Uint8Array {
  const value = checked(record);
  return encodeCbor(marks.length > 0 ? withMarks(value, marks) : value);
}

function checked(record: VacRecord): unknown {
  const value = jsonOf(record);
  const [problem] = validateVac(value, 'verifiable-agent-record');
  if (problem) {
    throw new Fault('bug', `a verifiable agent record breaks ${problem.rule} at ${problem.path}: ${problem.message}`, {
      problem,
    });
  }
  return value;
}
