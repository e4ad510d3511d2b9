import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserServer,
  chromium,
  type Page,
} from 'playwright-core';
import { endOfMotion } from './checks';
import { placeOfWorker } from './place';

const screenshots = resolve(__dirname, '../../.screenshots');

/** A browser that `openBrowser` may connect to. */
export function startBrowser(): Promise<BrowserServer> {
  return chromium.launchServer({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** The worker's browser. To close it closes what was opened in it here, and nothing else. */
export function openBrowser(): Promise<Browser> {
  return chromium.connect(placeOfWorker().browser);
}

/** What a page asked of other hosts, and what it complained about; both are to stay empty. */
export type Watch = { foreign: string[]; complaints: string[] };

/** What was watched, without complaints that have `words` in them: the browser's own of a refusal. */
export function watchBesides(words: string, watch: Watch): Watch {
  return { ...watch, complaints: watch.complaints.filter((text) => !text.includes(words)) };
}

/** A person's own browser window: no cookies of anyone else. */
export async function openWindow(
  browser: Browser,
  baseURL: string,
  options: { timezoneId?: string; javaScriptEnabled?: boolean } = {},
): Promise<{ context: BrowserContext; page: Page; watch: Watch }> {
  const context = await browser.newContext({
    baseURL,
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  const page = await context.newPage();
  // For what never comes: machines with much other work take long.
  page.setDefaultTimeout(45_000);
  const watch: Watch = { foreign: [], complaints: [] };
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== baseURL) watch.foreign.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error') watch.complaints.push(message.text());
  });
  page.on('pageerror', (error) => watch.complaints.push(String(error)));
  return { context, page, watch };
}

const looks = [
  { name: 'light', scheme: 'light', width: 1280 },
  { name: 'dark', scheme: 'dark', width: 1280 },
  { name: 'narrow', scheme: 'light', width: 390 },
] as const;

/** Pictures are for people to look at, and made where they are asked for: `SCREENSHOTS=1`. */
const areWanted = process.env.SCREENSHOTS === '1';

/** A picture of the page as it is, if pictures are wanted; kept out of git. */
export async function takeScreenshot(page: Page, name: string, fullPage = false): Promise<void> {
  if (!areWanted) return;
  mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: resolve(screenshots, `${name}.png`), fullPage });
}

/** Pictures of it in light, in dark, and on a telephone. */
export async function takeScreenshots(page: Page, name: string): Promise<void> {
  if (!areWanted) return;
  for (const look of looks) {
    await page.emulateMedia({ colorScheme: look.scheme });
    await page.setViewportSize({ width: look.width, height: 800 });
    await endOfMotion(page);
    await takeScreenshot(page, `${name}-${look.name}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 800 });
}
