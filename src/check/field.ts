import type { JsonNode } from '../json-text.ts';
import type { Glob, ParsedGlob } from '../report/glob.ts';
import { timeOf } from '../shape.ts';
import { suggest } from '../suggest.ts';
import { type PolicyProblem, placeIn } from './problem.ts';

/** The text of a policy, and what is found to be wrong in it. */
export interface Desk {
  readonly text: string;
  readonly problems: PolicyProblem[];
}

/** A hostile file could be wrong in every byte; nobody reads more than this. */
const MAX_PROBLEMS = 100;
const MAX_ITEMS = 1000;

export const LEVELS = ['off', 'warn', 'block'] as const;
export type Level = (typeof LEVELS)[number];

/** Reads one value; undefined where it is wrong, which the desk then knows. */
export type ReadField<T> = (node: JsonNode, desk: Desk) => T | undefined;

export function complain(desk: Desk, at: number, problem: Omit<PolicyProblem, 'line' | 'column'>): undefined {
  if (desk.problems.length < MAX_PROBLEMS) desk.problems.push({ ...placeIn(desk.text, at), ...problem });
  return undefined;
}

export const readLevel: ReadField<Level> = (node, desk) => {
  const said = scalarOf(node);
  const level = LEVELS.find((one) => one === said);
  if (level) return level;
  const near = typeof said === 'string' ? suggest(said.toLowerCase(), LEVELS) : undefined;
  const suggestion = near && { suggestion: JSON.stringify(near) };
  return complain(desk, node.start, { message: 'must be "off", "warn" or "block"', ...suggestion });
};

export const readShare: ReadField<number | null> = (node, desk) => {
  const said = scalarOf(node);
  if (said === null) return null;
  if (typeof said !== 'number') return complain(desk, node.start, { message: 'must be a number from 0 to 1, or null' });
  if (said >= 0 && said <= 1) return said;
  const percent = said > 1 && said <= 100 ? { suggestion: String(said / 100) } : {};
  return complain(desk, node.start, { message: 'must be from 0 to 1', ...percent });
};

/** Seconds since 1970: of a day its beginning in UTC. */
export const readDate: ReadField<number | null> = (node, desk) => {
  const said = scalarOf(node);
  if (said === null) return null;
  const time =
    typeof said === 'string' ? timeOf(/^\d{4}-\d\d-\d\d$/.test(said) ? `${said}T00:00:00Z` : said) : undefined;
  if (time !== undefined && !Number.isNaN(time)) return Math.floor(time / 1000);
  return complain(desk, node.start, {
    message: 'must be a date as 2026-01-31, a time as 2026-01-31T12:00:00Z, or null',
  });
};

export const readText: ReadField<string> = (node, desk) => {
  const said = scalarOf(node);
  return typeof said === 'string' ? said : complain(desk, node.start, { message: 'must be a string' });
};

/** A list of patterns; all that is wrong in it is told at once. */
export function readPatterns(parse: (pattern: string) => ParsedGlob): ReadField<readonly Glob[]> {
  return (node, desk) => {
    if (node.kind !== 'array') return complain(desk, node.start, { message: 'must be a list of strings' });
    if (node.items.length > MAX_ITEMS)
      return complain(desk, node.start, { message: `must not have more than ${MAX_ITEMS} patterns` });
    const globs = node.items.map((item) => readPattern(item, parse, desk));
    return globs.every((glob) => glob !== undefined) ? globs : undefined;
  };
}

function readPattern(item: JsonNode, parse: (pattern: string) => ParsedGlob, desk: Desk): Glob | undefined {
  const pattern = readText(item, desk);
  if (pattern === undefined) return undefined;
  const parsed = parse(pattern);
  if ('glob' in parsed) return parsed.glob;
  // escapes in the text move its characters: then the string's beginning has to do
  const verbatim = desk.text.slice(item.start + 1, item.end - 1) === pattern;
  const inside = verbatim ? 1 + [...pattern].slice(0, parsed.column - 1).join('').length : 0;
  return complain(desk, item.start + inside, { message: parsed.problem });
}

function scalarOf(node: JsonNode): unknown {
  return node.kind === 'scalar' ? node.value : undefined;
}
