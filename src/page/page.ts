import type { Report } from '../report/report.ts';
import { printAgents, printConversations } from './agents.ts';
import { printCertainty } from './certainty.ts';
import type { PageFacts } from './facts.ts';
import { listFiles, printAllFiles } from './files.ts';
import { foldersOf } from './folders.ts';
import { type PagePart, printHeader, printHeadline } from './headline.ts';
import { patterns } from './kinds.ts';
import { printMap } from './map.ts';
import { cut, html, type Markup } from './markup.ts';
import { printOutside } from './outside.ts';
import { CONTENT_POLICY, SCRIPT } from './script.ts';
import { STYLE } from './style.ts';
import { printTime } from './time.ts';

export type { PageFacts } from './facts.ts';

/** More areas than this are too small to name. */
const MOST_FOLDERS = 24;

/** The report as one HTML document that asks nobody for anything. */
export function printPage(report: Report, facts: PageFacts): string {
  const parts = partsOf(report, facts).filter(({ body }) => body.markup !== '');
  const [style, script] = [{ markup: STYLE }, { markup: SCRIPT }];
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${CONTENT_POLICY}">
    <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
    <meta name="referrer" content="no-referrer"><title>${cut(facts.repository, 120)}: who wrote these lines</title>
    <style>${style}</style></head><body>${patterns()}${printHeader(report, facts, parts)}
    <main>${printHeadline(report)}${parts.map(({ body }) => body)}</main>
    <footer><p>Made by git-agent-blame ${facts.version}. Nothing here is guessed: what is not proven is unknown.</p></footer>
    <script>${script}</script></body></html>`.markup.concat('\n');
}

/** Every section in its order; one that has nothing to say is empty. */
function partsOf(report: Report, facts: PageFacts): (PagePart & { readonly body: Markup })[] {
  const listing = listFiles(report, facts);
  const page = { facts, places: listing.places };
  const folders = foldersOf(report.files, MOST_FOLDERS);
  return [
    { id: 'certainty', title: 'How sure', body: printCertainty(report) },
    { id: 'time', title: 'Over time', body: printTime(report, page) },
    { id: 'agents', title: 'Models and tools', body: printAgents(report, page) },
    { id: 'conversations', title: 'Conversations', body: printConversations(report, page) },
    { id: 'folders', title: 'Folders', body: printMap(report, folders) },
    { id: 'files', title: 'Files', body: printAllFiles(report, folders, { page, listing }) },
    { id: 'outside', title: 'Not counted', body: printOutside(report, facts) },
  ];
}
