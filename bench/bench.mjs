// npm run bench: our paths beside git itself and `node -e 0`, in one run. Options: --only a,b  --full  --json
import { parseArgs } from 'node:util';
import { blames } from './cases/blame.mjs';
import { contents } from './cases/content.mjs';
import { delays } from './cases/delay.mjs';
import { gates, trees } from './cases/gate.mjs';
import { commits, edits, shells } from './cases/hooks.mjs';
import { joins } from './cases/join.mjs';
import { notes } from './cases/notes.mjs';
import { rebases } from './cases/rebase.mjs';
import { machine } from './measure.mjs';

const CASES = {
  ...{ a: commits, b: edits, c: shells, d: delays, e: blames, f: joins, g: notes, h: contents, i: rebases },
  ...{ j: gates, k: trees },
};

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    full: { type: 'boolean' },
    json: { type: 'boolean' },
    million: { type: 'boolean' },
  },
});
const wanted = options.only?.split(',') ?? Object.keys(CASES);
const strange = wanted.filter((name) => !Object.hasOwn(CASES, name));
if (strange.length > 0) {
  console.error(`bench: no case ${strange.join(', ')}; there are ${Object.keys(CASES).join(', ')}.`);
  process.exit(2);
}

const rows = [];
if (!options.json) console.log(`${machine()}\n\n${header()}`);
for (const name of wanted) {
  for (const row of await CASES[name](options)) {
    // a row without a budget states a figure
    const ratio = row.budget === undefined ? undefined : row.ours.min / row.budget;
    const whole = { case: name, unit: 'ms', ...row, ratio, ok: (ratio ?? 0) <= 1 && row.right !== false };
    rows.push(whole);
    if (!options.json) console.log(printRow(whole));
  }
}
if (options.json) console.log(JSON.stringify({ machine: machine(), rows }, null, 2));
else {
  const over = rows.filter(({ ok }) => !ok).length;
  console.log(
    `\nThe least of all rounds is held against the budget. ${over === 0 ? 'All within it.' : `${over} OVER.`}`,
  );
}
process.exitCode = rows.every(({ ok }) => ok) ? 0 : 1;

function header() {
  return line(['', 'what', 'least', 'median', 'budget', 'ratio', '', 'rule']);
}

function printRow({ case: name, what, ours, budget, ratio, ok, rule, unit, right }) {
  const verdict = right === false ? 'WRONG' : ratio === undefined ? '' : ok ? 'ok' : 'OVER';
  return line([
    name,
    what,
    amount(ours.min, unit),
    amount(ours.median, unit),
    amount(budget, unit),
    ratio?.toFixed(2) ?? '',
    verdict,
    rule,
  ]);
}

function amount(value, unit) {
  if (value === undefined) return '';
  return `${value.toFixed(unit === 'ms' && value < 100 ? 1 : 0)} ${unit}`;
}

function line([name, what, least, median, budget, ratio, verdict, rule]) {
  const cells = [
    name.padEnd(2),
    what.padEnd(58),
    ...[least, median, budget].map((cell) => cell.padStart(9)),
    ratio.padStart(6),
  ];
  return [...cells, verdict.padEnd(5), rule].join('  ').trimEnd();
}
