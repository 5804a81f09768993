import type { Report, ReportedFile } from '../report/report.ts';
import { share } from '../report/tally.ts';
import { fileLink } from './drill.ts';
import type { Page, PageFacts } from './facts.ts';
import type { Folder } from './folders.ts';
import { byAgents, rowBar } from './kinds.ts';
import { html, joined, type Markup, name } from './markup.ts';
import { printRuns } from './runs.ts';
import { figure, many, percent } from './words.ts';

/** Files on the page, and characters they may take: more than a browser likes to open, less than it refuses. */
const MOST_FILES = 1500;
const MOST_CHARACTERS = 3_500_000;
const MOST_TOP = 15;

/** The files that are listed, printed; the rest is counted. */
export interface Listing {
  readonly places: ReadonlyMap<string, string>;
  readonly printed: ReadonlyMap<string, Markup>;
}

/** Files with most lines by agents first, until the page is full. */
export function listFiles({ files }: Report, facts: PageFacts): Listing {
  const places = new Map<string, string>();
  const printed = new Map<string, Markup>();
  let room = MOST_CHARACTERS;
  for (const file of ranked(files)) {
    const id = `file-${places.size}`;
    const entry = printFile(file, id, facts);
    room -= entry.markup.length;
    if (room < 0 || printed.size === MOST_FILES) break;
    places.set(file.path, id);
    printed.set(file.path, entry);
  }
  return { places, printed };
}

function ranked(files: readonly ReportedFile[]): ReportedFile[] {
  return [...files].sort((a, b) => byAgents(b.counts) - byAgents(a.counts) || b.counts.total - a.counts.total);
}

function printFile(file: ReportedFile, id: string, facts: PageFacts): Markup {
  const { path, counts } = file;
  return html`<details class="entry"><summary><code class="label">${name(path, 240)}</code>
    ${rowBar(counts, counts.total)}<span class="count">${figure(counts.total)}<span class="unit"> ${counts.total === 1 ? 'line' : 'lines'}</span></span>
    <span class="share">${percent(share(counts.ai, counts))}<span class="unit"> AI</span></span></summary>
    <div class="inside" id="${id}">${printRuns(file, facts)}</div></details>`;
}

/** The files with most lines by AI, then all of them. */
export function printAllFiles(
  report: Report,
  folders: readonly Folder[],
  { page, listing }: { readonly page: Page; readonly listing: Listing },
): Markup {
  if (report.files.length === 0) return html``;
  return html`<section id="files" aria-labelledby="h-files"><h2 id="h-files">Files</h2>${printTopFiles(report, page)}
    ${printFolders(folders, listing)}</section>`;
}

function printTopFiles({ files, counts }: Report, page: Page): Markup {
  const top = files.filter((file) => file.counts.ai > 0).sort((a, b) => b.counts.ai - a.counts.ai);
  const shown = top.slice(0, MOST_TOP);
  const longest = shown.reduce((most, file) => Math.max(most, file.counts.total), 1);
  if (shown.length === 0) return html``;
  const rows = shown.map(
    (
      file,
    ) => html`<tr><th scope="row">${fileLink(file.path, page)}</th><td class="wide">${rowBar(file.counts, longest)}</td>
      <td class="number">${figure(file.counts.ai)}</td>
      <td class="number">${percent(share(file.counts.ai, file.counts))}</td></tr>`,
  );
  const inAll = shown.reduce((sum, file) => sum + file.counts.ai, 0);
  return html`<h3>Most AI lines</h3><p class="takeaway">${many(shown.length, 'file')} of ${figure(files.length)} hold
    ${percent(share(inAll, { total: counts.ai }))} of the lines by AI.</p>
    <table class="top"><caption class="hidden">Files with most lines by AI</caption><thead><tr><th scope="col">File</th>
    <th scope="col" class="wide"><span class="hidden">All lines</span></th><th scope="col" class="number">AI lines</th>
    <th scope="col" class="number">Share</th></tr></thead><tbody>${joined(rows)}</tbody></table>`;
}

/** Every file in its folder, every run of lines in its file. */
function printFolders(folders: readonly Folder[], { printed }: Listing): Markup {
  const all = folders.reduce((sum, { files }) => sum + files.length, 0);
  const left = all - printed.size;
  const note =
    left > 0
      ? html`<p class="soft">The ${figure(printed.size)} files with most lines by agents are listed, ${figure(left)} are left out;
        <code>git agent report --format json</code> has them all.</p>`
      : undefined;
  return html`<h3>Every file</h3>${note}
    <p class="filter" hidden><label for="filter">Only paths with </label><input id="filter" type="search" autocomplete="off">
    <output for="filter"></output></p>
    ${joined(folders.map((folder, i) => printFolder(folder, `folder-${i}`, printed)))}`;
}

function printFolder({ name: title, counts, files }: Folder, id: string, printed: Listing['printed']): Markup {
  const entries = files.flatMap(({ path }) => printed.get(path) ?? []);
  const left = files.length - entries.length;
  return html`<details class="folder"><summary><code class="label">${name(title, 240)}</code>
    ${rowBar(counts, Math.max(1, counts.total))}<span class="count">${many(files.length, 'file')}</span>
    <span class="share">${percent(share(counts.ai, counts))}<span class="unit"> AI</span></span></summary>
    <div class="inside" id="${id}">${joined(entries)}
    ${left > 0 ? html`<p class="soft">${many(left, 'file')} of this folder left out.</p>` : undefined}</div></details>`;
}
