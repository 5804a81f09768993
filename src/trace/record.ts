import type { ContributorType, Evidence } from '../lines/origin.ts';

/**
 * Agent Trace 0.1.0. Every object may carry fields that are not named here: they stay on it, and a record's line is kept as it came
 * wherever it is only passed on.
 */
export interface TraceRecord {
  readonly version: string;
  readonly id: string;
  readonly timestamp: string;
  readonly vcs?: Vcs;
  readonly tool?: TraceTool;
  readonly files: readonly TraceFile[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface Vcs {
  readonly type: 'git' | 'jj' | 'hg' | 'svn';
  readonly revision: string;
}

/** The schema requires neither field. */
export interface TraceTool {
  readonly name?: string;
  readonly version?: string;
}

export interface TraceFile {
  readonly path: string;
  readonly conversations: readonly TraceConversation[];
}

export interface TraceConversation {
  readonly url?: string;
  readonly contributor?: Contributor;
  readonly ranges: readonly TraceRange[];
  readonly related?: readonly { readonly type: string; readonly url: string }[];
}

export interface TraceRange {
  readonly start_line: number;
  readonly end_line: number;
  readonly content_hash?: string;
  /** Overrides the conversation's. */
  readonly contributor?: Contributor;
}

export interface Contributor {
  readonly type: ContributorType;
  readonly model_id?: string;
}

export const TRACE_VERSION = '0.1.0';

/** Where our own data is, under `metadata`. */
export const OWN_KEY = 'dev.git-agent-blame';
export const OWN_TOOL = 'git-agent-blame';
/** The name of `contentHash`'s rule, so that others can check what we hashed. */
export const HASH_RULE = 'murmur3-x86-32/utf8/lf-joined';

export interface OwnMetadata {
  readonly schema: 1;
  /** The commit the record speaks of, also where `vcs` names a jj change. */
  readonly commit: string;
  /** What the commit keeps when it is rewritten: the change id of jj or of Gerrit. */
  readonly change_id?: string;
  readonly hash_rule: typeof HASH_RULE;
  /** Ids of the records in the same note that this one replaces. */
  readonly supersedes?: readonly string[];
  /** A person's word, not something that was seen: who gave it, and when the commit was made, in milliseconds since 1970. Joining again leaves such a record alone. */
  readonly declared?: { readonly by: string; readonly committed: number };
  /** By path, which may be any string: look up with `Object.hasOwn` only. */
  readonly files: Readonly<Record<string, OwnFile>>;
}

export interface OwnFile {
  readonly blob: string;
  readonly ranges: readonly OwnRange[];
  /** `lineHash` of every line of the ranges, in their order, without separators. */
  readonly lines: string;
}

export interface OwnRange {
  readonly start: number;
  readonly end: number;
  readonly type: ContributorType;
  readonly evidence?: Evidence;
  readonly session?: string;
  readonly event?: string;
  readonly reason?: string;
}
