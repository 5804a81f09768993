import { timeOf } from '../shape.ts';

const MAX_SHORT = 200;

export function short(text: string): string {
  const line = text
    .slice(0, MAX_SHORT * 2)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > MAX_SHORT ? `${line.slice(0, MAX_SHORT)}...` : line;
}

/** The last moment that a date can tell. */
const MAX_TIME = 8.64e15;

export function isoOf(at: number): string {
  return new Date(Number.isFinite(at) ? Math.max(0, Math.min(at, MAX_TIME)) : 0).toISOString();
}

/** Times that nobody can read come first. */
export function momentOf(timestamp: string): number {
  return timeOf(timestamp) ?? 0;
}
