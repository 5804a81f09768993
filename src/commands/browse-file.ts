import { readObjects } from '../git/objects.ts';
import { nameOf, nameOfBytes } from '../git/paths.ts';
import { LINK } from '../git/raw.ts';
import { type HeadFile, readHeadBlobs } from '../git/trees.ts';
import { isBinary, splitBytes } from '../lines/text.ts';
import { lineAddress, MOST_LINES } from '../page/browse/address.ts';
import { printFile } from '../page/browse/file.ts';
import { printNotice, type Setting } from '../page/browse/frame.ts';
import { html, type Markup, name } from '../page/markup.ts';
import type { Route } from '../serve/route.ts';
import type { Answer } from '../serve/server.ts';
import { blameLines } from './blame-lines.ts';
import { type Browser, commitAt, notFound, page } from './browser.ts';

/** Larger files are not read by people. */
const MAX_BYTES = 8 << 20;

type FileRoute = Route & { readonly page: 'file' };

/** Only what a commit has under that very name is ever read, and git reads it: nothing in the work tree, nothing beside it. */
export async function answerFile(browser: Browser, route: FileRoute, setting: Setting): Promise<Answer> {
  const { path } = route;
  const { place } = browser.repository;
  const commit = await commitAt(browser, setting);
  const found = (await readHeadBlobs(place, commit, [path])).get(path);
  if (!found) return notFound(`There is no file ${nameOf(path)} at ${setting.at ?? 'HEAD'}.`, setting);
  const bytes = (await readObjects(place, [found.blob], { maxBytes: MAX_BYTES })).get(found.blob)?.bytes;
  const why = whyNot(found, bytes);
  if (!bytes || why) return page(printNotice(nameOf(path), html`${name(nameOf(path), 240)} ${why}`, setting));
  return answerLines(browser, { route, commit, total: splitBytes(bytes).length }, setting);
}

/** What is said in place of lines. */
function whyNot({ mode }: HeadFile, bytes: Uint8Array | undefined): Markup | undefined {
  if (!bytes) return html`is not shown: it is too large, or not in this clone.`;
  if (mode === LINK) return html`is a link to ${name(nameOfBytes(bytes), 240)}: a link has no lines.`;
  return isBinary(bytes) ? html`is not shown: it is not text.` : undefined;
}

interface FoundFile {
  readonly route: FileRoute;
  readonly commit: string;
  readonly total: number;
}

async function answerLines(browser: Browser, { route, commit, total }: FoundFile, setting: Setting): Promise<Answer> {
  const { path, from, line } = route;
  const first = line ?? from;
  if (first > Math.max(1, total)) return notFound(`${nameOf(path)} has no line ${first}.`, setting);
  if (line !== undefined) return { ...page('', 303), location: lineAddress(path, setting.at, line) };
  const last = Math.min(total, from + MOST_LINES - 1);
  const gitArgs = total > MOST_LINES ? [`-L${from},${last}`] : [];
  const [file] =
    total === 0 ? [] : (await blameLines(browser.world, { files: [nameOf(path)], revisions: [commit], gitArgs })).files;
  const start = total > MOST_LINES ? from : 1;
  return page(printFile({ path, commit, lines: file?.lines ?? [], from: start, total }, setting));
}
