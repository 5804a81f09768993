import type { Found, Hit } from '../../conversation/search.ts';
import { inUtc, type SessionSummary } from '../../conversation/summary.ts';
import { sessionName } from '../link.ts';
import { cut, html, joined, type Markup, name } from '../markup.ts';
import { many } from '../words.ts';
import { CONVERSATIONS, conversationAddress } from './address.ts';
import { printFrame, type Setting } from './frame.ts';

const MOST_SESSIONS = 500;

export interface ToldConversations {
  /** Latest first. */
  readonly sessions: readonly SessionSummary[];
  /** What was looked for, and what there is of it. */
  readonly search?: { readonly words: string; readonly found: Found } | undefined;
}

/** What is recorded here, or what was found in it. */
export function printConversations({ sessions, search }: ToldConversations, setting: Setting): string {
  const body = html`<h1>Conversations</h1><p class="lead">${many(sessions.length, 'conversation')} recorded in this repository, or shared with it.</p>
    <form class="search" role="search" action="${CONVERSATIONS}" method="get"><label for="q">Words in prompts, messages and commands</label>
    <input id="q" name="q" type="search" maxlength="200" value="${search?.words ?? ''}"><button>Search</button></form>
    ${search ? printFound(search) : printSessions(sessions)}`;
  return printFrame({ title: 'Conversations', part: 'conversations', body }, setting);
}

function printSessions(sessions: readonly SessionSummary[]): Markup {
  const shown = sessions.slice(0, MOST_SESSIONS);
  const left = sessions.length - shown.length;
  return html`<ul class="talks">${joined(shown.map(printSummary))}</ul>
    ${left > 0 ? html`<p class="soft">${many(left, 'older conversation')} left out: search for them, or use <code>git agent sessions</code>.</p>` : undefined}`;
}

function printSummary({ id, agent, model, startTime, prompts, files, firstPrompt, shared }: SessionSummary): Markup {
  return html`<li><a class="first" href="${conversationAddress(id)}">${name(beginning(firstPrompt), 160)}</a>
    <p class="soft">${name(agent, 40)} ${model ? name(model, 80) : undefined} · ${clock(startTime)} · ${many(prompts, 'prompt')} ·
    ${many(files.length, 'file')} · ${sessionName(id)}${mark(shared)}</p></li>`;
}

/** Somebody else's. */
function mark(shared: true | undefined): Markup {
  return shared ? html` · shared` : html``;
}

function printFound({ words, found: { hits, total } }: { readonly words: string; readonly found: Found }): Markup {
  const more = total > hits.length ? html`, of which the latest ${hits.length} are shown` : undefined;
  return html`<h2>Found: ${many(total, 'step')} with ${name(words, 200)}${more}</h2>
    <ul class="talks">${joined(hits.map(printHit))}</ul><p><a href="${CONVERSATIONS}">All conversations</a></p>`;
}

function printHit({ session, event, agent, time, kind, excerpt, shared }: Hit): Markup {
  return html`<li><a class="first" href="${conversationAddress(session, event)}">${name(excerpt, 500)}</a>
    <p class="soft">${kind} · ${name(agent, 40)} · ${clock(time)} · ${sessionName(session)}${mark(shared)}</p></li>`;
}

function beginning(prompt: string | null): string {
  return prompt?.split('\n').find((line) => line.trim() !== '') ?? 'No prompt was recorded';
}

/** `2026-03-02 14:05 UTC`; what is no time stays as it is. */
export function clock(time: string): string {
  return cut(inUtc(time), 40);
}
