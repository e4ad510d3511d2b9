import type { Page } from 'playwright-core';
import { watchBesides } from './browser';
import { onPaper } from './checks';
import { eventually } from './eventually';
import { createKey, openSetting, type Setting, signUp } from './setting';
import { visit } from './visit';

let setting: Setting;
let key: string;
/** The X-Request-Ids of what was sent, newest first. */
const sent: string[] = [];

beforeAll(async () => {
  setting = await openSetting();
  await signUp(setting.page, 'ada@example.com');
});

afterAll(() => setting?.close());

/** A request as another system would send it. Returns its X-Request-Id. */
async function send(method: string, path: string, body?: unknown): Promise<string> {
  const answer = await fetch(`${setting.service.url}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  await answer.arrayBuffer();
  const id = answer.headers.get('x-request-id') ?? '';
  sent.unshift(id);
  return id;
}

const search = (page: Page) => new URL(page.url()).search;

test('an empty log says how to make a first request, and shows it when it comes', async () => {
  const { page, inspect } = setting;
  key = await createKey(page, 'Website');
  await page.goto('/requests');
  await page.getByRole('heading', { name: 'No request in the last 7 days' }).waitFor();
  const command = page.getByRole('region', { name: 'first request' });
  // The address is the browser's to know.
  await command.getByText(`${setting.service.url}/api/v1/testimonials`).waitFor();
  await inspect('requests-empty');
  await send('GET', '/testimonials?limit=5');
  await page.getByRole('button', { name: 'GET /testimonials' }).waitFor();
});

test('a request that was refused says what was wrong, to the field, and shows no value', async () => {
  const { page, inspect } = setting;
  const id = await send('POST', '/testimonials', {
    type: 'text',
    submitter_name: 'Mallory',
    submitter_email: 'mallory-at-home',
    rating: 9,
  });
  const row = page.getByRole('row').filter({ hasText: 'POST /testimonials' });
  await row.waitFor();
  await eventually(async () =>
    expect(await row.textContent()).toContain('space_id: Missing: expected string (and 2 more)'),
  );
  await row.getByRole('button').click();
  const sheet = page.getByRole('dialog');
  await sheet.getByText('VALIDATION_ERROR').waitFor();
  const text = await sheet.textContent();
  expect(text).toContain('submitter_email: Invalid email address');
  expect(text).toContain(id);
  expect(await page.content()).not.toMatch(/mallory/i);
  await eventually(async () => expect(search(page)).toBe(`?request=${id}`));
  await page.waitForTimeout(300);
  await inspect('request');
});

test('the sheet goes to the newer and the older, and gives the focus back, by the keyboard alone', async () => {
  const { page } = setting;
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Older' }).focus();
  await page.keyboard.press('Enter');
  await sheet.getByRole('heading', { name: 'GET /testimonials' }).waitFor();
  // At the end it stays where it is.
  await page.keyboard.press('Enter');
  await sheet.getByRole('heading', { name: 'GET /testimonials' }).waitFor();
  await sheet.getByRole('button', { name: 'Newer' }).focus();
  await page.keyboard.press('Enter');
  await sheet.getByRole('heading', { name: 'POST /testimonials' }).waitFor();
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'hidden' });
  await eventually(async () =>
    expect(await page.locator(':focus').textContent()).toBe('POST /testimonials'),
  );
  await eventually(async () => expect(search(page)).toBe(''));
});

test('one is found by its X-Request-Id; a part of one, and one that is not there, are told', async () => {
  const { page, inspect } = setting;
  const id = await send('GET', '/spaces/00000000-0000-4000-8000-000000000000');
  const field = page.getByLabel('X-Request-Id');
  await field.fill(id.slice(0, 20));
  await field.press('Enter');
  await page.getByText('Paste the whole X-Request-Id: 36 characters.').waitFor();
  await inspect('requests-part-of-id');
  await page.getByRole('button', { name: 'GET /spaces/{id}' }).waitFor();
  await field.fill(` ${id.toUpperCase()} `);
  await field.press('Enter');
  const sheet = page.getByRole('dialog');
  await sheet.getByText('SPACE_NOT_FOUND').waitFor();
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'hidden' });
  await field.fill('11111111-1111-4111-8111-111111111111');
  await field.press('Enter');
  await sheet.getByText('There is no request with this id in the log.').waitFor();
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'hidden' });
});

test('filters stand in the address, which shows the same to whoever opens it', async () => {
  const { page, inspect } = setting;
  await page.getByLabel('Status', { exact: true }).selectOption('4xx');
  await page.getByLabel('Route', { exact: true }).selectOption('POST /testimonials');
  await page.getByLabel('Key', { exact: true }).selectOption({ index: 1 });
  await page.getByLabel('Time', { exact: true }).selectOption('1h');
  await page.getByRole('button', { name: 'POST /testimonials' }).waitFor();
  await page.getByRole('button', { name: 'GET /testimonials' }).waitFor({ state: 'detached' });
  await eventually(async () =>
    expect(search(page)).toMatch(
      /^\?status=4xx&route=POST\+%2Ftestimonials&key=[0-9a-f-]{36}&time=1h$/,
    ),
  );
  const address = page.url();
  await page.goto('/requests');
  await page.goto(address);
  await eventually(async () =>
    expect(await page.getByLabel('Status', { exact: true }).inputValue()).toBe('4xx'),
  );
  await eventually(async () => expect(await page.getByRole('row').count()).toBe(2));
  await page.getByLabel('Status', { exact: true }).selectOption('5xx');
  await page.getByText('No request matches').waitFor();
  await inspect('requests-no-match');
});

test('the chart has a table behind it, whose hours are filters', async () => {
  const { page, inspect } = setting;
  await page.goto('/requests');
  const chart = page.getByRole('img', { name: /Last 7 days: \d+ succeeded, \d+ refused/ });
  await chart.waitFor();
  await page.getByRole('button', { name: 'Show as a table' }).click();
  const hours = page.getByRole('region', { name: 'Hours with requests' });
  const height = () => hours.evaluate((table) => getComputedStyle(table).maxHeight);
  expect(await onPaper(page, height)).toBe('none');
  // The oldest: since the first request another hour may have begun.
  await hours.getByRole('button').last().click();
  await page.getByRole('button', { name: 'The hour from' }).waitFor();
  await eventually(async () => expect(search(page)).toMatch(/^\?hour=20\d\d-/));
  await page.getByRole('button', { name: 'GET /testimonials' }).first().waitFor();
  await inspect('requests-hour');
  await page.getByRole('button', { name: 'The hour from' }).click();
  await eventually(async () => expect(search(page)).toBe(''));
});

test('it is left by one Back, however many of them were opened', async () => {
  const { page } = setting;
  await visit(page, '/testimonials');
  await page.getByRole('link', { name: 'Requests' }).click();
  await page.waitForURL('**/requests');
  for (let times = 0; times < 3; times += 1) {
    await page.getByRole('button', { name: 'POST /testimonials' }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await eventually(async () => expect(search(page)).toBe(''));
  }
  await page.goBack();
  await page.waitForURL('**/testimonials');
  await page.goForward();
  await page.waitForURL('**/requests');
});

test('it says that it is not live while it cannot be read, and stands there', async () => {
  const { page, inspect } = setting;
  await visit(page, '/requests');
  const line = page.getByRole('button', { name: 'POST /testimonials' });
  await line.waitFor();
  await page.route(/requests.list/, (route) => route.abort());
  const alert = page.getByRole('alert').filter({ hasText: 'could not be reached' });
  await alert.waitFor();
  await inspect('requests-not-live');
  expect(await line.count()).toBe(1);
  await page.unroute(/requests.list/);
  await alert.waitFor({ state: 'detached' });
});

test('"Show older" goes on to the oldest, while what is new comes in above', async () => {
  const { page, inspect } = setting;
  for (let count = 0; count < 60; count += 1) await send('GET', `/spaces?limit=${count + 1}`);
  await page.getByRole('button', { name: 'Show older' }).click();
  await page.getByRole('button', { name: 'POST /testimonials' }).waitFor();
  await page.getByRole('button', { name: 'Show older' }).waitFor({ state: 'detached' });
  const requests = page.getByRole('button', { name: /^[A-Z]+ \// });
  const allShown = () => eventually(async () => expect(await requests.count()).toBe(sent.length));
  await allShown();
  await send('DELETE', '/spaces/00000000-0000-4000-8000-000000000000');
  await page.getByRole('button', { name: 'DELETE /spaces/{id}' }).waitFor();
  await allShown();
  await inspect('requests');
});

test('switched off, it shows nothing new', async () => {
  const { page } = setting;
  await page.getByRole('switch', { name: 'Auto-refresh' }).focus();
  await page.keyboard.press('Space');
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().includes('requests.list')) asked += 1;
  });
  await page.waitForTimeout(7_000);
  expect(asked).toBe(0);
});

test('J and K go to the older and the newer, however fast they are pressed', async () => {
  const { page } = setting;
  await page.getByRole('button', { name: 'DELETE /spaces/{id}' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByText(sent[0] ?? '').waitFor();
  const press = (keys: string) =>
    page.evaluate((all) => {
      for (const key of all) window.dispatchEvent(new KeyboardEvent('keydown', { key }));
    }, keys.split(''));
  const isAt = (place: number) =>
    eventually(async () => expect(search(page)).toBe(`?request=${sent[place]}`));
  await press('jjj');
  await isAt(3);
  await press('jjk');
  await isAt(4);
  await press('kkkkkk');
  await isAt(0);
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'hidden' });
});

test('a request with more fields than are kept says so', async () => {
  const { page } = setting;
  const fields = Array.from({ length: 25 }, (_, n) => [`field_${n}`, 'x']);
  const id = await send('POST', '/testimonials', Object.fromEntries(fields));
  await eventually(async () => {
    await page.goto(`/requests?request=${id}`);
    await page.getByRole('dialog').getByText(id).waitFor({ timeout: 3_000 });
  });
  await page.getByRole('dialog').getByText('No more than 20 are kept.').waitFor();
});

test('axe found nothing serious on any page, and none is wider than a telephone', () => {
  expect(setting.obstacles).toEqual([]);
});

test('no page asked another host for anything, or complained', () => {
  // The browser's own words for the request that is not there, and for what a test cut off.
  expect(watchBesides('Failed to load resource', setting.watch)).toEqual({
    foreign: [],
    complaints: [],
  });
});
