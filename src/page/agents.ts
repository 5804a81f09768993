import type { Group, Report } from '../report/report.ts';
import type { Run } from '../report/run.ts';
import { type Counts, share } from '../report/tally.ts';
import { type Drill, drillsOf, printDrill, printFiles } from './drill.ts';
import type { Page } from './facts.ts';
import { byAgents } from './kinds.ts';
import { conversationLink, sessionName } from './link.ts';
import { html, joined, type Markup, name } from './markup.ts';
import { printRows, type Row } from './rows.ts';
import { many, percent } from './words.ts';

const MOST_MODELS = 15;
const MOST_SESSIONS = 12;

/** Which models and tools wrote the lines that agents had a hand in. */
export function printAgents(report: Report, page: Page): Markup {
  const models = agentGroups(report.by.model);
  const tools = agentGroups(report.by.tool);
  const [first] = models;
  if (!first) return html``;
  const takeaway = html`${name(first.key)} wrote most: ${many(first.counts.total, 'line')},
    ${percent(share(first.counts.total, report.counts))} of all.`;
  const byModel = drillsOf(report, (run) => (isAgents(run) ? (run.origin.agent?.model ?? 'not known') : undefined));
  const byTool = drillsOf(report, (run) => (isAgents(run) ? (run.origin.agent?.tool.name ?? 'not known') : undefined));
  return html`<section id="agents" aria-labelledby="h-agents"><h2 id="h-agents">Models and tools</h2>
    <p class="takeaway">${takeaway}</p>
    <h3>Models</h3>${rowsOf({ groups: models, drills: byModel, label: 'Lines by model', of: report.counts }, page)}
    <h3>Tools</h3>${rowsOf({ groups: tools, drills: byTool, label: 'Lines by tool', of: report.counts }, page)}</section>`;
}

function isAgents({ origin }: Run): boolean {
  return origin.type === 'ai' || origin.type === 'mixed';
}

/** What people wrote belongs to no model: only the agents' lines of a group, most first. */
function agentGroups(groups: readonly Group[]): Group[] {
  return groups
    .map(({ key, counts }) => ({ key, counts: { ...counts, human: 0, unknown: 0, total: byAgents(counts) } }))
    .filter(({ counts }) => counts.total > 0)
    .sort((a, b) => b.counts.total - a.counts.total);
}

interface Bars {
  readonly groups: readonly Group[];
  readonly drills: ReadonlyMap<string, Drill>;
  readonly label: string;
  readonly of: Counts;
}

function rowsOf({ groups, drills, label, of }: Bars, page: Page): Markup {
  const rows = groups
    .slice(0, MOST_MODELS)
    .map(({ key, counts }) => ({ label: name(key, 80), counts, inside: printDrill(drills.get(key), page) }));
  return printRows(rows, { label, of, left: groups.length - rows.length, leftName: 'other' });
}

/** The conversations that wrote most, each with its files and the way to read it. */
export function printConversations(report: Report, page: Page): Markup {
  const drills = drillsOf(report, (run) => (isAgents(run) ? run.origin.agent?.session || undefined : undefined));
  const groups = agentGroups(report.by.session).filter(({ key }) => drills.has(key));
  if (groups.length === 0) return html``;
  const rows = groups.slice(0, MOST_SESSIONS).map(({ key, counts }) => conversationRow(key, counts, { drills, page }));
  const left = groups.length - rows.length;
  return html`<section id="conversations" aria-labelledby="h-conversations">
    <h2 id="h-conversations">Conversations</h2>
    <p class="takeaway">${many(groups.length, 'conversation')} left lines here${left > 0 ? '; these left most' : ''}.</p>
    ${printRows(rows, { label: 'Lines by conversation', of: report.counts, left, leftName: 'conversation' })}</section>`;
}

function conversationRow(
  session: string,
  counts: Counts,
  { drills, page }: { readonly drills: ReadonlyMap<string, Drill>; readonly page: Page },
): Row {
  const drill = drills.get(session);
  const talk = drill?.conversations.get(session);
  const label = html`${sessionName(session)} <small>${name(talk?.tool ?? '', 40)}</small>`;
  const facts = [
    html`<dt>Session</dt><dd><code>${name(session, 200)}</code></dd>`,
    ...(talk?.model ? [html`<dt>Model</dt><dd>${name(talk.model)}</dd>`] : []),
    ...(talk?.address ? [html`<dt>Read it</dt><dd>${conversationLink(talk.address)}</dd>`] : []),
  ];
  const inside = html`<div class="drill"><dl>${joined(facts)}</dl>${drill ? printFiles(drill, page) : undefined}</div>`;
  return { label, counts, inside };
}
