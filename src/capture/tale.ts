import type { TokenUsage } from '../agentlog/document.ts';
import type { JsonObject } from '../json.ts';
import type { Captured, Change } from './session.ts';

/** A session as an adapter reads it out of its agent's words, step by step. `assemble.ts` makes the rest of it. */
export interface Tale extends Omit<Captured, 'events' | 'edits' | 'commands' | 'models'> {
  readonly steps: readonly Step[];
}

export type Step = Said | Call;

/** Words: the user's, the agent's, or what it thought. */
export interface Said {
  readonly kind: 'prompt' | 'message' | 'thought';
  readonly id: string;
  readonly at: number;
  readonly text: string;
  /** models.dev id. */
  readonly model?: string;
}

/** One call of a tool. */
export interface Call {
  readonly kind: 'call';
  /** The same in hook payload and transcript, where the agent has ids; else `looseId`. */
  readonly id: string;
  /** When it began. */
  readonly at: number;
  /** The tool in the agent's own word, and what it was given. */
  readonly name: string;
  readonly input: JsonObject;
  readonly cwd?: string;
  readonly model?: string;
  readonly tokens?: TokenUsage;
  /** Absent: still at work, or nobody told. */
  readonly end?: CallEnd;
  /** What it changed; looked at only when it is `done`. No edits from a tool that edits: something was changed, nobody told what. */
  readonly edits?: readonly ToldEdit[];
  /** The shell command that it ran. */
  readonly command?: { readonly text: string; readonly background?: boolean };
  /** What a server's tool was called for, in words (`server-tool.ts`), where its name does not say that it is one. */
  readonly server?: string;
  /** What tools of all agents do. */
  readonly does?: 'read' | 'search' | 'fetch';
}

export interface CallEnd {
  readonly at: number;
  /** `invalid`: it never ran. `refused`: somebody did not let it run. A command that ran and failed is `done`, with its exit code, or `failed`. */
  readonly outcome: 'done' | 'failed' | 'invalid' | 'refused';
  readonly text?: string;
  readonly exitCode?: number;
}

export interface ToldEdit {
  readonly path: string;
  readonly change: Change;
  readonly userModified?: boolean;
}
