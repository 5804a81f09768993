import { shortModel } from '../blame/text.ts';
import { COLOURS, LETTERS, printBar } from '../report/bars.ts';
import { first, grouped, howMany, kindPercentages } from '../report/figures.ts';
import { cutPath, nameOf, pathOf } from '../report/names.ts';
import { KINDS } from '../report/tally.ts';
import type { Paint } from '../terminal/colour.ts';
import { plain } from '../terminal/plain.ts';
import { cut, pad, widthOf } from '../terminal/width.ts';
import { type Contribution, filesOf, type LogEntry } from './entry.ts';

export interface LogScreen {
  readonly paint: Paint;
  readonly width: number;
  link(text: string, address: string | undefined): string;
}

const INDENT = '    ';
const BAR = 20;
const SESSIONS = 5;
/** A name this long leaves room for the rest of its line. */
const NAME = 40;
/** More than a screen shows of a subject. */
const SUBJECT = 2000;

/** What the letters of all bars mean, before the first of them. */
export function printLogLegend({ paint, width }: LogScreen): string {
  const legend = 'lines added: A by an agent, M by both, H by a person, ? by nobody knows whom';
  return `${paint('dim', legend.length <= width ? legend : 'A agent, M both, H person, ? unknown')}\n`;
}

/** Who, what, and by whose hand. */
export function* printEntry({ commit, recorded, counts, sessions }: LogEntry, screen: LogScreen): Generator<string> {
  const { paint, width } = screen;
  const refs = refsOf(commit);
  const head = `${plain(commit.date)}  ${cut(nameOf(commit.author), NAME)}${refs === '' ? '' : `  ${refs}`}`;
  yield `${paint('yellow', commit.short)}  ${cut(head, width - commit.short.length - 2)}\n`;
  yield `${INDENT}${paint('bold', cut(plain(commit.subject.slice(0, SUBJECT)), width - INDENT.length))}\n`;
  if (counts.total === 0) {
    yield `${INDENT}${paint('dim', 'no added lines to count')}\n`;
    return;
  }
  yield `${INDENT}${printBar(counts, BAR, paint)}  ${printShares(counts, paint)}${recorded ? '' : '  (no record)'}\n`;
  const { shown, more } = first(sessions, SESSIONS);
  for (const one of shown) yield `${INDENT}${printContribution(one, screen)}\n`;
  if (more > 0) yield `${INDENT}${paint('dim', `${howMany(more, 'more session')}`)}\n`;
}

function refsOf({ refs }: LogEntry['commit']): string {
  const shown = plain(refs.slice(0, SUBJECT));
  return shown === '' ? '' : `(${shown})`;
}

const SHORT_BAR = 10;
/** Of a subject so much is told before the shares are: the bar shows them too. */
const LEAST = 20;

/** `346a193 AAAAAAAAHH (main) subject  A 80 %, H 20 %` */
export function printOneLine({ commit, counts }: LogEntry, { paint, width }: LogScreen): string {
  const subject = [refsOf(commit), plain(commit.subject.slice(0, SUBJECT))].filter(Boolean).join(' ');
  const bar = counts.total === 0 ? ' '.repeat(SHORT_BAR) : printBar(counts, SHORT_BAR, paint);
  const percent = kindPercentages(counts);
  const kinds = KINDS.filter((kind) => counts[kind] > 0);
  const shares = kinds.map((kind) => ({ kind, said: `${LETTERS[kind]} ${percent[kind]}` }));
  const room = width - commit.short.length - SHORT_BAR - 2;
  const taken = shares.reduce((sum, { said }) => sum + said.length + 2, 0);
  const begin = `${paint('yellow', commit.short)} ${bar} `;
  if (taken === 0 || room - taken < LEAST) return `${begin}${cut(subject, Math.max(1, room))}\n`;
  const painted = shares.map(({ kind, said }) => paint(COLOURS[kind], said)).join(', ');
  return `${begin}${cut(subject, room - taken)}  ${painted}\n`;
}

/** One line for each file: how many lines it got, and by whom. */
export function* printFiles(entry: LogEntry, { paint, width }: LogScreen): Generator<string> {
  const files = filesOf(entry).map(({ path, counts }) => ({ name: cutPath(pathOf(path), width / 2), counts }));
  const names = Math.max(...files.map(({ name }) => widthOf(name)));
  const numbers = Math.max(...files.map(({ counts }) => grouped(counts.total).length));
  for (const { name, counts } of files) {
    const total = grouped(counts.total).padStart(numbers);
    yield `${INDENT}${pad(name, names)} | ${total} ${printBar(counts, SHORT_BAR, paint)}  ${printShares(counts, paint)}\n`;
  }
}

function printShares(counts: LogEntry['counts'], paint: Paint): string {
  const percent = kindPercentages(counts);
  return KINDS.filter((kind) => counts[kind] > 0)
    .map((kind) => paint(COLOURS[kind], `${LETTERS[kind]} ${grouped(counts[kind])} (${percent[kind]})`))
    .join(', ');
}

/** `claude-code claude-opus-4-5, session s1, 12 lines`; on a narrow screen as much of it as fits, the session's name first: it opens the rest. */
export function printContribution(one: Contribution, { width, link }: LogScreen): string {
  const { tool, models, session, conversation, lines } = one;
  const [by, ...rest] = [tool.name, ...models.map(shortModel)].map((name) => cut(nameOf(name), NAME));
  const whole = [by, ...rest].join(' ');
  const where = session === null ? undefined : nameOf(session);
  const short = where?.slice(0, SHORT);
  const size = `, ${howMany(lines, 'line')}`;
  const room = width - INDENT.length - size.length;
  const forms = where
    ? [
        `${whole}, session ${cut(where, NAME)}`,
        `${whole}, session ${short}`,
        `${by}, session ${short}`,
        `session ${short}`,
      ]
    : [whole, by ?? ''];
  const form = forms.find((text) => widthOf(text) <= room) ?? forms.at(-1) ?? '';
  return `${link(form, conversation ?? undefined)}${size}`;
}

/** So much of an id is enough to name it. */
const SHORT = 8;
