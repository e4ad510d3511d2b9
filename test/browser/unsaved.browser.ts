import type { Page } from 'playwright-core';
import { goBackInVain } from './back';
import { hold } from './inbox';
import { createKey, openSetting, type Setting, signUp } from './setting';
import { visit } from './visit';

const question = 'What you filled in is not saved.';

let setting: Setting;

beforeAll(async () => {
  setting = await openSetting();
  await signUp(setting.page, 'ada@example.com');
  await createKey(setting.page, 'Website');
});

afterAll(() => setting?.close());

const dialog = () => setting.page.getByRole('dialog');

async function edit(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
}

/** Whether the page would ask before it is reloaded. */
const asksBeforeReload = () =>
  setting.page.evaluate(
    () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })),
  );

describe.each<{
  form: string;
  path: string;
  open: (page: Page) => Promise<void>;
  fillIn: () => Promise<void>;
  takeBack: () => Promise<void>;
}>([
  {
    form: 'a new space',
    path: '/spaces',
    open: (page) => page.getByRole('button', { name: 'Create space' }).click(),
    fillIn: () => dialog().getByLabel('Description').fill('Half of a'),
    takeBack: () => dialog().getByLabel('Description').fill(''),
  },
  {
    form: 'a new endpoint',
    path: '/webhooks',
    open: (page) => page.getByRole('button', { name: 'Add endpoint' }).click(),
    fillIn: () => dialog().getByLabel('testimonial.deleted').uncheck(),
    takeBack: () => dialog().getByLabel('testimonial.deleted').check(),
  },
  {
    form: 'a new key',
    path: '/api-keys',
    open: (page) => page.getByRole('button', { name: 'Create key' }).click(),
    fillIn: () => dialog().getByLabel('Name', { exact: true }).fill('Half of a'),
    takeBack: () => dialog().getByLabel('Name', { exact: true }).fill(''),
  },
  {
    form: 'a key that is edited',
    path: '/api-keys',
    open: (page) => edit(page, 'Website'),
    fillIn: async () => {
      await dialog().getByLabel('Expires').selectOption('90');
    },
    takeBack: async () => {
      await dialog().getByLabel('Expires').selectOption('never');
    },
  },
  {
    form: 'another e-mail address',
    path: '/account',
    open: (page) => page.getByRole('button', { name: 'Change e-mail' }).click(),
    fillIn: () => dialog().getByLabel('New e-mail').fill('grace@'),
    takeBack: () => dialog().getByLabel('New e-mail').fill(''),
  },
])('the form of $form', ({ path, open, fillIn, takeBack }) => {
  test('is asked about before it is lost, and only then', async () => {
    const { page } = setting;
    await visit(page, path);
    await open(page);
    await dialog().waitFor();
    await fillIn();
    await page.keyboard.press('Escape');
    await dialog().getByRole('alert').getByText(question).waitFor();
    expect(await asksBeforeReload()).toBe(true);
    await takeBack();
    await dialog().getByText(question).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await open(page);
    await fillIn();
    await page.mouse.click(5, 5);
    await dialog().getByText(question).waitFor();
    await dialog().getByRole('button', { name: 'Discard' }).click();
    await dialog().waitFor({ state: 'detached' });
    expect(await asksBeforeReload()).toBe(false);
  });
});

test('going back asks, and what was added by a button counts too', async () => {
  const { page, inspect } = setting;
  await visit(page, '/webhooks');
  await page.getByRole('link', { name: 'Spaces' }).click();
  await page.getByRole('button', { name: 'Create space' }).click();
  await dialog().getByLabel('Name').fill('Northwind');
  await dialog().getByRole('button', { name: 'Create space' }).click();
  await dialog().waitFor({ state: 'detached' });
  expect(await asksBeforeReload()).toBe(false);
  await edit(page, 'Northwind');
  await dialog().getByRole('button', { name: 'Add a question' }).click();
  await page.evaluate(() => history.back());
  await dialog().getByText(question).waitFor();
  await inspect('spaces-unsaved');
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await dialog().waitFor({ state: 'detached' });
  await page.evaluate(() => history.back());
  await page.waitForURL('**/webhooks');
});

test('while it is being saved, nobody who goes back is told that it is not', async () => {
  const { page } = setting;
  await visit(page, '/webhooks');
  await page.getByRole('link', { name: 'API keys' }).click();
  await edit(page, 'Website');
  await dialog().getByLabel('Expires').selectOption('90');
  await page.keyboard.press('Escape');
  await dialog().getByText(question).waitFor();
  const saving = await hold(page, 'requests', /apiKeys\.update/);
  await dialog().getByRole('button', { name: 'Save' }).click();
  await saving.isHeld();
  await dialog().getByText(question).waitFor({ state: 'detached' });
  await goBackInVain(page);
  expect(await dialog().getByText(question).count()).toBe(0);
  await saving.release();
  await dialog().waitFor({ state: 'detached' });
});

test('axe found nothing serious on any page, and none is wider than a telephone', () => {
  expect(setting.obstacles).toEqual([]);
});
