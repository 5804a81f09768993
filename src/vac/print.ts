import { Fault } from '../fault.ts';
import { jsonOf, printCanonical } from './as-json.ts';
import { encodeCbor } from './cbor.ts';
import type { VacRecord } from './record.ts';
import { validateVac } from './validate.ts';

/** The record in canonical JSON: one line, the bytes that a seal signs. We write nothing that the draft does not allow. */
export function printVacJson(record: VacRecord): string {
  return printCanonical(checked(record));
}

/** The same record in CBOR, deterministically encoded. The draft has one data model for both, with text for keys. */
export function encodeVacCbor(record: VacRecord): Uint8Array {
  return encodeCbor(checked(record));
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
