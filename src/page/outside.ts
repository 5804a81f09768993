import type { Report } from '../report/report.ts';
import type { Excluded } from '../report/run.ts';
import type { PageFacts } from './facts.ts';
import { html, joined, type Markup, name } from './markup.ts';
import { day, figure, many, shortId } from './words.ts';

const MOST_COMMITS = 100;
const MOST_EXCLUDED = 100;

/** What the figures do not speak of: commits without a record, files left out, notes that could not be read. */
export function printOutside(report: Report, facts: PageFacts): Markup {
  const { unrecorded, excluded, skipped, unread } = report;
  const said = [
    unrecorded.length > 0 ? `${many(unrecorded.length, 'commit')} without a record.` : 'Every commit has a record.',
    excluded.length > 0 ? `${many(excluded.length, 'file')} not counted.` : 'No file is left out.',
    ...(unread.length > 0 ? [`The notes in ${unread.join(', ')} cannot be read, or not all of them.`] : []),
    ...(skipped > 0 ? [`${many(skipped, 'note')} too large, damaged or not here.`] : []),
  ];
  return html`<section id="outside" aria-labelledby="h-outside"><h2 id="h-outside">Not counted, not recorded</h2>
    <p class="takeaway">${said.join(' ')}</p>${printUnrecorded(unrecorded, facts)}${printExcluded(excluded)}</section>`;
}

function printUnrecorded(ids: readonly string[], { commits }: PageFacts): Markup | undefined {
  if (ids.length === 0) return undefined;
  const rows = ids.slice(0, MOST_COMMITS).map((id) => {
    const commit = commits.get(id);
    return html`<tr><th scope="row"><code>${shortId(id)}</code></th><td>${commit ? day(commit.time) : '–'}</td>
      <td>${name(commit?.author ?? '–', 60)}</td><td>${name(commit?.subject ?? '–')}</td></tr>`;
  });
  return html`<details class="all"><summary>Commits without a record</summary><table class="list">
    <caption class="hidden">Commits without a record</caption><thead><tr><th scope="col">Commit</th><th scope="col">Date</th>
    <th scope="col">Author</th><th scope="col">Subject</th></tr></thead><tbody>${joined(rows)}</tbody></table>
    ${leftOut(ids.length - rows.length, 'commit')}</details>`;
}

function printExcluded(excluded: readonly Excluded[]): Markup | undefined {
  if (excluded.length === 0) return undefined;
  const rows = [...excluded]
    .sort((a, b) => b.lines - a.lines)
    .slice(0, MOST_EXCLUDED)
    .map(
      ({ path, why, lines }) => html`<tr><th scope="row"><code>${name(path, 240)}</code></th><td>${why}</td>
        <td class="number">${why === 'binary' ? '–' : figure(lines)}</td></tr>`,
    );
  return html`<details class="all"><summary>Files not counted</summary><table class="list">
    <caption class="hidden">Files not counted</caption><thead><tr><th scope="col">File</th><th scope="col">Why</th>
    <th scope="col" class="number">Lines</th></tr></thead><tbody>${joined(rows)}</tbody></table>
    ${leftOut(excluded.length - rows.length, 'file')}</details>`;
}

function leftOut(left: number, what: string): Markup | undefined {
  return left > 0 ? html`<p class="soft">${many(left, what)} left out.</p>` : undefined;
}
