import type { Request, Route } from 'playwright-core';
import { promised } from '../helpers/promised';
import { watchBesides } from './browser';
import { eventually } from './eventually';
import { hears, listen } from './heard';
import { row, signUpWithSpace } from './inbox';
import { openSetting, type Setting } from './setting';
import { listens, visit } from './visit';

let setting: Setting;

beforeAll(async () => {
  setting = await openSetting();
  const { api, spaceId } = await signUpWithSpace(setting, 'Website');
  await api('POST', '/testimonials', {
    space_id: spaceId,
    type: 'text',
    submitter_name: 'Ada Park',
    submitter_email: 'ada@northwind.example',
    text_content: 'Calm.',
    rating: 5,
  });
});

afterAll(() => setting?.close());

const notice = () => setting.page.locator('[aria-live]').getByText('You are offline.');

test('without a network a page says so, and goes on by itself once it is back', async () => {
  const { page, inspect } = setting;
  await visit(page, '/testimonials');
  await row(page, 'Ada Park').waitFor();
  expect(await notice().count()).toBe(0);
  await page.context().setOffline(true);
  await page.getByLabel('Rating').selectOption('5');
  await page.getByRole('status', { name: 'Loading' }).waitFor();
  await notice().waitFor();
  await inspect('offline');
  await page.setViewportSize({ width: 320, height: 800 });
  await eventually(async () => {
    const [told, heading] = [notice(), page.getByRole('heading', { name: 'Inbox' })];
    const [above, below] = [await told.boundingBox(), await heading.boundingBox()];
    expect(above && below && below.y - (above.y + above.height)).toBeGreaterThan(0);
  });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.context().setOffline(false);
  await row(page, 'Ada Park').waitFor();
  await notice().waitFor({ state: 'detached' });
});

test('what leads to another page says that it cannot be opened, and leaves this one as it is', async () => {
  const { page } = setting;
  const refused = () => page.locator('[aria-live]').getByText('That cannot be opened now.');
  const online = async () => {
    await page.context().setOffline(false);
    await notice().waitFor({ state: 'detached' });
  };
  // The clock stands, so that what is decided can be taken back for as long as this takes.
  await page.clock.setFixedTime(Date.now());
  await visit(page, '/testimonials');
  await row(page, 'Ada Park').waitFor();
  await row(page, 'Ada Park').getByRole('button', { name: 'Reject Ada Park' }).click();
  for (const name of ['Spaces', 'Inbox', 'API reference']) {
    await page.context().setOffline(true);
    await notice().waitFor();
    await page.getByRole('link', { name }).click();
    await refused().waitFor();
    await online();
  }
  await page.context().setOffline(true);
  await notice().waitFor();
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Account' }).click();
  await refused().waitFor();
  await page.getByRole('button', { name: /^Undo/ }).click();
  await page.clock.setSystemTime(Date.now());
  await row(page, 'Ada Park').waitFor();
  await online();
  await page.getByRole('link', { name: 'Spaces' }).click();
  await page.waitForURL('**/spaces');
});

test('each refusal is read out, and that there is a network again', async () => {
  const { page } = setting;
  await listen(page);
  await visit(page, '/spaces');
  await page.context().setOffline(true);
  await hears(page, 'You are offline. Changes cannot be saved now.');
  await page.getByRole('link', { name: 'Inbox' }).click();
  await hears(page, 'You are offline. That cannot be opened now.');
  await page.getByRole('link', { name: 'Requests' }).click();
  await hears(page, 'You are offline. That cannot be opened now.');
  await page.context().setOffline(false);
  await hears(page, 'You are online again.');
});

test('so does a dialog over a page, which can be left meanwhile', async () => {
  const { page, inspect } = setting;
  await visit(page, '/api-keys');
  await page.getByRole('button', { name: 'Actions for Website' }).click();
  await page.context().setOffline(true);
  await page.getByRole('menuitem', { name: 'History' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await notice().waitFor();
  await inspect('offline-dialog');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.context().setOffline(false);
  await eventually(async () => expect(await notice().count()).toBe(0));
});

const opened = () => setting.page.getByRole('dialog', { name: 'Testimonial', exact: true });

test('what a page shows later is there by then, without a network too', async () => {
  const { page } = setting;
  const scripts = new Set<Request>();
  const begun = (request: Request) => {
    if (request.resourceType() === 'script') scripts.add(request);
  };
  page.on('request', begun);
  await visit(page, '/testimonials');
  await row(page, 'Ada Park').waitFor();
  // Whoever asks to be told later that the page is at rest is told later.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await Promise.all([...scripts].map(async (request) => (await request.response())?.finished()));
  page.off('request', begun);
  await page.context().setOffline(true);
  await row(page, 'Ada Park').focus();
  await page.keyboard.press('Enter');
  await opened().waitFor();
  await opened().getByRole('button', { name: 'Delete…' }).click();
  const run = page.getByRole('dialog', { name: /^Delete the testimonial of/ });
  await run.waitFor();
  await page.keyboard.press('Escape');
  await run.waitFor({ state: 'detached' });
  await page.context().setOffline(false);
  await eventually(async () => expect(await notice().count()).toBe(0));
});

test('where it could not be fetched, the page says so and stays, and trying again fetches it', async () => {
  const { page } = setting;
  const document = promised<string>();
  const withoutLater = async (route: Route) => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? '';
    return (await document.promise).includes(name)
      ? route.fallback()
      : route.abort('internetdisconnected');
  };
  await page.route(/\.js$/, withoutLater);
  const answer = await page.goto('/testimonials', { waitUntil: 'commit' });
  document.resolve((await answer?.text()) ?? '');
  await listens(page);
  await row(page, 'Ada Park').waitFor();
  await row(page, 'Ada Park').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('could not be loaded').waitFor();
  await row(page, 'Ada Park').waitFor();
  await page.unroute(/\.js$/, withoutLater);
  await page.getByRole('button', { name: 'Try again' }).click();
  await opened().waitFor();
  await page.keyboard.press('Escape');
  await opened().waitFor({ state: 'detached' });
});

test('axe found nothing serious on any page, and none is wider than a telephone', () => {
  expect(setting.obstacles).toEqual([]);
});

test('no page asked another host for anything, or complained', () => {
  const { foreign, complaints } = watchBesides('ERR_INTERNET_DISCONNECTED', setting.watch);
  const told = ['Failed to fetch RSC payload', 'ChunkLoadError'];
  const others = complaints.filter((text) => !told.some((words) => text.includes(words)));
  expect({ foreign, others }).toEqual({ foreign: [], others: [] });
});
