import { howMany } from '../report/figures.ts';
import type { Paint } from '../terminal/colour.ts';
import { plain } from '../terminal/plain.ts';
import { wrap } from '../terminal/width.ts';
import type { Audit } from './audit.ts';
import type { Category, State } from './categories.ts';
import { DIVERGENCES, type Divergence, type DivergenceKind } from './divergence.ts';

export interface Screen {
  readonly width: number;
  readonly paint: Paint;
}

const COLOURS = { met: 'green', partly: 'yellow', 'not met': 'magenta', 'no data': 'dim' } as const satisfies Readonly<
  Record<State, Parameters<Paint>[0]>
>;
/** So many facts of each kind are shown; the pack has them all. */
const SHOWN = 5;
const LEAST = 30;

/** For a person at a terminal: the table, then what diverges. */
export function* printAudit(audit: Audit, divergence: readonly Divergence[], screen: Screen): Generator<string> {
  const { paint } = screen;
  yield `${paint('bold', `${plain(audit.range)}, ${howMany(audit.commits, 'commit')}`)}`;
  yield `${audit.until === null ? '' : `, up to ${audit.until}`}\n\n`;
  for (const category of audit.categories) yield* printCategory(category, audit.categories, screen);
  for (const kind of Object.keys(DIVERGENCES) as DivergenceKind[]) {
    yield* printFacts(
      kind,
      divergence.filter((one) => one.kind === kind),
      screen,
    );
  }
}

/** Number, name, state, and the figure in as many lines as it takes. */
function* printCategory(one: Category, all: readonly Category[], { width, paint }: Screen): Generator<string> {
  const names = all.reduce((most, { name }) => Math.max(most, name.length), 0);
  const head = `${String(one.number).padStart(2)}  ${one.name.padEnd(names)}  `;
  const state = one.state.padEnd('not met'.length);
  const indent = ' '.repeat(head.length + state.length + 2);
  const [first = '', ...rest] = wrap(plain(one.figure), Math.max(LEAST, width - indent.length));
  yield `${head}${paint(COLOURS[one.state], state)}  ${first}\n`;
  for (const line of rest) yield `${indent}${line}\n`;
}

function* printFacts(kind: DivergenceKind, facts: readonly Divergence[], { paint }: Screen): Generator<string> {
  if (facts.length === 0) return;
  yield `\n${paint('bold', `${DIVERGENCES[kind]}: ${facts.length}`)}\n`;
  for (const { time, session, event, path, what } of facts.slice(0, SHOWN)) {
    const where = path === null ? '' : `${plain(path)}: `;
    yield `  ${plain(time)}  ${plain(session)}#${plain(event)}  ${where}${plain(what)}\n`;
  }
  if (facts.length > SHOWN) yield `  and ${howMany(facts.length - SHOWN, 'more fact')}\n`;
}
