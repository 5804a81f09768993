import type { Repository } from '../git/repository.ts';
import { printNotice, type Setting } from '../page/browse/frame.ts';
import { html, name } from '../page/markup.ts';
import type { Answer } from '../serve/server.ts';
import type { World } from './command.ts';
import { commitOf } from './standing.ts';
import type { StandingCache } from './standing-cache.ts';

/** What the pages are made from. */
export interface Browser {
  /** At the top of the repository. */
  readonly world: World;
  readonly repository: Repository;
  readonly standings: StandingCache;
  /** The repository's name. */
  readonly title: string;
}

/** The commit that is looked at: the one that was named, or HEAD. */
export function commitAt({ repository }: Browser, { at }: Setting): Promise<string> {
  return commitOf(repository.place, at ?? 'HEAD');
}

export function page(body: string, status = 200): Answer {
  return { status, type: 'text/html; charset=utf-8', body };
}

export function notFound(why: string, setting: Setting): Answer {
  return page(printNotice('Not found', html`${name(why, 400)}`, setting), 404);
}
