import type { ContributorType } from '../lines/origin.ts';
import { type Counts, KINDS, share } from '../report/tally.ts';
import { html, joined, type Markup } from './markup.ts';
import { many, percent, place } from './words.ts';

export const KIND_NAMES: Readonly<Record<ContributorType, string>> = {
  ai: 'AI',
  mixed: 'Mixed',
  human: 'Human',
  unknown: 'Unknown',
};

/** The letters of `git agent-blame`: nobody needs to see colours. */
const MARKERS: Readonly<Record<ContributorType, string>> = { ai: 'A', mixed: 'M', human: 'H', unknown: '?' };

export function marker(kind: ContributorType): Markup {
  return html`<span class="mark ${kind}" role="img" aria-label="${KIND_NAMES[kind]}">${MARKERS[kind]}</span>`;
}

/** Lines that an agent had a hand in. */
export function byAgents(counts: Counts): number {
  return counts.ai + counts.mixed;
}

/** "AI 62%, Mixed 3%, Human 30%, Unknown 5%": what a chart says to those who do not see it. */
export function told(counts: Counts): string {
  const shares = KINDS.filter((kind) => counts[kind] > 0).map(
    (kind) => `${KIND_NAMES[kind]} ${percent(share(counts[kind], counts))}`,
  );
  return shares.join(', ') || 'no lines';
}

/** Below this part of the whole bar a letter has no room. */
const ROOM_FOR_LETTER = 0.04;

/** One bar for the whole, in the four kinds. */
export function stackedBar(counts: Counts, height: number): Markup {
  let left = 0;
  const segments = KINDS.filter((kind) => counts[kind] > 0).map((kind) => {
    const part = share(counts[kind], counts);
    const [x, middle] = [left * 100, (left + part / 2) * 100];
    left += part;
    const letter =
      part >= ROOM_FOR_LETTER
        ? html`<rect class="plate" x="${place(middle)}%" y="${height / 2 - 11}" width="22" height="22" rx="4"/>
            <text x="${place(middle)}%" y="${height / 2}">${MARKERS[kind]}</text>`
        : undefined;
    return html`<g class="${kind}">
      <title>${KIND_NAMES[kind]}: ${many(counts[kind], 'line')}, ${percent(part)}</title>
      <rect class="fill" x="${place(x)}%" y="0" width="${place(part * 100)}%" height="${height}"/>${letter}</g>`;
  });
  return html`<svg class="whole" role="img" aria-label="${told(counts)}" width="100%" height="${height}">
    ${joined(segments)}</svg>`;
}

/** A thin bar in a row: its length against the longest row, its parts the four kinds. */
export function rowBar(counts: Counts, longest: number): Markup {
  let left = 0;
  const segments = KINDS.filter((kind) => counts[kind] > 0).map((kind) => {
    const [x, width] = [left, (counts[kind] / longest) * 100];
    left += width;
    return html`<rect class="${kind}" x="${place(x)}%" width="${place(width)}%" height="100%"/>`;
  });
  return html`<svg class="bar" aria-hidden="true" width="100%" height="12">${joined(segments)}</svg>`;
}

/** What the colours, patterns and letters mean. */
export function legend(): Markup {
  const items = KINDS.map((kind) => html`<li>${swatch(kind)}${marker(kind)} ${KIND_NAMES[kind]}</li>`);
  return html`<ul class="legend" aria-label="Kinds">${joined(items)}</ul>`;
}

function swatch(kind: ContributorType): Markup {
  return html`<svg class="swatch" aria-hidden="true" width="20" height="12">
    <rect class="${kind}" width="20" height="12"/></svg>`;
}

/** Stripes, lines and dots, so that colour alone tells nothing. Drawn once, used by every chart. */
export function patterns(): Markup {
  return html`<svg width="0" height="0" class="patterns" aria-hidden="true"><defs>
    <pattern id="p-mixed" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
    <rect class="ground" width="6" height="6"/><rect class="stripe" width="2.4" height="6"/></pattern>
    <pattern id="p-human" width="4" height="4" patternUnits="userSpaceOnUse">
    <rect class="ground" width="4" height="4"/><rect class="stripe" width="4" height="1"/></pattern>
    <pattern id="p-unknown" width="5" height="5" patternUnits="userSpaceOnUse">
    <rect class="ground" width="5" height="5"/><circle class="dot" cx="1.5" cy="1.5" r="1"/></pattern>
    </defs></svg>`;
}
