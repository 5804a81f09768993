import { hash } from 'node:crypto';
import { timeOf } from '../shape.ts';

/** The trace of a session: the same each time it is exported, so that a collector that has it already has nothing new. */
export function traceIdOf(session: string): string {
  return hexOf(['trace', session], 32);
}

/** The span of an event of the session; of the session itself without one. */
export function spanIdOf(session: string, event?: string): string {
  return hexOf(event === undefined ? ['session', session] : ['event', session, event], 16);
}

function hexOf(parts: readonly string[], length: number): string {
  const id = hash('sha256', JSON.stringify(parts), 'hex').slice(0, length);
  // all zeros is no id
  return /[^0]/.test(id) ? id : '1'.padStart(length, '0');
}

/** 2^63: later than what collectors hold as a signed number. */
const MAX_NANO = 9_223_372_036_854_775_807n;

/** Nanoseconds since 1970 of an RFC 3339 time, with all the digits that it has. */
export function nanoOf(text: string): bigint | undefined {
  const time = timeOf(text);
  if (time === undefined) return undefined;
  const fraction = /\.(\d{1,9})/.exec(text)?.[1] ?? '';
  // the milliseconds are in the time already
  const rest = BigInt(fraction.padEnd(9, '0').slice(3));
  return clamp(BigInt(time) * 1_000_000n + rest);
}

export function laterBy(nano: bigint, milliseconds: number | null | undefined): bigint {
  if (!milliseconds || !(milliseconds > 0)) return nano;
  return clamp(nano + BigInt(Math.round(Math.min(milliseconds, 1e15) * 1000)) * 1000n);
}

function clamp(nano: bigint): bigint {
  if (nano < 0n) return 0n;
  return nano > MAX_NANO ? MAX_NANO : nano;
}
