import type { AgentLogEvent, FileOperationEvent, ToolCallEvent } from '../../agentlog/document.ts';
import { endingOf } from '../../conversation/summary.ts';
import { cut, html, joined, type Markup } from '../markup.ts';
import { many } from '../words.ts';
import { eventAnchor } from './address.ts';
import { clock } from './conversations.ts';

/** Of what was said, and of what a tool was given: the rest is counted. */
const MOST_SAID = 40_000;
const MOST_GIVEN = 4000;

/** What a step looks like: a heading, a text, and which of the looks it has. */
interface Step {
  readonly look: 'prompt' | 'agent' | 'tool' | 'edit' | 'command' | 'error';
  readonly heading: string;
  readonly text: Markup | undefined;
}

const SHOWN: ReadonlySet<AgentLogEvent['type']> = new Set([
  'message',
  'toolCall',
  'fileOperation',
  'terminalCommand',
  'error',
]);

/** Plans, searches and the like say little to somebody who asks who wrote a line. */
export function isShown(event: AgentLogEvent): boolean {
  return SHOWN.has(event.type) && !(event.type === 'fileOperation' && event.operation === 'read');
}

/** One step; the `first` of its id can be linked to. */
export function printEvent(event: AgentLogEvent, first: boolean): Markup {
  const step = stepOf(event);
  if (!step) return html``;
  const { look, heading, text } = step;
  const inside = html`<h2><bdi>${cut(heading, 240)}</bdi> <small>${clock(event.timestamp)}</small></h2>${text}`;
  return first
    ? html`<article class="event ${look}" id="${eventAnchor(event.id)}" tabindex="-1">${inside}</article>`
    : html`<article class="event ${look}">${inside}</article>`;
}

function stepOf(event: AgentLogEvent): Step | undefined {
  switch (event.type) {
    case 'message': {
      const text = printSaid(event.content, MOST_SAID);
      if (event.role === 'user') return { look: 'prompt', heading: 'Prompt', text };
      return { look: 'agent', heading: event.role === 'assistant' ? 'Agent' : 'System', text };
    }
    case 'toolCall':
      return callStep(event);
    case 'fileOperation':
      return event.operation === 'read' ? undefined : editStep(event);
    case 'terminalCommand':
      return { look: 'command', heading: 'Command', text: printSaid(event.command, MOST_GIVEN) };
    case 'error':
      return { look: 'error', heading: 'Error', text: printSaid(event.message, MOST_GIVEN) };
    default:
      return undefined;
  }
}

function callStep(call: ToolCallEvent): Step {
  const { name: tool, summary, input } = call;
  const ending = endingOf(call);
  const failed = ending && ` (${ending})`;
  const given = summary ?? JSON.stringify(input, null, 1);
  return { look: 'tool', heading: `Tool ${tool}${failed}`, text: printSaid(given, MOST_GIVEN) };
}

const OPERATIONS = { create: 'Created', edit: 'Edited', delete: 'Deleted', read: 'Read' } as const;

function editStep({ operation, path, diff }: FileOperationEvent): Step {
  return { look: 'edit', heading: `${OPERATIONS[operation]} ${path}`, text: diff ? printDiff(diff) : undefined };
}

function printSaid(text: string, most: number): Markup {
  const shown = text.slice(0, most);
  return html`<pre class="said">${joined(linesOf(shown), '\n')}</pre>${leftOut(text.length - shown.length)}`;
}

/** Added and removed lines are told apart by their elements, not by colour alone: the signs stay. */
function printDiff(diff: string): Markup {
  const shown = diff.slice(0, MOST_SAID);
  const lines = linesOf(shown.replace(/\n$/, ''));
  // the names of the file come before the first place
  const head = lines.findIndex(({ markup }) => markup.startsWith('@@'));
  const rows = lines.map((line, i) => {
    if (i > head && line.markup.startsWith('+')) return html`<ins>${line}</ins>`;
    if (i > head && line.markup.startsWith('-')) return html`<del>${line}</del>`;
    return html`<span class="same">${line}</span>`;
  });
  return html`<pre class="said">${joined(rows)}</pre>${leftOut(diff.length - shown.length)}`;
}

/** Line ends and tabs stay, everything else that would act on the page is shown as letters. */
function linesOf(text: string): Markup[] {
  return text.split(/\r\n|\n|\r/).map((line) =>
    joined(
      line.split('\t').map((part) => html`${part}`),
      '\t',
    ),
  );
}

function leftOut(left: number): Markup | undefined {
  return left > 0 ? html`<p class="soft">${many(left, 'further character')} left out.</p>` : undefined;
}
