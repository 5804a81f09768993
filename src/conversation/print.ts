import type { AgentLogDocument, AgentLogEvent, FileOperationEvent, ToolCallEvent } from '../agentlog/document.ts';
import type { Paint } from '../terminal/colour.ts';
import { plain, plainLines } from '../terminal/plain.ts';
import { cut, pad, widthOf, wrap } from '../terminal/width.ts';
import { endingOf, inUtc, type SessionSummary, summariseSession } from './summary.ts';

export interface Page {
  readonly width: number;
  readonly paint: Paint;
}

const INDENT = '    ';
/** Tool output is for the agent; a person wants its beginning. */
const OUTPUT_LINES = 12;

/** One line per session, columns aligned; the last column takes what is left of the screen. */
export function* printSessions(sessions: readonly SessionSummary[], { width, paint }: Page): Generator<string> {
  const rows = sessions.map((session) => [
    plain(session.id),
    plain(`${session.agent}${session.shared ? ', shared' : ''}`),
    plain(session.model ?? '-'),
    cut(plain(inUtc(session.startTime)), 20),
    `${session.prompts} prompt${session.prompts === 1 ? '' : 's'}`,
    `${session.files.length} file${session.files.length === 1 ? '' : 's'}`,
  ]);
  const widths = [0, 1, 2, 3, 4, 5].map((column) =>
    rows.reduce((widest, row) => Math.max(widest, widthOf(row[column] ?? '')), 0),
  );
  for (const [i, row] of rows.entries()) {
    const line = row.map((cell, column) => pad(cell, widths[column] ?? 0)).join('  ');
    const room = Math.max(20, width - widthOf(line) - 2);
    const first = plain(firstLine(sessions[i]?.firstPrompt ?? ''));
    yield `${paint('bold', line.slice(0, row[0]?.length))}${line.slice(row[0]?.length)}  ${cut(first, room)}`
      .trimEnd()
      .concat('\n');
  }
}

export function firstLine(text: string): string {
  return text.split('\n').find((line) => line.trim() !== '') ?? '';
}

/** A whole conversation: who, when, then every step. */
export function* printSession(document: AgentLogDocument, page: Page): Generator<string> {
  const { id, agent, version, model, startTime, endTime, status, files } = summariseSession(document);
  yield* printFields(
    [
      ['session', id],
      ['agent', [agent, version].filter(Boolean).join(' ')],
      ['model', model],
      ['began', startTime],
      ['ended', endTime],
      ['status', status],
      ['files', files.join(', ')],
    ],
    page,
  );
  for (const event of document.events) yield* printEvent(event, page);
}

/** `name  value`, one per line; what has no value is left out. */
export function* printFields(
  fields: readonly (readonly [string, string | null | undefined])[],
  { paint }: Page,
): Generator<string> {
  const shown = fields.filter(([, value]) => value);
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  for (const [name, value] of shown) yield `${paint('bold', name.padEnd(width))}  ${plain(value ?? '')}\n`;
}

function* printEvent(event: AgentLogEvent, page: Page): Generator<string> {
  switch (event.type) {
    case 'message':
      yield* printBlock(event.role === 'user' ? 'prompt' : event.role, event.content, page);
      break;
    case 'toolCall':
      yield* printCall(event, page);
      break;
    case 'fileOperation':
      if (event.operation !== 'read') yield* printEdit(event, page);
      break;
    case 'terminalCommand':
      yield* printBlock('command', event.command, page);
      break;
    case 'error':
      yield* printBlock('error', event.message, page);
      break;
    default:
      // plans, searches and the like say little to somebody who asks who wrote a line
      break;
  }
}

export function* printCall(call: ToolCallEvent, page: Page): Generator<string> {
  const ending = endingOf(call);
  const failed = ending && ` (${ending})`;
  const input = call.summary ?? JSON.stringify(call.input, null, 1);
  yield* printBlock(`tool ${call.name}${failed}`, input, { ...page, most: OUTPUT_LINES });
}

export function* printEdit(edit: FileOperationEvent, page: Page): Generator<string> {
  yield* printBlock(`${edit.operation} ${edit.path}`, edit.diff ?? '', page);
}

/** A heading, then the text, indented and wrapped; at most `most` lines of it. */
export function* printBlock(
  heading: string,
  text: string,
  { width, paint, most = Number.POSITIVE_INFINITY }: Page & { readonly most?: number },
): Generator<string> {
  yield `\n${paint('cyan', plain(heading))}\n`;
  const lines = text === '' ? [] : plainLines(text).flatMap((line) => wrapIndented(line, width - INDENT.length));
  for (const line of lines.slice(0, most)) yield `${INDENT}${line}`.trimEnd().concat('\n');
  if (lines.length > most) yield `${INDENT}${paint('dim', `… ${lines.length - most} more lines`)}\n`;
}

/** Code keeps its indentation and is not wrapped; prose is. */
function wrapIndented(line: string, width: number): string[] {
  return /^[\s+\-@|{}]/.test(line) ? [line] : wrap(line, Math.max(20, width));
}
