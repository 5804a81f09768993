// Whether something grows that should not: a straight line through what was seen at each mark, held against what it may rise.

/** With fewer marks chance decides. */
const LEAST = 4;

/**
 * The median of the slopes between all pairs of points (Theil and Sen): a few odd ones, a rebase of many commits or a late garbage
 * collection, do not tilt it. Undefined where all points have the same x.
 */
export function slopeOf(points) {
  const slopes = points.flatMap(([x, y], i) =>
    points.slice(i + 1).flatMap(([otherX, otherY]) => (otherX === x ? [] : [(otherY - y) / (otherX - x)])),
  );
  if (slopes.length === 0) return undefined;
  slopes.sort((a, b) => a - b);
  const middle = slopes.length >> 1;
  return slopes.length % 2 ? slopes[middle] : (slopes[middle - 1] + slopes[middle]) / 2;
}

/**
 * A rule names what is looked at (`of`), along what it may grow (`along`), by how much per 1,000 of that (`per`), and how much it wavers
 * anyway (`slack`). Marks that know nothing of it are left out. Gives how much it rose along the line, and what was allowed.
 */
export function judgeGrowth(marks, { of, along, per, slack }) {
  const points = marks.flatMap((mark) => (of(mark) === undefined ? [] : [[along(mark), of(mark)]]));
  const slope = points.length < LEAST ? undefined : slopeOf(points);
  if (slope === undefined) return { verdict: 'untold' };
  const xs = points.map(([x]) => x);
  const way = Math.max(...xs) - Math.min(...xs);
  const [rose, allowed] = [slope * way, slack + (per * way) / 1000];
  return { verdict: rose > allowed ? 'grows' : 'steady', rose, allowed };
}
