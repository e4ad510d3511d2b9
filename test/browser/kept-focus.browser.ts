import type { Locator } from 'playwright-core';
import { openWindow, watchBesides } from './browser';
import { eventually, hasFocus } from './eventually';
import { hears, listen } from './heard';
import { type apiOf, hold, row, signUpWithSpace } from './inbox';
import { nowhere } from './receiver';
import { openSetting, type Setting, signIn } from './setting';
import { visit } from './visit';

/** A picture of one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let setting: Setting;
let api: ReturnType<typeof apiOf>;
let spaceId: string;

beforeAll(async () => {
  setting = await openSetting();
  ({ api, spaceId } = await signUpWithSpace(setting, 'Website'));
});

afterAll(() => setting?.close());

async function press(button: Locator): Promise<void> {
  await button.focus();
  await setting.page.keyboard.press('Enter');
}

describe('“Show older” keeps the focus while there is more, and then gives it to the row that the last ones follow', () => {
  const older = () => setting.page.getByRole('button', { name: 'Show older' });
  const rows = (count: number) =>
    setting.page.waitForFunction((n) => document.querySelectorAll('tbody tr').length === n, count);

  async function walk(isOlder: (url: URL) => boolean, perPage: number, before: () => Locator) {
    const { page } = setting;
    await page.route(isOlder, (route) => route.abort());
    await press(older());
    await page.getByRole('alert').getByText('could not be reached').waitFor();
    await hasFocus(older());
    await page.unroute(isOlder);
    await press(older());
    await rows(2 * perPage);
    await hasFocus(older());
    expect(await page.getByRole('alert').filter({ hasText: /./ }).count()).toBe(0);
    await press(older());
    await older().waitFor({ state: 'detached' });
    await hasFocus(before());
  }

  test('of spaces', async () => {
    const { page } = setting;
    for (let count = 0; count < 50; count += 1) {
      await api('POST', '/spaces', { name: `Space ${count}` });
    }
    await visit(page, '/spaces');
    await walk(
      (url) => url.pathname.includes('spaces.list') && url.search.includes('cursor'),
      25,
      () => page.getByRole('button', { name: 'Actions for Space 0', exact: true }),
    );
  });

  test('of deliveries', async () => {
    const { page } = setting;
    const { data } = await api('POST', '/webhook-endpoints', {
      url: nowhere,
      event_types: ['testimonial.created'],
    });
    for (let count = 0; count < 51; count += 1) {
      await api('POST', `/webhook-endpoints/${data.id}/test`);
    }
    await visit(page, `/webhooks/${data.id}`);
    await walk(
      (url) => url.pathname.includes('deliveries.list') && url.search.includes('cursor'),
      25,
      () => page.getByRole('button', { name: 'testimonial.created' }).nth(49),
    );
  });
});

test('the focus goes from a browser that is signed out to the one below it, or above', async () => {
  const { page, browser, service } = setting;
  for (let count = 0; count < 2; count += 1) {
    const other = await openWindow(browser, service.url);
    await signIn(other.page, 'ada@example.com');
    await other.context.close();
  }
  await visit(page, '/account');
  const end = () => page.getByRole('button', { name: /^Sign out .* on / });
  await page.route(/sessions\.end/, (route) => route.abort());
  await press(end().first());
  await page.getByRole('alert').getByText('No answer came from the service').waitFor();
  await hasFocus(end().first());
  await page.unroute(/sessions\.end/);
  await page.keyboard.press('Enter');
  await eventually(async () => expect(await end().count()).toBe(1));
  await hasFocus(end().first());
  await page.keyboard.press('Enter');
  await eventually(async () => expect(await end().count()).toBe(0));
  await hasFocus(page.locator('#content'));
});

test('a correction that cannot be saved leaves the focus with what was pressed', async () => {
  const { page } = setting;
  await api('POST', '/testimonials', {
    space_id: spaceId,
    type: 'text',
    submitter_name: 'Ada Park',
    submitter_email: 'ada@northwind.example',
  });
  await visit(page, '/testimonials');
  await row(page, 'Ada Park').getByRole('button', { name: 'Open Ada Park' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Company').fill('Northwind');
  for (const name of ['Save', 'Save and approve']) {
    const saving = await hold(page, 'requests', /testimonials\.update\b/);
    await press(dialog.getByRole('button', { name, exact: true }));
    await saving.isHeld();
    await page.context().setOffline(true);
    await saving.release();
    await dialog.getByRole('alert').getByText('No answer came from the service').waitFor();
    await page.context().setOffline(false);
    await hasFocus(dialog.getByRole('button', { name, exact: true }));
  }
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});

test('copying where the browser offers no clipboard, as without https, leaves the focus with the button', async () => {
  const { page } = setting;
  await listen(page);
  await visit(page, '/docs');
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  const button = page.getByRole('button', { name: 'Copy curl for List spaces' });
  await button.focus();
  await page.keyboard.press('Enter');
  await hears(page, 'Copied');
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
});

describe('the second click of two, on a button that is busy by then, leaves it the focus', () => {
  async function pressTwice(button: Locator, what: RegExp): Promise<void> {
    const { page } = setting;
    const held = await hold(page, 'answers', what);
    await button.click();
    await held.isHeld();
    await eventually(async () => expect(await button.isDisabled()).toBe(true));
    const box = await button.boundingBox();
    await page.mouse.click((box?.x ?? 0) + 5, (box?.y ?? 0) + 5);
    await held.release();
    await eventually(async () => expect(await button.isDisabled()).toBe(false));
    await hasFocus(button);
  }

  test('in a page', async () => {
    const { page } = setting;
    await visit(page, '/account');
    await page.getByLabel('Current password').fill('a wrong battery staple');
    await page.getByLabel('New password').fill('another battery staple');
    await pressTwice(page.getByRole('button', { name: 'Change password' }), /change-password/);
  });

  test('in a dialog', async () => {
    const { page } = setting;
    await visit(page, '/account');
    await page.getByRole('button', { name: 'Change e-mail' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('New e-mail').fill('ada@northwind.example');
    await dialog.getByLabel('Your password', { exact: true }).fill('a wrong battery staple');
    await pressTwice(dialog.getByRole('button', { name: 'Change e-mail' }), /change-email/);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });
});

test('in the form of a space it stays with the choice of a logo, and with what moves a question', async () => {
  const { page } = setting;
  await visit(page, '/spaces');
  await page.getByRole('button', { name: 'Create space' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Choose a file' }).focus();
  await dialog
    .getByLabel('Logo', { exact: true })
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: png });
  await hasFocus(dialog.getByRole('button', { name: 'Choose another' }));
  for (const question of ['What changed?', 'Who for?']) {
    await dialog.getByRole('button', { name: 'Add a question' }).click();
    await page.keyboard.type(question);
  }
  await press(dialog.getByRole('button', { name: 'Move question 2 up' }));
  await hasFocus(dialog.getByRole('button', { name: 'Move question 1 up' }));
  await page.keyboard.press('Enter');
  expect(await dialog.getByLabel('Question 1', { exact: true }).inputValue()).toBe('Who for?');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});

test('in colours of the reader a field that has the focus is seen to have it', async () => {
  const { page } = setting;
  await page.emulateMedia({ forcedColors: 'active' });
  await visit(page, '/requests');
  for (const label of ['Status', 'X-Request-Id']) {
    await page.getByLabel(label, { exact: true }).focus();
    // By the keyboard.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    const outline = await page.locator(':focus').evaluate((field) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(field);
      return [field.getAttribute('aria-label'), outlineStyle, outlineWidth];
    });
    expect(outline).toEqual([label, 'solid', '2px']);
  }
  await page.emulateMedia({ forcedColors: 'none' });
});

test('what keeps passwords is told whose the changed one is', async () => {
  const { page } = setting;
  await visit(page, '/account');
  const form = page.locator('form', { has: page.getByLabel('Current password') });
  const fields = await form
    .locator('input')
    .evaluateAll((found) =>
      found.map((field) =>
        field instanceof HTMLInputElement ? [field.autocomplete, field.value] : [],
      ),
    );
  expect(fields).toEqual([
    ['username', 'ada@example.com'],
    ['current-password', ''],
    ['new-password', ''],
  ]);
});

test('no page asked another host for anything, or complained', () => {
  // The browser's own words for what the tests cut off, and for wrong passwords.
  const watch = watchBesides('status of 400', watchBesides('net::ERR_', setting.watch));
  expect(watch).toEqual({ foreign: [], complaints: [] });
});
