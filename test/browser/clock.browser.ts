import type { Page } from 'playwright-core';
import { openWindow } from './browser';
import { eventually } from './eventually';
import { apiOf, row } from './inbox';
import { nowhere } from './receiver';
import { createEndpoint, createKey, openSetting, type Setting, signUp } from './setting';
import { visit } from './visit';

let setting: Setting;
let endpoint: string;

const hourMs = 3_600_000;

const ofToday = {
  type: 'text',
  submitter_name: 'Bo Lind',
  submitter_email: 'someone@northwind.example',
  text_content: 'It works.',
};

const ofJanuary = {
  ...ofToday,
  submitter_name: 'Ada Park',
  created_at: '2026-01-31T20:00:00.000Z',
};

beforeAll(async () => {
  setting = await openSetting();
  const { page } = setting;
  await signUp(page, 'ada@example.com');
  const key = await createKey(page, 'Website');
  const api = apiOf(setting, key);
  const { data } = await api('POST', '/spaces', { name: 'Northwind' });
  await api('POST', '/imports', { testimonials: [{ ...ofJanuary, space_id: data.id }] });
  const expiresAt = new Date(Date.now() + 20.2 * hourMs).toISOString();
  const made = await page.request.post('/api/trpc/apiKeys.create', {
    data: { name: 'Ends', scopes: ['read'], expires_at: expiresAt },
  });
  expect(made.ok()).toBe(true);
  endpoint = await createEndpoint(page, nowhere);
  // Without a delivery there is nothing to replay.
  await api('POST', '/testimonials', { ...ofToday, space_id: data.id });
});

afterAll(() => setting?.close());

const shows = (page: Page, name: string, words: RegExp) =>
  eventually(async () =>
    expect(await page.getByRole('row').filter({ hasText: name }).textContent()).toMatch(words),
  );

/** Of what happened while the test ran. */
const lately = /just now|\d+ min ago/;

describe.each([
  ['ahead of', 26],
  ['behind', -26],
])('a machine whose clock is a day %s the service', (where, hours) => {
  async function openThere() {
    const { page, browser, service } = setting;
    const window = await openWindow(browser, service.url);
    await window.context.addCookies(await page.context().cookies());
    await window.page.clock.install({ time: Date.now() + hours * hourMs });
    return window;
  }

  test('is shown what is so by the clock of the service', async () => {
    const { page, context, watch } = await openThere();
    await visit(page, '/api-keys');
    await shows(page, 'Website', lately);
    await shows(page, 'Ends', /Expires in 20 hours/);
    await page.getByText('3 of 1,000 requests this hour').waitFor();
    const name = `Month ${where}`;
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('Expires').selectOption('In 30 days');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await shows(page, name, /Expires in 30 days/);
    await shows(page, name, lately);
    expect(watch).toEqual({ foreign: [], complaints: [] });
    await context.close();
  });

  test('replays what failed since then by the clock of the service', async () => {
    const { page, context } = await openThere();
    await visit(page, endpoint);
    const counted = page.waitForRequest(/countReplayable/);
    await page.getByRole('button', { name: 'Replay failed' }).click();
    const since = /"since":"([^"]+)"/.exec(decodeURIComponent((await counted).url()))?.[1];
    const agoMs = Date.now() - Date.parse(String(since));
    expect(Math.round(agoMs / hourMs)).toBe(24);
    await context.close();
  });

  test('that is set right meanwhile is followed by a page that stays', async () => {
    const { page, context } = await openThere();
    await visit(page, '/api-keys');
    await page.clock.setSystemTime(Date.now());
    const name = `Right, once ${where}`;
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await shows(page, name, lately);
    await context.close();
  });
});

test('what has just been made is so too by a clock so little behind that nobody notices', async () => {
  const { browser, page, service } = setting;
  const behind = await openWindow(browser, service.url);
  await behind.context.addCookies(await page.context().cookies());
  await behind.page.clock.install({ time: Date.now() - 100_000 });
  await visit(behind.page, '/api-keys');
  await behind.page.getByRole('button', { name: 'Create key' }).click();
  await behind.page.getByLabel('Name', { exact: true }).fill('Just made');
  const dialog = behind.page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await behind.page.getByRole('button', { name: 'Done' }).click();
  await shows(behind.page, 'Just made', /just now/);
  await behind.context.close();
});

test('no time that was named before is replayed while another is named that none can be', async () => {
  const { page, watch } = setting;
  await visit(page, endpoint);
  await page.getByRole('button', { name: 'Replay failed' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Replay failed events since').selectOption('a time of my choice');
  const time = dialog.getByLabel('Time', { exact: true });
  await time.fill('2026-01-31T10:00');
  await dialog.getByText('1 delivery to send again.').waitFor();
  await time.fill('12026-01-31T10:00');
  await dialog.getByText('1 delivery to send again.').waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Replay', exact: true }).click();
  expect(await time.evaluate((field) => field.matches(':invalid'))).toBe(true);
  expect(watch).toEqual({ foreign: [], complaints: [] });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});

test('a date is that of where one is, although the server cannot know it', async () => {
  const { browser, page, service } = setting;
  const abroad = await openWindow(browser, service.url, { timezoneId: 'Asia/Kolkata' });
  await abroad.context.addCookies(await page.context().cookies());
  await abroad.page.goto('/testimonials');
  await row(abroad.page, 'Ada Park').locator('time').getByText('Feb 1').waitFor();
  await abroad.context.close();
});
