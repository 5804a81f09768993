// The figures of docs/scale.md: what notes weigh, and what fetching, uniting and indexing them costs as they become more.
// node bench/scale.mjs [--sizes 1000,10000,100000] [--to 10000000] [--out FILE]
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { extrapolate, fitExponent } from './fit.mjs';
import { loadSource } from './history.mjs';
import { machine } from './measure.mjs';
import { makePlace } from './place.mjs';
import { number } from './print.mjs';
import { measureAt, weigh } from './scale-steps.mjs';

const text = { type: 'string' };
const { values } = parseArgs({ options: { sizes: text, to: text, out: text } });
const sizes = (values.sizes ?? '1000,10000,100000').split(',').map(Number);
const aim = Number(values.to ?? 10_000_000);

const UNITS = {
  bytes: [
    [1e9, 'GB'],
    [1e6, 'MB'],
    [1e3, 'kB'],
    [1, 'B'],
  ],
  ms: [
    [60_000, 'min'],
    [1000, 's'],
    [1, 'ms'],
  ],
};

const place = makePlace('weigh');
const shapes = weigh(await loadSource(place));
await place.remove();
const rows = [];
for (const size of sizes) rows.push({ size, ...(await measureAt(size)) });
const result = { machine: machine(), shapes, rows };
if (values.out) fs.writeFileSync(values.out, `${JSON.stringify(result, null, 2)}\n`);
console.log(`${machine()}\n\n${printShapes()}\n\n${printRows()}`);

function printShapes() {
  const line = ({ files, lines, bytes, packed }) => `| ${[files, lines, number(bytes), number(packed)].join(' | ')} |`;
  return ['| files | lines | bytes of the note | deflated |', '|--:|--:|--:|--:|', ...shapes.map(line)].join('\n');
}

/** The last column is no measurement. */
function printRows() {
  const names = Object.keys(rows[0]).filter((name) => name !== 'size');
  const head = ['', ...sizes.map((size) => `${number(size)} notes`), 'grows as', `${number(aim)}, extrapolated`];
  const table = [head, head.map((_, i) => (i === 0 ? '---' : '--:')), ...names.map(rowOf)];
  return table.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Names end with their unit; what is only counted goes up in steps. */
function rowOf(name) {
  const [, label, unit] = /^(.*?)(?:, (bytes|ms))?$/.exec(name);
  const points = rows.map((row) => [row.size, row[name]]);
  const shown = points.map(([, value]) => print(value, unit));
  if (!unit) return [label, ...shown, '', ''];
  const exponent = fitExponent(points);
  const grows = exponent === undefined ? '' : `n^${exponent.toFixed(2)}`;
  return [label, ...shown, grows, print(extrapolate(points, aim), unit)];
}

function print(value, unit) {
  if (value === undefined || !unit) return value === undefined ? '' : number(value);
  const steps = UNITS[unit];
  const [least, name] = steps.find(([one]) => value >= one) ?? steps.at(-1);
  return `${number(Number((value / least).toPrecision(3)))} ${name}`;
}
