import type { Page } from 'playwright-core';
import { openWindow } from './browser';
import { createKey, openSetting, type Setting, signUp } from './setting';

/** Of compressed script, in kB of 1000 bytes; see the tests for what is measured. */
const scriptLimitKb = 300;

let setting: Setting;

beforeAll(async () => {
  setting = await openSetting();
  await signUp(setting.page, 'ada@example.com');
  await createKey(setting.page, 'Website');
});

afterAll(() => setting?.close());

/** Loads the page in a window without a cache. Bytes are those of the wire, as the browser counts them. */
async function load(page: Page, path: string) {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const scripts = new Set<string>();
  let scriptBytes = 0;
  let procedureCalls = 0;
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (type === 'Script') scripts.add(requestId);
    if (response.url.includes('/api/trpc/')) procedureCalls += 1;
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) scriptBytes += encodedDataLength;
  });
  await page.goto(path, { waitUntil: 'networkidle' });
  const paint = await page.evaluate(
    () =>
      new Promise<{ layoutShift: number; largestPaintMs: number }>((resolve) => {
        const seen = { layoutShift: 0, largestPaintMs: 0 };
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            seen.layoutShift += (entry as PerformanceEntry & { value: number }).value;
          }
        }).observe({ type: 'layout-shift', buffered: true });
        new PerformanceObserver((list) => {
          seen.largestPaintMs = list.getEntries().at(-1)?.startTime ?? 0;
        }).observe({ type: 'largest-contentful-paint', buffered: true });
        setTimeout(() => resolve(seen), 300);
      }),
  );
  await session.detach();
  return { scriptKb: scriptBytes / 1000, procedureCalls, ...paint };
}

async function endpointPath(): Promise<string> {
  const { page } = setting;
  await page.goto('/webhooks');
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  await page.getByLabel('URL').fill('http://127.0.0.1:59999/');
  await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('link', { name: 'http://127.0.0.1:59999/' }).click();
  await page.waitForURL(/webhooks\/.+/);
  return new URL(page.url()).pathname;
}

test('a page is small, comes with its data, and does not move', async () => {
  const { browser, page, service } = setting;
  const paths = ['/api-keys', '/webhooks', await endpointPath(), '/account'];
  const stranger = await openWindow(browser, service.url);
  const measured = [{ path: '/sign-in', ...(await load(stranger.page, '/sign-in')) }];
  for (const path of paths) measured.push({ path, ...(await load(page, path)) });
  process.stdout.write(`${measured.map((line) => JSON.stringify(line)).join('\n')}\n`);
  for (const { scriptKb, procedureCalls, layoutShift } of measured) {
    expect(scriptKb).toBeLessThan(scriptLimitKb);
    expect(procedureCalls).toBe(0);
    expect(layoutShift).toBeLessThan(0.01);
  }
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
