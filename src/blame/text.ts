import type { ContributorType, Origin } from '../lines/origin.ts';
import { readable } from '../lines/text.ts';
import type { Colour, Paint } from '../terminal/colour.ts';
import { plain, visible } from '../terminal/plain.ts';
import { cut, pad, widthOf } from '../terminal/width.ts';
import type { AnnotatedLine, Summary } from './annotate.ts';
import { cutPath, fitColumns, MOST, type Widths } from './columns.ts';
import type { PrintDate } from './date.ts';
import { printWhole, type Slice, Tally } from './slices.ts';

/** One letter, so that nobody needs to see colours. */
export const MARKERS: Readonly<Record<ContributorType, string>> = { ai: 'A', human: 'H', mixed: 'M', unknown: '?' };
export const COLOURS: Readonly<Record<ContributorType, Colour>> = {
  ai: 'magenta',
  human: 'green',
  mixed: 'yellow',
  unknown: 'dim',
};

export interface TextOptions {
  /** Characters of the revision, the place for a boundary's ^ included. */
  readonly abbrev: number;
  readonly date: PrintDate;
  readonly paint: Paint;
  /** -e: the author's mail address in place of the name. */
  readonly mail: boolean;
  /** -s: neither who nor date. */
  readonly short: boolean;
  /** -b: nothing in place of a boundary's revision. */
  readonly blankBoundary: boolean;
  /** -f: the file's name in the commit that wrote the line; shown anyway where it is not `path`. */
  readonly file: boolean;
  /** -n: the line's number in the commit that wrote it. */
  readonly originalNumber: boolean;
  /** The file's name. */
  readonly path: string;
  /** It is one of several: its name stands above its lines. */
  readonly headed: boolean;
  /** Cells of a line of the screen, where there is one. */
  readonly columns?: number | undefined;
  /** A date that was asked for is shown on any screen. */
  readonly keepDate?: boolean;
  /** Makes a name lead to its conversation. */
  link?(text: string, address: string | undefined): string;
}

/** What stands before a line; lines of one commit and one origin share it. */
interface Head {
  readonly who: string;
  readonly date: string;
  readonly file: string;
}

/**
 * One line per line of the file, columns aligned, then one line of counts. `outline`: all lines, or the last of each stretch of like ones,
 * which are as wide.
 */
export function textPrinter(outline: readonly AnnotatedLine[], asked: TextOptions) {
  const options = { ...asked, file: showsFile(outline, asked) };
  const headOf = headMaker(options);
  const printRow = rowPrinter(headOf, { widths: widthsOf(outline, headOf, options), options });
  const tally = new Tally();
  return {
    begin: () => (options.headed ? `${options.paint('bold', plain(options.path))}\n` : ''),
    *some({ lines }: Slice): Generator<string> {
      for (const line of lines) {
        tally.add(line.origin);
        yield printRow(line);
      }
    },
    end: () => `${options.paint('dim', printSummary(tally.summary))}\n`,
  };
}

export function printText(lines: readonly AnnotatedLine[], asked: TextOptions): Generator<string> {
  return printWhole(textPrinter(lines, asked), { lines });
}

function widthsOf(
  outline: readonly AnnotatedLine[],
  headOf: (line: AnnotatedLine) => Head,
  { abbrev, originalNumber, columns, keepDate }: TextOptions,
): Widths {
  const heads = [...new Set(outline.map(headOf))];
  const width = (pick: (head: Head) => string) =>
    heads.reduce((widest, head) => Math.max(widest, widthOf(pick(head))), 0);
  return fitColumns(
    {
      revision: Math.min(abbrev, outline[0]?.blamed.commit.length ?? 0),
      who: width(({ who }) => who),
      date: width(({ date }) => date),
      file: width(({ file }) => file),
      number: String(outline.at(-1)?.blamed.line ?? 0).length,
      original: originalNumber
        ? String(outline.reduce((most, { blamed }) => Math.max(most, blamed.originalLine), 0)).length
        : 0,
    },
    columns,
    keepDate,
  );
}

/** As git: a renamed file shows where its lines were. */
export function showsFile(
  lines: readonly AnnotatedLine[],
  { file, path }: Pick<TextOptions, 'file' | 'path'>,
): boolean {
  return file || lines.some(({ blamed }) => blamed.originalFile !== path);
}

/** Made once for many lines: with half a million of them, somebody waits for the first. */
function headMaker(options: TextOptions): (line: AnnotatedLine) => Head {
  const known = new Map<Origin, Map<string, Head>>();
  let last: { readonly line: AnnotatedLine; readonly head: Head } | undefined;
  return (line) => {
    const { commit, originalFile } = line.blamed;
    if (last && isLike(last.line, line)) return last.head;
    const ofOrigin = known.get(line.origin) ?? new Map<string, Head>();
    known.set(line.origin, ofOrigin);
    const key = `${commit} ${originalFile}`;
    const head = ofOrigin.get(key) ?? makeHead(line, options);
    ofOrigin.set(key, head);
    last = { line, head };
    return head;
  };
}

function isLike(a: AnnotatedLine, b: AnnotatedLine): boolean {
  return (
    a.origin === b.origin && a.blamed.commit === b.blamed.commit && a.blamed.originalFile === b.blamed.originalFile
  );
}

function makeHead(line: AnnotatedLine, options: TextOptions): Head {
  const { blamed } = line;
  const date = options.short ? '' : options.date({ seconds: blamed.authorTime, zone: blamed.authorZone });
  return {
    who: options.short ? '' : cut(who(line, options.mail), MOST.who),
    date: plain(date),
    file: options.file ? plain(blamed.originalFile) : '',
  };
}

interface Layout {
  readonly widths: Widths;
  readonly options: TextOptions;
}

/** What a row has in common with those of its head: all before its numbers. */
interface Start {
  readonly conversation: string | undefined;
  readonly before: string;
  readonly about: string;
}

function rowPrinter(headOf: (line: AnnotatedLine) => Head, layout: Layout): (line: AnnotatedLine) => string {
  const { widths, options } = layout;
  const starts = new Map<Head, Start>();
  return (line) => {
    const { blamed, conversation } = line;
    const head = headOf(line);
    let start = starts.get(head);
    if (!start || start.conversation !== conversation) {
      start = makeStart(line, head, layout);
      starts.set(head, start);
    }
    const original = options.originalNumber ? `${String(blamed.originalLine).padStart(widths.original)} ` : '';
    const number = String(blamed.line).padStart(widths.number);
    const closing = options.short ? `${number})` : `${start.about} ${number})`;
    return `${start.before} ${original}${closing} ${visible(readable(blamed.text))}\n`;
  };
}

function makeStart(line: AnnotatedLine, { who, date, file }: Head, { widths, options }: Layout): Start {
  const { origin, conversation } = line;
  const colour = COLOURS[origin.type];
  const before = [options.paint('dim', revision(line, options)), options.paint(colour, MARKERS[origin.type])];
  if (options.file) before.push(pad(cutPath(file, widths.file), widths.file));
  const name = cut(who, widths.who);
  // the link ends where the name does
  const gap = ' '.repeat(Math.max(0, widths.who - widthOf(name)));
  const when = widths.date > 0 ? ` ${pad(date, widths.date)}` : '';
  const about = `(${options.paint(colour, (options.link?.(name, conversation) ?? name) + gap)}${when}`;
  return { conversation, before: before.join(' '), about };
}

/** As git: a boundary's ^ takes one character of the revision, so that columns stay. */
export function revision({ blamed }: AnnotatedLine, { abbrev, blankBoundary }: TextOptions): string {
  const length = Math.min(abbrev, blamed.commit.length);
  if (!blamed.boundary) return blamed.commit.slice(0, length);
  return blankBoundary ? ' '.repeat(length) : `^${blamed.commit.slice(0, length - 1)}`;
}

/** The agent and its model where an agent wrote, else the author git knows. */
export function who({ blamed, origin }: Pick<AnnotatedLine, 'blamed' | 'origin'>, mail: boolean): string {
  const { agent } = origin;
  if (!agent) return mail ? `<${plain(blamed.authorMail)}>` : plain(blamed.author);
  return plain(agent.model ? `${agent.tool.name} ${shortModel(agent.model)}` : agent.tool.name);
}

/** anthropic/claude-opus-4-5-20251101 -> claude-opus-4-5 */
export function shortModel(model: string): string {
  return model.slice(model.lastIndexOf('/') + 1).replace(/-20\d{6}$/, '');
}

/** 4 lines: A ai 3 (75%), H human 1 (25%), M mixed 0, ? unknown 0 */
export function printSummary(summary: Summary): string {
  const parts = (Object.keys(MARKERS) as ContributorType[]).map((type) => {
    const share = summary[type] === 0 ? '' : ` (${Math.round((100 * summary[type]) / summary.total)}%)`;
    return `${MARKERS[type]} ${type} ${summary[type]}${share}`;
  });
  return `${summary.total} line${summary.total === 1 ? '' : 's'}: ${parts.join(', ')}`;
}
