import type { Grade } from './looks.ts';
import { isIdentifier, isName } from './looks.ts';
import type { Strength } from './names.ts';

/** What stands behind a name, and how it is tied to it. */
export interface Reading {
  readonly value: string;
  readonly grade: Grade;
  readonly strength: Strength;
  /** Letters that belong to the name and stand before it, of this line. */
  readonly before: string;
  readonly name: string;
  /** Said of one's own or of a user's, and nothing more is said. */
  readonly owned: boolean;
  /** Nothing stands before the name in its line but what files put there, and nothing follows the value. */
  readonly line: boolean;
}

export interface Reader {
  /** Where the name ends; the group `secret` is the value. */
  readonly pattern: RegExp;
  /** The value goes up to a space, and what ends a sentence or an argument is none of it. */
  readonly open?: true;
  accepts(reading: Reading): boolean;
}

const NONE = String.raw`(?!\[REDACTED:)`;
const CLOSE = String.raw`(?:\\{0,3}["'\x60])?[\])]?`;
/** `: string =` in TypeScript, `string =` in Go, `*` before it in C. */
const TYPED = String.raw`(?:\??:\s{0,2}[\w<>&'[\]., |?]{1,30}?(?=\s{0,3}=[^=>])|\s[\w*[\]]{1,20}(?=\s{0,3}=[^=>]))?`;
const OPEN_WORD = String.raw`${NONE}(?<secret>[^\s"'\x60<>:=][^\s"'\x60<>]{2,500})`;
const IN_QUOTES = String.raw`(?<q>\\{0,3}["'\x60])${NONE}(?<secret>(?:(?!\k<q>)(?:\\["'\\]|[^\n\r])){1,300}?)(?:\k<q>|$)`;

function isTyped({ grade }: Reading): boolean {
  return grade === 'typed' || grade === 'random';
}

/** `GITHUB_TOKEN`, `DB_PASS`: people who write so mean a variable of the surroundings. */
function isLoud({ before, name }: Reading): boolean {
  return /(?:^|[^\w.])[A-Z][A-Z\d]{0,30}_[A-Z\d_]{0,60}$/.test(before + name);
}

/** What a key must look like where not even quotes say where it begins. */
function looksKeyed(reading: Reading): boolean {
  const { grade, value } = reading;
  if (grade === 'random') return true;
  return (
    grade === 'typed' &&
    value.length >= 10 &&
    /\d\D{0,80}\d/.test(value) &&
    /[a-z]/i.test(value) &&
    !isIdentifier(value) &&
    !isName(value)
  );
}

function acceptsQuoted(reading: Reading): boolean {
  const { strength, value, grade, before, name } = reading;
  if (isTyped(reading)) return value.length >= (strength === 'password' ? 4 : 6) && !/^\d{1,5}$/.test(value);
  if (grade !== 'word' || isIdentifier(value)) return false;
  if (strength === 'password') return value.length >= 5 && !/[/:]/.test(value);
  return /secret/i.test(name) && /[_-]$/.test(before) && value.length >= 8 && !/[/:.]/.test(value);
}

function acceptsTight(reading: Reading): boolean {
  const { strength, value, grade, line } = reading;
  if (isTyped(reading)) return strength === 'password' || value.length >= 8 || (isLoud(reading) && value.length >= 4);
  if (grade !== 'word' || value.length < 4 || /[/:.]/.test(value)) return false;
  return strength === 'password' ? line || !isIdentifier(value) : isLoud(reading) && !isIdentifier(value);
}

function acceptsLoose(reading: Reading): boolean {
  const { strength, value, grade, line, before } = reading;
  if (strength === 'key') return looksKeyed(reading) || (isLoud(reading) && isTyped(reading) && value.length >= 8);
  if (isTyped(reading)) return value.length >= 4;
  // yaml: a name in small letters, one word, and nothing else
  return (
    grade === 'word' &&
    line &&
    value.length >= 5 &&
    /^[\p{L}\d_-]{5,40}$/u.test(value) &&
    !isIdentifier(value) &&
    !/[.]$/.test(before)
  );
}

function acceptsOption(reading: Reading): boolean {
  const { strength, value, grade, before, name } = reading;
  const option = /(?:^|[^\w-])-{1,2}[\w.-]{0,40}$/.test(before) && !/^[A-Z]{2}/.test(name);
  if (strength === 'key') return looksKeyed(reading) || (option && isTyped(reading) && value.length >= 8);
  if (isTyped(reading)) return !isIdentifier(value) && (option || /[a-z]/i.test(value)) && value.length >= 4;
  return (
    option &&
    grade === 'word' &&
    value.length >= 4 &&
    /[a-z]/.test(value) &&
    !isIdentifier(value) &&
    !/^[-/]/.test(value)
  );
}

/** `my password is letmein`: somebody's own, and one word. Not `my password is expired`. */
function acceptsOwn({ grade, value, owned }: Reading): boolean {
  return (
    owned &&
    grade === 'word' &&
    /^[\p{L}\d]{4,30}$/u.test(value) &&
    !/(?:ed|en|ing|ly|able|ible|ive|ful|less|ous|t)$/.test(value)
  );
}

function acceptsSpoken(reading: Reading): boolean {
  const { strength, value } = reading;
  if (strength === 'key') return looksKeyed(reading);
  if (acceptsOwn(reading)) return true;
  return isTyped(reading) && value.length >= 4 && !isIdentifier(value);
}

/** Letters of all languages. */
const L = String.raw`A-Za-z\xaa-\u1fff\u3040-\ud7ff`;

/** Between a name and what it is, in the languages that people write to agents in. */
const FILLER = String.raw`(?:['’]s)?(?:(?:[ \t]\(?[${L}\d][${L}\d'’./@_-]{0,30}\)?,?){0,8}?[ \t]|[${L}]{0,12}[ \t]?)`;
const IS =
  "(?:is|was|be|equals|=|ist|lautet|lautete|war|heißt|est|sera|c['’]est|es|era|será|é|è|sarà|jest|(?<=[Hh]as[lł][^\n]{0,60})to|är|er|on|это|это:|есть|je|este|adalah|là|olarak|становится|теперь|–|—|->|→|now|becomes)";
const THEN = String.raw`(?:(?:now|still|currently|just|simply|set to|the following|nun|jetzt|weiterhin|maintenant|toujours|ahora|adesso|agora|nu|teraz|теперь)[ \t]|:?[ \t]?\n\n?(?:[ \t]{0,8}))?`;
const SPOKEN = String.raw`(?:${FILLER}${IS}:?[ \t]{1,2}${THEN}|(?:[ \t]\(?[${L}\d][${L}\d'’./@_-]{0,30}\)?){0,8}?[ \t]?[:：][ \t]{0,3}|[ \t]?(?:は|：|＝|是|为|為|이?은|는|:)[ \t]{0,2})`;

/** Another name and its value: `type="string"`. */
const OTHER = String.raw`(?:[\s,]{0,20}\\{0,3}["']?[\w-]{1,20}\\{0,3}["']?\s{0,12}[:=]\s{0,2}(?:\\{0,3}["'][^"'\n]{0,40}["']|\w{1,20}))`;

export const READERS: readonly Reader[] = [
  {
    pattern: new RegExp(
      String.raw`${CLOSE}${TYPED}\s{0,8}(?:=>|:=|\?\?=|\|\|=?|\?\?|[=!]==?|[:=])\s{0,40}(?:[bBrRuUfFL@&$]{1,2}(?=["'\x60]))?${IN_QUOTES}`,
      'dy',
    ),
    accepts: acceptsQuoted,
  },
  // arguments: setProperty("password", "x"), and lists of words
  {
    pattern: new RegExp(String.raw`\\{0,3}["'],\s{0,20}(?!\x60)${IN_QUOTES}`, 'dy'),
    accepts: (reading) => isTyped(reading) && reading.value.length >= 6 && !/\s/.test(reading.value),
  },
  { pattern: new RegExp(`=${OPEN_WORD}`, 'dy'), open: true, accepts: acceptsTight },
  {
    pattern: new RegExp(
      String.raw`${CLOSE}(?:\s{0,3}(?:=>|:=|[:=](?![:=]))[ \t]{0,20}|[ \t]{0,20}\|[ \t]{1,3})${OPEN_WORD}`,
      'dy',
    ),
    open: true,
    accepts: acceptsLoose,
  },
  // - name: DB_PASS, and on the next line its value
  {
    pattern: new RegExp(String.raw`["']?[ \t]{0,3}\r?\n\s{0,40}["']?value["']?:\s{0,3}${OPEN_WORD}`, 'dyi'),
    open: true,
    accepts: (reading) => isTyped(reading) && reading.value.length >= 4,
  },
  // a passphrase, all that is left of its line
  {
    pattern: new RegExp(
      String.raw`[ \t]{0,3}[:=][ \t]{0,3}${NONE}(?<secret>[^\s"'\x60<>#][^\n"'\x60<>#]{6,120})(?=\r?\n|$)`,
      'dy',
    ),
    accepts: (reading) =>
      reading.strength === 'password' && isTyped(reading) && /^\S{1,40}(?: \S{1,40}){1,11}$/.test(reading.value),
  },
  {
    pattern: new RegExp(
      String.raw`${CLOSE}[ \t]{0,2}[:=]?[ \t]{0,3}\r?\n{1,2}\s{0,40}(?:["'\x60]{1,3})?${OPEN_WORD}(?=["'\x60]{0,3}\s{0,3}(?:\n|$))`,
      'dy',
    ),
    open: true,
    accepts: (reading) =>
      !/^[+-]?[\w.-]{1,80}[=:]/.test(reading.value) &&
      (reading.strength === 'password' ? acceptsSpoken(reading) && reading.line : reading.grade === 'random'),
  },
  {
    pattern: new RegExp(
      String.raw`(?:\s[^<>\n]{0,80})?>(?:<!\[CDATA\[)?\s{0,3}${NONE}(?<secret>[^<>\n]{3,300}?)\s{0,3}(?:\]\]>)?</`,
      'dy',
    ),
    accepts: (reading) => /<[/\w.:-]{0,60}$/.test(reading.before) && acceptsQuoted(reading),
  },
  {
    pattern: new RegExp(
      String.raw`</(?:key|name|string)>\s{0,40}<(?:string|value|data)>\s{0,20}${NONE}(?<secret>[^<\n]{3,500}?)\s{0,20}</`,
      'dy',
    ),
    accepts: acceptsQuoted,
  },
  // name="db_pass" value="x", { "name": "DB_PASS", "value": "x" }, variable "db_pass" { default = "x" }
  {
    pattern: new RegExp(
      String.raw`\\{0,3}["'](?:${OTHER}{0,2}|\s{0,3}[:=]?\s{0,3}\{${OTHER}{0,2})[\s,]{0,20}\\{0,3}["']?(?:value|default|content|text)\\{0,3}["']?\s{0,3}[:=]\s{0,3}${IN_QUOTES}`,
      'dyi',
    ),
    accepts: acceptsQuoted,
  },
  {
    pattern: new RegExp(
      String.raw`\\{0,3}["'\x60]?>(?:<!\[CDATA\[)?${NONE}(?<secret>[^<>\n]{3,300}?)(?:\]\]>)?</`,
      'dy',
    ),
    accepts: (reading) => /\bname=\\?["'][\w.-]{0,60}$/.test(reading.before) && acceptsQuoted(reading),
  },
  {
    pattern: new RegExp(String.raw`["']?(?:[ \t]{1,2}|["'],\s{0,3})${IN_QUOTES}`, 'dy'),
    accepts: (reading) =>
      acceptsOption(reading) || (reading.strength === 'password' && isTyped(reading) && !/[ ,]/.test(reading.value)),
  },
  { pattern: new RegExp(String.raw`["']?[ \t](?![ \t])${OPEN_WORD}(?!  )`, 'dy'), open: true, accepts: acceptsOption },
  {
    pattern: new RegExp(
      String.raw`${SPOKEN}(?:${IN_QUOTES}|(?<q2>[„“«「『‚‘])${NONE}(?<secret2>[^\n„“”«»」』’]{3,120})[“”»」』’‘])`,
      'dy',
    ),
    accepts: (reading) =>
      acceptsSpoken(reading) ||
      (reading.strength === 'password' && reading.grade === 'word' && !isIdentifier(reading.value)),
  },
  { pattern: new RegExp(String.raw`${SPOKEN}\(?(?:\*\*|__)?${OPEN_WORD}`, 'dy'), open: true, accepts: acceptsSpoken },
];
