import '../../test/support/environment.ts';
import { parseArgs } from 'node:util';
import type { Kind } from './line.ts';
import { moving } from './moving.ts';
import { OPERATIONS } from './operations/index.ts';
import { JJ_WALKS } from './operations/jj.ts';
import { byAgents, randomly } from './random.ts';
import { NOTHING, type Score, sum } from './score.ts';
import { type Operation, play } from './stage.ts';

/** Sequences of operations. */
const WALKS: Readonly<Record<string, Operation>> = {
  random: randomly,
  'random, agents with a shell': byAgents,
  'random, moves and copies': moving,
  ...JJ_WALKS,
};

const KINDS: readonly Kind[] = ['unique', 'repeated'];

/** One line of the table. `failure`: it could not be played. */
interface Row {
  readonly name: string;
  readonly kind: Kind;
  readonly seed: number;
  readonly score: Score;
  readonly failure?: string;
}

async function row(name: string, kind: Kind, seed: number): Promise<Row> {
  const operation = OPERATIONS[name] ?? WALKS[name] ?? randomly;
  try {
    return { name, kind, seed, score: await play(operation, kind, seed) };
  } catch (error) {
    return { name, kind, seed, score: NOTHING, failure: error instanceof Error ? error.message : String(error) };
  }
}

function percent(part: number, score: Score): string {
  const all = score.right + score.wrong + score.lost;
  return `${all === 0 ? '-' : ((100 * part) / all).toFixed(2)} %`.padStart(10);
}

/** As soon as it is known: thousands of seeds take a while. */
function printNotes({ name, kind, seed, failure, score }: Row): void {
  for (const note of failure ? [failure] : score.notes) console.log(`    ${name}, ${kind}, seed ${seed}: ${note}`);
}

function print(name: string, kind: Kind, score: Score): void {
  const { right, wrong, lost } = score;
  const cells = [right, wrong, lost].map((part) => percent(part, score)).join('');
  console.log(`${name.padEnd(38)}${kind.padEnd(10)}${cells}`);
}

const { values } = parseArgs({
  options: {
    op: { type: 'string' },
    lines: { type: 'string' },
    seeds: { type: 'string', default: '100' },
    from: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
});
const [from, count] = [Number(values.from), Number(values.seeds)];
const seeds = Array.from({ length: count }, (_, i) => from + i);
const names = values.op === undefined ? [...Object.keys(OPERATIONS), ...Object.keys(WALKS)] : [values.op];
if (names.some((name) => !WALKS[name] && !OPERATIONS[name])) throw new Error(`there is no operation ${values.op}`);
const all: Row[] = [];
for (const name of names) {
  for (const kind of KINDS.filter((one) => values.lines === undefined || one === values.lines)) {
    const rows: Row[] = [];
    // an operation by itself is played with many seeds only when it is asked for by name
    for (const seed of WALKS[name] || values.op ? seeds : [from]) {
      const one = await row(name, kind, seed);
      if (!values.json) printNotes(one);
      rows.push(one);
    }
    if (!values.json) print(name, kind, sum(rows.map(({ score }) => score)));
    all.push(...rows);
  }
}
const whole = sum(all.map(({ score }) => score));
if (values.json) console.log(JSON.stringify({ rows: all, whole: { ...whole, notes: undefined } }, undefined, 1));
else
  console.log(
    `${'all'.padEnd(48)}${[whole.right, whole.wrong, whole.lost].map((part) => percent(part, whole)).join('')}`,
  );
if (whole.wrong > 0 || all.some(({ failure }) => failure !== undefined)) process.exitCode = 1;
