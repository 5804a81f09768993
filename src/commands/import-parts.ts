import { isObject, type JsonObject, parseJson } from '../json.ts';
import { isSpace, type JsonNode, locateJson } from '../json-text.ts';

/** One document of a file that may hold many. */
export interface Part {
  /** On one line, each value written as it came; a document that is broken as it is. */
  readonly raw: string;
  /** Where it begins, counted from 1. */
  readonly line: number;
  /** Its place in a list; the whole file otherwise. */
  readonly index?: number;
}

export const MAX_TEXT = 256 * 1024 * 1024;
export const MAX_PARTS = 1_000_000;

/** The documents of a text: one in JSON, a list of them, or JSON Lines. Blank lines say nothing. */
export function partsOf(text: string): Part[] {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const whole = /^\s*[[{]/.test(body) ? parseJson(body, MAX_TEXT) : undefined;
  if (!whole || !('value' in whole)) return linesOrOne(body);
  if (!Array.isArray(whole.value)) return [{ raw: compact(body), line: lineAt(body, body.search(/\S/)) }];
  const list = locateJson(body);
  const items = whole.value.slice(0, MAX_PARTS);
  // of a list that is too long the places are not looked for
  if (list?.kind !== 'array') return items.map((item, index) => ({ raw: JSON.stringify(item), line: 1, index }));
  return itemsOf(body, list.items.slice(0, MAX_PARTS));
}

/** A stream shows in its first lines that it is one. */
const MAX_TRIED = 2000;

/** JSON Lines, of which most are sound; else what was to be one document, and is broken. */
function linesOrOne(body: string): Part[] {
  const lines = linesOf(body);
  const tried = /^\s*[[{]/.test(body) ? lines.slice(0, MAX_TRIED) : [];
  const broken = tried.filter(({ raw }) => !objectIn(raw)).length;
  return lines.length > 1 && broken * 2 > tried.length ? [{ raw: body, line: 1 }] : lines;
}

function itemsOf(body: string, items: readonly JsonNode[]): Part[] {
  let [line, from] = [1, 0];
  return items.map(({ start, end }, index) => {
    line += lineAt(body.slice(from, start), start) - 1;
    from = start;
    return { raw: compact(body.slice(start, end)), line, index };
  });
}

function linesOf(body: string): Part[] {
  const parts: Part[] = [];
  for (let line = 1, start = 0; start < body.length && parts.length < MAX_PARTS; line++) {
    const found = body.indexOf('\n', start);
    const end = found < 0 ? body.length : found;
    const raw = body.slice(start, body[end - 1] === '\r' && end > start ? end - 1 : end);
    if (raw.trim() !== '') parts.push({ raw, line });
    start = end + 1;
  }
  return parts;
}

/** JSON without the white space between its values: numbers and names stay as they were written. */
function compact(json: string): string {
  if (!/[\n\r]/.test(json)) return json.trim();
  const pieces: string[] = [];
  for (let at = 0; at < json.length; ) {
    const end = json[at] === '"' ? stringEnd(json, at) : plainEnd(json, at);
    if (end > at) pieces.push(json.slice(at, end));
    at = end;
    while (isSpace(json[at])) at++;
  }
  return pieces.join('');
}

function stringEnd(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return Math.min(at + 1, json.length);
}

function plainEnd(json: string, start: number): number {
  let at = start;
  while (at < json.length && json[at] !== '"' && !isSpace(json[at])) at++;
  return at;
}

/** The line that an offset lies on, counted from 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

export function objectIn(raw: string): JsonObject | undefined {
  const json = parseJson(raw, MAX_TEXT);
  return 'value' in json && isObject(json.value) ? json.value : undefined;
}

/** The integers that come out of JSON.parse and JSON.stringify as other ones. */
export function countRounded(raw: string): number {
  if (!/\d{16}/.test(raw)) return 0;
  let count = 0;
  for (let at = 0; at < raw.length; ) {
    const quote = raw.indexOf('"', at);
    const between = raw.slice(at, quote < 0 ? raw.length : quote);
    for (const [digits] of between.matchAll(/(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g)) {
      if (JSON.stringify(Number(digits)) !== digits) count++;
    }
    at = quote < 0 ? raw.length : stringEnd(raw, quote);
  }
  return count;
}
