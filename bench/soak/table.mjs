// What was seen at each mark, and what is to be thought of it, as lines for a terminal.
import { judgeGrowth } from './growth.mjs';
import { RULES, settledOf, VERBS } from './rules.mjs';

const WIDTH = 8;
const row = (cells) => cells.map((cell) => String(cell).padStart(WIDTH)).join('');

/** Above each verb's three columns stands its name. */
export function printHead() {
  const over = VERBS.map((verb) => verb.padStart(3 * WIDTH)).join('');
  return [
    `${' '.repeat(3 * WIDTH)}${over}${'agent/'.padStart(3 * WIDTH)}`,
    row(['minute', 'lines', 'notes', ...VERBS.flatMap(() => ['runs', 'MB', 'handles']), 'files', 'kB', 'left']),
  ].join('\n');
}

export function printMark({ minute, lines, notes, peaks, files, kilobytes, left }) {
  const cells = VERBS.flatMap((verb) => {
    const { runs, memory, handles } = peaks[verb] ?? {};
    return [runs ?? '', memory?.toFixed(0) ?? '', handles ?? ''];
  });
  return row([minute.toFixed(1), lines, notes, ...cells, files, kilobytes.toFixed(0), left.length]);
}

/** A line for each rule, and the names of those that are broken. */
export function judgeMarks(marks) {
  const judged = RULES.map((rule) => ({ rule, ...judgeGrowth(settledOf(marks), rule) }));
  return {
    words: judged.map(printJudged),
    grows: judged.filter(({ verdict }) => verdict === 'grows').map(({ rule }) => rule.name),
  };
}

function printJudged({ rule: { name, in: unit, unit: of, per, slack }, verdict, rose, allowed }) {
  const amount = (value) => `${value.toFixed(1)}${unit && ` ${unit}`}`;
  const why = per > 0 ? `${amount(slack)}, and ${amount(per)} for each 1,000 ${of}` : amount(slack);
  const said =
    verdict === 'untold' ? 'too few marks' : `rose by ${amount(rose)}, allowed are ${amount(allowed)} (${why})`;
  return `${name.padEnd(22)}${{ grows: 'GROWS', steady: 'steady', untold: '' }[verdict].padEnd(8)}${said}`;
}
