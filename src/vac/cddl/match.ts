import { fault, inside, type Place, type Problem } from '../../shape.ts';
import { decodeCbor, Tagged } from '../cbor.ts';
import { isPrelude } from './parse.ts';
import { compilePattern, type Pattern } from './pattern.ts';
import type { Item, MapType, Rules, Type } from './rules.ts';
import { hasKey, isMap, isOf, KINDS, pairsOf, valueAt } from './values.ts';

/** A grammar that values can be held against. `name` begins the name of every rule in a problem. */
export interface Grammar {
  readonly name: string;
  readonly rules: Rules;
  readonly patterns: Map<string, Pattern>;
}

interface Context {
  readonly grammar: Grammar;
  readonly at: Place;
  readonly depth: number;
}

/** Entries within entries, and CBOR within CBOR. */
const MAX_DEPTH = 200;

export function grammarOf(name: string, rules: Rules): Grammar {
  return { name, rules, patterns: new Map() };
}

/**
 * What in the value, of JSON or CBOR, breaks the rule. Every part of the value is looked at once for each type that might describe it: the
 * kinds of values, and marks such as `type: "user"`, tell the options of a choice apart before their parts are looked at.
 */
export function problemsOf(grammar: Grammar, rule: string, value: unknown): Problem[] {
  const problems: Problem[] = [];
  const at = { rule: `${grammar.name} ${rule}`, problems };
  matches({ kind: 'name', name: rule }, value, { grammar, at, depth: 0 });
  return problems;
}

function matches(type: Type, value: unknown, context: Context): boolean {
  if (context.depth > MAX_DEPTH) return wrong(context, `must not be nested deeper than ${MAX_DEPTH}`);
  switch (type.kind) {
    case 'name':
      return matchesName(type.name, value, context);
    case 'choice':
      return matchesChoice(type.options, value, context);
    case 'map':
      return matchesMap(type, value, context);
    case 'array':
      return matchesArray(type.items, value, context);
    case 'literal':
      return value === type.value || wrong(context, mustBe(type, context));
    case 'tag':
      if (!(value instanceof Tagged) || value.tag !== type.tag) return wrong(context, `must have tag ${type.tag}`);
      return matches(type.content, value.value, { ...context, depth: context.depth + 1 });
    case 'regexp': {
      const fits = matches(type.target, value, context);
      if (!fits || patternOf(type.pattern, context.grammar).test(String(value))) return fits;
      return wrong(context, mustBe(type, context));
    }
    case 'cbor':
      return matches(type.target, value, context) && matchesEncoded(type.content, value as Uint8Array, context);
  }
}

function wrong({ at }: Context, message: string): false {
  fault(at, 'shape', message);
  return false;
}

function matchesName(name: string, value: unknown, context: Context): boolean {
  const { grammar, at } = context;
  if (isPrelude(name)) return isOf(name, value) || wrong(context, `must be ${KINDS[name]}`);
  const rule = ruleOf(name, grammar);
  // a plain value is known by the field it stands in, a structure by its own name
  if (!isStructure(rule)) return matches(rule, value, context);
  const named = { rule: `${grammar.name} ${name}`, problems: at.problems };
  const place = at.up && at.step !== undefined ? { ...named, step: at.step, up: at.up } : named;
  return matches(rule, value, { grammar, at: place, depth: context.depth });
}

function matchesChoice(options: readonly Type[], value: unknown, context: Context): boolean {
  const likely = options.filter((option) => mayBe(option, value, context.grammar));
  const [only] = likely;
  if (only && likely.length === 1) return matches(only, value, context);
  const quiet = { ...context, at: { ...context.at, problems: [] } };
  if (likely.some((option) => matches(option, value, quiet))) return true;
  return unmarked(options, value, context) ?? wrong(context, mustBe({ kind: 'choice', options }, context));
}

/** Where all options are maps that are told apart by one member, that member is what is wrong. */
function unmarked(options: readonly Type[], value: unknown, context: Context): false | undefined {
  const marks = options.flatMap((option) => {
    const type = structureOf(option, context.grammar);
    return type.kind === 'map' ? type.marks.slice(0, 1) : [];
  });
  const [first] = marks;
  if (!first || marks.length < options.length || marks.some(({ key }) => key !== first.key) || !isMap(value))
    return undefined;
  const at = inside(context.at, context.at.rule, String(first.key));
  return wrong({ ...context, at }, mustBe({ kind: 'choice', options: marks.map((mark) => mark.value) }, context));
}

function matchesMap(type: MapType, value: unknown, context: Context): boolean {
  if (!isMap(value)) return wrong(context, 'must be a map');
  const { at } = context;
  let good = true;
  for (const { key, required } of type.members.values()) {
    if (!required || hasKey(value, key)) continue;
    good = wrong({ ...context, at: inside(at, at.rule, String(key)) }, 'is required');
  }
  for (const [key, part] of pairsOf(value)) {
    const place = { ...context, at: inside(at, at.rule, String(key)), depth: context.depth + 1 };
    if (!matchesPair(type, { key, part }, place)) good = false;
  }
  return good;
}

interface Pair {
  readonly key: unknown;
  readonly part: unknown;
}

function matchesPair({ members, others }: MapType, { key, part }: Pair, context: Context): boolean {
  const member = typeof key === 'string' || typeof key === 'number' ? members.get(key) : undefined;
  if (member && (member.cut || member.required || !others)) return matches(member.value, part, context);
  // without a cut, what does not fit here may be one of the others
  const quiet = { ...context, at: { ...context.at, problems: [] } };
  if (member && matches(member.value, part, quiet)) return true;
  if (!others || !matches(others.key, key, quiet)) return wrong(context, 'is not allowed here');
  return matches(others.value, part, context);
}

/** Items are taken as long as they fit, and not given back, as in a parsing expression grammar (RFC 8610, appendix A). */
function matchesArray(items: readonly Item[], value: unknown, context: Context): boolean {
  if (!Array.isArray(value)) return wrong(context, 'must be an array');
  const last = items.at(-1);
  let next = 0;
  let good = true;
  for (const item of items) {
    let count = 0;
    for (; next < value.length && count < item.most; next++, count++) {
      if (item !== last && count >= item.least && !mayBe(item.value, value[next], context.grammar)) break;
      const place = { ...context.at, step: next, up: context.at };
      if (!matches(item.value, value[next], { ...context, at: place, depth: context.depth + 1 })) good = false;
    }
    if (count < item.least) return wrong(context, `must have ${item.least - count} more`);
  }
  return next === value.length ? good : wrong(context, `must have no more than ${next}`);
}

function matchesEncoded(type: Type, bytes: Uint8Array, context: Context): boolean {
  const decoded = decodeCbor(bytes);
  if ('problem' in decoded) return wrong(context, `must hold CBOR, but is ${decoded.problem}`);
  return matches(type, decoded.value, { ...context, depth: context.depth + 1 });
}

/** Whether the value is of the type's kind, without a look at its parts but those that mark it. */
function mayBe(type: Type, value: unknown, grammar: Grammar): boolean {
  switch (type.kind) {
    case 'name':
      return isPrelude(type.name) ? isOf(type.name, value) : mayBe(ruleOf(type.name, grammar), value, grammar);
    case 'literal':
      return value === type.value;
    case 'choice':
      return type.options.some((option) => mayBe(option, value, grammar));
    case 'map':
      return isMap(value) && type.marks.every((mark) => mayBe(mark.value, valueAt(value, mark.key), grammar));
    case 'array':
      return Array.isArray(value);
    case 'tag':
      return value instanceof Tagged && value.tag === type.tag;
    case 'regexp':
    case 'cbor':
      return mayBe(type.target, value, grammar);
  }
}

function ruleOf(name: string, grammar: Grammar): Type {
  // every name that a rule uses is there: parseCddl has looked
  return grammar.rules.get(name) ?? { kind: 'choice', options: [] };
}

function structureOf(type: Type, grammar: Grammar): Type {
  return type.kind === 'name' && !isPrelude(type.name) ? structureOf(ruleOf(type.name, grammar), grammar) : type;
}

function patternOf(type: Type, grammar: Grammar): Pattern {
  const literal = structureOf(type, grammar);
  const source = literal.kind === 'literal' ? String(literal.value) : '';
  const pattern = grammar.patterns.get(source) ?? compilePattern(source);
  grammar.patterns.set(source, pattern);
  return pattern;
}

function mustBe(type: Type, { grammar }: Context): string {
  return `must be ${describe(type, grammar)}`;
}

function describe(type: Type, grammar: Grammar): string {
  switch (type.kind) {
    case 'name':
      return isPrelude(type.name) ? KINDS[type.name] : describeRule(type.name, grammar);
    case 'literal':
      return JSON.stringify(type.value);
    case 'choice':
      return type.options.map((option) => describe(option, grammar)).join(' or ');
    case 'map':
    case 'array':
      return type.kind === 'map' ? 'a map' : 'an array';
    case 'tag':
      return `tag ${type.tag}`;
    case 'regexp':
      return `text as in ${type.pattern.kind === 'name' ? type.pattern.name : 'its pattern'}`;
    case 'cbor':
      return 'bytes that hold CBOR';
  }
}

function describeRule(name: string, grammar: Grammar): string {
  const rule = ruleOf(name, grammar);
  return isStructure(rule) ? name : describe(rule, grammar);
}

/** Has parts, or is one of several named things that have. */
function isStructure(rule: Type): boolean {
  if (rule.kind === 'choice')
    return rule.options.every(({ kind, ...option }) => kind === 'name' && 'name' in option && !isPrelude(option.name));
  return rule.kind === 'map' || rule.kind === 'array' || rule.kind === 'tag';
}
