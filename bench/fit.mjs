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

/** From here on the rest is a start that counts for less and less. */
const LINEAR = 0.7;

/** A cost at a size that was not measured, from the largest one on: linear where it was nearly so or more, else as it grew so far. */
export function extrapolate(points, size) {
  const [last, exponent] = [points.toSorted(([a], [b]) => a - b).at(-1), fitExponent(points)];
  if (!last || exponent === undefined) return undefined;
  return last[1] * (size / last[0]) ** (exponent >= LINEAR ? 1 : exponent);
}
