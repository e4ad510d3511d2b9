import { openWindow, takeScreenshots } from './browser';
import { seriousViolations } from './checks';
import { eventually } from './eventually';
import { createKey, openSetting, type Setting, signUp } from './setting';

let setting: Setting;

beforeAll(async () => {
  setting = await openSetting();
  await signUp(setting.page, 'ada@example.com');
  await createKey(setting.page, 'Shop');
});

afterAll(() => setting?.close());

test('among four hundred a key is found by its name, and few rows are sent', async () => {
  const { browser, service } = setting;
  const { page: own } = await openWindow(browser, service.url);
  await signUp(own, 'many@example.com');
  await own.evaluate(async () => {
    for (let first = 0; first < 400; first += 20) {
      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          fetch('/api/trpc/apiKeys.create', {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify({ name: `Key ${first + index}`, scopes: ['read'] }),
          }),
        ),
      );
    }
  });
  const html = await (await own.request.get('/api-keys')).text();
  process.stdout.write(`HTML with 400 keys: ${html.length} characters\n`);
  expect(html.length).toBeLessThan(500_000);
  await own.goto('/api-keys');
  // The rows of the skeleton are gone by then.
  await own.getByRole('button', { name: 'Show more (350 left)' }).waitFor();
  await eventually(async () => expect(await own.locator('tbody tr').count()).toBe(50));
  await own.getByRole('button', { name: 'Show more (350 left)' }).click();
  await eventually(async () => expect(await own.locator('tbody tr').count()).toBe(100));
  await own.getByLabel('Search').fill('key 39');
  await eventually(async () => expect(await own.locator('tbody tr').count()).toBe(11));
  await own.getByLabel('Order').selectOption('By name');
  await eventually(async () =>
    expect(await own.locator('tbody tr').first().textContent()).toContain('Key 39'),
  );
  await own.getByLabel('Status', { exact: true }).selectOption('Off or expired');
  await own.getByText('No key matches.').waitFor();
  await own.getByLabel('Status', { exact: true }).selectOption('Every status');
  await takeScreenshots(own, 'api-keys-many');
  expect(await seriousViolations(own)).toEqual([]);
  await own.context().close();
});

test('a time tells exactly when it was, here and in UTC, to pointer and keyboard', async () => {
  const { browser, page, service, inspect } = setting;
  const cookies = await page.context().cookies();
  const abroad = await openWindow(browser, service.url, { timezoneId: 'Asia/Tokyo' });
  await abroad.context.addCookies(cookies);
  for (const { window, zone } of [
    { window: abroad.page, zone: 'GMT+9' },
    { window: page, zone: undefined },
  ]) {
    await window.goto('/api-keys');
    const time = window.locator('time').last();
    const at = new Date((await time.getAttribute('datetime')) ?? '');
    const clock = (hours: number) =>
      new Date(at.getTime() + hours * 3_600_000).toISOString().slice(11, 19);
    const tooltip = window.getByRole('tooltip');
    await time.hover();
    await tooltip.getByText(`${clock(0)} UTC`).waitFor();
    if (zone) await tooltip.getByText(`${clock(9)} ${zone}`).waitFor();
    await window.mouse.move(0, 0);
    await tooltip.waitFor({ state: 'detached' });
    await time.focus();
    await tooltip.getByText(`${clock(0)} UTC`).waitFor();
    await eventually(async () =>
      expect(await time.getAttribute('aria-description')).toContain(`${clock(0)} UTC`),
    );
  }
  await inspect('api-keys-exact-time');
  await abroad.context.close();
});

test('axe found nothing serious on the page, and it is no wider than a telephone', () => {
  expect(setting.obstacles).toEqual([]);
});

test('the page asked no other host for anything, and did not complain', () => {
  expect(setting.watch).toEqual({ foreign: [], complaints: [] });
});
