import type { Hit } from '../conversation/search.ts';
import { inUtc } from '../conversation/summary.ts';
import { plain } from '../terminal/plain.ts';

/** Characters of one answer. */
const MOST_CHARACTERS = 8000;
const MOST_RUNS = 60;

/** Never longer than a model should have to read. */
export function short(text: string): string {
  const trimmed = text.trimEnd();
  if (trimmed.length <= MOST_CHARACTERS) return trimmed;
  return `${trimmed.slice(0, MOST_CHARACTERS)}\n… ${trimmed.length - MOST_CHARACTERS} more characters`;
}

/** A line of blame's JSON document, as far as it is told in words. */
export interface ToldLine {
  readonly line: number;
  readonly commit: string | null;
  readonly author: string;
  readonly authorTime: string;
  readonly type: string;
  readonly evidence: string | null;
  readonly via: string | null;
  readonly reason: string | null;
  readonly model: string | null;
  readonly tool: { readonly name: string } | null;
  readonly session: string | null;
}

export interface ToldBlame {
  readonly file: string;
  readonly lines: readonly ToldLine[];
  readonly summary: Readonly<Record<string, number>>;
  /** Lines that were asked for and are not told. */
  readonly left: number;
}

/** One line for all lines in a row that have everything in common. */
export function printBlame({ file, lines, summary, left }: ToldBlame): string {
  const { total, ai, human, mixed, unknown } = summary;
  const runs: { from: number; to: number; said: string }[] = [];
  for (const one of lines) {
    const said = sayLine(one);
    const last = runs.at(-1);
    if (last && last.said === said && last.to + 1 === one.line) last.to = one.line;
    else runs.push({ from: one.line, to: one.line, said });
  }
  const shown = runs
    .slice(0, MOST_RUNS)
    .map(({ from, to, said }) => `${from === to ? from : `${from}-${to}`}  ${said}`);
  const next = (lines.at(-1)?.line ?? 0) + 1;
  return [
    `${plain(file)}: ${total} lines, ${ai} ai, ${human} human, ${mixed} mixed, ${unknown} unknown`,
    ...shown,
    ...(runs.length > MOST_RUNS ? [`… ${runs.length - MOST_RUNS} more runs in the structured content`] : []),
    ...(left > 0 ? [`… ${left} more lines: ask again with start_line ${next}`] : []),
  ].join('\n');
}

function sayLine({ type, evidence, via, reason, tool, model, session, commit, author, authorTime }: ToldLine): string {
  const who = type === 'human' ? [author] : [tool?.name, model, session && `session ${session}`];
  const how = [evidence, via && `via ${via}`, reason];
  const when = commit ? [commit.slice(0, 12), authorTime.slice(0, 10)] : ['not committed'];
  return [type, ...who, ...how, ...when].flatMap((word) => (word ? [plain(word).slice(0, 200)] : [])).join(', ');
}

export function printHits(
  query: string,
  { hits, total }: { readonly hits: readonly Hit[]; readonly total: number },
): string {
  if (total === 0) return `No prompt, message or command has all of: ${plain(query)}`;
  const told = hits.map(({ session, event, agent, time, kind, excerpt, shared }) =>
    [`${inUtc(time)} ${agent} ${kind}${shared ? ' (shared)' : ''}, agentlog:${session}#${event}`, `  ${excerpt}`]
      .map(plain)
      .join('\n  '),
  );
  return [`${total} found${total > hits.length ? `, the latest ${hits.length}` : ''}:`, ...told].join('\n');
}
