import { parseJson } from './json.ts';

/** A value in a JSON text, and where it stands there: for changing a text without printing it anew. */
export type JsonNode =
  | { readonly kind: 'object'; readonly start: number; readonly end: number; readonly members: readonly JsonMember[] }
  | { readonly kind: 'array'; readonly start: number; readonly end: number; readonly items: readonly JsonNode[] }
  | { readonly kind: 'scalar'; readonly start: number; readonly end: number; readonly value: unknown };

export interface JsonMember {
  readonly key: string;
  /** Where the key begins. */
  readonly start: number;
  readonly end: number;
  readonly value: JsonNode;
}

const MAX_LENGTH = 16 * 1024 * 1024;

/** The text's value with its places, or undefined where it is not JSON. A byte-order mark is passed over. */
export function locateJson(text: string): JsonNode | undefined {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  // once it is known to be JSON, and not too deep, walking it is simple
  if (!('value' in parseJson(text.slice(start), MAX_LENGTH))) return undefined;
  return nodeAt(text, spaceEnd(text, start));
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where comments stand, of lines and of blocks, in JSON that may have them; one that is never closed is none. */
export function commentsIn(text: string): Span[] {
  const spans: Span[] = [];
  for (let at = 0; at < text.length; at++) {
    const opening = text.slice(at, at + 2);
    if (text[at] === '"') at = stringEnd(text, at) - 1;
    if (opening !== '//' && opening !== '/*') continue;
    const end = opening === '//' ? lineEnd(text, at) : text.indexOf('*/', at + 2) + 2;
    if (end < at + 2) break;
    spans.push({ start: at, end });
    at = end - 1;
  }
  return spans;
}

function lineEnd(text: string, from: number): number {
  const length = text.slice(from).search(/[\r\n]/);
  return length < 0 ? text.length : from + length;
}

/** The text with blanks for comments: everything else stands where it stood. */
export function withoutComments(text: string): string {
  const blank = (so: string, { start, end }: Span) =>
    so.slice(0, start) + so.slice(start, end).replace(/[^\r\n]/g, ' ') + so.slice(end);
  return commentsIn(text).reduce(blank, text);
}

function nodeAt(text: string, start: number): JsonNode {
  if (text[start] === '{') return objectAt(text, start);
  if (text[start] === '[') return arrayAt(text, start);
  const end = scalarEnd(text, start);
  return { kind: 'scalar', start, end, value: JSON.parse(text.slice(start, end)) };
}

function objectAt(text: string, start: number): JsonNode {
  const members: JsonMember[] = [];
  let at = spaceEnd(text, start + 1);
  while (text[at] !== '}') {
    const keyEnd = scalarEnd(text, at);
    const value = nodeAt(text, spaceEnd(text, spaceEnd(text, keyEnd) + 1));
    members.push({ key: JSON.parse(text.slice(at, keyEnd)) as string, start: at, end: value.end, value });
    at = afterComma(text, value.end);
  }
  return { kind: 'object', start, end: at + 1, members };
}

function arrayAt(text: string, start: number): JsonNode {
  const items: JsonNode[] = [];
  let at = spaceEnd(text, start + 1);
  while (text[at] !== ']') {
    const item = nodeAt(text, at);
    items.push(item);
    at = afterComma(text, item.end);
  }
  return { kind: 'array', start, end: at + 1, items };
}

function afterComma(text: string, from: number): number {
  const at = spaceEnd(text, from);
  return text[at] === ',' ? spaceEnd(text, at + 1) : at;
}

function spaceEnd(text: string, from: number): number {
  let at = from;
  while (isSpace(text[at])) at++;
  return at;
}

export function isSpace(char: string | undefined): boolean {
  return char === ' ' || char === '\t' || char === '\n' || char === '\r';
}

function scalarEnd(text: string, start: number): number {
  if (text[start] === '"') return stringEnd(text, start);
  let at = start + 1;
  while (at < text.length && !/[\s,\]}]/.test(text[at] ?? '')) at++;
  return at;
}

/** Where a string ends that begins here; the text's end where it does not. */
function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return Math.min(at + 1, text.length);
}

/** How a text is laid out, so that what is put in looks like the rest. */
export interface Layout {
  /** One step of indentation; undefined: everything on one line. */
  readonly unit: string | undefined;
  readonly newline: string;
}

export function layoutOf(text: string, root: JsonNode): Layout {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const first = root.kind === 'object' ? root.members[0] : undefined;
  if (!first) return { unit: '  ', newline };
  const lead = text.slice(root.start + 1, first.start);
  return { unit: lead.includes('\n') ? lead.slice(lead.lastIndexOf('\n') + 1) : undefined, newline };
}

/** JSON laid out like the rest; white space always follows an opening bracket, which tells our containers from those we filled. */
export function printJson(value: unknown, { unit, newline }: Layout, depth: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const parts = Array.isArray(value)
    ? value.map((item) => printJson(item, { unit, newline }, depth + 1))
    : Object.entries(value).map(
        ([key, item]) => `${JSON.stringify(key)}: ${printJson(item, { unit, newline }, depth + 1)}`,
      );
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const [inner, outer] =
    unit === undefined ? [' ', ' '] : [newline + unit.repeat(depth + 1), newline + unit.repeat(depth)];
  return open + inner + parts.join(`,${inner}`) + outer + close;
}
