import { patterns } from '../kinds.ts';
import { cut, html, type Markup, name } from '../markup.ts';
import { type At, CONVERSATIONS, folderAddress, reportAddress, STYLE_SHEET } from './address.ts';

/** What every page says of where it is. */
export interface Setting {
  /** The repository's name. */
  readonly repository: string;
  /** Of this program. */
  readonly version: string;
  /** The revision that was asked for by name. */
  readonly at?: string | undefined;
}

export type Part = 'files' | 'conversations' | 'report';

export interface Framed {
  readonly title: string;
  /** Which of the parts this page belongs to. */
  readonly part?: Part;
  readonly body: Markup;
  /** For what is as wide as the screen: code. */
  readonly wide?: boolean;
}

/** A whole document around a body that begins with its h1. It works without scripts: there are none. */
export function printFrame({ title, part, body, wide }: Framed, setting: Setting): string {
  const { repository, version } = setting;
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
    <title>${cut(title, 160)} – ${cut(repository, 80)}</title><link rel="stylesheet" href="${STYLE_SHEET}"></head>
    <body class="browse${wide ? ' wide' : ''}"><a class="skip" href="#content">Skip to the content</a>${patterns()}
    <header><p class="over">${name(repository)}: who wrote these lines</p>${printParts(part, setting.at)}</header>
    <main id="content" tabindex="-1">${body}</main>
    <footer><p>Made by git-agent-blame ${version}. Nothing here is guessed: what is not proven is unknown.</p></footer>
    </body></html>`.markup.concat('\n');
}

/** The way to everything else, the same on every page. */
export function printParts(part: Part | undefined, at: At): Markup {
  const link = (own: Part, address: string, title: string) =>
    own === part
      ? html`<li><a href="${address}" aria-current="page">${title}</a></li>`
      : html`<li><a href="${address}">${title}</a></li>`;
  return html`<nav aria-label="Pages"><ul>${link('files', folderAddress('', at), 'Files')}
    ${link('conversations', CONVERSATIONS, 'Conversations')}${link('report', reportAddress(at), 'Report')}</ul></nav>`;
}

/** A page that only says something. */
export function printNotice(title: string, said: Markup, setting: Setting): string {
  return printFrame({ title, body: html`<h1>${title}</h1><p class="lead">${said}</p>` }, setting);
}
