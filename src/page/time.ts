import { type Group, mondayOf, type Report } from '../report/report.ts';
import { KINDS, share } from '../report/tally.ts';
import { drillsOf, printDrill } from './drill.ts';
import type { Page } from './facts.ts';
import { legend, told } from './kinds.ts';
import { html, joined, type Markup } from './markup.ts';
import { periodOf, type Timeline, timelineOf, type Unit } from './periods.ts';
import { printRows } from './rows.ts';
import { calendar, figure, many, percent, place } from './words.ts';

/** The share of every week as a column, below it how many lines that is of. */
export function printTime(report: Report, page: Page): Markup {
  const timeline = timelineOf(report.by.week);
  const { unit, periods } = timeline;
  if (periods.length === 0) return html``;
  const { commits } = page.facts;
  const drills = drillsOf(report, ({ commit }) => {
    const by = commits.get(commit);
    return by && periodOf(mondayOf(by.time), unit);
  });
  const rows = periods.map(({ key, counts }, i) => ({
    id: `period-${i}`,
    label: html`${calendar(key)}`,
    counts,
    inside: printDrill(drills.get(key), page),
  }));
  return html`<section id="time" aria-labelledby="h-time"><h2 id="h-time">Share over time, by ${unit}</h2>
    <p class="takeaway">${takeaway(timeline)}</p>
    <figure class="weeks">${legend()}<div class="plot">${axis(periods)}${chart(periods, unit)}</div></figure>
    <details class="all"><summary>Every ${unit}, with its files and conversations</summary>
    ${printRows(rows, { label: `Lines by ${unit}` })}</details></section>`;
}

function takeaway({ unit, periods, earlier, undated }: Timeline): string {
  const busy = periods.filter(({ counts }) => counts.total > 0);
  const [first, last] = [busy[0], busy.at(-1)];
  const named = ({ key, counts }: Group) =>
    `${percent(share(counts.ai, counts))} in the ${unit} of ${calendar(key)}`.replace('year of', 'year');
  const said = first && last && first !== last ? `AI wrote ${named(first)}, and ${named(last)}.` : '';
  const before = earlier > 0 ? ` ${many(earlier, 'line')} from earlier left out.` : '';
  return `${said}${before}${undated > 0 ? ` ${many(undated, 'line')} without a date left out.` : ''}`.trim();
}

/** Heights on the chart, in pixels: columns between top and floor, then amounts, then names. */
const [TOP, FLOOR, AMOUNT_TOP, AMOUNT_FLOOR, NAMES] = [8, 208, 228, 276, 298];
/** Columns of few weeks do not fill the page. */
const WIDEST = 88;
/** Names under the columns. */
const MOST_NAMES = 6;

function mostOf(periods: readonly Group[]): number {
  return periods.reduce((most, { counts }) => Math.max(most, counts.total), 1);
}

function axis(periods: readonly Group[]): Markup {
  const most = mostOf(periods);
  const at = (y: number, text: string) => html`<span style="top:${y}px">${text}</span>`;
  return html`<div class="axis" aria-hidden="true">${at(TOP, '100%')}${at((TOP + FLOOR) / 2, '50%')}${at(FLOOR, '0%')}
    ${at(AMOUNT_TOP + 6, figure(most))}${at(AMOUNT_FLOOR - 4, 'lines')}</div>`;
}

function chart(periods: readonly Group[], unit: Unit): Markup {
  const most = mostOf(periods);
  const columns = periods.map((period, i) => column(period, { i, of: periods.length, most }));
  const grid = [TOP, (TOP + FLOOR) / 2, FLOOR, AMOUNT_FLOOR].map(
    (y) => html`<line class="grid" x1="0" x2="100%" y1="${y}" y2="${y}"/>`,
  );
  const label = `Share of lines by kind in ${many(periods.length, unit)}; the figures are in the list below`;
  return html`<svg class="chart" role="img" aria-label="${label}" width="100%" height="306"
    style="max-width:${periods.length * WIDEST}px">${joined(grid)}${joined(columns)}${names(periods, unit)}</svg>`;
}

interface Slot {
  readonly i: number;
  readonly of: number;
  /** Lines of the busiest period. */
  readonly most: number;
}

function column({ key, counts }: Group, { i, of, most }: Slot): Markup {
  if (counts.total === 0) return html``;
  const [x, width] = [place(((i + 0.1) / of) * 100), place((0.8 / of) * 100)];
  let bottom = FLOOR;
  const parts = KINDS.filter((kind) => counts[kind] > 0).map((kind) => {
    const height = share(counts[kind], counts) * (FLOOR - TOP);
    bottom -= height;
    return html`<rect class="${kind}" x="${x}%" y="${place(bottom)}" width="${width}%" height="${place(height)}"/>`;
  });
  const tall = Math.max(1, (counts.total / most) * (AMOUNT_FLOOR - AMOUNT_TOP));
  return html`<a href="#period-${i}" tabindex="-1">
    <title>${calendar(key)}: ${many(counts.total, 'line')}. ${told(counts)}</title>${joined(parts)}
    <rect class="amount" x="${x}%" y="${place(AMOUNT_FLOOR - tall)}" width="${width}%" height="${place(tall)}"/></a>`;
}

/** The year stands where it is new. */
function names(periods: readonly Group[], unit: Unit): Markup {
  const step = Math.ceil(periods.length / MOST_NAMES);
  const at = periods.flatMap((_, i) => (i % step === 0 && (i === 0 || periods.length - i >= step * 0.6) ? [i] : []));
  const named = at.map((i, nth) => {
    const [key = '', last = ''] = [periods[i]?.key, periods[at[nth - 1] ?? -1]?.key];
    const same = unit === 'week' && key.slice(0, 4) === last.slice(0, 4);
    const text = same ? calendar(key).replace(/ \d{4}$/, '') : calendar(key);
    const x = place(((i + 0.1) / periods.length) * 100);
    return html`<text class="tick${nth % 2 === 1 ? ' thin' : ''}" x="${x}%" y="${NAMES}">${text}</text>`;
  });
  return joined(named);
}
