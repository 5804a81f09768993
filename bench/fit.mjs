// How cost grows with size: a straight line through the logarithms of both.

/** The exponent k of cost = c * size^k by least squares: 0 is flat, 1 is linear. Undefined where there are no two sizes. */
export function fitExponent(points) {
  const logs = points.filter(([size, cost]) => size > 0 && cost > 0).map(([x, y]) => [Math.log(x), Math.log(y)]);
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(logs.map(([x]) => x)), mean(logs.map(([, y]) => y))];
  const spread = logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  if (!(spread > 0)) return undefined;
  return logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread;
}

/** A cost at a size that was not measured, on the line through the two largest sizes that were. */
export function extrapolate(points, size) {
  const sorted = points.toSorted(([a], [b]) => a - b);
  const [last, exponent] = [sorted.at(-1), fitExponent(sorted.slice(-2))];
  return last && exponent !== undefined ? last[1] * (size / last[0]) ** exponent : undefined;
}
