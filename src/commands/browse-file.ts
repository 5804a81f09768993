import { readObjects } from '../git/objects.ts';
import { nameOf } from '../git/paths.ts';
import { readHeadFiles } from '../git/trees.ts';
import { isBinary, splitBytes } from '../lines/text.ts';
import { lineAddress, MOST_LINES } from '../page/browse/address.ts';
import { printFile } from '../page/browse/file.ts';
import { printNotice, type Setting } from '../page/browse/frame.ts';
import { html, name } from '../page/markup.ts';
import type { Route } from '../serve/route.ts';
import type { Answer } from '../serve/server.ts';
import { blameLines } from './blame-lines.ts';
import { type Browser, commitAt, notFound, page } from './browser.ts';

/** Larger files are not read by people. */
const MAX_BYTES = 8 << 20;

type FileRoute = Route & { readonly page: 'file' };

/** Only what a commit has under that very name is ever read, and git reads it: nothing in the work tree, nothing beside it. */
export async function answerFile(browser: Browser, { path, from, line }: FileRoute, setting: Setting): Promise<Answer> {
  if (line !== undefined) return { ...page('', 303), location: lineAddress(path, setting.at, line) };
  const { place } = browser.repository;
  const commit = await commitAt(browser, setting);
  const blob = (await readHeadFiles(place, commit, [path])).get(path)?.blob;
  if (blob === undefined) return notFound(`There is no file ${nameOf(path)} at ${setting.at ?? 'HEAD'}.`, setting);
  const bytes = (await readObjects(place, [blob], { maxBytes: MAX_BYTES })).get(blob)?.bytes;
  if (!bytes || isBinary(bytes)) {
    const why = bytes ? 'it is not text' : 'it is too large, or not in this clone';
    return page(printNotice(nameOf(path), html`${name(nameOf(path), 240)} is not shown: ${why}.`, setting));
  }
  const total = splitBytes(bytes).length;
  if (from > Math.max(1, total)) return notFound(`${nameOf(path)} has no line ${from}.`, setting);
  const last = Math.min(total, from + MOST_LINES - 1);
  const gitArgs = total > MOST_LINES ? [`-L${from},${last}`] : [];
  const [file] =
    total === 0 ? [] : (await blameLines(browser.world, { files: [nameOf(path)], revisions: [commit], gitArgs })).files;
  const start = total > MOST_LINES ? from : 1;
  return page(printFile({ path, commit, lines: file?.lines ?? [], from: start, total }, setting));
}
