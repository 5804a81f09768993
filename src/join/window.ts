/** A stretch of time in which a command of an agent ran in this work tree. */
export interface CommandWindow {
  readonly session: string;
  readonly event: string;
  readonly from: number;
  /** Absent: it may still be running. */
  readonly to?: number;
  /** No later than this: told without a look at the command. */
  readonly latest?: number;
  /** Snapshots tell what it changed, or it plainly cannot write. */
  readonly explained: boolean;
  /** Why what changed then is not explained, where it was not a command. */
  readonly reason?: string;
}

/** Times first, and the end last: of a long history few commands have to be looked at. */
export function ranBetween(window: CommandWindow, from: number, to: number): boolean {
  return window.from < to && (window.latest ?? Infinity) > from && (window.to ?? Infinity) > from;
}
