import { Fault } from '../../fault.ts';
import type { Item, MapType, Member, Rules, Type } from './rules.ts';
import { type CddlToken, tokensOf } from './tokens.ts';

/** The types of the prelude (appendix D) that a grammar may name. */
export const PRELUDE = ['any', 'bool', 'bstr', 'int', 'null', 'number', 'tstr', 'uint'] as const;
export type PreludeName = (typeof PRELUDE)[number];

export function isPrelude(name: string): name is PreludeName {
  return (PRELUDE as readonly string[]).includes(name);
}

interface Cursor {
  readonly tokens: readonly CddlToken[];
  at: number;
  /** Names that were used; all have to be there in the end. */
  readonly used: Set<string>;
}

/**
 * The rules of a grammar. Not all of RFC 8610: no generics, sockets, group rules, group choices or ranges, and no more than one open
 * entry in a map, so that matching needs no going back. What is not understood is refused.
 */
export function parseCddl(text: string): Rules {
  const cursor: Cursor = { tokens: tokensOf(text), at: 0, used: new Set() };
  const rules = new Map<string, Type>();
  while (peek(cursor).kind !== 'end') {
    const { value: name } = expect(cursor, 'name');
    if (rules.has(name) || isPrelude(name)) refuse(cursor, `the rule ${name} is there twice`);
    expect(cursor, 'sign', '=');
    rules.set(name, parseType(cursor));
  }
  const missing = [...cursor.used].find((name) => !rules.has(name) && !isPrelude(name));
  if (missing !== undefined) refuse(cursor, `there is no rule ${missing}`);
  return rules;
}

function parseType(cursor: Cursor): Type {
  const options = [parseControlled(cursor)];
  while (take(cursor, '/')) options.push(parseControlled(cursor));
  const [only] = options;
  return only && options.length === 1 ? only : { kind: 'choice', options };
}

function parseControlled(cursor: Cursor): Type {
  const target = parseBare(cursor);
  if (peek(cursor).kind !== 'control') return target;
  const { value: name } = next(cursor);
  const argument = parseBare(cursor);
  if (name === 'regexp') return { kind: 'regexp', target, pattern: argument };
  if (name === 'cbor') return { kind: 'cbor', target, content: argument };
  return refuse(cursor, `the control .${name} is not known`);
}

function parseBare(cursor: Cursor): Type {
  const token = next(cursor);
  switch (`${token.kind} ${token.kind === 'sign' ? token.value : ''}`.trim()) {
    case 'name':
      cursor.used.add(token.value);
      return { kind: 'name', name: token.value };
    case 'text':
      return { kind: 'literal', value: token.value };
    case 'number':
      return { kind: 'literal', value: Number(token.value) };
    case 'tag':
      return { kind: 'tag', tag: Number(token.value), content: parseBracketed(cursor) };
    case 'sign {':
      return mapOf(cursor, parseEntries(cursor, '}'));
    case 'sign [':
      return {
        kind: 'array',
        items: parseEntries(cursor, ']').map(({ value, least, most }) => ({ value, least, most })),
      };
    case 'sign (':
      cursor.at--;
      return parseBracketed(cursor);
    case 'sign &':
      return parseEnumeration(cursor);
    default:
      return refuse(cursor, 'a type is missing');
  }
}

function parseBracketed(cursor: Cursor): Type {
  expect(cursor, 'sign', '(');
  const type = parseType(cursor);
  expect(cursor, 'sign', ')');
  return type;
}

/** `&(alg: 1)`: one of the values of a group; the names are for people. */
function parseEnumeration(cursor: Cursor): Type {
  expect(cursor, 'sign', '(');
  const options = parseEntries(cursor, ')').map((entry) => entry.value);
  const [only] = options;
  return only && options.length === 1 ? only : { kind: 'choice', options };
}

interface Entry extends Item {
  readonly key?: Type;
  readonly cut: boolean;
}

function parseEntries(cursor: Cursor, close: string): Entry[] {
  const entries: Entry[] = [];
  while (!take(cursor, close)) {
    entries.push({ ...parseOccurrence(cursor), ...parseEntry(cursor) });
    take(cursor, ',');
  }
  return entries;
}

function parseOccurrence(cursor: Cursor): { readonly least: number; readonly most: number } {
  if (take(cursor, '?')) return { least: 0, most: 1 };
  if (take(cursor, '+')) return { least: 1, most: Number.POSITIVE_INFINITY };
  if (take(cursor, '*')) return { least: 0, most: Number.POSITIVE_INFINITY };
  if (peek(cursor).kind !== 'number' || peek(cursor, 1).value !== '*') return { least: 1, most: 1 };
  const least = Number(next(cursor).value);
  expect(cursor, 'sign', '*');
  return { least, most: Number.POSITIVE_INFINITY };
}

function parseEntry(cursor: Cursor): { readonly key?: Type; readonly cut: boolean; readonly value: Type } {
  const { kind, value } = peek(cursor);
  const colon = peek(cursor, 1);
  if (colon.kind === 'sign' && colon.value === ':' && (kind === 'name' || kind === 'text' || kind === 'number')) {
    cursor.at += 2;
    const key: Type = { kind: 'literal', value: kind === 'number' ? Number(value) : value };
    return { key, cut: true, value: parseType(cursor) };
  }
  const type = parseType(cursor);
  return take(cursor, '=>') ? { key: type, cut: false, value: parseType(cursor) } : { cut: false, value: type };
}

function mapOf(cursor: Cursor, entries: readonly Entry[]): MapType {
  const members = new Map<string | number, Member>();
  let others: MapType['others'];
  for (const { key, value, least, most, cut } of entries) {
    if (!key) refuse(cursor, 'an entry of a map has no key');
    if (key.kind === 'literal') {
      if (most > 1 || members.has(key.value)) refuse(cursor, `the key ${key.value} is there twice`);
      members.set(key.value, { key: key.value, value, required: least > 0, cut });
    } else {
      if (others || least > 0 || most !== Number.POSITIVE_INFINITY)
        refuse(cursor, 'a map has more than one open entry');
      others = { key, value };
    }
  }
  const marks = [...members.values()].filter((member) => member.required && member.cut && isLiteral(member.value));
  return others ? { kind: 'map', members, marks, others } : { kind: 'map', members, marks };
}

function isLiteral(type: Type): boolean {
  return type.kind === 'literal' || (type.kind === 'choice' && type.options.every(isLiteral));
}

function peek(cursor: Cursor, ahead = 0): CddlToken {
  return cursor.tokens[cursor.at + ahead] ?? { kind: 'end', value: '', line: 0 };
}

function next(cursor: Cursor): CddlToken {
  const token = peek(cursor);
  cursor.at++;
  return token;
}

function take(cursor: Cursor, sign: string): boolean {
  const { kind, value } = peek(cursor);
  if (kind !== 'sign' || value !== sign) return false;
  cursor.at++;
  return true;
}

function expect(cursor: Cursor, kind: CddlToken['kind'], value?: string): CddlToken {
  const token = next(cursor);
  if (token.kind !== kind || (value !== undefined && token.value !== value)) {
    refuse(cursor, `${value ?? `a ${kind}`} is missing`);
  }
  return token;
}

function refuse(cursor: Cursor, what: string): never {
  const { line } = cursor.tokens[Math.max(0, cursor.at - 1)] ?? peek(cursor);
  throw new Fault('bug', `a grammar cannot be used: ${what}, in or before line ${line}`, { line });
}
