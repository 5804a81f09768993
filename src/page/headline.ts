import type { Report } from '../report/report.ts';
import type { Scope } from '../report/run.ts';
import { KINDS, share } from '../report/tally.ts';
import type { PageFacts } from './facts.ts';
import { KIND_NAMES, marker, stackedBar } from './kinds.ts';
import { html, joined, type Markup, name } from './markup.ts';
import { day, figure, many, percent } from './words.ts';

/** A part of the page, as the way to it names it. */
export interface PagePart {
  readonly id: string;
  readonly title: string;
}

/** Whose report this is, of what, and the way to its parts. */
export function printHeader({ scope }: Report, facts: PageFacts, parts: readonly PagePart[]): Markup {
  const links = parts.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`);
  return html`<header><p class="over">Who wrote these lines</p><h1>${name(facts.repository)}</h1>
    <p class="lead">${printScope(scope)} <span class="made">Made ${day(facts.made)}.</span></p>
    <nav aria-label="Sections"><ul>${joined(links)}</ul></nav></header>`;
}

function printScope(scope: Scope): Markup {
  if (scope.kind === 'added') {
    return html`Lines added by ${many(scope.commits, 'commit')} of <code>${name(scope.range)}</code>.`;
  }
  return html`Lines standing at <code>${name(scope.revision)}</code> in ${many(scope.files, 'file')}.`;
}

/** The one figure, and the four that it is part of. */
export function printHeadline({ counts, scope }: Report): Markup {
  const lines = scope.kind === 'added' ? 'lines added' : 'lines standing';
  const rows = KINDS.map(
    (kind) => html`<tr><th scope="row">${marker(kind)} ${KIND_NAMES[kind]}</th>
      <td class="meaning">${MEANINGS[kind]}</td><td class="number">${figure(counts[kind])}</td>
      <td class="number">${percent(share(counts[kind], counts))}</td></tr>`,
  );
  return html`<section id="headline" aria-labelledby="h-headline">
    <h2 id="h-headline" class="big"><span class="huge">${percent(share(counts.ai, counts))}</span>${' '}
    <span class="of">of ${figure(counts.total)} ${lines} were written by AI</span></h2>
    ${counts.total > 0 ? stackedBar(counts, 44) : undefined}
    <table class="kinds"><caption class="hidden">Lines by who wrote them</caption>
    <thead class="hidden"><tr><th scope="col">Kind</th><th scope="col">Meaning</th><th scope="col">Lines</th>
    <th scope="col">Share</th></tr></thead><tbody>${joined(rows)}</tbody></table></section>`;
}

const MEANINGS = {
  ai: 'written by an agent',
  mixed: 'an agent and a person, in one line',
  human: 'written by a person',
  unknown: 'no evidence either way, and no guess',
} as const;
