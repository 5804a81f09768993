// The result as docs/performance.md.
import { amount, number, printAgainst, printNoise, verdictOf } from './print.mjs';

const WORDS = { wrong: '**wrong**', over: '**over**', ok: 'yes', stated: '' };

export function printMarkdown(result) {
  const { machine, noise, sizes } = result;
  return `${[
    '# How fast it is',
    '',
    '<!-- Written by npm run bench: do not edit. -->',
    '',
    `Made by \`npm run bench -- --markdown docs/performance.md\`. What each row does, and why its budget is what it is: [bench.md](bench.md). ${machine}; sizes ${sizes.map(number).join(', ')}.`,
    '',
    verdict(result),
    '',
    ...Object.entries(noise).map(
      ([name, times]) => `- noise of this machine over the whole run, \`${name}\`: ${printNoise(times)}`,
    ),
    '',
    'The least of all rounds is held against the budget; all contestants of a row take turns in the same rounds. Spread is the distance between the quartiles of the rounds. "Beside" is our median',
    'over that of git, or of `node -e 0` where git has nothing like it.',
    '',
    ...tables(result),
  ].join('\n')}\n`;
}

function verdict({ rows }) {
  const judged = rows.filter(({ ratio }) => ratio !== undefined);
  const bad = judged.filter(({ ok }) => !ok);
  if (bad.length === 0) return `All ${judged.length} budgets are met.`;
  const named = bad.map((row) => `${row.case} (${row.what.trim()}: ${row.ratio.toFixed(2)} x the budget)`);
  return `${judged.length - bad.length} of ${judged.length} budgets are met; over: ${named.join('; ')}.`;
}

/** The verbs have a table of their own: there are many, and all alike. */
function tables({ rows, slopes }) {
  const starts = rows.filter(({ verb }) => verb);
  return [
    ...budgetTable(rows.filter(({ verb }) => !verb)),
    ...(slopes.length > 0 ? ['', '## How cost grows with size', '', ...slopeTable(slopes)] : []),
    ...(starts.length > 0 ? ['', '## Cold start of every verb', '', ...startTable(starts)] : []),
  ];
}

function budgetTable(rows) {
  return [
    '| | path | least | median | spread | budget | ratio | met | beside | rule |',
    '|---|---|--:|--:|--:|--:|--:|---|--:|---|',
    ...rows.map((row) => {
      const { case: name, what, ours, budget, unit, ratio, against, rule } = row;
      const amounts = [ours.min, ours.median, ours.spread, budget].map((value) => amount(value, unit));
      const cells = [name, what.replace(/^ +/, '- '), ...amounts, ratio?.toFixed(2) ?? '', WORDS[verdictOf(row)]];
      return `| ${[...cells, printAgainst(against), rule].join(' | ')} |`;
    }),
  ];
}

function slopeTable(slopes) {
  return [
    'Cost as a power of the size, fitted by least squares on the logarithms: 0 is flat, 1 is linear.',
    '',
    '| | path | sizes | exponent | of what is beside it |',
    '|---|---|---|--:|--:|',
    ...slopes.map(
      ({ case: name, series, sizes, exponent, against }) =>
        `| ${name} | ${series} | ${sizes.map(number).join(', ')} | ${exponent.toFixed(2)} | ${against?.toFixed(2) ?? ''} |`,
    ),
  ];
}

/** One line for each verb: its help, and what it does in a repository with two commits. */
function startTable(rows) {
  const verbs = [...new Set(rows.map(({ verb }) => verb))];
  const cells = (row) => (row ? [amount(row.ours.median, 'ms'), row.against.times.toFixed(2)] : ['', '']);
  return [
    '`VERB --help`, and the verb at work in a repository with two commits; medians, and times `node -e 0`.',
    '',
    '| verb | `--help` | x node | at work | x node |',
    '|---|--:|--:|--:|--:|',
    ...verbs.map((verb) => {
      const of = (kind) => cells(rows.find((row) => row.case === kind && row.verb === verb));
      return `| ${[verb, ...of('m'), ...of('n')].join(' | ')} |`;
    }),
  ];
}
