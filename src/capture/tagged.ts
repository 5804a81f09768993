import type { JsonObject } from '../json.ts';

/** What stands in a message of the model: words, or a call; older versions of Cline and Roo have their calls as tags among the words. */
export type Part =
  | { readonly kind: 'message' | 'thought'; readonly text: string }
  | { readonly id: string | undefined; readonly name: string; readonly input: JsonObject };

/** Tools that are called by tags, and the tags inside that hold what they are given. */
export interface TagNames {
  readonly tools: readonly string[];
  readonly inputs: readonly string[];
}

/** No model answers with more. */
const MAX_TAGGED = 4 << 20;

export function partsOf(text: string, { tools, inputs }: TagNames): Part[] {
  if (text.length > MAX_TAGGED) return saidParts('message', text);
  const parts: Part[] = [];
  let from = 0;
  for (const { name, inside, start, end } of findTagged(text, tools)) {
    parts.push(...saidParts('message', text.slice(from, start)));
    parts.push({ id: undefined, name, input: inputOf(inside, inputs) });
    from = end;
  }
  return [...parts, ...saidParts('message', text.slice(from))];
}

export function saidParts(kind: 'message' | 'thought', text: string): Part[] {
  return text.trim() === '' ? [] : [{ kind, text: text.trim() }];
}

/** A text may have tags of its own: it ends with the last of its kind. */
function inputOf(text: string, keys: readonly string[]): JsonObject {
  const input: Record<string, string> = {};
  for (const key of keys) {
    const [start, end] = [text.indexOf(`<${key}>`), text.lastIndexOf(`</${key}>`)];
    if (start >= 0 && end > start) input[key] = text.slice(start + key.length + 2, end).replace(/^\n|\n$/g, '');
  }
  return input;
}

/** A tool call as tags among the words: `<read_file>` on a line of its own, up to `</read_file>` at the end of one. */
export interface Tagged {
  readonly name: string;
  readonly inside: string;
  /** Where it begins and ends in the text. */
  readonly start: number;
  readonly end: number;
}

/**
 * Not one pattern: a text full of openings would make it look for their ends again and again. The ends of each name are gone through once,
 * since every opening stands after the one before.
 */
export function* findTagged(text: string, names: readonly string[]): Generator<Tagged> {
  const ends = new Map(names.map((name) => [name, endsOf(text, name)]));
  const open = new RegExp(`^[ \\t]*<(${names.join('|')})>\\n?`, 'gm');
  for (let match = open.exec(text); match; match = open.exec(text)) {
    const name = match[1] ?? '';
    const from = match.index + match[0].length;
    const close = ends.get(name)?.(from);
    if (!close) continue;
    yield { name, inside: text.slice(from, close.start), start: match.index, end: close.end };
    open.lastIndex = close.end;
  }
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The first end at or after a place; asked for places in order. */
function endsOf(text: string, name: string): (from: number) => Span | undefined {
  const pattern = new RegExp(`</${name}>[ \\t]*$`, 'gm');
  let next: Span | undefined = { start: -1, end: -1 };
  return (from) => {
    if (next && next.start < from) {
      pattern.lastIndex = from;
      const match = pattern.exec(text);
      next = match ? { start: match.index, end: match.index + match[0].length } : undefined;
    }
    return next;
  };
}
