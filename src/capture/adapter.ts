import type { Captured } from './session.ts';

/** What adapters know of the world: they look at nothing themselves. */
export interface Surroundings {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface LocateIn extends Surroundings {
  readonly worktrees: readonly string[];
  /** The entries of a folder; none where it cannot be read. */
  readonly list: (folder: string) => readonly Entry[];
}

export interface Entry {
  readonly name: string;
  readonly folder: boolean;
}

/** How a hook's command is to work: see `git-hooks/agent-hook`. */
export type HookMode = 'event' | 'before' | 'after' | 'end';

export type Refused = { readonly refused: string };

/** One agent: its folder below `capture/` gives one of these, `index.ts` has a row for it. */
export interface AgentAdapter {
  readonly name: string;
  readonly decodeTranscript: (lines: Iterable<string>) => Captured;
  /** `at`: when the hook was called. */
  readonly decodeHook: (payload: unknown, fact: { readonly at: number }) => Captured;
  /** Transcripts that may speak of the work trees. */
  readonly locate: (place: LocateIn) => string[];
  /** The session whose shell we were started from. */
  readonly environmentSession: (env: Surroundings['env']) => string | undefined;
  /** The user's settings file that hooks are put into. */
  readonly settingsFile: (place: Surroundings) => string;
  readonly addHooks: (
    text: string | undefined,
    command: (mode: HookMode) => string,
  ) => { readonly text: string } | Refused;
  /** No text: the file was ours alone. */
  readonly removeHooks: (
    text: string,
    isOurs: (command: string) => boolean,
  ) => { readonly text: string | undefined } | Refused;
}
