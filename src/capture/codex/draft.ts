import type { TokenUsage } from '../../agentlog/document.ts';
import type { JsonObject } from '../../json.ts';
import type { Skipped } from '../json-lines.ts';
import type { Said } from '../tale.ts';
import type { OwnTexts } from './changes.ts';

/** One record of a rollout: what all share, and the rest. */
export interface Line {
  readonly type: string;
  readonly payload: JsonObject;
  readonly at: number;
  /** Its number, counted by us. */
  readonly number: number;
}

/** A call in reading. One may be told three times: by the model's words, by what came of it, and by an event of its own. */
export interface ToldCall {
  readonly id: string;
  readonly cwd: string | undefined;
  readonly model: string | undefined;
  /** When the model had last asked for something: a script's own calls are not its words. */
  readonly near: number | undefined;
  /** What the model asked for. */
  asked?: { readonly name: string; readonly input: JsonObject; readonly at: number };
  /** What the model was told. */
  answer?: { readonly text: string; readonly at: number };
  /** Codex's own account of a patch or a command that it dealt with. */
  item?: {
    readonly kind: 'patch' | 'command';
    readonly fields: JsonObject;
    readonly from: number;
    readonly to: number;
  };
}

/** A rollout in reading: filled line by line. */
export interface Draft {
  session?: string;
  cwd?: string | undefined;
  branch?: string | undefined;
  version?: string | undefined;
  parent?: string | undefined;
  forkedFrom?: string | undefined;
  /** Every patch and command has an event of its own. */
  paginated: boolean;
  startedAt?: number;
  now: number;
  /** As the last turn has it. */
  turn: {
    id?: string | undefined;
    cwd?: string | undefined;
    model?: string | undefined;
    provider?: string | undefined;
  };
  /** In order; a text stands for the call of that id. */
  readonly steps: (Said | string)[];
  readonly calls: Map<string, ToldCall>;
  /** When the model last asked for something. */
  askedAt: number | undefined;
  /** Calls by the number of the process that they left running. */
  readonly running: Map<string, string>;
  /** Turns whose prompt is known. */
  readonly prompts: Set<string>;
  /** What stands where a prompt would, in files that have no better word of it. */
  readonly maybePrompts: Said[];
  readonly children: Set<string>;
  readonly usage: Map<string, TokenUsage>;
  total?: TokenUsage | undefined;
  readonly texts: OwnTexts;
  readonly skipped: Skipped;
}

export function emptyDraft(): Draft {
  return {
    paginated: false,
    now: 0,
    turn: {},
    steps: [],
    calls: new Map(),
    askedAt: undefined,
    running: new Map(),
    prompts: new Set(),
    maybePrompts: [],
    children: new Set(),
    usage: new Map(),
    texts: new Map(),
    skipped: {},
  };
}
