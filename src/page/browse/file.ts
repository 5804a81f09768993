import { type AnnotatedLine, summarise } from '../../blame/annotate.ts';
import { nameOf, type RepoPath } from '../../git/paths.ts';
import { sameOrigin } from '../../lines/origin.ts';
import { readable } from '../../lines/text.ts';
import { KIND_NAMES, legend, marker, stackedBar, told } from '../kinds.ts';
import { conversationLink, isOwnAddress } from '../link.ts';
import { cut, html, joined, type Markup, name } from '../markup.ts';
import { day, figure, many, shortId } from '../words.ts';
import { type At, conversationAddress, fileAddress, lineAnchor, MOST_LINES, query } from './address.ts';
import { printFrame, type Setting } from './frame.ts';
import { printPath } from './tree.ts';

/** Of one line: what is longer was not written to be read. */
const MOST_CHARACTERS = 2000;
/** Whoever lands in the middle of a long run sees whose it is without scrolling far. */
const LABEL_EVERY = 25;

export interface ToldFile {
  readonly path: RepoPath;
  readonly commit: string;
  /** The lines from `from` on, at most `MOST_LINES`. */
  readonly lines: readonly AnnotatedLine[];
  readonly from: number;
  /** Lines of the whole file. */
  readonly total: number;
}

/** A file with who wrote each line beside it; every line is a place to link to, and leads to its conversation. */
export function printFile(file: ToldFile, setting: Setting): string {
  const { path, commit, lines, total } = file;
  const { at } = setting;
  const counts = summarise(lines);
  const part = lines.length < total ? html`${figure(lines.length)} of ${many(total, 'line')}` : many(total, 'line');
  const body = html`${printPath(path, at)}<h1>${name(nameOf(path), 240)}</h1>
    <p class="lead">${part} at <code title="${commit}">${name(at ?? shortId(commit), 80)}</code>: ${told(counts)}.
    ${at === commit ? undefined : html`<a href="${fileAddress(path, commit)}">A lasting link</a>.`}</p>
    ${counts.total > 0 ? html`${stackedBar(counts, 30)}${legend()}` : undefined}${printLines(file, at)}`;
  return printFrame({ title: nameOf(path), part: 'files', body, wide: true }, setting);
}

function printLines(file: ToldFile, at: At): Markup {
  const { lines, from, total } = file;
  if (lines.length === 0) return html`<p>There are no lines here.</p>`;
  const rows = lines.map((line, i) => printLine(line, lines[i - 1]));
  const long = lines.length < total;
  return html`${long ? printGoTo(file, at) : undefined}${printMore(file, at)}<div class="scroll" tabindex="0" role="region" aria-label="Lines ${from} to ${from + lines.length - 1}">
    <table class="code"><caption class="hidden">Who wrote each line</caption><thead class="hidden"><tr><th scope="col">By</th>
    <th scope="col">Kind</th><th scope="col">Line</th><th scope="col">Text</th></tr></thead><tbody>${joined(rows)}</tbody></table></div>
    ${long ? printMore(file, at) : undefined}`;
}

/** The parts before and after, of a file too long for one page. */
function printMore({ path, from, lines, total }: ToldFile, at: At): Markup | undefined {
  const link = (start: number, title: string) =>
    html`<a href="${fileAddress(path, undefined)}${query({ at, from: start })}">${title}</a>`;
  const next = from + lines.length;
  const links = [
    ...(from > 1 ? [link(Math.max(1, from - MOST_LINES), 'Earlier lines')] : []),
    ...(next <= total ? [link(next, 'Later lines')] : []),
  ];
  return links.length === 0 ? undefined : html`<p>${joined(links, ' · ')}</p>`;
}

/** Without scripts a # cannot lead to another part. */
function printGoTo({ path, total }: ToldFile, at: At): Markup {
  const kept = at === undefined ? undefined : html`<input type="hidden" name="at" value="${at}">`;
  return html`<form class="search" action="${fileAddress(path, undefined)}" method="get">${kept}<label for="line">Go to line</label>
    <input id="line" name="line" type="number" min="1" max="${total}"><button>Go</button></form>`;
}

function printLine(line: AnnotatedLine, before: AnnotatedLine | undefined): Markup {
  const number = line.blamed.line;
  const begins = !before || !belongTogether(before, line);
  const labelled = begins || number % LABEL_EVERY === 1;
  return html`<tr id="${lineAnchor(number)}" class="${begins ? 'begins' : 'goes-on'}">
    <td class="by">${labelled ? printBy(line) : undefined}</td><td>${printKind(line, begins)}</td>
    <td class="number"><a href="#${lineAnchor(number)}" tabindex="-1">${number}</a></td>
    <td class="text"><code>${printText(readable(line.blamed.text))}</code></td></tr>`;
}

function belongTogether(a: AnnotatedLine, b: AnnotatedLine): boolean {
  return a.blamed.commit === b.blamed.commit && a.via === b.via && sameOrigin(a.origin, b.origin);
}

/** Tabs stay tabs; what would act on the page is shown as letters. */
export function printText(text: string): Markup {
  return joined(
    cut(text, MOST_CHARACTERS)
      .split('\t')
      .map((part) => html`${part}`),
    '\t',
  );
}

/** Who, since when, and how that is known; once for all lines in a row that have it in common. */
function printBy(line: AnnotatedLine): Markup {
  const { blamed, origin, via, conversation } = line;
  const known = [origin.evidence, via && `via ${via}`].filter(Boolean).join(', ');
  // a conversation of ours has a page here; others may have one on the web
  const elsewhere = origin.agent?.session || isOwnAddress(conversation) ? undefined : conversationLink(conversation);
  const commit = html`<code>${shortId(blamed.commit)}</code> ${day(blamed.authorTime)}`;
  const hover = `${cut(blamed.summary, 200)}${known ? ` (${known})` : ''}`;
  return html`${printWho(line)} ${elsewhere} <small title="${hover}">${commit}${known ? ` · ${known}` : undefined}</small>`;
}

function printWho({ blamed, origin: { type, agent, reason } }: AnnotatedLine): Markup {
  const person = name(blamed.author, 60);
  if (type === 'human') return person;
  if (type === 'unknown') {
    return html`<span class="soft" title="${cut(reason ?? '', 200)}">${name(reason ?? 'no reason given', 60)}</span>`;
  }
  const tool = agent ? name(agent.tool.name, 40) : html`an agent`;
  const model = agent?.model ? html` <small>${name(agent.model, 80)}</small>` : undefined;
  return type === 'mixed' ? html`${tool} and ${person}${model}` : html`${tool}${model}`;
}

/** The letter leads to the very step that wrote the line. Tab goes from run to run, not through every line. */
function printKind({ origin: { type, agent }, blamed }: AnnotatedLine, begins: boolean): Markup {
  if (!agent?.session) return marker(type);
  const href = conversationAddress(agent.session, agent.event || undefined);
  const label = `${KIND_NAMES[type]}: the conversation that wrote line ${blamed.line}`;
  return begins
    ? html`<a href="${href}" aria-label="${label}">${marker(type)}</a>`
    : html`<a href="${href}" aria-label="${label}" tabindex="-1">${marker(type)}</a>`;
}
