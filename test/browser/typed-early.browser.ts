import type { Page } from 'playwright-core';
import { freePort } from '../helpers/listening';
import { openWindow } from './browser';
import { eventually } from './eventually';
import { hold, row, signUpWithSpace, submissionOf } from './inbox';
import { createEndpoint, openSetting, type Setting } from './setting';
import { listens, visit } from './visit';

let setting: Setting;

beforeAll(async () => {
  const port = await freePort();
  setting = await openSetting({
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    // Nobody answers there: that mails are sent is enough for the page to ask for an address.
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'no-reply@testimonials.example',
  });
});

afterAll(() => setting?.close());

/** The page, drawn by the server, of whose scripts these have not come; of a stranger, unless it is a person's. */
async function openWithoutScripts(path: string, known?: Page, held: Held = /\.js(\?|$)/) {
  const { browser, service } = setting;
  const { page, context } = known
    ? { page: known, context: known.context() }
    : await openWindow(browser, service.url);
  const scripts = await hold(page, 'requests', held);
  await page.goto(path, { waitUntil: 'commit' });
  await scripts.isHeld();
  const start = async () => {
    await scripts.release();
    await page.locator('html[data-started]').waitFor();
    await listens(page);
  };
  return { page, context, start };
}

/** Those of a page that another has not: the frame of both runs without them. */
async function ownScripts(page: Page, path: string, other: string): Promise<Held> {
  const scriptsOf = async (shown: string) => {
    await visit(page, shown);
    return page.evaluate(() => [...document.scripts].map(({ src }) => src));
  };
  const others = await scriptsOf(other);
  const own = (await scriptsOf(path)).filter((src) => !others.includes(src));
  return ({ href }) => own.includes(href);
}

type Held = Parameters<typeof hold>[2];

type Fields = Record<string, string>;

const fieldOf = (page: Page, label: string) => page.getByLabel(label, { exact: true });

async function fillIn(page: Page, fields: Fields): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await fieldOf(page, label).fill(text);
}

async function expectFilledIn(page: Page, fields: Fields): Promise<void> {
  for (const [label, text] of Object.entries(fields)) {
    expect(await fieldOf(page, label).inputValue()).toBe(text);
  }
}

describe('what is typed before the scripts of a page have come', () => {
  test.each<{ path: string; fields: Fields }>([
    { path: '/sign-in', fields: { 'E-mail': 'ada@example.com', Password: 'battery staple' } },
    { path: '/sign-up', fields: { 'E-mail': 'ada@example.com', Password: 'battery staple' } },
    { path: '/forgot-password', fields: { 'E-mail': 'ada@example.com' } },
    { path: '/docs', fields: { 'API key': 'sk_live_early' } },
  ])('stays in the fields of $path', async ({ path, fields }) => {
    const { page, context, start } = await openWithoutScripts(path);
    await fillIn(page, fields);
    await start();
    await expectFilledIn(page, fields);
    await context.close();
  });

  test('goes nowhere by Enter in a field that is in no form', async () => {
    const { page, context, start } = await openWithoutScripts('/docs');
    await fillIn(page, { 'API key': 'sk_live_early' });
    await page.keyboard.press('Enter');
    await start();
    expect(page.url()).toBe(`${setting.service.url}/docs`);
    await expectFilledIn(page, { 'API key': 'sk_live_early' });
    await context.close();
  });

  test.each<{ path: string; fields: Fields; answer: string }>([
    {
      path: '/sign-in',
      fields: { 'E-mail': 'nobody@example.com', Password: 'battery staple' },
      answer: 'is not right.',
    },
    {
      path: '/forgot-password',
      fields: { 'E-mail': 'nobody@example.com' },
      answer: 'a link is on its way',
    },
  ])(
    'is sent once they have, where it was sent by Enter at $path, and stands in no address',
    async (at) => {
      const { page, context, start } = await openWithoutScripts(at.path);
      const address = `${setting.service.url}${at.path}`;
      await fillIn(page, at.fields);
      await page.keyboard.press('Enter');
      expect(page.url()).toBe(address);
      await start();
      await page.getByText(at.answer).waitFor();
      expect(page.url()).toBe(address);
      await expectFilledIn(page, at.fields);
      await context.close();
    },
  );

  test('makes an account, where that was asked for by a click, and stands in no address', async () => {
    const { page, context, start } = await openWithoutScripts('/sign-up');
    await fillIn(page, { 'E-mail': 'early@example.com', Password: 'battery staple' });
    await page.getByRole('button', { name: 'Create account' }).click();
    expect(page.url()).toBe(`${setting.service.url}/sign-up`);
    await start();
    await page.waitForURL(`${setting.service.url}/api-keys`);
    await context.close();
  });

  test('is the key that requests of the reference are sent with', async () => {
    const { page, context, start } = await openWithoutScripts('/docs');
    await page.getByLabel('API key', { exact: true }).fill('sk_live_early');
    await start();
    await page.getByRole('button', { name: 'Try it: List spaces', exact: true }).click();
    const asked = page.waitForRequest(/\/api\/v1\/spaces/);
    await page
      .getByRole('form', { name: 'List spaces' })
      .getByRole('button', { name: 'Send' })
      .click();
    expect((await asked).headers().authorization).toBe('Bearer sk_live_early');
    await context.close();
  });
});

test('what is chosen, ticked and searched before the scripts of a page have come is done once they have', async () => {
  const { page } = setting;
  const { api, spaceId } = await signUpWithSpace(setting, 'Early');
  for (const [name, rating] of [
    ['Ada', 5],
    ['Bob', 4],
    ['Cem', 5],
  ]) {
    await api('POST', '/testimonials', { ...submissionOf(spaceId, `${name}`), rating });
  }
  const inbox = await openWithoutScripts('/testimonials', page);
  await page.getByLabel('Rating').selectOption('5');
  await page.getByLabel('Search in the texts').fill('Ada says');
  await inbox.start();
  await row(page, 'Cem').waitFor({ state: 'detached' });
  await row(page, 'Bob').waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('rating')).toBe('5');
  expect(await page.getByLabel('Search in the texts').inputValue()).toBe('Ada says');

  // Another view begins with nothing selected.
  const rows = await openWithoutScripts('/testimonials', page);
  await row(page, 'Ada').getByRole('checkbox').check();
  await rows.start();
  expect(await row(page, 'Ada').getByRole('checkbox').isChecked()).toBe(true);
  await page.getByRole('region', { name: 'Selection' }).getByText('1 selected').waitFor();

  const requests = await openWithoutScripts('/requests', page);
  await page.getByLabel('Status', { exact: true }).selectOption('4xx');
  await page.getByLabel('Auto-refresh').locator('visible=true').uncheck();
  await page.getByLabel('X-Request-Id').fill('half of one');
  await page.keyboard.press('Enter');
  await requests.start();
  await page.getByText('No request matches').waitFor();
  await page.getByText('Paste the whole X-Request-Id').waitFor();
  expect(await page.getByLabel('Auto-refresh').isChecked()).toBe(false);

  await createEndpoint(page, 'https://hooks.example.com/early');
  const endpoint = await openWithoutScripts(new URL(page.url()).pathname, page);
  await page.getByLabel('State', { exact: true }).selectOption('failed');
  await endpoint.start();
  await page.getByText('No deliveries match').waitFor();
});

/** Asks in the account for another password, and has the present one wrong. */
async function sendWrongPassword(page: Page): Promise<void> {
  // What stands for the page while the server reads its data has the same form.
  await eventually(async () => expect(await page.getByLabel('New password').count()).toBe(1));
  await page.getByLabel('Current password').fill('not this one');
  await page.getByLabel('New password').fill('another battery staple');
  await page.getByRole('button', { name: 'Change password' }).click();
}

test('what is sent and chosen in the account before the scripts have come is done once they have', async () => {
  const { page } = setting;
  const account = await openWithoutScripts('/account', page);
  await sendWrongPassword(page);
  await page.getByText('Dark', { exact: true }).click();
  await account.start();
  await page.getByText('The current password is not right.').waitFor();
  expect(await page.getByLabel('New password').inputValue()).toBe('another battery staple');
  expect(new URL(page.url()).search).toBe('');
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
  expect(await page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true);
});

test('a form that is sent once the frame of its page listens, and before the page itself does, is sent then', async () => {
  const { page } = setting;
  const late = await ownScripts(page, '/account', '/api-keys');
  const account = await openWithoutScripts('/account', page, late);
  await page.locator('html[data-started]').waitFor();
  await sendWrongPassword(page);
  await account.start();
  await page.getByText('The current password is not right.').waitFor();
});
