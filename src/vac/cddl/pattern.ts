import { Fault } from '../../fault.ts';

/**
 * `.regexp` of CDDL: a regular expression of XML Schema, matched as a whole, in time that grows with the text alone. JavaScript's own
 * engine goes back and tries again: on the draft's pattern for a URI it takes the square of a hostile text's length.
 */
export interface Pattern {
  readonly test: (text: string) => boolean;
}

type Node =
  | { readonly kind: 'set'; readonly ranges: readonly (readonly [number, number])[]; readonly not: boolean }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Node[] }
  | { readonly kind: 'repeat'; readonly part: Node; readonly least: number; readonly most: number };

/** A step of the machine: takes one character, or goes two ways at once, or has found a match. */
type Step =
  | { readonly kind: 'take'; readonly set: Node & { readonly kind: 'set' }; readonly next: number }
  | { kind: 'fork'; a: number; b: number }
  | { readonly kind: 'found' };

interface Cursor {
  readonly text: string;
  at: number;
}

const MAX_STEPS = 10_000;
/** Sets of steps that are remembered; a text cannot make more of them than this. */
const MAX_STATES = 500;

export function compilePattern(source: string): Pattern {
  const cursor: Cursor = { text: source, at: 0 };
  const node = parseChoice(cursor);
  if (cursor.at < source.length) refuse(source);
  const steps: Step[] = [{ kind: 'found' }];
  const start = emit(node, 0, steps);
  return { test: machine(steps, start) };
}

function parseChoice(cursor: Cursor): Node {
  const parts = [parseSequence(cursor)];
  while (taken(cursor, '|')) parts.push(parseSequence(cursor));
  return { kind: 'choice', parts };
}

function parseSequence(cursor: Cursor): Node {
  const parts: Node[] = [];
  while (cursor.at < cursor.text.length && !'|)'.includes(cursor.text[cursor.at] ?? '')) {
    parts.push(parseQuantity(cursor, parseAtom(cursor)));
  }
  return { kind: 'sequence', parts };
}

function parseQuantity(cursor: Cursor, part: Node): Node {
  if (taken(cursor, '?')) return { kind: 'repeat', part, least: 0, most: 1 };
  if (taken(cursor, '*')) return { kind: 'repeat', part, least: 0, most: Number.POSITIVE_INFINITY };
  if (taken(cursor, '+')) return { kind: 'repeat', part, least: 1, most: Number.POSITIVE_INFINITY };
  const [all, count] = /^\{([0-9]{1,3})\}/.exec(cursor.text.slice(cursor.at, cursor.at + 5)) ?? [];
  if (all === undefined) return part;
  cursor.at += all.length;
  return { kind: 'repeat', part, least: Number(count), most: Number(count) };
}

function parseAtom(cursor: Cursor): Node {
  if (taken(cursor, '(')) {
    const inner = parseChoice(cursor);
    if (!taken(cursor, ')')) refuse(cursor.text);
    return inner;
  }
  if (taken(cursor, '[')) return parseClass(cursor);
  // XML Schema: any character but the ends of lines
  if (taken(cursor, '.')) return { kind: 'set', ranges: [range('\n'), range('\r')], not: true };
  return { kind: 'set', ranges: [range(parseCharacter(cursor, '|?*+()[]{}^$'))], not: false };
}

function parseClass(cursor: Cursor): Node {
  const not = taken(cursor, '^');
  const ranges: (readonly [number, number])[] = [];
  while (!taken(cursor, ']')) {
    const from = parseCharacter(cursor, '[]');
    const isRange = cursor.text[cursor.at] === '-' && cursor.text[cursor.at + 1] !== ']' && taken(cursor, '-');
    ranges.push(range(from, isRange ? parseCharacter(cursor, '[]') : from));
  }
  return { kind: 'set', ranges, not };
}

function parseCharacter(cursor: Cursor, special: string): string {
  const escaped = taken(cursor, '\\');
  const char = cursor.text[cursor.at];
  // of escapes only those that take a character's meaning away
  if (char === undefined || (escaped ? /\w/.test(char) : special.includes(char))) return refuse(cursor.text);
  cursor.at++;
  return char;
}

function range(from: string, to = from): readonly [number, number] {
  return [from.charCodeAt(0), to.charCodeAt(0)];
}

function taken(cursor: Cursor, char: string): boolean {
  if (cursor.text[cursor.at] !== char) return false;
  cursor.at++;
  return true;
}

function refuse(source: string): never {
  throw new Fault('bug', `the regular expression ${source} cannot be used`, { source });
}

/** Adds the node's steps; after them comes `next`. Gives the first of them. */
function emit(node: Node, next: number, steps: Step[]): number {
  switch (node.kind) {
    case 'set':
      return add(steps, { kind: 'take', set: node, next });
    case 'sequence':
      return node.parts.reduceRight((after, part) => emit(part, after, steps), next);
    case 'choice': {
      const starts = node.parts.map((part) => emit(part, next, steps));
      return starts.reduce((a, b) => add(steps, { kind: 'fork', a, b }));
    }
    case 'repeat':
      return emitRepeat(node, next, steps);
  }
}

function emitRepeat(node: Node & { readonly kind: 'repeat' }, next: number, steps: Step[]): number {
  let start = next;
  if (node.most === Number.POSITIVE_INFINITY) {
    const fork: Step = { kind: 'fork', a: next, b: next };
    start = add(steps, fork);
    fork.b = emit(node.part, start, steps);
  } else {
    for (let i = node.least; i < node.most; i++) {
      start = add(steps, { kind: 'fork', a: next, b: emit(node.part, start, steps) });
    }
  }
  for (let i = 0; i < node.least; i++) start = emit(node.part, start, steps);
  return start;
}

function add(steps: Step[], step: Step): number {
  if (steps.length > MAX_STEPS) throw new Fault('bug', 'a regular expression is too long');
  return steps.push(step) - 1;
}

/** The steps a text may be at; which ones follow is worked out once per character. */
interface State {
  readonly takes: readonly (Step & { readonly kind: 'take' })[];
  readonly found: boolean;
  readonly after: Map<number, State>;
}

function machine(steps: readonly Step[], start: number): (text: string) => boolean {
  const known = new Map<string, State>();
  const stateOf = (ids: readonly number[]): State => {
    const reached = reach(steps, ids);
    const key = reached.join();
    const state = known.get(key) ?? makeState(steps, reached);
    if (known.size < MAX_STATES) known.set(key, state);
    return state;
  };
  const after = (state: State, code: number): State => {
    const next = stateOf(state.takes.filter(({ set }) => has(set, code)).map((step) => step.next));
    // other characters are too many to remember
    if (code < 128 && known.size < MAX_STATES) state.after.set(code, next);
    return next;
  };
  const first = stateOf([start]);
  return (text) => {
    let state = first;
    for (let at = 0; at < text.length; at++) {
      if (state.takes.length === 0) return false;
      const code = text.codePointAt(at) ?? 0;
      if (code > 0xffff) at++;
      state = state.after.get(code) ?? after(state, code);
    }
    return state.found;
  };
}

function makeState(steps: readonly Step[], ids: readonly number[]): State {
  const here = ids.flatMap((id) => steps[id] ?? []);
  return {
    takes: here.filter((step) => step.kind === 'take'),
    found: here.some((step) => step.kind === 'found'),
    after: new Map(),
  };
}

/** All steps that are reached without taking a character. */
function reach(steps: readonly Step[], ids: readonly number[]): number[] {
  const seen = new Set<number>();
  const open = [...ids];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const step = steps[id];
    if (step?.kind === 'fork') open.push(step.a, step.b);
  }
  return [...seen].sort((a, b) => a - b);
}

function has({ ranges, not }: Node & { readonly kind: 'set' }, code: number): boolean {
  return ranges.some(([from, to]) => from <= code && code <= to) !== not;
}
