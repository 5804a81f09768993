/** A stretch of time of which something was written down that can no longer be read. */
export interface LostTime {
  readonly from: number;
  readonly to: number;
}

/**
 * When lines were written that cannot be read (their times are undefined). Lines are appended as things happen: so it was after the
 * latest before them, and before the next that is as late.
 */
export function lostTimes(times: readonly (number | undefined)[]): LostTime[] {
  const lost: LostTime[] = [];
  let from = 0;
  for (const [i, at] of times.entries()) {
    if (at !== undefined) from = Math.max(from, at);
    else if (i === 0 || times[i - 1] !== undefined) {
      const next = times.find((one, k) => k > i && one !== undefined && one >= from);
      lost.push({ from, to: next ?? Infinity });
    }
  }
  return lost;
}
