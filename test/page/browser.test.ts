import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { printPage } from '../../src/page/page.ts';
import { poorlySeen } from './contrast.ts';
import { sample } from './sample.ts';

const CHROMIUM = '/usr/bin/chromium';
const missing = !fs.existsSync(CHROMIUM);
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const WIDE = { width: 1200, height: 900 };
/** Everything but most of the files, which are alike. */
const OPEN_SOME =
  "document.querySelectorAll('details').forEach((one, i) => { one.open = i % 20 === 0 || one.className !== 'entry' })";
const NARROW = { width: 360, height: 780 };

interface Opened {
  readonly page: Page;
  /** What was asked for beside the page itself. */
  readonly requests: string[];
  /** What the console complained about: scripts that fail, and what the content policy stopped. */
  readonly complaints: string[];
}

describe.skipIf(missing)(`the page in a browser (needs ${CHROMIUM})`, { timeout: 60_000 }, () => {
  let browser: Browser;
  // every picture of the page, where a person can look at it: PAGE_PICTURES names the folder
  let pictures = '';
  let file = '';

  beforeAll(async () => {
    pictures = process.env.PAGE_PICTURES ?? fs.mkdtempSync(path.join(os.tmpdir(), 'page-'));
    fs.mkdirSync(pictures, { recursive: true });
    file = path.join(pictures, 'report.html');
    const { report, facts } = sample();
    fs.writeFileSync(file, printPage(report, facts));
    const { chromium } = await import('playwright-core');
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS });
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    if (!process.env.PAGE_PICTURES) fs.rmSync(pictures, { recursive: true, force: true });
  });

  async function open(options: BrowserContextOptions): Promise<Opened> {
    const page = await (await browser.newContext(options)).newPage();
    const requests: string[] = [];
    const complaints: string[] = [];
    const url = pathToFileURL(file).href;
    page.on('request', (request) => request.url().split('#')[0] !== url && requests.push(request.url()));
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(url);
    return { page, requests, complaints };
  }

  const LOOKS = [
    ['light', { viewport: WIDE, colorScheme: 'light' }],
    ['dark', { viewport: WIDE, colorScheme: 'dark' }],
    ['narrow', { viewport: NARROW, colorScheme: 'light' }],
    ['without scripts', { viewport: WIDE, colorScheme: 'light', javaScriptEnabled: false }],
  ] as const satisfies readonly (readonly [string, BrowserContextOptions])[];

  it.each(LOOKS)(
    '%s: whole, readable, asks for nothing, complains of nothing, nothing sticks out',
    async (look, options) => {
      const { page, requests, complaints } = await open(options);
      const picture = await page.screenshot({ path: path.join(pictures, `${look}.png`), fullPage: true });
      expect(picture.length).toBeGreaterThan(50_000);
      expect(await page.locator('h2.big').isVisible()).toBe(true);
      expect(await page.locator('h2.big').textContent()).toMatch(/^\d+% of [\d,]+ lines added were written by AI$/);
      for (const chart of ['#headline svg.whole', '#time svg.chart', '#agents svg.bar >> nth=0', '#folders .map']) {
        const box = await page.locator(chart).boundingBox();
        expect(box?.width, chart).toBeGreaterThan(100);
        expect(box?.height, chart).toBeGreaterThan(10);
      }
      const [bar, count] = [page.locator('#agents summary .bar'), page.locator('#agents summary .count')];
      const [from, to] = [await bar.first().boundingBox(), await count.first().boundingBox()];
      expect((from?.x ?? 0) + (from?.width ?? 0), 'bars end before their figures').toBeLessThanOrEqual(to?.x ?? 0);
      await page.evaluate(OPEN_SOME);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(options.viewport.width);
      expect(await page.evaluate(poorlySeen(4.5))).toEqual([]);
      expect(requests).toEqual([]);
      expect(complaints).toEqual([]);
      await page.context().close();
    },
  );

  it.each([true, false])('leads from the chart to the lines and back (scripts: %s)', async (javaScriptEnabled) => {
    const { page } = await open({ viewport: WIDE, javaScriptEnabled });
    await page.locator('.map a').first().click();
    const folder = page.locator('details.folder:has(> .inside:target)');
    expect(await folder.locator('> .inside').isVisible()).toBe(true);
    const entry = folder.locator('details.entry').first();
    expect(await entry.locator('table.runs').isVisible()).toBe(false);
    await entry.locator('> summary').click();
    expect(await entry.locator('table.runs').isVisible()).toBe(true);
    expect(await entry.locator('tbody th').first().textContent()).toMatch(/^1(–\d+)?$/);
    await page.locator('table.top a').first().click();
    expect(await page.locator('.inside:target table.runs').isVisible()).toBe(true);
    await page.context().close();
  });

  it('shows where the keyboard is, and filters the files', async () => {
    const { page } = await open({ viewport: WIDE });
    await page.keyboard.press('Tab');
    const focused = 'getComputedStyle(document.activeElement).outlineStyle + " " + document.activeElement.textContent';
    expect(await page.evaluate(focused)).toBe('solid How sure');
    await page.locator('#filter').fill('RÉSUMÉ');
    const shown = await page.locator('details.entry:visible .label').allInnerTexts();
    expect(shown.length).toBeGreaterThan(3);
    expect(shown.filter((text) => !text.includes('résumé'))).toEqual([]);
    expect(await page.locator('output').textContent()).toBe(`${shown.length} files`);
    await page.locator('#filter').fill('');
    expect(await page.locator('details.entry:visible').count()).toBe(0);
    await page.context().close();
  });
});
