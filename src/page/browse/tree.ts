import { decodePath, encodePath, nameOf, nameOfBytes, type RepoPath } from '../../git/paths.ts';
import { type Counts, share } from '../../report/tally.ts';
import { KIND_NAMES, legend, rowBar, stackedBar, told } from '../kinds.ts';
import { html, joined, type Markup, name } from '../markup.ts';
import { figure, many, percent, shortId } from '../words.ts';
import { type At, fileAddress, folderAddress } from './address.ts';
import { printFrame, type Setting } from './frame.ts';

/** Of one page; a folder with more is not read to its end. */
const MOST_ENTRIES = 3000;

/** One row: a file, or a folder with all that is in it. */
export interface Entry {
  /** As a person types it. */
  readonly name: string;
  readonly path: RepoPath;
  readonly folder: boolean;
  /** Files in it; 1 for a file. */
  readonly files: number;
  /** Undefined: not counted, or not yet. */
  readonly counts: Counts | undefined;
}

export interface TreeQuestion {
  /** `''` for the top. */
  readonly folder: RepoPath;
  /** Every file of the revision. */
  readonly paths: readonly RepoPath[];
  /** The lines of files, where they are counted. */
  readonly counts: ReadonlyMap<RepoPath, Counts>;
}

/** What lies in a folder, folders first; none where there is no such folder. */
export function entriesOf({ folder, paths, counts }: TreeQuestion): Entry[] {
  const prefix = folder === '' ? '' : `${bytesOf(folder)}/`;
  const entries = new Map<string, { files: number; folder: boolean; counts: Counts | undefined }>();
  for (const path of paths) {
    const bytes = bytesOf(path);
    if (!bytes.startsWith(prefix)) continue;
    const [first = '', ...rest] = bytes.slice(prefix.length).split('/', 2);
    const known = entries.get(first);
    const sum = added(known?.counts, counts.get(path));
    entries.set(first, { files: (known?.files ?? 0) + 1, folder: rest.length > 0, counts: sum });
  }
  const all = [...entries].map(
    ([first, entry]): Entry => ({ name: shownName(first), path: pathOfBytes(`${prefix}${first}`), ...entry }),
  );
  return all.sort((a, b) => Number(b.folder) - Number(a.folder) || (a.name < b.name ? -1 : 1));
}

/** One character per byte: folders are told apart by bytes, whatever a name in them is. */
function bytesOf(path: RepoPath): string {
  return encodePath(path).toString('latin1');
}

function pathOfBytes(bytes: string): RepoPath {
  return decodePath(Buffer.from(bytes, 'latin1'));
}

function shownName(bytes: string): string {
  return nameOfBytes(Buffer.from(bytes, 'latin1'));
}

function added(a: Counts | undefined, b: Counts | undefined): Counts | undefined {
  if (!a || !b) return a ?? b;
  return {
    total: a.total + b.total,
    ai: a.ai + b.ai,
    mixed: a.mixed + b.mixed,
    human: a.human + b.human,
    unknown: a.unknown + b.unknown,
  };
}

export interface ToldFolder {
  readonly folder: RepoPath;
  readonly commit: string;
  readonly entries: readonly Entry[];
  /** Files counted so far, where counting still goes on. */
  readonly counting?: { readonly done: number; readonly of: number } | undefined;
}

export function printFolder({ folder, commit, entries, counting }: ToldFolder, setting: Setting): string {
  const { at } = setting;
  const whole = entries.reduce<Counts | undefined>((sum, entry) => added(sum, entry.counts), undefined);
  const files = entries.reduce((sum, entry) => sum + entry.files, 0);
  const title = folder === '' ? setting.repository : nameOf(folder);
  const body = html`${printPath(folder, at)}<h1>${name(title, 240)}</h1>
    <p class="lead">${many(files, 'file')} at <code title="${commit}">${name(at ?? shortId(commit), 80)}</code>.
    ${whole ? html`Of ${many(whole.total, 'line')}: ${told(whole)}.` : undefined}</p>
    ${counting ? printCounting(counting, folderAddress(folder, at)) : undefined}
    ${whole && whole.total > 0 ? html`${stackedBar(whole, 30)}${legend()}` : undefined}${printEntries(entries, at)}`;
  return printFrame({ title, part: 'files', body }, setting);
}

function printCounting({ done, of }: { readonly done: number; readonly of: number }, address: string): Markup {
  return html`<p class="soft" role="status">Who wrote the lines is still being counted${of > 0 ? html`: ${figure(done)} of ${many(of, 'file')}` : undefined}.
    <a href="${address}">Look again</a>.</p>`;
}

function printEntries(entries: readonly Entry[], at: At): Markup {
  const shown = entries.slice(0, MOST_ENTRIES);
  const left = entries.length - shown.length;
  return html`<table class="entries"><caption class="hidden">Files and folders, with the share of their lines by AI</caption>
    <thead><tr><th scope="col">Name</th><th scope="col" class="wide"><span class="hidden">All lines</span></th>
    <th scope="col" class="number">Lines</th><th scope="col" class="number">${KIND_NAMES.ai}</th></tr></thead>
    <tbody>${joined(shown.map((entry) => printEntry(entry, at)))}</tbody></table>
    ${left > 0 ? html`<p class="soft">${many(left, 'further entry', 'further entries')} left out.</p>` : undefined}`;
}

function printEntry({ name: own, path, folder, files, counts }: Entry, at: At): Markup {
  const shown = html`<code>${name(folder ? `${own}/` : own, 160)}</code>`;
  const size = folder ? html` <small>${many(files, 'file')}</small>` : undefined;
  const link = html`<a href="${folder ? folderAddress(path, at) : fileAddress(path, at)}">${shown}</a>`;
  const figures = counts
    ? html`<td class="wide">${rowBar(counts, Math.max(1, counts.total))}</td><td class="number">${figure(counts.total)}</td>
      <td class="number">${percent(share(counts.ai, counts))}</td>`
    : html`<td class="wide"></td><td class="number soft">–</td><td class="number soft">–</td>`;
  return html`<tr><th scope="row">${link}${size}</th>${figures}</tr>`;
}

/** The folders above, each a link. */
export function printPath(path: RepoPath, at: At): Markup {
  if (path === '') return html``;
  const parts = bytesOf(path).split('/');
  const above = parts.slice(0, -1).map((part, i) => {
    const folder = pathOfBytes(parts.slice(0, i + 1).join('/'));
    return html`<li><a href="${folderAddress(folder, at)}">${name(shownName(part), 80)}</a> /</li>`;
  });
  return html`<nav aria-label="Path"><ul><li><a href="${folderAddress('', at)}">top</a> /</li>${joined(above)}</ul></nav>`;
}
