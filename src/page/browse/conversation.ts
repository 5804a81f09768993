import type { AgentLogDocument, AgentLogEvent } from '../../agentlog/document.ts';
import { type SessionSummary, summariseSession } from '../../conversation/summary.ts';
import { html, joined, type Markup, name } from '../markup.ts';
import { figure, many } from '../words.ts';
import { conversationAddress, fileAddress } from './address.ts';
import { clock } from './conversations.ts';
import { isShown, printEvent } from './event.ts';
import { printFrame, type Setting } from './frame.ts';

/** Steps on one page, and those of them that come before the one that was asked for. */
const MOST_STEPS = 400;
const BEFORE = 100;
const MOST_FILES = 60;

export interface ToldConversation {
  readonly document: AgentLogDocument;
  /** The step that was asked for; the page begins before it. */
  readonly event?: string | undefined;
  /** Files that can be looked at. */
  readonly files: ReadonlySet<string>;
}

/** A whole conversation, or the part of it around one step. */
export function printConversation({ document, event, files }: ToldConversation, setting: Setting): string {
  const summary = summariseSession(document);
  const steps = document.events.filter(isShown);
  const at = event === undefined ? 0 : steps.findIndex((one) => one.id === event);
  const start = steps.length <= MOST_STEPS ? 0 : Math.max(0, at - BEFORE);
  const shown = steps.slice(start, start + MOST_STEPS);
  const gone =
    at === -1 ? html`<p role="status">The step that was asked for is not among those recorded.</p>` : undefined;
  const more = printMore(summary.id, { steps, start, end: start + shown.length });
  const body = html`<h1>${name(title(summary), 160)}</h1>${printAbout(summary, files)}${gone}${more}
    ${joined(printSteps(shown))}${more}`;
  return printFrame({ title: title(summary), part: 'conversations', body }, setting);
}

function title({ firstPrompt, agent }: SessionSummary): string {
  return firstPrompt?.split('\n').find((line) => line.trim() !== '') ?? `Conversation with ${agent}`;
}

function printAbout(summary: SessionSummary, known: ReadonlySet<string>): Markup {
  const { id, agent, version, model, startTime, endTime, status, files } = summary;
  const rows: (readonly [string, Markup | undefined])[] = [
    ['Agent', name([agent, version].filter(Boolean).join(' '))],
    ['Model', model ? name(model) : undefined],
    ['Began', html`${clock(startTime)}`],
    ['Ended', endTime ? html`${clock(endTime)}` : undefined],
    ['Status', name(status, 40)],
    ['Session', html`<code>${name(id, 200)}</code>`],
    ['Files', files.length > 0 ? printFiles(files, known) : undefined],
  ];
  return html`<dl>${joined(rows.flatMap(([term, value]) => (value ? [html`<dt>${term}</dt><dd>${value}</dd>`] : [])))}</dl>`;
}

function printFiles(files: readonly string[], known: ReadonlySet<string>): Markup {
  const shown = files.slice(0, MOST_FILES).map((path) => {
    const code = html`<code>${name(path, 240)}</code>`;
    return known.has(path) ? html`<a href="${fileAddress(path, undefined)}">${code}</a>` : code;
  });
  const left = files.length - shown.length;
  return html`${joined(shown, ', ')}${left > 0 ? ` and ${figure(left)} more` : undefined}`;
}

/** Two steps may have one id: only the first is a place to link to. */
function printSteps(steps: readonly AgentLogEvent[]): Markup[] {
  const named = new Set<string>();
  return steps.map((step) => {
    const first = !named.has(step.id);
    named.add(step.id);
    return printEvent(step, first);
  });
}

interface Window {
  readonly steps: readonly AgentLogEvent[];
  readonly start: number;
  readonly end: number;
}

function printMore(session: string, { steps, start, end }: Window): Markup | undefined {
  if (start === 0 && end >= steps.length) return undefined;
  const link = (at: number, text: string) => html`<a href="${conversationAddress(session, steps[at]?.id)}">${text}</a>`;
  const links = [
    ...(start > 0 ? [link(Math.max(0, start - MOST_STEPS + BEFORE), 'Earlier steps')] : []),
    ...(end < steps.length ? [link(end, 'Later steps')] : []),
  ];
  return html`<p>Steps ${figure(start + 1)} to ${figure(end)} of ${many(steps.length, 'step')}. ${joined(links, ' · ')}</p>`;
}
