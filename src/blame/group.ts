import { readable } from '../lines/text.ts';
import { plain, visible } from '../terminal/plain.ts';
import { cut, pad, widthOf } from '../terminal/width.ts';
import { type AnnotatedLine, summarise } from './annotate.ts';
import { COLOURS, MARKERS, printSummary, revision, showsFile, type TextOptions, who } from './text.ts';

/** Names are told once for many lines, but not at any length. */
const NAME = 100;

/** Lines in a row of one commit and one hand, under one heading; then one line of counts. */
export function* printGroups(lines: readonly AnnotatedLine[], asked: TextOptions): Generator<string> {
  const options = { ...asked, file: showsFile(lines, asked) };
  if (options.headed) yield `${options.paint('bold', plain(options.path))}\n`;
  const width = String(lines.at(-1)?.blamed.line ?? 0).length;
  for (const [i, run] of groupLines(lines).entries()) {
    if (i > 0) yield '\n';
    yield printHeading(run, options);
    for (const { blamed } of run) {
      yield `  ${pad(String(blamed.line), width, 'start')}  ${visible(readable(blamed.text))}\n`;
    }
  }
  if (lines.length > 0) yield '\n';
  yield `${options.paint('dim', printSummary(summarise(lines)))}\n`;
}

/** Each line in one run, in order; a run ends where the heading would say something else, or lines are left out. */
export function groupLines(lines: readonly AnnotatedLine[]): AnnotatedLine[][] {
  const runs: AnnotatedLine[][] = [];
  let last: AnnotatedLine | undefined;
  for (const line of lines) {
    if (last && belongs(last, line)) runs.at(-1)?.push(line);
    else runs.push([line]);
    last = line;
  }
  return runs;
}

function belongs(a: AnnotatedLine, b: AnnotatedLine): boolean {
  return (
    a.blamed.line + 1 === b.blamed.line &&
    a.blamed.commit === b.blamed.commit &&
    a.blamed.originalFile === b.blamed.originalFile &&
    a.origin.type === b.origin.type &&
    a.origin.reason === b.origin.reason &&
    a.origin.agent?.session === b.origin.agent?.session &&
    a.origin.agent?.model === b.origin.agent?.model &&
    a.origin.agent?.tool.name === b.origin.agent?.tool.name
  );
}

/** One thing that a heading says: as it is, and with its colour and link. */
interface Part {
  readonly text: string;
  readonly shown: string;
}

/** `A claude-code claude-opus-4-5  1f5bd7a2  2026-01-02  session s1  lines 9-11` */
function printHeading(run: readonly AnnotatedLine[], options: TextOptions): string {
  const [first] = run;
  if (!first) return '';
  const { blamed, origin, conversation } = first;
  const part = (text: string, show = (plainly: string) => plainly): Part => ({ text, shown: show(text) });
  const colour = COLOURS[origin.type];
  const [start, end] = [blamed.line, blamed.line + run.length - 1];
  const session = plain(origin.agent?.session ?? '');
  const name = options.short ? '' : cut(who(first, options.mail), NAME);
  const parts = [
    part(name, (text) => options.paint(colour, options.link?.(text, conversation) ?? text)),
    part(revision(first, options), (text) => options.paint('dim', text)),
    part(options.short ? '' : plain(options.date({ seconds: blamed.authorTime, zone: blamed.authorZone }))),
    part(options.file ? cut(plain(blamed.originalFile), NAME) : ''),
    part(session === '' ? '' : `session ${cut(session, NAME)}`),
    part(origin.type === 'unknown' ? cut(plain(origin.reason ?? ''), NAME) : ''),
    part(start === end ? `line ${start}` : `lines ${start}-${end}`),
  ];
  const said = parts.filter(({ text }) => text.trim() !== '');
  return `${options.paint(colour, MARKERS[origin.type])} ${printParts(said, options.columns)}\n`;
}

/** The marker and the blank after it; what stands below begins under the first name. */
const INDENT = 2;
const GAP = 2;

/** What has no room on the screen stands below: an id that is broken in two cannot be copied. */
function printParts(parts: readonly Part[], columns = Number.POSITIVE_INFINITY): string {
  let [printed, at] = ['', INDENT];
  for (const [i, { text, shown }] of parts.entries()) {
    const width = widthOf(text);
    const below = i > 0 && at + GAP + width > columns;
    if (i > 0) printed += below ? `\n${' '.repeat(INDENT)}` : ' '.repeat(GAP);
    printed += shown;
    at = (below || i === 0 ? INDENT : at + GAP) + width;
  }
  return printed;
}
