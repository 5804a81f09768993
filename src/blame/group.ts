import { readable } from '../lines/text.ts';
import { plain, visible } from '../terminal/plain.ts';
import { cut, pad, widthOf } from '../terminal/width.ts';
import type { AnnotatedLine } from './annotate.ts';
import type { Stretch } from './outline.ts';
import { printWhole, type Slice, Tally } from './slices.ts';
import { COLOURS, MARKERS, printSummary, revision, showsFile, type TextOptions, who } from './text.ts';

/** Names are told once for many lines, but not at any length. */
const NAME = 100;

/** Lines in a row of one commit and one hand, under one heading; then one line of counts. */
export function groupPrinter(outline: readonly Stretch[], asked: TextOptions) {
  const lasts = outline.map(({ last }) => last);
  const options = { ...asked, file: showsFile(lasts, asked) };
  const width = String(lasts.at(-1)?.blamed.line ?? 0).length;
  const runs = new Map(runsOf(outline).map((run) => [run.start, run]));
  const tally = new Tally();
  let gap = '';
  return {
    begin: () => (options.headed ? `${options.paint('bold', plain(options.path))}\n` : ''),
    *some({ lines }: Slice): Generator<string> {
      for (const { blamed, origin } of lines) {
        const run = runs.get(blamed.line);
        if (run && gap !== '') yield gap;
        if (run) yield printHeading(run, options);
        gap = '\n';
        tally.add(origin);
        yield `  ${pad(String(blamed.line), width, 'start')}  ${visible(readable(blamed.text))}\n`;
      }
    },
    end: () => `${gap}${options.paint('dim', printSummary(tally.summary))}\n`,
  };
}

export function printGroups(lines: readonly AnnotatedLine[], asked: TextOptions): Generator<string> {
  return printWhole(groupPrinter(lines.map(alone), asked), { lines });
}

/** A line as a stretch of its own. */
export function alone(last: AnnotatedLine): Stretch {
  return { start: last.blamed.line, last };
}

/** Lines under one heading: their numbers, and one of the first of them. */
export interface Run {
  readonly start: number;
  readonly end: number;
  readonly first: AnnotatedLine;
}

/** Each line in one run, in order; a run ends where the heading would say something else, or lines are left out. */
export function runsOf(outline: readonly Stretch[]): Run[] {
  const runs: { start: number; end: number; first: AnnotatedLine }[] = [];
  let before: AnnotatedLine | undefined;
  for (const { start, last } of outline) {
    const run = runs.at(-1);
    const end = last.blamed.line;
    if (run && before && run.end + 1 === start && belongs(before, last)) run.end = end;
    else runs.push({ start, end, first: last });
    before = last;
  }
  return runs;
}

function belongs(a: AnnotatedLine, b: AnnotatedLine): boolean {
  return (
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
function printHeading({ start, end, first }: Run, options: TextOptions): string {
  const { blamed, origin, conversation } = first;
  const part = (text: string, show = (plainly: string) => plainly): Part => ({ text, shown: show(text) });
  const colour = COLOURS[origin.type];
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
