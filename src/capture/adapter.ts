import type { JsonObject } from '../json.ts';
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
  /** The text of a small file; undefined where there is none, or a large one. */
  readonly read: (file: string) => string | undefined;
}

export interface Entry {
  readonly name: string;
  readonly folder: boolean;
}

/** A transcript as an adapter reads it. What cannot be read is empty. */
export interface TranscriptFile {
  readonly path: string;
  /** When it was last written, in milliseconds. */
  readonly modified: number;
  /** Nothing of it is in the store yet: it may tell of what was long committed. */
  readonly unread?: boolean;
  /** The work trees in question: a file may hold sessions of all folders. */
  readonly worktrees: readonly string[];
  /** One after the other, for files of many lines. */
  lines(): Iterable<string>;
  /** The whole, for files that are one document. */
  text(): string;
  /** A file beside it. */
  read(file: string): string | undefined;
  /** The entries of a folder beside it, where a transcript is many files. */
  list?(folder: string): readonly Entry[];
  /** For SQLite databases. */
  rows(sql: string, values?: readonly (string | number)[]): readonly JsonObject[];
  /** The text in bytes that are packed with Zstandard; undefined where this Node cannot. */
  unpack?(bytes: unknown): string | undefined;
}

/**
 * How a hook's command is to work: see `git-hooks/agent-hook`. `pre` and `post`: as `before` and `after` where the payload names a shell
 * tool, for agents whose settings cannot tell tools apart.
 */
export type HookMode = 'event' | 'before' | 'after' | 'end' | 'pre' | 'post';

export type CommandFor = (mode: HookMode) => string;

export type Refused = { readonly refused: string };

/** What was done to the files before this one, by their names. `named`: as the agent calls it, where links lead to `path`. */
export type FilesBefore = ReadonlyMap<
  string,
  { readonly path: string; readonly named?: string; readonly text: string }
>;

/** A file that hooks are put into: settings, or a plug-in that is ours alone. */
export interface HookFile {
  /** Tells it from the agent's other files. */
  readonly name: string;
  /** Where it is for the user; absolute. */
  readonly user: (place: Surroundings) => string;
  /** Where it is in a work tree, when a team commits it. */
  readonly project?: string;
  readonly executable?: boolean;
  /** It is changed only when the user said yes to this. */
  readonly asks?: string;
  readonly add: (
    text: string | undefined,
    command: CommandFor,
    before: FilesBefore,
  ) => { readonly text: string } | Refused;
  /** No text: the file was ours alone. */
  readonly remove: (
    text: string,
    isOurs: (command: string) => boolean,
  ) => { readonly text: string | undefined } | Refused;
}

/** One agent: its folder below `capture/` gives one of these, `index.ts` has a row for it. */
export interface AgentAdapter {
  readonly name: string;
  /** A file may hold several sessions. */
  readonly decodeTranscript: (file: TranscriptFile) => readonly Captured[];
  /** `at`: when the hook was called. */
  readonly decodeHook: (payload: unknown, fact: { readonly at: number }) => Captured;
  /** Transcripts that may speak of the work trees. */
  readonly locate: (place: LocateIn) => string[];
  /** A folder that is there where the agent is used. */
  readonly home: (place: Surroundings) => string;
  /** None: only transcripts tell. */
  readonly hookFiles: readonly HookFile[];
  /** What the user should know once hooks are in. */
  readonly remark?: string;
}
