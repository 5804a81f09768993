import { grade, isReference } from './looks.ts';
import { FOREIGN, LOUD_TAIL, NAME, type Strength, standsAlone, TAIL } from './names.ts';
import { READERS, type Reader } from './readers.ts';
import type { Category } from './rule.ts';

export interface Span {
  readonly start: number;
  readonly end: number;
  readonly category: Category;
}

interface Name {
  readonly start: number;
  readonly end: number;
  readonly strength: Strength;
  /** Only what is random is believed: the name says something else as well. */
  readonly vague: boolean;
}

/** What stands behind names that say that it is a secret. */
export function findNamed(text: string, names: RegExp = NAME): readonly Span[] {
  const found: Span[] = [];
  let from = 0;
  for (const name of matches(names, text)) {
    if (name.start < from) continue;
    const span = readBehind(text, name);
    if (!span) continue;
    found.push(span);
    from = span.end;
  }
  return found;
}

const PASSWORDS = /^(?:pass|pw|psk|creds|master)/i;

function* matches(pattern: RegExp, text: string): Generator<Name> {
  for (const match of text.matchAll(pattern)) {
    const { password, key, short } = match.groups ?? {};
    const start = match.index;
    const end = start + match[0].length;
    if (short && !standsAlone(text, start, end)) continue;
    const strength = password || (short && PASSWORDS.test(short)) ? 'password' : 'key';
    const tail = endOf(TAIL, text, end);
    if (tail < text.length && /[\w]/.test(text[tail] ?? '')) {
      const loud = key || password || short ? endOf(LOUD_TAIL, text, end) : end;
      if (loud > end) yield { start, end: loud, strength: 'key', vague: true };
      continue;
    }
    yield { start, end: tail, strength, vague: false };
  }
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match ? at + match[0].length : at;
}

/** What files put before a name: a dash, a number of the line, `export`. */
const LINE_START =
  /^\s{0,60}(?:[-+>#|*]\s{0,3}|\d{1,6}[→:|\t]\s{0,60})?(?:export\s+|ENV\s+|ARG\s+|set\s+|setx\s+|\$env:|Environment=|-e\s+|-D)?["']?[\w.[\]-]{0,80}$/i;

function readBehind(text: string, name: Name): Span | undefined {
  const head = text.slice(Math.max(0, name.start - 100), name.start);
  const before = head.slice(head.lastIndexOf('\n') + 1);
  const begins = (head.includes('\n') || head.length === name.start) && LINE_START.test(before);
  for (const reader of READERS) {
    reader.pattern.lastIndex = name.end;
    const match = reader.pattern.exec(text);
    const [start, stop] = match?.indices?.groups?.secret ?? match?.indices?.groups?.secret2 ?? [0, 0];
    if (!match || stop === start) continue;
    const end = reader.open ? closeOpen(text, start, stop, begins) : stop;
    if (believes(text, name, { reader, start, end, before, begins })) {
      return { start, end, category: name.strength === 'password' ? 'password' : 'api_key' };
    }
  }
  return undefined;
}

interface Place {
  readonly reader: Reader;
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly begins: boolean;
}

const NAME_PART = /[\w.$:/<="'-]{0,80}$/;

const OWN = /\b(?:my|our|his|her|root|admin|db|sudo|mein|mon|mi|mia|meu|minha|mijn)\b[^\n]{0,20}$/i;

function believes(text: string, name: Name, { reader, start, end, before, begins }: Place): boolean {
  const value = text.slice(start, end);
  // `token = view.getUint16(0)`: seen only with what was cut off
  if (value.includes('[REDACTED:') || isReference(text.slice(start, end + 1))) return false;
  const graded = grade(value);
  if (graded === 'none' || (name.vague && graded !== 'random')) return false;
  const line = begins && /^["'\x60]?[ \t]{0,20}(?:\r?\n|$|#)/.test(text.slice(end, end + 24));
  return reader.accepts({
    value,
    grade: graded,
    strength: name.strength,
    before: NAME_PART.exec(before)?.[0] ?? '',
    name: text.slice(name.start, name.end),
    line,
    owned: OWN.test(before) && /^[.!]?\s{0,3}(?:\n|$)/.test(text.slice(end, end + 6)),
  });
}

/** Where a word ends that has no quotes about it: in a file with its line, else before what ends an argument or a sentence. */
function closeOpen(text: string, start: number, stop: number, begins: boolean): number {
  const value = text.slice(start, stop);
  if (begins && /^[ \t]{0,20}(?:\r?\n|$)/.test(text.slice(stop, stop + 22)) && !/[,;]$/.test(value)) return stop;
  const cut = /[(){}[\]|;]|&|,(?=[\w"']{1,40}[:=])|\\[nrt"'\\]/.exec(value);
  const kept = cut ? value.slice(0, cut.index) : value;
  return start + kept.replace(/[.,;:)\]}*_]{1,5}$/, '').length;
}

export const NAMED_PATTERNS: readonly RegExp[] = [
  NAME,
  FOREIGN,
  TAIL,
  LOUD_TAIL,
  ...READERS.map(({ pattern }) => pattern),
];
