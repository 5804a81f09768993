// The result as lines for a terminal.

const VERDICTS = { wrong: 'WRONG', over: 'OVER', ok: 'ok', stated: '' };

export function verdictOf({ ratio, ok, right }) {
  if (right === false) return 'wrong';
  if (ratio === undefined) return 'stated';
  return ok ? 'ok' : 'over';
}

export function printHeader() {
  return line(['', 'what', 'least', 'median', 'spread', 'budget', 'ratio', '', 'beside', 'rule']);
}

export function printRow(row) {
  const { case: name, what, ours, budget, ratio, rule, unit, against } = row;
  return line([
    name,
    what,
    ...[ours.min, ours.median, ours.spread, budget].map((value) => amount(value, unit)),
    ratio?.toFixed(2) ?? '',
    VERDICTS[verdictOf(row)],
    printAgainst(against),
    rule,
  ]);
}

/** 1.4 x git: our median beside theirs. */
export const printAgainst = (against) => (against ? `${against.times.toFixed(2)} x ${against.name}` : '');

export function amount(value, unit) {
  if (value === undefined) return '';
  const [shown, name] = unit === 'ms' && value >= 10_000 ? [value / 1000, 's'] : [value, unit];
  return `${shown.toFixed(unit === 'ms' && shown < 100 ? 1 : 0)} ${name}`;
}

export const number = (value) => value.toLocaleString('en-US');

export function printSummary({ rows, slopes, noise }) {
  const over = rows.filter(({ ok }) => !ok).length;
  const grows = slopes.map((slope) => `${slope.case}  ${slope.series.padEnd(58)}  ${printSlope(slope)}`);
  const wavers = Object.entries(noise).map(([name, times]) => `${name}: ${printNoise(times)}`);
  return [
    `\nThe least of all rounds is held against the budget. ${over === 0 ? 'All within it.' : `${over} OVER.`}`,
    ...(grows.length > 0 ? ['\nHow cost grows with size (0 is flat, 1 is linear):', ...grows] : []),
    `\nThe machine's noise: ${wavers.join('; ')}.`,
  ].join('\n');
}

/** size^0.12 from 1,000 to 100,000; git size^0.10 */
export function printSlope({ sizes, exponent, against }) {
  const git = against === undefined ? '' : `; beside it ${against.toFixed(2)}`;
  return `size^${exponent.toFixed(2)} from ${number(sizes[0])} to ${number(sizes.at(-1))}${git}`;
}

export function printNoise({ min, median, max, spread, rounds }) {
  const share = Math.round((100 * spread) / median);
  return `median ${amount(median, 'ms')}, least ${amount(min, 'ms')}, most ${amount(max, 'ms')}, spread ${share} % of the median (${rounds} times)`;
}

function line([name, what, least, median, spread, budget, ratio, verdict, beside, rule]) {
  const cells = [
    name.padEnd(2),
    what.padEnd(62),
    ...[least, median, spread, budget].map((cell) => cell.padStart(9)),
    ratio.padStart(6),
    verdict.padEnd(5),
    beside.padEnd(14),
  ];
  return [...cells, rule].join('  ').trimEnd();
}
