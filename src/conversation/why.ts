import { plain, plainLines, visible } from '../terminal/plain.ts';
import { cut, pad, widthOf, wrap } from '../terminal/width.ts';
import type { Behind } from './behind.ts';
import { type Page, printFields } from './print.ts';
import type { ToldLine } from './print-story.ts';
import { inUtc } from './summary.ts';
import { type Advice, adviceFor, evidenceInWords, viaInWords, WRITERS } from './words.ts';

export interface WhyLine extends ToldLine {
  /** The first line of the commit's message. */
  readonly summary: string;
  /** As short as git shows it; null where it is not committed. */
  readonly short: string | null;
}

/** A screen has 24 lines where nobody says another number; the last one is the shell's. */
const ROWS = 24;
const INDENT = '    ';
/** Texts may be of any length; more than this of one is not looked at. */
const MOST = 1 << 20;

/** Why a line is as it is, on one screen of at most `page.width` cells. */
export function* printWhy(told: WhyLine, page: Page & { readonly rows?: number | undefined }): Generator<string> {
  const title = `${plain(`${told.file}:${told.line}`)}  ${visible(told.text.slice(0, MOST)).replaceAll('\t', '  ')}`;
  const head = [page.paint('bold', cut(title, page.width)), '', ...fieldsOf(told, page)];
  const tail = ['', ...adviceLines(advice(told), page)];
  const blocks = told.behind ? blocksOf(told.behind, told.text) : [];
  const why = told.why ? ['', ...wrap(plain(told.why.slice(0, MOST)), page.width)] : [];
  const rows = (page.rows ?? ROWS) - 1;
  // a command is not cut: on a narrow screen it takes more than one row
  const below = tail.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(unpainted(line)) / page.width)), 0);
  const room = rows - head.length - below;
  const body = blocks.length > 0 ? ['', ...printBlocks(blocks, room - 1, page)] : why.slice(0, Math.max(0, room));
  // who and when come first: where even that is too much, what to do next is left out, then the rest
  const fits = head.length + body.length + below <= rows ? tail : [];
  for (const line of [...head, ...body, ...fits].slice(0, Math.max(rows, head.length))) yield `${line}\n`;
}

function unpainted(line: string): string {
  return line.replace(/\x1b\[[\d;]*m/g, '');
}

function fieldsOf(told: WhyLine, page: Page): string[] {
  const tool = told.tool && [told.tool.name, told.tool.version].filter(Boolean).join(' ');
  const writer = Object.hasOwn(WRITERS, told.type) ? WRITERS[told.type as keyof typeof WRITERS] : told.type;
  const who = [writer, tool, told.model].filter(Boolean).join(', ');
  const when = told.short && `${inUtc(told.authorTime)}, ${told.author}, in ${told.short}`;
  const room = page.width - LABELS;
  const fields = [
    ['who', who],
    ['when', when ?? 'not committed yet'],
    ['commit', told.short && told.summary],
    ['how', evidenceInWords(told.type, told.evidence)],
    ['found', viaInWords(told.via)],
  ] as const;
  const fitting = fields.map(([name, value]) => [name, value && cut(plain(value.slice(0, MOST)), room)] as const);
  return [...printFields(fitting, page)].map((line) => line.trimEnd());
}

const LABELS = 'commit'.length + 2;

function advice(told: WhyLine): Advice[] {
  return adviceFor({
    type: told.type,
    place: `${told.file}:${told.line}`,
    commit: told.short,
    session: told.session,
    recorded: told.behind !== null,
  });
}

function adviceLines(some: readonly Advice[], { width, paint }: Page): string[] {
  const commands = some.map(([command]) => plain(command));
  const longest = (texts: readonly string[]) => texts.reduce((most, text) => Math.max(most, widthOf(text)), 0);
  // one column where all of it fits, the id of a session included
  const most = Math.max(width - 2 - longest(some.map(([, gives]) => gives)), Math.floor(width / 2));
  const widest = Math.min(longest(commands), most);
  return some.map(([, gives], i) => {
    const command = commands[i] ?? '';
    // a command that was cut could not be used: rather no explanation
    const room = width - Math.max(widest, widthOf(command)) - 2;
    return `${pad(command, widest)}  ${room < 1 ? '' : paint('dim', cut(gives, room))}`.trimEnd();
  });
}

interface Block {
  readonly heading: string;
  readonly lines: readonly string[];
}

function blocksOf({ prompt, message, command, call, edits }: Behind, text: string): Block[] {
  const edit = edits.find(({ diff }) => diff?.includes(text)) ?? edits[0];
  const made: Block[] = [];
  const add = (heading: string, said: string) => made.push({ heading: plain(heading), lines: linesIn(said) });
  add('prompt', prompt ?? 'none was recorded before this step');
  if (message) add('agent', message);
  if (command) add('command', command);
  if (edit) made.push({ heading: plain(`${edit.operation} ${edit.path}`), lines: around(edit.diff ?? '', text) });
  else if (call && !command) add(`tool ${call.name}`, call.summary ?? JSON.stringify(call.input));
  return made;
}

/** What says something: blank lines cost too much of a screen. */
function linesIn(said: string): string[] {
  return plainLines(said.slice(0, MOST)).filter((line) => line.trim() !== '');
}

/** The edit from two lines before the one that is asked about. */
function around(diff: string, text: string): string[] {
  const lines = plainLines(diff.slice(0, MOST));
  const wanted = plainLines(`+${text}`)[0];
  const at = lines.indexOf(wanted ?? '');
  return lines.slice(Math.max(0, at - 2)).filter((line) => line !== '');
}

/** Each block gets a line in turn, until there are no more. */
function printBlocks(blocks: readonly Block[], room: number, page: Page): string[] {
  const width = page.width - INDENT.length;
  const folded = blocks.map(({ heading, lines }) => ({ heading, lines: lines.flatMap((line) => fold(line, width)) }));
  const rows = folded.map(() => 0);
  for (let left = room - blocks.length; left > 0; ) {
    const before = left;
    for (const [i, { lines }] of folded.entries()) {
      if (left === 0 || (rows[i] ?? 0) >= lines.length) continue;
      rows[i] = (rows[i] ?? 0) + 1;
      left--;
    }
    if (left === before) break;
  }
  return folded.flatMap(({ heading, lines }, i) => [
    page.paint('cyan', cut(heading, page.width)),
    ...shorten(lines, rows[i] ?? 0).map((line) => `${INDENT}${cut(line, width)}`),
  ]);
}

/** Prose is wrapped; code keeps its indentation and is cut. */
function fold(line: string, width: number): string[] {
  const flat = line.replaceAll('\t', '  ');
  return /^[\s+\-@|{}]/.test(flat) ? [flat] : wrap(flat, width);
}

function shorten(lines: readonly string[], rows: number): string[] {
  if (lines.length <= rows) return [...lines];
  if (rows < 2) return lines.slice(0, rows).map((line) => `${line} …`);
  return [...lines.slice(0, rows - 1), `… ${lines.length - rows + 1} more lines`];
}
