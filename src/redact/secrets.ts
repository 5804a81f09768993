import { changeNearClues, type Topic } from './clues.ts';
import { COMMANDS } from './commands.ts';
import { STATED_HASHES } from './hashes.ts';
import { ADDRESSES } from './issuers.ts';
import { findNamed } from './named.ts';
import { FOREIGN, NAME } from './names.ts';
import type { Category, Rule } from './rule.ts';
import { HEADERS, RULES } from './rules.ts';
import { ENTRIES, SPEECH } from './speech.ts';
import { STORES } from './stores.ts';
import { hasLongWord, LONG_WORDS, MADE, MIXED } from './words.ts';

export function mark(category: Category): string {
  return `[REDACTED:${category}]`;
}

/** Values that say what belongs there, not what is there. */
const HARMLESS = /^(?:none|null|true|false|undefined|string|number|required|optional|unknown|example|changeme)$/i;

/** Short words, ids and times: much of a session. */
const PLAIN = /^(?:[\w./-]{0,13}|[a-z_]{0,40}|[\da-f]{8}-[\da-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]{8,15}Z?)$/;

/** The text with the secrets that the tables know taken out. */
export function replaceKnown(text: string): string {
  if (PLAIN.test(text)) return text;
  const bare = replaceAll(RULES, replaceKeyBlocks(text));
  const named = replaceNamed(changeNearClues(bare, replaceNearClues), NAME);
  return replaceAll(MIXED, hasLongWord(named) ? replaceAll(LONG_WORDS, named) : named);
}

const NEAR_CLUES: Readonly<Record<Topic, readonly Rule[]>> = {
  addresses: [...ADDRESSES, ...STATED_HASHES, ...ENTRIES],
  headers: HEADERS,
  commands: COMMANDS,
  stores: STORES,
  made: MADE,
  foreign: [],
  speech: SPEECH,
};

function replaceNearClues(text: string, speaksOf: (topic: Topic) => boolean): string {
  let out = text;
  for (const [topic, rules] of Object.entries(NEAR_CLUES) as [Topic, readonly Rule[]][]) {
    if (!speaksOf(topic)) continue;
    out = topic === 'foreign' ? replaceNamed(out, FOREIGN) : replaceAll(rules, out);
  }
  return out;
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

function replaceOne(text: string, rule: Rule): string {
  if (rule.clue && !text.includes(rule.clue)) return text;
  if (!rule.within) return replaceMatches(text, rule);
  return text.replace(rule.within, (part) => replaceMatches(part, rule));
}

function replaceMatches(text: string, { category, pattern, believes }: Rule): string {
  pattern.lastIndex = 0;
  let match = pattern.exec(text);
  if (!match) return text;
  let out = '';
  let from = 0;
  for (; match; match = pattern.exec(text)) {
    const { groups } = match.indices ?? {};
    const [start, end] = groups?.secret ?? groups?.secret2 ?? match.indices?.[0] ?? [0, 0];
    const value = text.slice(start, end);
    if (HARMLESS.test(value) || believes?.(value, match) === false) {
      // `secret access key is ...`: what is no value may be a name itself
      pattern.lastIndex = Math.max(start, match.index + 1);
      continue;
    }
    out += text.slice(from, start) + mark(category);
    from = end;
  }
  return from === 0 ? text : out + text.slice(from);
}
