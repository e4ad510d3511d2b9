import type { Locator, Page } from 'playwright-core';
import { endOfMotion, settled } from './checks';
import { eventually, hasFocus } from './eventually';
import { row, signUpWithSpace } from './inbox';
import { nowhere } from './receiver';
import { openSetting, type Setting } from './setting';
import { listens, visit } from './visit';

let setting: Setting;
let api: Awaited<ReturnType<typeof signUpWithSpace>>['api'];
let endpoint: string;

beforeAll(async () => {
  setting = await openSetting();
  const signedUp = await signUpWithSpace(setting, 'Website');
  ({ api } = signedUp);
  const { data } = await api('POST', '/webhook-endpoints', {
    url: nowhere,
    event_types: ['testimonial.created'],
  });
  // Nobody listens there, so it fails, and can be replayed.
  await api('POST', '/testimonials', {
    space_id: signedUp.spaceId,
    type: 'text',
    submitter_name: 'Ada Park',
    submitter_email: 'ada@northwind.example',
    text_content: 'Calm.',
  });
  endpoint = `/webhooks/${data.id}`;
});

afterAll(() => setting?.close());

type Case = {
  what: string;
  path: string | (() => string);
  /** What is pressed, and what has the focus afterwards unless `heir` does. */
  opener: (page: Page) => Locator;
  /** In the menu that the opener opens. */
  item?: string;
  heir?: (page: Page) => Locator;
  /** Beside Escape; one of each is in every dialog. */
  ways?: ('Close' | 'Cancel')[];
};

const button = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name, exact: true });
const ofKey = button('Actions for Website');
const ofSpace = button('Actions for Northwind');
const ofEndpoint = button('Actions for this endpoint');
const openAda = button('Open Ada Park');
const ada = (page: Page) => row(page, 'Ada Park');
const both: Case['ways'] = ['Close', 'Cancel'];

const cases: Case[] = [
  { what: 'a new key', path: '/api-keys', opener: button('Create key'), ways: both },
  ...['Edit', 'Switch off', 'Rotate', 'Delete'].map((item) => ({
    ...{ what: `${item} a key`, path: '/api-keys', opener: ofKey, item, ways: both },
  })),
  {
    what: 'the history of a key',
    path: '/api-keys',
    opener: ofKey,
    item: 'History',
    ways: ['Close'],
  },
  { what: 'a new space', path: '/spaces', opener: button('Create space'), ways: both },
  ...['Edit', 'Delete'].map((item) => ({
    ...{ what: `${item} a space`, path: '/spaces', opener: ofSpace, item, ways: both },
  })),
  { what: 'a new endpoint', path: '/webhooks', opener: button('Add endpoint'), ways: both },
  ...['Edit', 'Pause', 'Rotate secret', 'Delete'].map((item) => ({
    ...{ what: `${item} an endpoint`, path: () => endpoint, opener: ofEndpoint, item, ways: both },
  })),
  { what: 'a test', path: () => endpoint, opener: button('Send test'), ways: both },
  { what: 'a replay', path: () => endpoint, opener: button('Replay failed'), ways: both },
  {
    what: 'a delivery',
    path: () => endpoint,
    opener: button('testimonial.created'),
    ways: ['Close'],
  },
  {
    what: 'a request',
    path: '/requests',
    opener: (page) => page.getByRole('button', { name: /POST/ }).first(),
    ways: ['Close'],
  },
  { what: 'the shortcuts', path: '/testimonials', opener: button('Shortcuts'), ways: ['Close'] },
  { what: 'a testimonial', path: '/testimonials', opener: openAda, heir: ada, ways: both },
  { what: 'another address', path: '/account', opener: button('Change e-mail'), ways: both },
  {
    what: 'the end of the account',
    path: '/account',
    opener: button('Delete account'),
    ways: both,
  },
];

test.each(cases)('the focus comes back from $what, by the keyboard alone', async (dialogCase) => {
  const { page } = setting;
  const { path, opener, item, heir = opener, ways = [] } = dialogCase;
  await visit(page, typeof path === 'string' ? path : path());
  for (const way of ['Escape', ...ways] as const) {
    // Nothing can be replayed before it has failed.
    await eventually(async () => expect(await opener(page).isEnabled()).toBe(true));
    await opener(page).focus();
    await page.keyboard.press('Enter');
    if (item) {
      await page.getByRole('menuitem', { name: item, exact: true }).focus();
      await page.keyboard.press('Enter');
    }
    const dialog = page.getByRole('dialog');
    await settled(dialog);
    if (way === 'Escape') await page.keyboard.press('Escape');
    else {
      await dialog.getByRole('button', { name: way, exact: true }).first().focus();
      await page.keyboard.press('Enter');
    }
    await dialog.waitFor({ state: 'detached' });
    await hasFocus(heir(page));
  }
});

test.each([
  { path: '/api-keys', opener: ofKey },
  { path: '/spaces', opener: ofSpace },
  { path: () => endpoint, opener: ofEndpoint },
  {
    path: '/spaces',
    opener: (page: Page) => page.getByRole('banner').getByRole('button', { name: /^Account/ }),
  },
])('and from a menu that is left', async ({ path, opener }) => {
  const { page } = setting;
  await visit(page, typeof path === 'string' ? path : path());
  await opener(page).focus();
  await page.keyboard.press('Enter');
  await eventually(async () => expect(await page.locator('[role=menuitem]:focus').count()).toBe(1));
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await hasFocus(opener(page));
});

test('and from what follows a dialog, as the question before one is deleted, or a menu in it', async () => {
  const { page } = setting;
  await visit(page, '/testimonials');
  await openAda(page).focus();
  await page.keyboard.press('Enter');
  await settled(page.getByRole('dialog'));
  const copy = page.getByRole('dialog').getByRole('button', { name: 'Copy as API request' });
  await copy.focus();
  await page.keyboard.press('Enter');
  await eventually(async () => expect(await page.locator('[role=menuitem]:focus').count()).toBe(1));
  await page.keyboard.press('Escape');
  await hasFocus(copy);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete…' }).focus();
  await page.keyboard.press('Enter');
  await settled(page.getByRole('dialog', { name: /^Delete the testimonial/ }));
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await hasFocus(ada(page));
  await page.getByLabel('Select Ada Park').focus();
  await page.keyboard.press('Space');
  const selection = page.getByRole('region', { name: 'Selection' });
  await selection.getByRole('button', { name: 'Delete…' }).focus();
  await page.keyboard.press('Enter');
  await settled(page.getByRole('dialog'));
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await hasFocus(selection);
});

test('and from a sheet in which one went on to a row further down, which is in view then', async () => {
  const { page } = setting;
  for (let count = 0; count < 24; count += 1) await api('GET', '/spaces');
  await visit(page, '/requests');
  const rows = page.getByRole('row').getByRole('button', { name: 'GET /spaces' });
  await eventually(async () => expect(await rows.count()).toBe(24));
  await rows.first().focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await settled(dialog);
  await dialog.getByRole('button', { name: /^Older/ }).focus();
  for (let count = 1; count < 24; count += 1) await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  // The browser has gone back, and done what it does of itself there.
  await page.waitForURL((url) => url.search === '');
  await endOfMotion(page);
  await hasFocus(rows.last());
  const box = await rows.last().boundingBox();
  expect(box?.y).toBeGreaterThan(0);
  expect(box?.y).toBeLessThan(800);
});

test('and from the question before test data is deleted', async () => {
  const { page } = setting;
  await visit(page, '/spaces');
  await page.getByRole('switch', { name: 'Test mode' }).focus();
  await page.keyboard.press('Enter');
  const opener = page.getByRole('button', { name: 'Delete test data' });
  await opener.waitFor();
  await listens(page);
  await opener.focus();
  await page.keyboard.press('Enter');
  await settled(page.getByRole('dialog'));
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await hasFocus(opener);
});

test('no page asked another host for anything, or complained', () => {
  expect(setting.watch).toEqual({ foreign: [], complaints: [] });
});
