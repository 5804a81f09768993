import type { ChainRecord } from './hooks-path.ts';
import type { ChangedFile, ConfigValue } from './installed.ts';

/** Whose memory a change goes into: this repository's, or the user's, which all repositories share. */
export type Level = 'repository' | 'user';

/** One thing to do, and how it is told; several may be told by the same words. */
export type Change =
  /** A folder that is ours alone. */
  | { readonly kind: 'own-folder'; readonly path: string; readonly said: string }
  /** A file that is ours alone: goes with its folder, nothing to remember. */
  | {
      readonly kind: 'own-file';
      readonly path: string;
      readonly text: string;
      readonly mode: number;
      readonly said: string;
    }
  /** Lines at the end of one: others may be adding theirs at this moment. */
  | { readonly kind: 'own-lines'; readonly path: string; readonly text: string; readonly said: string }
  /** One that goes again. */
  | { readonly kind: 'own-gone'; readonly path: string; readonly said: string }
  /** A file that others have a say in. */
  | {
      readonly kind: 'file';
      readonly level: Level;
      readonly file: ChangedFile;
      readonly mode: number;
      readonly said: string;
    }
  /** A value added to git's configuration. */
  | { readonly kind: 'value'; readonly value: ConfigValue; readonly said: string }
  /** Our folder in the place of `core.hooksPath`; null: what was there comes back. */
  | { readonly kind: 'hooks-path'; readonly chain: ChainRecord | null; readonly said: string };

export interface Plan {
  readonly changes: readonly Change[];
  /** What the user should know though nothing is wrong. */
  readonly remarks: readonly string[];
  /** What was asked for and cannot be done: the rest goes on, and the exit code says so. */
  readonly refusals: readonly string[];
}

export function planned(parts: readonly Plan[]): Plan {
  return {
    changes: parts.flatMap((part) => part.changes),
    remarks: parts.flatMap((part) => part.remarks),
    refusals: parts.flatMap((part) => part.refusals),
  };
}

/** One line for each thing, in order, however many changes it takes. */
export function printChanges(changes: readonly Change[]): readonly string[] {
  return [...new Set(changes.map((change) => change.said))];
}
