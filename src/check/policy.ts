import { parseJson } from '../json.ts';
import { type JsonMember, locateJson } from '../json-text.ts';
import { type Glob, parseGlob, parseNamePattern } from '../report/glob.ts';
import { suggest } from '../suggest.ts';
import {
  complain,
  type Desk,
  type Level,
  type ReadField,
  readDate,
  readLevel,
  readPatterns,
  readShare,
  readText,
} from './field.ts';
import { findStop } from './json-stop.ts';
import { type PolicyProblem, placeIn } from './problem.ts';

/** At the top of the work tree. */
export const POLICY_FILE = '.agent-policy.json';

/** A team's rules. */
export interface Policy {
  /** Every commit that adds lines has a record. */
  readonly requireAttribution: Level;
  /** Lines of agents name their conversation. */
  readonly requireConversation: Level;
  /** Records have a valid seal. */
  readonly requireSeal: Level;
  /** Most that agents may have written of the lines whose author is known; from 0 to 1, null without a limit. */
  readonly maxAiShare: number | null;
  /** Most of the lines that may be unknown; from 0 to 1, null without a limit. */
  readonly maxUnknownShare: number | null;
  /** Null allows every one. */
  readonly allowTools: readonly Glob[] | null;
  readonly allowModels: readonly Glob[] | null;
  /** Files that are not counted. */
  readonly exclude: readonly Glob[];
  /** Commits whose author's date is before are not judged; seconds since 1970. */
  readonly since: number | null;
  /** By address, or by name and address. */
  readonly exemptAuthors: readonly Glob[];
}

/** Without a policy nothing is asked for. */
export const NO_POLICY: Policy = {
  requireAttribution: 'off',
  requireConversation: 'off',
  requireSeal: 'off',
  maxAiShare: null,
  maxUnknownShare: null,
  allowTools: null,
  allowModels: null,
  exclude: [],
  since: null,
  exemptAuthors: [],
};

const FIELDS: { readonly [K in keyof Policy]: ReadField<Policy[K]> } & { readonly $schema: ReadField<string> } = {
  $schema: readText,
  requireAttribution: readLevel,
  requireConversation: readLevel,
  requireSeal: readLevel,
  maxAiShare: readShare,
  maxUnknownShare: readShare,
  allowTools: readPatterns(parseNamePattern),
  allowModels: readPatterns(parseNamePattern),
  exclude: readPatterns(parseGlob),
  since: readDate,
  exemptAuthors: readPatterns(parseNamePattern),
};

/** The policy's keys. */
export const POLICY_KEYS: readonly string[] = Object.keys(FIELDS);

const MAX_LENGTH = 256 * 1024;

export type ParsedPolicy = { readonly policy: Policy } | { readonly problems: readonly PolicyProblem[] };

/** Everything that is wrong is told at once, in the order of the text. */
export function parsePolicy(text: string): ParsedPolicy {
  const root = text.length > MAX_LENGTH ? undefined : locateJson(text);
  if (!root) return { problems: [notJson(text)] };
  const desk: Desk = { text, problems: [] };
  if (root.kind !== 'object') complain(desk, root.start, { message: 'a policy is an object: { ... }' });
  const said = root.kind === 'object' ? readMembers(root.members, desk) : {};
  return desk.problems.length > 0 ? { problems: desk.problems } : { policy: { ...NO_POLICY, ...said } };
}

function notJson(text: string): PolicyProblem {
  const parsed = parseJson(text.replace(/^\uFEFF/, ''), MAX_LENGTH);
  const tooMuch = 'problem' in parsed && parsed.problem !== 'not JSON';
  if (tooMuch) return { line: 1, column: 1, message: `the file is ${parsed.problem}` };
  const stop = findStop(text) ?? { at: 0, message: 'this is not JSON' };
  return { ...placeIn(text, stop.at), message: `not JSON: ${stop.message}` };
}

function readMembers(members: readonly JsonMember[], desk: Desk): Partial<Policy> {
  const said = new Map<string, unknown>();
  for (const { key, start, value } of members) {
    const read = Object.hasOwn(FIELDS, key) ? FIELDS[key as keyof typeof FIELDS] : undefined;
    if (!read) reportUnknown(desk, start, key);
    else if (said.has(key)) complain(desk, start, { message: `${JSON.stringify(key)} is there twice` });
    else said.set(key, read(value, desk));
  }
  said.delete('$schema');
  return Object.fromEntries(said);
}

function reportUnknown(desk: Desk, at: number, key: string): void {
  const near = suggest(key, POLICY_KEYS);
  const shown = JSON.stringify(key.length > 60 ? `${key.slice(0, 60)}…` : key);
  complain(desk, at, { message: `there is no ${shown} in a policy`, ...(near && { suggestion: near }) });
}
