import { reportAddress } from '../page/browse/address.ts';
import { printNotice, printParts, type Setting } from '../page/browse/frame.ts';
import { html } from '../page/markup.ts';
import { CONTENT_POLICY } from '../page/script.ts';
import { figure, many } from '../page/words.ts';
import type { Answer } from '../serve/server.ts';
import { type Browser, commitAt, page } from './browser.ts';
import { pageOf } from './report-page.ts';

/** The page that `git agent report --standing --format html` prints, with the way back to the others. */
export async function answerReport(browser: Browser, setting: Setting): Promise<Answer> {
  const { world, repository, standings } = browser;
  const standing = await standings.find(await commitAt(browser, setting));
  if (!('report' in standing)) {
    const { done, of } = standing;
    const far = of > 0 ? `: ${figure(done)} of ${many(of, 'file')}` : '';
    const again = html`<a href="${reportAddress(setting.at)}">Look again</a>`;
    return page(printNotice('Report', html`The lines are still being counted${far}. ${again}.`, setting));
  }
  const whole = pageOf({ world, repository, ...standing }).join('');
  // names are escaped: the first header is the page's own
  const body = whole.replace('<header>', () => `<header>${printParts('report', setting.at).markup}`);
  return { ...page(body), policy: `${CONTENT_POLICY}; frame-ancestors 'none'` };
}
