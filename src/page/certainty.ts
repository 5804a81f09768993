import { EVIDENCE, type Evidence, type Via } from '../lines/origin.ts';
import type { Report } from '../report/report.ts';
import { share, VIAS } from '../report/tally.ts';
import { html, joined, type Markup, name } from './markup.ts';
import { figure, percent, place } from './words.ts';

const EVIDENCE_MEANS: Readonly<Record<Evidence | 'none', string>> = {
  observed: 'the contents before and after were seen',
  replayed: 'the edits of the session, replayed, give exactly these lines',
  matched: 'the same content, its place not proven',
  declared: 'somebody says so',
  absent: 'capture was on, and no agent touched the file',
  none: 'unknown',
};

const VIA_MEANS: Readonly<Record<Via | 'none', string>> = {
  note: 'a note on the commit itself',
  rewrite: 'a note on the commit it was rewritten from',
  'change-id': 'a note on the same change',
  'patch-id': 'a note on a commit with the same patch',
  content: 'a note on the same content elsewhere',
  worktree: 'not committed yet: from what was recorded here',
  none: 'no record',
};

const MOST_REASONS = 20;

/** How much of it is proven, how the proof was found, and why there is none. */
export function printCertainty(report: Report): Markup {
  const { counts, evidence, via, reasons } = report;
  if (counts.total === 0) return html``;
  const known = share(counts.total - counts.unknown, counts);
  const proofs = [...EVIDENCE, 'none' as const].map((key) => ({
    key,
    means: EVIDENCE_MEANS[key],
    lines: evidence[key],
  }));
  const ways = [...VIAS, 'none' as const].map((key) => ({ key, means: VIA_MEANS[key], lines: via[key] }));
  const whys = reasons.slice(0, MOST_REASONS).map(({ reason, lines }) => ({ key: reason, means: '', lines }));
  const strong = share(evidence.observed + evidence.replayed, counts);
  return html`<section id="certainty" aria-labelledby="h-certainty"><h2 id="h-certainty">How sure this is</h2>
    <p class="takeaway">The origin of ${percent(known)} of the lines is known; ${percent(strong)} were seen or replayed.</p>
    <div class="columns">${printTable('What the evidence is, strongest first', proofs, counts.total)}
    ${printTable('How the record was found', ways, counts.total)}
    ${reasons.length > 0 ? printTable('Why lines are unknown', whys, counts.total) : undefined}</div>
    ${reasons.length > MOST_REASONS ? html`<p class="soft">${figure(reasons.length - MOST_REASONS)} rarer reasons left out.</p>` : undefined}
    </section>`;
}

interface Measure {
  readonly key: string;
  readonly means: string;
  readonly lines: number;
}

function printTable(caption: string, measures: readonly Measure[], total: number): Markup {
  const rows = measures
    .filter(({ lines }) => lines > 0)
    .map(({ key, means, lines }) => {
      const part = share(lines, { total });
      const meaning = means ? html`<small>${means}</small>` : undefined;
      return html`<tr><th scope="row">${name(key)}${meaning}
        <svg class="line" aria-hidden="true" width="100%" height="4"><rect width="${place(part * 100)}%" height="4"/></svg></th>
        <td class="number">${figure(lines)}</td><td class="number">${percent(part)}</td></tr>`;
    });
  return html`<table class="measures"><caption>${caption}</caption><thead class="hidden"><tr><th scope="col">What</th>
    <th scope="col">Lines</th><th scope="col">Share</th></tr></thead><tbody>${joined(rows)}</tbody></table>`;
}
