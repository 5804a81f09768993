import type { Origin } from '../lines/origin.ts';
import { plain } from '../terminal/plain.ts';
import type { AnnotatedLine } from './annotate.ts';

const TAB = 9;
const LF = 10;

/**
 * Git's own bytes with our headers put in before each TAB line: a reader of git's format skips header names it does not know. They are
 * printed for every line, since two lines of one commit may have two origins.
 */
export function* printPorcelain(bytes: Buffer, lines: readonly AnnotatedLine[]): Generator<Buffer> {
  const headers = headerPrinter();
  let parts: Buffer[] = [];
  let printed = 0;
  let index = 0;
  for (let start = 0; start < bytes.length; start = endOfLine(bytes, start)) {
    if (bytes[start] !== TAB) continue;
    const line = lines[index++];
    if (!line) break;
    parts.push(bytes.subarray(printed, start), headers(line));
    printed = start;
    if (parts.length < MANY) continue;
    yield Buffer.concat(parts);
    parts = [];
  }
  yield Buffer.concat([...parts, bytes.subarray(printed)]);
}

/** So many pieces are written together. */
const MANY = 1000;

/** The lines of a range share their origin, and so their headers. */
function headerPrinter(): (line: AnnotatedLine) => Buffer {
  const known = new Map<Origin, { readonly line: AnnotatedLine; readonly bytes: Buffer }>();
  return (line) => {
    const had = known.get(line.origin);
    if (had && had.line.via === line.via && had.line.trace === line.trace) return had.bytes;
    const bytes = Buffer.from(agentHeaders(line));
    known.set(line.origin, { line, bytes });
    return bytes;
  };
}

function endOfLine(bytes: Buffer, start: number): number {
  const end = bytes.indexOf(LF, start);
  return end === -1 ? bytes.length : end + 1;
}

/** A header that has nothing to say is left out; `agent-type` is always there. */
function agentHeaders({ origin, via, trace }: AnnotatedLine): string {
  const { agent } = origin;
  return (
    header('agent-type', origin.type) +
    (agent ? header('agent-tool', `${agent.tool.name} ${agent.tool.version ?? ''}`) : '') +
    header('agent-model', agent?.model) +
    header('agent-session', agent?.session) +
    header('agent-event', agent?.event) +
    header('agent-trace', trace) +
    header('agent-evidence', origin.evidence) +
    header('agent-via', via)
  );
}

function header(name: string, value: string | undefined): string {
  const said = value === undefined ? '' : plain(value);
  return said === '' ? '' : `${name} ${said}\n`;
}
