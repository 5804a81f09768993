import { plainId } from '../fields.ts';
import { printOf } from '../print.ts';

/**
 * The event of a call. A forked session keeps the ids of the calls that it copies, by which they are known to be the same; but some
 * models only count (`functions.edit:0`), and then an id means something in its session alone.
 */
export function callId(session: string, call: string): string {
  const whole = isOneOfAKind(call) ? call : `${session}.${call}`;
  return plainId(whole) ?? `call-${printOf(session, call)}`;
}

/** It has a long run of letters and digits mixed. */
export function isOneOfAKind(call: string): boolean {
  return (call.match(/[A-Za-z0-9]{8,}/g) ?? []).some((run) => /[0-9]/.test(run) && /[A-Za-z]/.test(run));
}
