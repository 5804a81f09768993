import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Served } from '../../src/serve/server.ts';
import { poorlySeen } from '../page/contrast.ts';
import type { Workshop } from '../support/workshop.ts';
import { HOSTILE, serve, story } from './story.ts';

const CHROMIUM = '/usr/bin/chromium';
const missing = !fs.existsSync(CHROMIUM);
const ARGS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'];

interface Opened {
  readonly page: Page;
  /** What was asked for elsewhere. */
  readonly strangers: string[];
  readonly complaints: string[];
}

describe.skipIf(missing)(`git agent serve in a browser (needs ${CHROMIUM})`, { timeout: 60_000 }, () => {
  let browser: Browser;
  let shop: Workshop;
  let served: Served;
  // where a person can look at the pages: PAGE_PICTURES names the folder
  let pictures = '';

  beforeAll(async () => {
    pictures = process.env.PAGE_PICTURES ?? fs.mkdtempSync(path.join(os.tmpdir(), 'serve-'));
    fs.mkdirSync(pictures, { recursive: true });
    shop = await story();
    // long enough to scroll
    shop.prompt('Now a long table', 's2');
    const rows = Array.from({ length: 120 }, (_, i) => `  row${i}: [${i}, 'number ${i}'],`).join('\n');
    shop.ai('src/long.ts', `export const table = {\n${rows}\n};\n`, 's2');
    shop.commit('a table');
    served = await serve(shop);
    const { chromium } = await import('playwright-core');
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS });
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    await served?.close();
    shop?.remove();
    if (!process.env.PAGE_PICTURES) fs.rmSync(pictures, { recursive: true, force: true });
  });

  async function open(where = '/', options: BrowserContextOptions = {}): Promise<Opened> {
    const page = await (await browser.newContext({ viewport: { width: 1200, height: 800 }, ...options })).newPage();
    const [strangers, complaints]: [string[], string[]] = [[], []];
    page.on('request', (request) => request.url().startsWith(served.origin) || strangers.push(request.url()));
    // the browser asks for an icon by itself
    const isIcon = (url: string) => url.endsWith('/favicon.ico');
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !isIcon(message.location().url))
        complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    const [start, hash = ''] = where.split('#');
    await page.goto(`${served.origin}${start}?token=${served.door.token}${hash && `#${hash}`}`);
    return { page, strangers, complaints };
  }

  it.each([true, false])(
    'a click on a line leads to the step that wrote it (scripts: %s)',
    async (javaScriptEnabled) => {
      const { page, strangers, complaints } = await open('/', { javaScriptEnabled });
      expect(page.url()).toBe(`${served.origin}/`);
      await page.getByRole('link', { name: 'src/' }).click();
      await page.getByRole('link', { name: 'a.ts', exact: true }).click();
      expect(await page.locator('#L2 .text').textContent()).toBe('\ttwo');
      expect(await page.locator('#L2 .by').textContent()).toMatch(/^claude-code anthropic\/claude-opus-4-5-20251101/);
      // the first line of a person, then the agent's
      expect(await page.locator('#L1 a[href^="/conversation"]').count()).toBe(0);
      await page.locator('#L3').getByRole('link', { name: 'AI: the conversation that wrote line 3' }).click();
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Please add two');
      expect(await page.locator('.event.prompt .said').textContent()).toContain('and <b>three</b>');
      const step = page.locator('.event:target');
      expect(await step.getByRole('heading').textContent()).toMatch(/^Edited src\/a\.ts/);
      expect(await step.locator('ins').allInnerTexts()).toContain('+three');
      await page.getByRole('link', { name: 'src/a.ts' }).click();
      expect(await page.locator('#L2').isVisible()).toBe(true);
      expect([strangers, complaints]).toEqual([[], []]);
      await page.context().close();
    },
  );

  it('a deep link opens at its line, through the exchange of the token', async () => {
    const { page } = await open('/file/src/long.ts#L100');
    expect(page.url()).toBe(`${served.origin}/file/src/long.ts#L100`);
    const row = page.locator('tr:target');
    expect(await row.locator('.text').textContent()).toContain("'number 98'");
    expect(await page.evaluate('scrollY')).toBeGreaterThan(500);
    const background = (of: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${of} td')).backgroundColor`);
    expect(await background('#L100')).not.toBe(await background('#L101'));
    await page.locator('#L7 .number a').click();
    expect(page.url()).toMatch(/#L7$/);
    await page.context().close();
  });

  it('the keyboard alone goes from the top to a conversation, and sees where it is', async () => {
    const { page } = await open('/file/src/long.ts');
    const focused = () =>
      page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent");
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Skip to the content');
    expect(await page.locator('.skip').boundingBox()).toMatchObject({ x: 0 });
    await page.keyboard.press('Enter');
    const seen: unknown[] = [];
    while (seen.length < 12 && !String(seen.at(-1)).includes('the conversation that wrote')) {
      await page.keyboard.press('Tab');
      seen.push(await focused());
    }
    // the whole table is one run: one stop, not 122
    expect(seen.at(-1)).toBe('AI: the conversation that wrote line 1');
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/conversation\/s2/);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Now a long table');
    await page.context().close();
  });

  it('searches conversations with a plain form', async () => {
    const { page } = await open('/conversations');
    await page.getByRole('searchbox', { name: 'Words in prompts' }).fill('long TABLE');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Now a long table' }).click();
    expect(await page.locator('.event:target .said').textContent()).toBe('Now a long table');
    await page.context().close();
  });

  const ODD = `/file/${encodeURIComponent(HOSTILE)}`;
  const LOOKS = [
    ['light', { width: 1200, height: 800 }, ['/', '/file/src/long.ts#L9', ODD, '/conversations', '/report', '/nope']],
    ['dark', { width: 1200, height: 800 }, ['/file/src/a.ts#L2', '/conversation/s1']],
    ['narrow', { width: 360, height: 780 }, ['/', '/file/src/a.ts', '/conversation/s1']],
  ] as const;

  it.each(LOOKS)(
    '%s: readable, names its parts, nothing sticks out, nothing is asked of others',
    async (look, viewport, pages) => {
      const colorScheme = look === 'dark' ? 'dark' : 'light';
      const { page, strangers, complaints } = await open('/', { viewport, colorScheme });
      for (const [i, where] of pages.entries()) {
        await page.goto(`${served.origin}${where}`);
        await page.screenshot({ path: path.join(pictures, `serve-${look}-${i}.png`) });
        expect(await page.evaluate('document.documentElement.scrollWidth'), where).toBeLessThanOrEqual(viewport.width);
        const poor = (await page.evaluate(poorlySeen(4.5))) as string[];
        expect(
          poor.filter((one) => !/^only \d+ texts seen$/.test(one)),
          where,
        ).toEqual([]);
        expect(await page.locator('h1').count(), where).toBe(1);
        expect(await page.locator('main, nav[aria-label=Pages]').count(), where).toBe(2);
        expect(await page.locator('a:not([href]), img, iframe').count(), where).toBe(0);
      }
      expect(strangers).toEqual([]);
      expect(complaints.filter((one) => !one.includes('404'))).toEqual([]);
      await page.context().close();
    },
  );

  it('a page of another port learns nothing, even in a browser that has the cookie', async () => {
    const { page } = await open('/');
    const other = http.createServer((_, response) => response.end('<!doctype html><title>other</title>'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = other.address() as AddressInfo;
      await page.goto(`http://127.0.0.1:${port}/`);
      const tried = (options: string) =>
        page.evaluate(`fetch('${served.origin}/style.css', ${options}).then((r) => r.type, () => 'refused')`);
      expect(await tried("{ mode: 'no-cors', credentials: 'include' }")).toBe('refused');
      expect(await tried("{ mode: 'cors', credentials: 'include' }")).toBe('refused');
      const [cookie] = await page.context().cookies();
      expect(cookie).toMatchObject({ sameSite: 'Strict', httpOnly: true });
    } finally {
      other.close();
      await page.context().close();
    }
  });
});
