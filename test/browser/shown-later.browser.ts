import type { Page, Route } from 'playwright-core';
import { openWindow, type Watch, watchBesides } from './browser';
import { eventually } from './eventually';
import { row, signUpWithSpace } from './inbox';
import { openSetting, type Setting } from './setting';

let setting: Setting;
let page: Page;
let watch: Watch;

beforeAll(async () => {
  setting = await openSetting();
  const { api, spaceId } = await signUpWithSpace(setting, 'Website');
  await api('POST', '/testimonials', {
    space_id: spaceId,
    type: 'text',
    submitter_name: 'Noor',
    submitter_email: 'someone@northwind.example',
    text_content: 'It works.',
  });
  const hurried = await openWindow(setting.browser, setting.service.url);
  ({ page, watch } = hurried);
  await hurried.context.addCookies(await setting.page.context().cookies());
  // Never at rest: what is shown later is fetched when somebody asks for it.
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0;
  });
});

afterAll(() => setting?.close());

const abort = (route: Route) => route.abort();
const scripts = /_next\/static/;

test('a menu opens by key before the page was at rest, and gives the focus back', async () => {
  await page.goto('/testimonials', { waitUntil: 'networkidle' });
  const button = page.getByRole('button', { name: 'Account' });
  const focused = (role: 'menuitem' | 'button', name: string) =>
    eventually(async () => {
      const found = page.getByRole(role, { name }).and(page.locator(':focus'));
      expect(await found.count()).toBe(1);
    });
  for (const key of ['Enter', 'Space']) {
    await button.focus();
    await page.keyboard.press(key);
    await focused('menuitem', 'Account');
    expect(await button.getAttribute('aria-expanded')).toBe('true');
    const menu = page.getByRole('menu', { name: 'Account' });
    expect(await button.getAttribute('aria-controls')).toBe(await menu.getAttribute('id'));
    await page.keyboard.press('ArrowDown');
    await focused('menuitem', 'Sign out');
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    await focused('button', 'Account');
    expect(await button.getAttribute('aria-expanded')).toBe('false');
  }
});

test('a menu stands at its button, and a second click or one elsewhere closes it', async () => {
  await page.goto('/testimonials', { waitUntil: 'networkidle' });
  const button = page.getByRole('button', { name: 'Account' });
  const menu = page.getByRole('menu');
  for (const close of [() => button.click(), () => page.getByRole('heading').first().click()]) {
    await button.click();
    await menu.waitFor();
    await eventually(async () => {
      const [above, below] = [await menu.boundingBox(), await button.boundingBox()];
      expect(above && below && below.y - (above.y + above.height)).toBeCloseTo(8, 0);
      expect(above && below && above.x - below.x).toBeCloseTo(0, 0);
    });
    await close();
    await menu.waitFor({ state: 'detached' });
  }
});

test('a hint that could not be fetched is left out, and comes the next time', async () => {
  await page.goto('/testimonials', { waitUntil: 'networkidle' });
  const time = row(page, 'Noor').locator('time');
  await page.route(scripts, abort);
  const refused = page.waitForEvent('requestfailed');
  await time.focus();
  await refused;
  await row(page, 'Noor').getByText('It works.').waitFor();
  await page.unroute(scripts, abort);
  await row(page, 'Noor').focus();
  await time.focus();
  await page.getByRole('tooltip').getByText('UTC').first().waitFor();
});

test('a menu that could not be fetched fails its page, which comes when it is tried again', async () => {
  await page.goto('/testimonials', { waitUntil: 'networkidle' });
  await page.route(scripts, abort);
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
  await page.unroute(scripts, abort);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
});

test('no page asked another host for anything, or complained', () => {
  expect(setting.watch).toEqual({ foreign: [], complaints: [] });
  // The browser's own words for what the tests cut off.
  expect(watchBesides('ERR_FAILED', watch).foreign).toEqual([]);
});
