import type { Behind } from '../conversation/behind.ts';
import { plain, plainLines, visible } from '../terminal/plain.ts';
import { wrap } from '../terminal/width.ts';
import { fold, spread } from './cells.ts';
import type { Story } from './source.ts';
import { type Row, type Span, span } from './spans.ts';

/** A conversation may be as long as it likes; `git agent show` prints all of it. */
const MOST_CHARACTERS = 100_000;
const MOST_LINES = 1000;

const drawn = new WeakMap<Story, { readonly width: number; readonly rows: readonly Row[] }>();

/** The story of a line in rows of at most `width` cells; made once, since it is asked for with every key. */
export function storyRows(story: Story, width: number): readonly Row[] {
  const known = drawn.get(story);
  if (known?.width === width) return known.rows;
  const rows: Row[] = [[span(plain(`${story.file}:${story.line}`), 'bold')], ...fieldRows(story, width)];
  if (story.why) rows.push([], ...textRows(plain(story.why), width));
  if (story.behind) rows.push(...behindRows(story.behind, width));
  drawn.set(story, { width, rows });
  return rows;
}

const NAMES = 9;
const DIGITS = 10;

function fieldRows(story: Story, width: number): Row[] {
  const { commit, tool } = story;
  const fields: readonly (readonly [string, string | null])[] = [
    ['type', listed([story.type, story.evidence, story.via && `found by ${story.via}`])],
    ['seal', story.seal],
    ['commit', commit ? listed([commit.slice(0, DIGITS), story.summary], ' ') : 'not committed'],
    ['author', commit && listed([story.author, story.authorTime])],
    ['agent', tool && listed([tool.name, tool.version], ' ')],
    ['model', story.model],
    ['session', story.session],
    ['event', story.event],
  ];
  return fields.flatMap(([name, value]) => {
    if (!value) return [];
    const [first = '', ...rest] = fold(plain(value), width - NAMES);
    return [
      [span(name.padEnd(NAMES), 'dim'), span(first)],
      ...rest.map((text) => [span(' '.repeat(NAMES)), span(text)]),
    ];
  });
}

function listed(parts: readonly (string | null | undefined)[], between = ', '): string {
  return parts.filter(Boolean).join(between);
}

function behindRows({ prompt, message, command, call, edits }: Behind, width: number): Row[] {
  const rows = blockRows('prompt', prompt ?? 'none was recorded before this step', width);
  if (message) rows.push(...blockRows('agent', message, width));
  if (command) rows.push(...blockRows('command', command, width));
  for (const { operation, path, diff } of edits) rows.push(...blockRows(`${operation} ${path}`, diff ?? '', width));
  if (call && edits.length === 0)
    rows.push(...blockRows(`tool ${call.name}`, call.summary ?? JSON.stringify(call.input, null, 1) ?? '', width));
  return rows;
}

function blockRows(heading: string, text: string, width: number): Row[] {
  const lines = text === '' ? [] : plainLines(text.slice(0, MOST_CHARACTERS));
  const rows: Row[] = lines.slice(0, MOST_LINES).flatMap((line) => textRows(line, width - 1));
  const more = lines.length > MOST_LINES || text.length > MOST_CHARACTERS;
  return [
    [],
    ...fold(plain(heading), width).map((part) => [span(part, 'cyan')]),
    ...rows,
    ...(more ? [[span(' … the rest: git agent show', 'dim')]] : []),
  ];
}

/** Code keeps its shape; prose is broken at spaces. */
function textRows(line: string, width: number): Row[] {
  const code = /^[\s+\-@|{}]/.test(line);
  const parts = code ? [line] : wrap(line, width);
  const tone = toneOf(line);
  return parts
    .flatMap((part) => fold(spread(visible(part)), width))
    .map((part): readonly Span[] => [span(' '), span(part, tone)]);
}

/** Of a difference: what came, what went, where. */
function toneOf(line: string): Span['tone'] {
  if (line.startsWith('+')) return 'green';
  if (line.startsWith('-')) return 'dim';
  return line.startsWith('@@') ? 'cyan' : undefined;
}
