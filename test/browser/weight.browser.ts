import type { Page } from 'playwright-core';
import { pagesOfApp } from '../pages/page-addresses';
import { openWindow } from './browser';
import { nowhere } from './receiver';
import { createEndpoint, createKey, openSetting, type Setting, signUp } from './setting';
import { visit } from './visit';

/**
 * Of compressed script that a page's own document asks for, in kB of 1000 bytes, without the headers it
 * comes with. What is fetched after it for the skeletons of other pages is shown, and has no bound.
 */
const scriptLimitKb = 250;

/** As Chromium reports it; TypeScript does not know it yet. */
type LayoutShift = PerformanceEntry & { value: number; sources: Moved[] };

type Moved = { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly };

let setting: Setting;
/** Of every page of the dashboard. */
let paths: string[];

beforeAll(async () => {
  setting = await openSetting();
  // What a page asks for again and again is not of its load, however long that takes.
  await setting.page.addInitScript(() => Object.assign(window, { setInterval: () => 0 }));
  await signUp(setting.page, 'ada@example.com');
  await createKey(setting.page, 'Website');
  const addresses: Record<string, string> = {
    '/webhooks/[endpointId]': await createEndpoint(setting.page, nowhere),
  };
  const pages = pagesOfApp().filter(({ isOfDashboard }) => isOfDashboard);
  paths = pages.map(({ path }) => addresses[path] ?? path);
});

afterAll(() => setting?.close());

test('every page of the dashboard with a parameter in its path has an address here that opens it', () => {
  expect(paths.length).toBeGreaterThan(4);
  expect(paths.filter((path) => path.includes('['))).toEqual([]);
});

/** Loads the page in a window without a cache. Bytes are those of the wire, as the browser counts them. */
async function load(page: Page, path: string) {
  // What the page before has asked for is not answered into this one's figures.
  await page.goto('about:blank');
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const scripts = new Map<string, { name: string; headerBytes: number; bytes: number }>();
  const procedureCalls: string[] = [];
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    const name = new URL(response.url).pathname.split('/').at(-1) ?? '';
    const headerBytes = response.encodedDataLength;
    if (type === 'Script') scripts.set(requestId, { name, headerBytes, bytes: 0 });
    if (response.url.includes('/api/trpc/')) procedureCalls.push(name);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const script = scripts.get(requestId);
    if (script) script.bytes = encodedDataLength - script.headerBytes;
  });
  const answer = await visit(page, path);
  const document = (await answer?.text()) ?? '';
  const paint = await paintOf(page);
  await session.detach();
  const kilobytes = (counted: { bytes: number }[]) =>
    counted.reduce((sum, { bytes }) => sum + bytes, 0) / 1000;
  const all = [...scripts.values()];
  const scriptKb = kilobytes(all.filter(({ name }) => document.includes(name)));
  return { scriptKb, withPrefetchedKb: kilobytes(all), procedureCalls, ...paint };
}

/**
 * What moved is named by the start of its markup, so that a failure says where to look. A line in the
 * middle whose end arrives later moves within its own box, by chance of where a piece ends: not counted.
 */
const paintOf = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<{ layoutShift: number; moved: string[]; largestPaintMs: number }>((resolve) => {
        const seen = { layoutShift: 0, moved: [] as string[], largestPaintMs: 0 };
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as LayoutShift[]) {
            const moved = entry.sources.filter(
              ({ previousRect, currentRect }) =>
                JSON.stringify(previousRect) !== JSON.stringify(currentRect),
            );
            if (entry.sources.length > 0 && moved.length === 0) continue;
            seen.layoutShift += entry.value;
            for (const { node } of moved) {
              const words = node instanceof Element ? node.outerHTML : node?.textContent;
              seen.moved.push(words?.slice(0, 200) ?? 'removed');
            }
          }
        }).observe({ type: 'layout-shift', buffered: true });
        new PerformanceObserver((list) => {
          seen.largestPaintMs = list.getEntries().at(-1)?.startTime ?? 0;
        }).observe({ type: 'largest-contentful-paint', buffered: true });
        setTimeout(() => resolve(seen), 300);
      }),
  );

/** Scripts and styles come from the cache, the document a kilobyte after the other. */
async function loadSlowly(page: Page, path: string) {
  const network = { offline: false, latency: 0, uploadThroughput: -1 };
  await visit(page, path);
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', { ...network, downloadThroughput: 6000 });
  await page.goto(path);
  const { layoutShift, moved } = await paintOf(page);
  await session.send('Network.emulateNetworkConditions', { ...network, downloadThroughput: -1 });
  await session.detach();
  return { path, layoutShift, moved };
}

test('a page is small, comes with its data, and does not move', async () => {
  const { browser, page, service } = setting;
  const stranger = await openWindow(browser, service.url);
  const measured = [{ path: '/sign-in', ...(await load(stranger.page, '/sign-in')) }];
  for (const path of paths) measured.push({ path, ...(await load(page, path)) });
  process.stdout.write(`${measured.map((line) => JSON.stringify(line)).join('\n')}\n`);
  expect(measured.filter(({ scriptKb }) => scriptKb >= scriptLimitKb)).toEqual([]);
  expect(measured.filter(({ procedureCalls }) => procedureCalls.length > 0)).toEqual([]);
  expect(measured.filter(({ layoutShift }) => layoutShift >= 0.01)).toEqual([]);
});

test('a page that arrives in pieces does not move', async () => {
  const { browser, page, service } = setting;
  const stranger = await openWindow(browser, service.url);
  const loaded = [await loadSlowly(stranger.page, '/sign-in')];
  for (const path of paths) {
    const first = await loadSlowly(page, path);
    // Where a minute has passed meanwhile, "just now" has become longer, and what follows it has moved.
    loaded.push(first.layoutShift > 0 ? await loadSlowly(page, path) : first);
  }
  expect(loaded.filter(({ layoutShift }) => layoutShift > 0)).toEqual([]);
});

test('the data is in the document, before any script', async () => {
  const { page } = setting;
  const answer = await page.request.get('/api-keys');
  expect(await answer.text()).toContain('sk_live_…');
});

test('pages say that they may load nothing from elsewhere, nor be framed', async () => {
  const answer = await setting.page.request.get('/api-keys');
  const headers = answer.headers();
  expect(headers['content-security-policy']).toContain("default-src 'self'");
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['cache-control']).toContain('no-store');
});
