import { notHere } from '../conversation/line.ts';
import { byStart, summariseSession } from '../conversation/summary.ts';
import { Fault } from '../fault.ts';
import { nameOf } from '../git/paths.ts';
import { findRepository, repositoryName } from '../git/repository.ts';
import { listBlobs, readHeadFiles } from '../git/trees.ts';
import { printConversation } from '../page/browse/conversation.ts';
import { printConversations } from '../page/browse/conversations.ts';
import type { Setting } from '../page/browse/frame.ts';
import { BROWSE_STYLE } from '../page/browse/style.ts';
import { entriesOf, printFolder } from '../page/browse/tree.ts';
import { parseRoute, type Route } from '../serve/route.ts';
import type { Answer } from '../serve/server.ts';
import { answerFile } from './browse-file.ts';
import { answerReport } from './browse-report.ts';
import { type Browser, commitAt, notFound, page } from './browser.ts';
import type { World } from './command.ts';
import { openRecorded, searchAll } from './recorded.ts';
import { openStandings } from './standing-cache.ts';

/** Hits that one page shows. */
const MOST_HITS = 100;

export async function openBrowser(world: World): Promise<(url: URL) => Promise<Answer>> {
  const found = await findRepository(world.cwd);
  const top: World = { ...world, cwd: found.worktree ?? found.gitDir };
  const repository = await findRepository(top.cwd);
  const title = repositoryName(found);
  const browser: Browser = { world: top, repository, standings: openStandings(top, repository), title };
  return (url) => answer(browser, url);
}

/** What cannot be found is a page that says so, not a failure. */
async function answer(browser: Browser, url: URL): Promise<Answer> {
  const route = parseRoute(url);
  const setting: Setting = { repository: browser.title, version: browser.world.version };
  if (!route) return notFound('There is no such page.', setting);
  try {
    return await answerRoute(browser, route, 'at' in route ? { ...setting, at: route.at } : setting);
  } catch (error) {
    if (error instanceof Fault && error.code !== 'bug') return notFound(error.message, setting);
    throw error;
  }
}

async function answerRoute(browser: Browser, route: Route, setting: Setting): Promise<Answer> {
  switch (route.page) {
    case 'style':
      return { status: 200, type: 'text/css; charset=utf-8', body: BROWSE_STYLE };
    case 'folder':
      return answerFolder(browser, route.folder, setting);
    case 'file':
      return answerFile(browser, route, setting);
    case 'conversations':
      return answerConversations(browser, route.words, setting);
    case 'conversation':
      return answerConversation(browser, route, setting);
    case 'report':
      return answerReport(browser, setting);
  }
}

async function answerFolder(browser: Browser, folder: string, setting: Setting): Promise<Answer> {
  const commit = await commitAt(browser, setting);
  const [files, standing] = await Promise.all([
    listBlobs(browser.repository.place, commit),
    browser.standings.find(commit),
  ]);
  const counted = 'report' in standing ? standing.report.files : [];
  const counts = new Map(counted.map((file) => [file.path, file.counts]));
  const entries = entriesOf({ folder, paths: files.map((file) => file.path), counts });
  if (entries.length === 0 && folder !== '') return notFound(`There is no folder ${nameOf(folder)}.`, setting);
  const counting = 'report' in standing ? undefined : standing;
  return page(printFolder({ folder, commit, entries, counting }, setting));
}

async function answerConversations(browser: Browser, words: string | undefined, setting: Setting): Promise<Answer> {
  const readable = await (await openRecorded(browser.repository, browser.world)).listAll();
  const sessions = readable.map(({ document, shared }) => summariseSession(document, shared)).sort(byStart);
  const search = words === undefined ? undefined : { words, found: searchAll(readable, { words, most: MOST_HITS }) };
  return page(printConversations({ sessions, search }, setting));
}

async function answerConversation(
  browser: Browser,
  { session, event }: Route & { readonly page: 'conversation' },
  setting: Setting,
): Promise<Answer> {
  const { repository, world } = browser;
  const document = await (await openRecorded(repository, world)).find(session);
  if (!document) return notFound(notHere(session), setting);
  const files = await standingFiles(browser, summariseSession(document).files);
  return page(printConversation({ document, event, files }, setting));
}

/** Those of the files that are still there. */
async function standingFiles({ repository: { place } }: Browser, files: readonly string[]): Promise<Set<string>> {
  const found = await readHeadFiles(place, 'HEAD', files);
  return new Set(files.filter((file) => found.get(file)));
}
