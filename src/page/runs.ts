import type { ReportedFile } from '../report/report.ts';
import type { ReportedCommit, Run } from '../report/run.ts';
import type { PageFacts } from './facts.ts';
import { marker } from './kinds.ts';
import { conversationLink, isOwnAddress, sessionName } from './link.ts';
import { cut, html, joined, type Markup, name } from './markup.ts';
import { day, figure, many, shortId } from './words.ts';

/** Of one file; the longest files have thousands. */
const MOST_RUNS = 120;

/** The lines of one file in order: who, how that is known, since when, and where to read on. */
export function printRuns({ path, runs }: ReportedFile, { commits }: PageFacts): Markup {
  const shown = [...runs].sort((a, b) => a.start - b.start || a.end - b.end).slice(0, MOST_RUNS);
  const rows = shown.map((run) => printRun(run, commits.get(run.commit)));
  const left = runs.length - shown.length;
  return html`<table class="runs"><caption class="hidden">Lines of ${cut(path, 240)}</caption><thead><tr>
    <th scope="col">Lines</th><th scope="col">Who</th><th scope="col">Evidence</th><th scope="col">Commit</th>
    <th scope="col">Conversation</th></tr></thead><tbody>${joined(rows)}</tbody></table>
    ${left > 0 ? html`<p class="soft">${many(left, 'further run')} of lines left out.</p>` : undefined}`;
}

function printRun(run: Run, commit: ReportedCommit | undefined): Markup {
  const { start, end, origin, via } = run;
  const lines = start === end ? figure(start) : `${figure(start)}–${figure(end)}`;
  const found = via ? html` <small>via ${via}</small>` : undefined;
  return html`<tr><th scope="row">${lines}</th><td>${marker(origin.type)} ${who(run, commit)}</td><td>${origin.evidence ?? 'none'}${found}</td>
    <td>${printCommit(run.commit, commit)}</td><td>${printConversation(run)}</td></tr>`;
}

function who({ origin }: Run, commit: ReportedCommit | undefined): Markup {
  const { type, agent, reason } = origin;
  const person = html`${name(commit?.author ?? 'a person', 60)}`;
  if (type === 'human') return person;
  if (type === 'unknown') return html`<span class="soft">${name(reason ?? 'no reason given')}</span>`;
  const tool = agent ? html`${name(agent.tool.name, 40)}` : html`an agent`;
  const model = agent?.model ? html` <small>${name(agent.model, 80)}</small>` : undefined;
  return type === 'mixed' ? html`${tool} and ${person}${model}` : html`${tool}${model}`;
}

function printCommit(id: string, commit: ReportedCommit | undefined): Markup {
  if (!commit) return id ? html`<code>${shortId(id)}</code>` : html`<span class="soft">not committed</span>`;
  return html`<code title="${cut(commit.subject, 120)}">${shortId(id)}</code> <small>${day(commit.time)}</small>`;
}

/** A command names its session already. */
function printConversation({ origin, conversation }: Run): Markup {
  const link = conversationLink(conversation);
  const session = origin.agent?.session ? sessionName(origin.agent.session) : undefined;
  if (!link) return session ?? html`<span class="soft">–</span>`;
  return session && !isOwnAddress(conversation) ? html`${link} <small>${session}</small>` : link;
}
