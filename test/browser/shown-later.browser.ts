import type { Page, Request, Route } from 'playwright-core';
import { openWindow, takeScreenshot, takeScreenshots, type Watch, watchBesides } from './browser';
import { endOfMotion, overflowsSideways, seriousViolations } from './checks';
import { eventually, hasFocus } from './eventually';
import { hold, row, signUpWithSpace } from './inbox';
import { openSetting, type Setting, signInAgain } from './setting';
import { listens, visit } from './visit';

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

afterEach(() => page.unrouteAll());

afterAll(() => setting?.close());

const abort = (route: Route) => route.abort();
const isScript = (route: Route) => route.request().resourceType() === 'script';
const scripts = /_next\/static/;

test('a menu opens by key before the page was at rest, and gives the focus back', async () => {
  await visit(page, '/testimonials');
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
  await visit(page, '/testimonials');
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
  await visit(page, '/testimonials');
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

/** What stands for a part that could not be fetched. */
const missing = () => page.getByRole('alert').filter({ hasText: 'could not be loaded' });

test('a menu that could not be fetched says so over its page, and comes when it is tried again', async () => {
  await visit(page, '/testimonials');
  await page.route(scripts, abort);
  await page.getByRole('button', { name: 'Account' }).click();
  await missing().waitFor();
  await row(page, 'Noor').getByText('It works.').waitFor();
  const again = missing().getByRole('button', { name: 'Try again' });
  await hasFocus(again);
  await page.keyboard.press('Enter');
  // It has the focus while it tries, and takes no second press until that has failed.
  await eventually(async () => expect(await again.getAttribute('aria-busy')).not.toBe('true'));
  await hasFocus(again);
  await page.unroute(scripts, abort);
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
  expect(await missing().count()).toBe(0);
  await page.keyboard.press('Escape');
});

test('a dialog that could not be fetched can be left, gives the focus back, and is asked for anew', async () => {
  await visit(page, '/testimonials');
  const button = page.getByRole('button', { name: 'Shortcuts' });
  await page.route(scripts, abort);
  await button.focus();
  await page.keyboard.press('Enter');
  await hasFocus(missing().getByRole('button', { name: 'Try again' }));
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await missing().waitFor({ state: 'detached' });
  await hasFocus(button);
  await page.unroute(scripts, abort);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  expect(await missing().count()).toBe(0);
});

test('a dialog of which the service has no file any more says that a new version is there, and the page is loaded again', async () => {
  await visit(page, '/testimonials');
  const isGone = (route: Route) => route.fulfill({ status: 404, body: 'Not Found' });
  await page.route(scripts, isGone);
  await page.getByRole('button', { name: 'Shortcuts' }).click();
  await missing().getByText('A new version of the service is there.').waitFor();
  const again = missing().getByRole('button', { name: 'Load it again' });
  await hasFocus(again);
  expect(await seriousViolations(page)).toEqual([]);
  await takeScreenshots(page, 'new-version');
  await page.unroute(scripts, isGone);
  await again.click();
  await missing().waitFor({ state: 'detached' });
  await listens(page);
  await page.getByRole('button', { name: 'Shortcuts' }).click();
  await page.getByRole('dialog').waitFor();
});

/** Keeps scripts from the page, until what it gives is called: that resolves once what they do is shown. */
async function holdScripts(): Promise<() => Promise<void>> {
  const asked = new Set<Request>();
  const note = (request: Request) => void (scripts.test(request.url()) && asked.add(request));
  page.on('request', note);
  const held = await hold(page, 'requests', scripts);
  return async () => {
    await held.release();
    page.off('request', note);
    // A page that was at rest once is said to be so still.
    await Promise.all([...asked].map(async (request) => (await request.response())?.finished()));
    await listens(page);
    await endOfMotion(page);
  };
}

describe('what is long in coming', () => {
  const onItsWay = () => page.getByRole('status').getByText('Loading…');

  test('says after a moment that it comes', async () => {
    await visit(page, '/testimonials');
    const held = await hold(page, 'requests', scripts);
    await row(page, 'Noor').getByRole('button', { name: 'Open Noor' }).click();
    await onItsWay().waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await takeScreenshots(page, 'on-its-way');
    await page.setViewportSize({ width: 320, height: 800 });
    expect(await overflowsSideways(page)).toBe(false);
    await takeScreenshot(page, 'on-its-way-320');
    await page.setViewportSize({ width: 1280, height: 800 });
    await held.release();
    await page.getByRole('dialog').waitFor();
    expect(await onItsWay().count()).toBe(0);
  });

  test.each(['click', 'Enter'])('comes also where it is asked for twice, by %s', async (how) => {
    await visit(page, '/testimonials');
    const held = await hold(page, 'requests', scripts);
    const button = page.getByRole('button', { name: 'Account' });
    const press = () => (how === 'click' ? button.click() : button.press(how));
    await press();
    await onItsWay().waitFor();
    await press();
    await held.release();
    await page.getByRole('menu', { name: 'Account' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
  });

  const search = () => page.getByRole('searchbox').or(page.getByLabel('Search')).first();
  test.each([
    { by: 'Escape', goOn: () => page.keyboard.press('Escape') },
    { by: 'a key of the inbox', goOn: () => page.keyboard.press('j') },
    { by: 'a click elsewhere', goOn: () => search().click() },
    { by: 'what is pasted', goOn: () => search().fill('works') },
  ])('does not come any more once one has gone on by $by', async ({ goOn }) => {
    await visit(page, '/testimonials');
    const release = await holdScripts();
    await row(page, 'Noor').focus();
    await page.keyboard.press('Enter');
    await onItsWay().waitFor();
    await goOn();
    await onItsWay().waitFor({ state: 'detached' });
    await release();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await visit(page, '/testimonials');
    await row(page, 'Noor').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
  });

  test('does not open over another page', async () => {
    await visit(page, '/testimonials');
    const release = await holdScripts();
    await page.getByRole('button', { name: 'Account' }).click();
    await onItsWay().waitFor();
    await page.getByRole('link', { name: 'Spaces' }).click();
    await onItsWay().waitFor({ state: 'detached' });
    await release();
    await page.getByRole('heading', { name: 'Spaces', exact: true }).waitFor();
    expect(await page.getByRole('menu').count()).toBe(0);
  });

  test('a sheet, which stands in the address, does not come after Escape, and keeps the way to another page', async () => {
    await visit(page, '/requests');
    const release = await holdScripts();
    const open = () => page.locator('tbody').getByRole('button').first().click();
    await open();
    await onItsWay().waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL(/requests$/);
    await onItsWay().waitFor({ state: 'detached' });
    await open();
    await page.waitForURL(/request=/);
    await page.getByRole('link', { name: 'Spaces' }).click();
    await release();
    await page.waitForURL('**/spaces');
    expect(new URL(page.url()).pathname).toBe('/spaces');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});

test('what was filled in stays where the sign-in over it could not be fetched', async () => {
  await visit(page, '/testimonials');
  await row(page, 'Noor').getByRole('button', { name: 'Open Noor' }).click();
  const dialog = page.getByRole('dialog', { name: 'Testimonial', exact: true });
  await dialog.getByLabel('Company').fill('Northwind');
  await page.context().clearCookies();
  await page.route(scripts, abort);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await hasFocus(missing().getByRole('button', { name: 'Try again' }));
  expect(await missing().getByRole('button').count()).toBe(1);
  expect(await seriousViolations(page)).toEqual([]);
  await takeScreenshots(page, 'sign-in-not-fetched');
  await page.unroute(scripts, abort);
  await missing().getByRole('button', { name: 'Try again' }).click();
  await signInAgain(page);
  await missing().waitFor({ state: 'detached' });
  expect(await dialog.getByLabel('Company').inputValue()).toBe('Northwind');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
});

test('a page whose first scripts do not load says so over it, and a later one brings nothing of that', async () => {
  const notice = page.getByRole('alert').filter({ hasText: 'its buttons do nothing' });
  await page.route(scripts, (route) => (isScript(route) ? route.abort() : route.fallback()));
  for (const path of ['/spaces', '/docs']) {
    await page.goto(path);
    await notice.waitFor();
  }
  expect(await seriousViolations(page)).toEqual([]);
  await takeScreenshots(page, 'not-started');
  await page.unrouteAll();
  await notice.getByRole('button', { name: 'Load it again' }).click();
  await notice.waitFor({ state: 'detached' });
  await page.locator('html[data-started]').waitFor();
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.src = '/_next/static/missing.js';
    const isOver = new Promise((resolve) => script.addEventListener('error', resolve));
    document.head.append(script);
    return isOver;
  });
  expect(await notice.count()).toBe(0);
});

test('no page asked another host for anything, or complained', () => {
  expect(setting.watch).toEqual({ foreign: [], complaints: [] });
  // The browser's own words for what the tests cut off.
  expect(watchBesides('ERR_FAILED', watch).foreign).toEqual([]);
});
