/** One step of a pattern. */
export type GlobNode =
  | { readonly kind: 'one'; readonly accepts: Accepts }
  | { readonly kind: 'many'; readonly accepts: Accepts }
  /** Any folders with their slashes, or none. */
  | { readonly kind: 'folders' }
  | { readonly kind: 'either'; readonly choices: readonly (readonly GlobNode[])[] };

export type Accepts = (character: string) => boolean;

export const ANY: Accepts = () => true;

type State =
  | { readonly kind: 'one'; readonly accepts: Accepts; readonly next: number }
  | { readonly kind: 'fork'; readonly next: readonly number[] }
  | { readonly kind: 'end' };

/**
 * A pattern as a machine that is in several states at once: it goes over the text a single time, so that no pattern can make it slow.
 * The number of states grows with the pattern's length, also where choices follow choices. Sets of states are remembered as they come
 * up, with where each character leads from there.
 */
export interface Machine {
  readonly states: readonly State[];
  readonly start: number;
  readonly known: Map<string, StateSet>;
}

interface StateSet {
  /** Those that take a character, ascending. */
  readonly taking: readonly number[];
  readonly ends: boolean;
  readonly next: Map<string, StateSet>;
}

const END = 0;
/** Where the first set is kept; the others have names that are made of their states. */
const START = 'start';
/** A hostile pattern has more sets than can be remembered. */
const MAX_KNOWN = 1000;
const MAX_NEXT = 200;

export function machineOf(nodes: readonly GlobNode[]): Machine {
  const states: State[] = [{ kind: 'end' }];
  const start = addAll(states, nodes, END);
  return { states, start, known: new Map() };
}

function addAll(states: State[], nodes: readonly GlobNode[], end: number): number {
  return nodes.reduceRight((next, node) => add(states, node, next), end);
}

/** Adds the states of a node that goes on to `next`; gives the one it begins with. */
function add(states: State[], node: GlobNode, next: number): number {
  switch (node.kind) {
    case 'one':
      return states.push({ kind: 'one', accepts: node.accepts, next }) - 1;
    case 'many':
      return addLoop(states, node.accepts, next);
    case 'folders': {
      const slash = states.push({ kind: 'one', accepts: (character) => character === '/', next }) - 1;
      return states.push({ kind: 'fork', next: [next, addLoop(states, ANY, slash)] }) - 1;
    }
    case 'either': {
      const choices = node.choices.map((choice) => addAll(states, choice, next));
      return states.push({ kind: 'fork', next: choices }) - 1;
    }
  }
}

function addLoop(states: State[], accepts: Accepts, next: number): number {
  const loop = states.length + 1;
  const body = states.push({ kind: 'one', accepts, next: loop }) - 1;
  return states.push({ kind: 'fork', next: [next, body] }) - 1;
}

/** Whether the machine can end at one of the places that `mayEnd` allows: before a character, or at the end of the text. */
export function runs(machine: Machine, text: string, mayEnd: (at: number) => boolean): boolean {
  let current = machine.known.get(START) ?? enter(machine, [machine.start]);
  machine.known.set(START, current);
  let at = 0;
  for (const character of text) {
    if (current.ends && mayEnd(at)) return true;
    if (current.taking.length === 0) return false;
    current = step(machine, current, character);
    at += character.length;
  }
  return current.ends && mayEnd(at);
}

function step(machine: Machine, from: StateSet, character: string): StateSet {
  const known = from.next.get(character);
  if (known) return known;
  const reached = from.taking.flatMap((index) => {
    const state = machine.states[index];
    return state?.kind === 'one' && state.accepts(character) ? [state.next] : [];
  });
  const set = enter(machine, reached);
  if (from.next.size < MAX_NEXT) from.next.set(character, set);
  return set;
}

/** The states and all that forks lead to from them. */
function enter({ states, known }: Machine, from: number[]): StateSet {
  const seen = new Set<number>();
  for (let index = from.pop(); index !== undefined; index = from.pop()) {
    if (seen.has(index)) continue;
    seen.add(index);
    const state = states[index];
    if (state?.kind === 'fork') from.push(...state.next);
  }
  const taking = [...seen].filter((index) => states[index]?.kind === 'one').sort((a, b) => a - b);
  const name = `${seen.has(END)} ${taking.join(' ')}`;
  const same = known.get(name);
  if (same) return same;
  const set = { taking, ends: seen.has(END), next: new Map<string, StateSet>() };
  // what is forgotten is found again; sets that still point at it go with it
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(name, set);
  return set;
}
