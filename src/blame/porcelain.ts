import type { PrintedBlame } from '../git/blame.ts';
import type { Origin } from '../lines/origin.ts';
import { plain } from '../terminal/plain.ts';
import type { AnnotatedLine } from './annotate.ts';
import type { Slice } from './slices.ts';

/**
 * What git printed with our headers put in before each TAB line: a reader of git's format skips header names it does not know. They are
 * printed for every line, since two lines of one commit may have two origins.
 */
export function porcelainPrinter() {
  const headers = headerPrinter();
  return {
    begin: () => '',
    *some({ lines, printed }: Slice): Generator<Buffer> {
      const { text, places } = printed ?? NOTHING;
      let [open, done] = ['', 0];
      for (const [i, line] of lines.entries()) {
        const place = places[i] ?? text.length;
        open += text.slice(done, place) + headers(line);
        done = place;
        if (open.length < MUCH) continue;
        yield Buffer.from(open, 'latin1');
        open = '';
      }
      yield Buffer.from(open + text.slice(done), 'latin1');
    },
    end: () => '',
  };
}

const NOTHING: PrintedBlame = { text: '', places: [] };

export function printPorcelain(printed: PrintedBlame, lines: readonly AnnotatedLine[]): Generator<Buffer> {
  return porcelainPrinter().some({ lines, printed });
}

/** So much is written together. */
const MUCH = 1 << 17;

/** One character per byte, as git's own. The lines of a range share their origin, and so their headers. */
function headerPrinter(): (line: AnnotatedLine) => string {
  const known = new Map<Origin, { readonly line: AnnotatedLine; readonly printed: string }>();
  return (line) => {
    const had = known.get(line.origin);
    if (had && had.line.via === line.via && had.line.trace === line.trace) return had.printed;
    const printed = Buffer.from(agentHeaders(line)).toString('latin1');
    known.set(line.origin, { line, printed });
    return printed;
  };
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
