import { changeNearClues } from './secret-clues.ts';
import { COMMANDS } from './secret-commands.ts';
import { findNamed } from './secret-named.ts';
import { FOREIGN, NAME } from './secret-names.ts';
import type { Category, Rule } from './secret-rule.ts';
import { HEADERS, RULES } from './secret-rules.ts';
import { SPEECH } from './secret-speech.ts';
import { STORES } from './secret-stores.ts';
import { MADE, WORDS } from './secret-words.ts';

export function mark(category: Category): string {
  return `[REDACTED:${category}]`;
}

/** Values that say what belongs there, not what is there. */
const HARMLESS = /^(?:none|null|true|false|undefined|string|number|required|optional|unknown|example|changeme)$/i;

/** The text with the secrets that the tables know taken out. */
export function replaceKnown(text: string): string {
  const bare = replaceAll(RULES, replaceKeyBlocks(text));
  return replaceAll(WORDS, replaceNamed(changeNearClues(bare, replaceNearClues), NAME));
}

const NEAR_CLUES: readonly Rule[] = [...HEADERS, ...COMMANDS, ...STORES, ...MADE];

function replaceNearClues(text: string): string {
  return replaceAll(SPEECH, replaceNamed(replaceAll(NEAR_CLUES, text), FOREIGN));
}

function replaceAll(rules: readonly Rule[], text: string): string {
  return rules.reduce((so, rule) => replaceOne(so, rule), text);
}

const KEY_BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** What a key looks like whose end was cut off: long words of base64, and what stands between lines in diffs and escaped texts. */
const KEY_BODY = /(?:\\[nr]|[\s"'+>]|[A-Za-z0-9+/=]{16,76}(?![A-Za-z0-9+/=])){0,2000}/y;
const MAX_KEY = 20_000;

/** Not one pattern: a text full of beginnings would make it look for its end again and again. */
function replaceKeyBlocks(text: string): string {
  let out = '';
  let from = 0;
  let close: { start: number; end: number } | undefined = { start: -1, end: -1 };
  for (const begin of text.matchAll(KEY_BEGIN)) {
    if (begin.index < from) continue;
    const after = begin.index + begin[0].length;
    if (close && close.start < after) close = findFrom(KEY_END, text, after);
    const end = close && close.start - after < MAX_KEY ? close.end : findFrom(KEY_BODY, text, after)?.end;
    out += text.slice(from, begin.index) + mark('api_key');
    from = end ?? after;
  }
  return from === 0 ? text : out + text.slice(from);
}

function findFrom(pattern: RegExp, text: string, from: number): { start: number; end: number } | undefined {
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  return match ? { start: match.index, end: match.index + match[0].length } : undefined;
}

function replaceNamed(text: string, names: RegExp): string {
  let out = '';
  let from = 0;
  for (const { start, end, category } of findNamed(text, names)) {
    out += text.slice(from, start) + mark(category);
    from = end;
  }
  return from === 0 ? text : out + text.slice(from);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function replaceOne(text: string, rule: Rule): string {
  if (rule.clue && !text.includes(rule.clue)) return text;
  let out = '';
  let from = 0;
  for (const { start, end } of rule.within ? spansWithin(text, rule.within, rule) : spans(text, rule)) {
    out += text.slice(from, start) + mark(rule.category);
    from = end;
  }
  return from === 0 ? text : out + text.slice(from);
}

function* spansWithin(text: string, within: RegExp, rule: Rule): Generator<Span> {
  for (const part of text.matchAll(within))
    for (const { start, end } of spans(part[0], rule)) yield { start: part.index + start, end: part.index + end };
}

function* spans(text: string, { pattern, believes }: Rule): Generator<Span> {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [start, end] = match.indices?.groups?.secret ??
      match.indices?.groups?.secret2 ??
      match.indices?.[0] ?? [0, 0];
    const value = text.slice(start, end);
    if (!HARMLESS.test(value) && believes?.(value, match) !== false) yield { start, end };
    // `secret access key is ...`: what is no value may be a name itself
    else pattern.lastIndex = Math.max(start, match.index + 1);
  }
}
