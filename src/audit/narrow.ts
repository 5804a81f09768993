import { type ParsedDocument, parseDocument } from '../agentlog/parse.ts';
import { isObject } from '../json.ts';
import type { Query } from './find.ts';

/**
 * A stored document as far as a query can be about it: undefined where a look at its text tells that nothing in it can be meant, and else
 * with those events alone that may be. Reading all of it with care takes ten times as long. Whatever is left out here would not be found.
 */
export function narrowDocument(text: string, query: Query): ParsedDocument | undefined {
  if (!mayHold(text, query)) return undefined;
  const fewer = onlyCandidates(text, query);
  return parseDocument(fewer ?? text);
}

/** Our own writing: every name and word stands there as JSON.stringify writes it. */
export function mayHold(text: string, query: Query): boolean {
  const { events, words = [], path } = query;
  if (events && !events.some(({ type }) => hasType(text, type))) return false;
  if (!hasTimeIn(text, query)) return false;
  if (path && !literalsOf(path.pattern).every((part) => text.includes(escaped(part)))) return false;
  if (words.length === 0) return true;
  const low = text.toLowerCase();
  return words.every((word) => low.includes(escaped(word).toLowerCase()));
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function hasType(text: string, type: string): boolean {
  return text.includes(`"type":"${type}"`) || text.includes(`"type": "${type}"`);
}

const KEY = '"timestamp":"';
/** As Date prints it: such times are in order when their texts are. */
const CANONICAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"$/;
const LENGTH = 25;
const LAST = Date.UTC(9999, 11, 31);

function hasTimeIn(text: string, { since, until }: Query): boolean {
  if (since === undefined && until === undefined) return true;
  // later years have more digits, and their texts are in no order
  const from = since === undefined ? '' : new Date(Math.min(since, LAST)).toISOString();
  const to = until === undefined || until > LAST ? '~' : `${new Date(until).toISOString()}~`;
  // written by somebody else, with spaces: no telling
  if (!text.includes(KEY)) return text.includes('"timestamp"');
  for (let at = text.indexOf(KEY); at >= 0; at = text.indexOf(KEY, at + KEY.length)) {
    const time = text.slice(at + KEY.length, at + KEY.length + LENGTH);
    if (!CANONICAL.test(time) || (time >= from && time <= to)) return true;
  }
  return false;
}

/** What a path that matches has in it, wherever it is told from: the rest of it stands in the name of the folder. */
function literalsOf(pattern: string): string[] {
  return /[[{\\]/.test(pattern) ? [] : pattern.split(/[*?/]/).filter((part) => part !== '' && part !== '.');
}

/** The document without the events that are of another type or time; undefined where it is not what we write. */
function onlyCandidates(text: string, { events: kinds, since, until }: Query): string | undefined {
  if (!kinds && since === undefined && until === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || !Array.isArray(value.events)) return undefined;
    const types = kinds && new Set(kinds.map(({ type }) => type));
    const events = value.events.filter((event: unknown) => {
      if (!isObject(event) || typeof event.timestamp !== 'string') return true;
      if (types && typeof event.type === 'string' && !types.has(event.type)) return false;
      const at = Date.parse(event.timestamp);
      return !(at < (since ?? -Infinity)) && !(at > (until ?? Infinity));
    });
    return JSON.stringify({ ...value, events, metrics: undefined });
  } catch {
    return undefined; // nested too deep, or torn: the careful reader says
  }
}
