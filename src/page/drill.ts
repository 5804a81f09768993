import type { Report } from '../report/report.ts';
import { linesIn, type Run } from '../report/run.ts';
import type { Page } from './facts.ts';
import { conversationLink, sessionName, wholeConversation } from './link.ts';
import { html, joined, type Markup, name } from './markup.ts';
import { figure, many } from './words.ts';

/** What some lines are made of: how many are in which file, and from which conversation. */
export interface Drill {
  readonly files: Map<string, number>;
  readonly conversations: Map<string, Talk>;
}

/** One conversation's part. */
interface Talk {
  lines: number;
  readonly tool: string;
  readonly model: string | undefined;
  readonly address: string | undefined;
}

/** One way down from every group, in one pass. A run without a key belongs to none. */
export function drillsOf({ files }: Report, keyOf: (run: Run) => string | undefined): Map<string, Drill> {
  const drills = new Map<string, Drill>();
  for (const { runs } of files) {
    for (const run of runs) {
      const key = keyOf(run);
      if (key === undefined) continue;
      const drill = drills.get(key) ?? { files: new Map(), conversations: new Map() };
      drills.set(key, drill);
      add(drill, run);
    }
  }
  return drills;
}

function add({ files, conversations }: Drill, run: Run): void {
  const lines = linesIn(run);
  files.set(run.path, (files.get(run.path) ?? 0) + lines);
  const { agent } = run.origin;
  if (!agent?.session) return;
  const known = conversations.get(agent.session);
  if (known) known.lines += lines;
  else {
    const address = run.conversation === undefined ? undefined : wholeConversation(run.conversation);
    conversations.set(agent.session, { lines, tool: agent.tool.name, model: agent.model, address });
  }
}

export const MOST_FILES = 8;
export const MOST_CONVERSATIONS = 5;

/** The files and the conversations with most lines, each with the way on. */
export function printDrill(drill: Drill | undefined, page: Page): Markup {
  if (!drill || drill.files.size === 0) return html`<p class="soft">No lines.</p>`;
  return html`<div class="drill">${printFiles(drill, page)}${printConversations(drill)}</div>`;
}

export function printFiles({ files }: Drill, page: Page): Markup {
  const most = [...files].sort(([, a], [, b]) => b - a);
  const items = most.slice(0, MOST_FILES).map(([path, lines]) => html`<li>${fileLink(path, page)}${count(lines)}</li>`);
  return html`<div><h4>In ${many(files.size, 'file')}</h4><ol class="plain">${joined(items)}</ol>
    ${more(most.length - items.length)}</div>`;
}

function printConversations({ conversations }: Drill): Markup | undefined {
  if (conversations.size === 0) return undefined;
  const most = [...conversations].sort(([, a], [, b]) => b.lines - a.lines);
  const items = most.slice(0, MOST_CONVERSATIONS).map(
    ([session, { lines, tool, address }]) =>
      html`<li><span class="talk">${name(tool, 40)} ${sessionName(session)} ${conversationLink(address)}</span>
          ${count(lines)}</li>`,
  );
  return html`<div><h4>From ${many(conversations.size, 'conversation')}</h4><ol class="plain">${joined(items)}</ol>
    ${more(most.length - items.length)}</div>`;
}

function count(lines: number): Markup {
  return html`<span class="count">${figure(lines)}</span>`;
}

function more(left: number): Markup | undefined {
  return left > 0 ? html`<p class="soft">and ${figure(left)} more</p>` : undefined;
}

/** To the file's lines, where they are on the page. */
export function fileLink(path: string, { places }: Page): Markup {
  const at = places.get(path);
  const shown = html`<code>${name(path, 160)}</code>`;
  return at ? html`<a class="file" href="#${at}">${shown}</a>` : html`<span class="file">${shown}</span>`;
}
