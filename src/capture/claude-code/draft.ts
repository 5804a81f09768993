import type { AgentLogEvent } from '../../agentlog/document.ts';
import type { Captured } from '../session.ts';
import type { ToolCall } from './calls.ts';
import type { Skipped } from './lines.ts';

/** What a tool result's line says, before the call it belongs to is known. */
export interface Answer {
  readonly at: number;
  readonly error: unknown;
  readonly text: string;
  readonly data: unknown;
  readonly denial: unknown;
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

type PullRequest = NonNullable<Captured['pullRequests']>[number];

/** A transcript in reading: filled line by line, results may come before or long after their calls. */
export interface Draft {
  /** Events in order; a string stands for the call of that id. */
  readonly steps: (AgentLogEvent | string)[];
  readonly calls: Map<string, ToolCall>;
  readonly answers: Map<string, Answer>;
  /** By message. */
  readonly usage: Map<string, Usage>;
  /** The step that says what its message cost, by message. */
  readonly payers: Map<string, number>;
  /** Raw names of the models that spoke. */
  readonly models: Set<string>;
  readonly pullRequests: Map<string, PullRequest>;
  /** Ids of lines. */
  readonly seen: Set<string>;
  /** Ids of prompts. */
  readonly prompts: Set<string>;
  readonly skipped: Skipped;
  readonly place: {
    session?: string | undefined;
    firstSession?: string | undefined;
    forkedFrom?: string | undefined;
    cwd?: string | undefined;
    branch?: string | undefined;
    version?: string | undefined;
    startedAt?: number;
    endedAt?: number;
    /** Time of the last line that had one. */
    now: number;
  };
}

export function emptyDraft(): Draft {
  return {
    steps: [],
    calls: new Map(),
    answers: new Map(),
    usage: new Map(),
    payers: new Map(),
    models: new Set(),
    pullRequests: new Map(),
    seen: new Set(),
    prompts: new Set(),
    skipped: {},
    place: { now: 0 },
  };
}
