import type { AgentLogEvent, TokenUsage } from '../agentlog/document.ts';
import type { ToolInfo } from '../lines/origin.ts';

/** A text as the agent's own words gave it; `null` where the file did not exist. */
export type CapturedText = string | null;

/** How much of a file change the source tells us, best first. */
export type Change =
  /** Contents before and after. */
  | { readonly kind: 'full'; readonly before: CapturedText; readonly after: CapturedText }
  /** Numbered hunks against a text we were not shown. */
  | { readonly kind: 'hunks'; readonly hunks: readonly Hunk[] }
  /** Strings replaced in a text we were not shown; no pairs: something was changed, we were not told what. */
  | { readonly kind: 'replace'; readonly pairs: readonly Replacement[] }
  /** The whole new text; what stood there before is not known. */
  | { readonly kind: 'write'; readonly after: string };

/** A hunk as unified diffs have it; lines carry their prefix ' ', '-', '+' or '\'. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly string[];
}

export interface Replacement {
  readonly old: string;
  readonly new: string;
  readonly all: boolean;
}

/** One successful change of one file by one tool call. A failed or rejected call makes no Edit. */
export interface Edit {
  /** Id of the tool call: the same in hook payload and transcript, so that an edit seen twice is one. */
  readonly event: string;
  /** Milliseconds since 1970 when the change was complete. */
  readonly at: number;
  /** As the agent named it: absolute, or relative to `Captured.cwd`; not yet inside any repository. */
  readonly path: string;
  readonly change: Change;
  /** models.dev id of the model that made the call, where it is certain. */
  readonly model?: string;
  /** The text shown to us was not exactly the file's (undecodable bytes were replaced): gaps before it prove nothing. */
  readonly lossy?: boolean;
  /** A person changed the proposed text before accepting it: not the agent's alone. */
  readonly userModified?: boolean;
  /** What the call was, where hooks of the agent do not tell its id: `print.ts`. */
  readonly print?: string;
}

/** One shell command that the agent ran. */
export interface Command {
  readonly event: string;
  readonly command: string;
  readonly cwd?: string;
  readonly startedAt: number;
  /** Absent: still running, or we were not told of its end. */
  readonly endedAt?: number;
  /** It went on after the call returned. */
  readonly background: boolean;
  readonly model?: string;
  /** The call never ran (denied, rejected, of wrong shape). */
  readonly refused?: boolean;
  readonly exitCode?: number;
}

/** What one adapter makes of one input (a transcript, or one hook payload): the same shape for every agent. */
export interface Captured {
  readonly session: string;
  readonly tool: ToolInfo;
  /** Where the agent was started. */
  readonly cwd?: string;
  /** Where the agent says its transcript is. */
  readonly transcript?: string;
  readonly branch?: string;
  readonly startedAt?: number;
  /** When it was last seen at work. */
  readonly endedAt?: number;
  /** The session ended for good, as far as the agent says. */
  readonly ended?: boolean;
  /** The model of the session as a whole, where there is one. */
  readonly model?: string;
  /** The one name that the agent gives its model, in its own spelling: whose it is may be open. */
  readonly modelName?: string;
  readonly parentSession?: string;
  /** The session whose lines this one began with. Copies keep their event ids: of an id seen in two sessions the first one counts. */
  readonly forkedFrom?: string;
  readonly childSessions?: readonly string[];
  readonly pullRequests?: readonly { readonly number: number; readonly url?: string; readonly repository?: string }[];
  readonly tokens?: TokenUsage;
  /** The conversation, in order: not redacted yet. */
  readonly events: readonly AgentLogEvent[];
  readonly edits: readonly Edit[];
  readonly commands: readonly Command[];
  /** Model by tool call id, for hook payloads, which do not name it. */
  readonly models: ReadonlyMap<string, string>;
  /** Input that was not understood, by kind: counted, never silent. */
  readonly skipped: Readonly<Record<string, number>>;
}
