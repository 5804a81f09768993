// npm run bench: our paths beside git itself and `node -e 0`, in one run.
// Options: --only a,b  --sizes 1000,10000  --million  --small  --json  --out FILE  --markdown FILE  --from FILE
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { CASES, SMALL } from './cases/index.mjs';
import { printMarkdown } from './markdown.mjs';
import { machine } from './measure.mjs';
import { openNoise } from './noise.mjs';
import { printHeader, printRow, printSummary } from './print.mjs';
import { completeRow, GROSS, slopesOf } from './rows.mjs';

const SIZES = [1000, 10_000, 100_000];
const text = { type: 'string' };
const flag = { type: 'boolean' };
const { values: options } = parseArgs({
  options: {
    ...{ only: text, sizes: text, out: text, markdown: text, from: text },
    ...{ small: flag, json: flag, million: flag },
  },
});

const result = options.from ? JSON.parse(fs.readFileSync(options.from, 'utf8')) : await measure();
if (options.out) fs.writeFileSync(options.out, `${JSON.stringify(result, null, 2)}\n`);
if (options.markdown) fs.writeFileSync(options.markdown, printMarkdown(result));
if (options.json) console.log(JSON.stringify(result, null, 2));
else if (!options.from) console.log(printSummary(result));
process.exitCode = result.rows.every(({ ok }) => ok) ? 0 : 1;

async function measure() {
  const wanted = options.only?.split(',') ?? (options.small ? SMALL : Object.keys(CASES));
  checkNames(wanted);
  const noise = openNoise();
  const rows = [];
  const setting = settingOf(options);
  if (!options.json) console.log(`${machine()}\n\n${printHeader()}`);
  for (const name of wanted) {
    noise.sample(setting.rounds(10));
    for (const row of await CASES[name](setting)) {
      const whole = completeRow(name, row, options.small ? GROSS : 1);
      rows.push(whole);
      if (!options.json) console.log(printRow(whole));
    }
  }
  noise.sample(setting.rounds(10));
  const { sizes, small } = setting;
  return { machine: machine(), sizes, small, noise: noise.figures(), rows, slopes: slopesOf(rows) };
}

/** What every case is told: how large, and how often. */
function settingOf({ sizes, small = false, million = false }) {
  const named = sizes?.split(',').map(Number);
  return {
    small,
    sizes: named ?? (small ? SIZES.slice(0, 1) : [...SIZES, ...(million ? [1_000_000] : [])]),
    rounds: (count) => (small ? Math.ceil(count / 5) : count),
  };
}

function checkNames(wanted) {
  const strange = wanted.filter((name) => !Object.hasOwn(CASES, name));
  if (strange.length === 0) return;
  console.error(`bench: no case ${strange.join(', ')}; there are ${Object.keys(CASES).join(', ')}.`);
  process.exit(2);
}
