import { type Counts, share } from '../report/tally.ts';
import { rowBar } from './kinds.ts';
import { html, joined, type Markup } from './markup.ts';
import { figure, many, percent } from './words.ts';

/** A bar that opens. */
export interface Row {
  readonly id?: string;
  readonly label: Markup;
  readonly counts: Counts;
  readonly inside: Markup;
}

export interface RowsOptions {
  /** What the list is of, for those who do not see it. */
  readonly label: string;
  /** Rows that are not shown. */
  readonly left?: number;
  readonly leftName?: string;
  /** What the percentage is of: the row's own lines by AI, or the row's part of `of`. */
  readonly of?: Counts;
}

/** Bars below each other, each with its files and conversations inside. */
export function printRows(rows: readonly Row[], options: RowsOptions): Markup {
  const longest = rows.reduce((most, { counts }) => Math.max(most, counts.total), 1);
  const items = rows.map((row) => html`<li>${printRow(row, longest, options.of)}</li>`);
  const left = options.left
    ? html`<p class="soft">${many(options.left, options.leftName ?? 'row')} with fewer lines left out.</p>`
    : undefined;
  return html`<ul class="rows" aria-label="${options.label}">${joined(items)}</ul>${left}`;
}

/** The place to jump to is inside: a browser opens what hides it. */
function printRow({ id, label, counts, inside }: Row, longest: number, of: Counts | undefined): Markup {
  const part = of ? share(counts.total, of) : share(counts.ai, counts);
  const said = of ? html`${percent(part)}` : html`${percent(part)}<span class="unit"> AI</span>`;
  const target = id ? html` id="${id}"` : undefined;
  return html`<details><summary><span class="label">${label}</span>${rowBar(counts, longest)}
    <span class="count">${figure(counts.total)}<span class="unit"> lines</span></span>
    <span class="share">${counts.total > 0 ? said : undefined}</span></summary>
    <div class="inside"${target}>${inside}</div></details>`;
}
