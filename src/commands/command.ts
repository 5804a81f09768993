import type { Command as CommanderCommand } from 'commander';

/** Everything a verb may touch of its surroundings, handed in once at the door. */
export interface World {
  /** What the person called, for messages: `git agent`. */
  readonly name: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Standard output: results only. */
  readonly out: Sink;
  /** Standard error: messages only. */
  readonly err: Sink;
  /** What hooks start later: the node that runs us, and the script of `git-agent`. */
  readonly program: { readonly node: string; readonly script: string };
  readonly version: string;
  /** Milliseconds since 1970. */
  now(): number;
}

export interface Sink {
  readonly isTTY: boolean;
  /** Width of the terminal, where there is one. */
  readonly columns: number | undefined;
  /** Likewise; undefined where it is no terminal. */
  readonly rows?: number | undefined;
  /** Ends once the bytes were taken, so that a long output does not pile up in memory. False once the reader has gone: the rest need not be made. */
  write(text: string | Uint8Array): Promise<unknown>;
}

/** One call of a verb: what is left after options, the options as commander names them, and the world. */
export interface Call {
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly world: World;
  /** What stood behind `--`, of a verb that takes paths; undefined where there was none. */
  readonly paths?: readonly string[] | undefined;
}

/** One verb of `git agent`: `commands/NAME.ts` exports it as `command`. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly hidden?: boolean;
  /** It reads its own options: commander only shows them in its help. */
  readonly raw?: boolean;
  /** What follows `--` is kept apart: words before it may be revisions. */
  readonly takesPaths?: boolean;
  /** Options that need no value, and all that they take; alone they mean the first. Another word that follows is none of theirs. */
  readonly optional?: Readonly<Record<string, readonly string[]>>;
  /** Declares arguments and options; the name, the summary and -h are set already. */
  configure(command: CommanderCommand): void;
  /** Gives the exit code; a `Fault` thrown becomes one sentence on standard error and its own exit code. */
  run(call: Call): Promise<number>;
}
