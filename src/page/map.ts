import type { Report } from '../report/report.ts';
import { share } from '../report/tally.ts';
import type { Folder } from './folders.ts';
import { cut, html, joined, type Markup } from './markup.ts';
import { type Box, squarify } from './treemap.ts';
import { many, percent, place } from './words.ts';

/** Shapes of the map in wide and in narrow windows: sides in proportion. */
const WIDE: Box = { x: 0, y: 0, width: 1000, height: 420 };
const NARROW: Box = { x: 0, y: 0, width: 330, height: 460 };
/** Steps of colour between no line and every line by AI. */
export const STEPS = 5;

/**
 * Folders as areas, coloured by AI share. Made of links and not of a drawing, so that names stay in letters of readable size and each is cut
 * where its area ends; both shapes are worked out here, the window picks one.
 */
export function printMap({ counts }: Report, folders: readonly Folder[]): Markup {
  const sized = folders.map((folder, i) => ({ folder, i })).filter(({ folder }) => folder.counts.total > 0);
  const sorted = sized.sort((a, b) => b.folder.counts.total - a.folder.counts.total);
  if (sorted.length === 0) return html``;
  const values = sorted.map(({ folder }) => folder.counts.total);
  const [wide, narrow] = [squarify(values, WIDE), squarify(values, NARROW)];
  const cells = sorted.map(({ folder, i }, nth) => {
    const style = `${boxStyle('', wide[nth], WIDE)}${boxStyle('n', narrow[nth], NARROW)}`;
    return cell(folder, { i, style });
  });
  return html`<section id="folders" aria-labelledby="h-folders"><h2 id="h-folders">Folders</h2>
    <p class="takeaway">${takeaway(folders, share(counts.ai, counts))}</p>
    <figure>${scale()}<ol class="map" aria-label="Folders by lines">${joined(cells)}</ol></figure></section>`;
}

function boxStyle(prefix: string, box: Box | undefined, whole: Box): string {
  if (!box) return '';
  const sides: readonly (readonly [string, number])[] = [
    ['x', box.x / whole.width],
    ['y', box.y / whole.height],
    ['w', box.width / whole.width],
    ['h', box.height / whole.height],
  ];
  return sides.map(([side, part]) => `--${prefix}${side}:${place(part * 100)}%;`).join('');
}

function cell({ name, counts }: Folder, { i, style }: { readonly i: number; readonly style: string }): Markup {
  const part = share(counts.ai, counts);
  const [shown, said] = [cut(name, 120), percent(part)];
  const step = Math.min(STEPS - 1, Math.floor(part * STEPS));
  return html`<li style="${style}"><a class="step-${step}" href="#folder-${i}"
    title="${shown}: ${said} AI of ${many(counts.total, 'line')}"><span class="fit"><bdi class="where">${shown}</bdi>
    <span class="part">${said} AI</span><span class="part size">${many(counts.total, 'line')}</span></span></a></li>`;
}

function takeaway(folders: readonly Folder[], whole: number): Markup {
  const [largest] = folders;
  if (!largest) return html``;
  const part = share(largest.counts.ai, largest.counts);
  return html`Areas are lines; the stronger the colour, the more AI. Largest: <code><bdi>${cut(largest.name, 80)}</bdi></code>
    with ${many(largest.counts.total, 'line')}, ${percent(part)} of them by AI (${percent(whole)} in all).`;
}

function scale(): Markup {
  const steps = Array.from({ length: STEPS }, (_, i) => {
    const text = `${(i * 100) / STEPS}–${((i + 1) * 100) / STEPS}%`;
    return html`<li class="step-${i}">${text}</li>`;
  });
  return html`<ol class="scale" aria-label="AI share by colour">${joined(steps)}</ol>`;
}
