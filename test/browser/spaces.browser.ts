import type { Page } from 'playwright-core';
import { watchBesides } from './browser';
import { onPaper } from './checks';
import { copied, eventually } from './eventually';
import { createKey, openSetting, type Setting, signUp } from './setting';
import { visit } from './visit';

/** A picture of one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let setting: Setting;

beforeAll(async () => {
  setting = await openSetting();
  await signUp(setting.page, 'ada@example.com');
});

afterAll(() => setting?.close());

test('a space is made from an empty page, with colour, logo and questions', async () => {
  const { page, inspect } = setting;
  await page.getByRole('link', { name: 'Spaces' }).click();
  await page.getByRole('heading', { name: 'Create your first space' }).waitFor();
  await inspect('spaces-empty');
  await page.getByRole('button', { name: 'Create space' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Northwind');
  await dialog.getByLabel('Description').fill('Our support desk');
  await dialog.getByLabel('Colour (optional)').fill('#1A73E8');
  const uploaded = page.waitForResponse(/uploads.logo/);
  await dialog
    .getByLabel('Logo', { exact: true })
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: png });
  expect((await uploaded).status()).toBe(200);
  await dialog.locator('img').waitFor();
  for (const question of ['What changed?', 'Who for?']) {
    await dialog.getByRole('button', { name: 'Add a question' }).click();
    await page.keyboard.type(question);
  }
  await dialog.getByRole('button', { name: 'Move question 2 up' }).click();
  await eventually(async () =>
    expect(await dialog.getByLabel('Question 1', { exact: true }).inputValue()).toBe('Who for?'),
  );
  await inspect('spaces-create');
  await dialog.getByRole('button', { name: 'Create space' }).click();
  await page.getByRole('link', { name: 'Northwind' }).waitFor();
  await page.locator('td img').waitFor();
  await page.getByRole('button', { name: 'Copy the slug of Northwind' }).click();
  expect(await copied(page, 'northwind')).toBe('northwind');
  await page.getByRole('button', { name: 'Copy the ID of Northwind' }).click();
  // What the API asks for where a testimonial is created.
  const id = await copied(page, '-');
  expect(await page.getByRole('link', { name: 'Northwind' }).getAttribute('href')).toContain(id);
  await inspect('spaces');
});

test('a logo that is no picture is refused with the reason', async () => {
  const { page, inspect } = setting;
  await page.getByRole('button', { name: 'Create space' }).click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByLabel('Logo', { exact: true })
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
  await dialog.getByRole('alert').getByText('none of the types that may be uploaded').waitFor();
  await inspect('spaces-logo-refused');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});

test('a space is edited, and keeps what is not touched', async () => {
  const { page } = setting;
  await page.getByRole('button', { name: 'Actions for Northwind' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Northwind ‮Desk');
  await dialog.getByRole('button', { name: 'Remove question 1' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'Northwind ‮Desk' }).waitFor();
  const key = await createKey(page, 'Import');
  const answer = await fetch(`${setting.service.url}/api/v1/spaces`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  const { data } = (await answer.json()) as { data: object[] };
  expect(data).toEqual([
    expect.objectContaining({
      name: 'Northwind ‮Desk',
      description: 'Our support desk',
      primary_color: '#1A73E8',
      logo_url: expect.stringContaining('/files/'),
      custom_questions: ['What changed?'],
      slug: 'northwind',
    }),
  ]);
});

test('a double click removes one question, not the one that moves up as well', async () => {
  const { page } = setting;
  await visit(page, '/spaces');
  await page.getByRole('button', { name: 'Create space' }).click();
  const dialog = page.getByRole('dialog');
  const questions = dialog.getByLabel(/^Question \d/);
  // A dialog that fills the window has its top where it was, whatever goes.
  for (let count = 0; count < 12; count += 1) {
    await dialog.getByRole('button', { name: 'Add a question' }).click();
    await page.keyboard.type(`Number ${count}?`);
  }
  await dialog.getByRole('button', { name: 'Remove question 1', exact: true }).dblclick();
  await eventually(async () => expect(await questions.count()).toBeLessThan(12));
  expect(await questions.count()).toBe(11);
  expect(await questions.first().inputValue()).toBe('Number 1?');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});

test('a space that was deleted in another tab says so, and leaves the list', async () => {
  const { page } = setting;
  const menuOf = async (tab: Page, action: string) => {
    await tab.getByRole('button', { name: 'Actions for Short-lived' }).click();
    await tab.getByRole('menuitem', { name: action }).click();
  };
  await visit(page, '/spaces');
  await page.getByRole('button', { name: 'Create space' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Short-lived');
  await page.getByRole('dialog').getByRole('button', { name: 'Create space' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await menuOf(page, 'Edit');
  await page.getByLabel('Name', { exact: true }).fill('Long-lived');
  const other = await page.context().newPage();
  await visit(other, '/spaces');
  await menuOf(other, 'Delete');
  await other.getByRole('dialog').getByRole('button', { name: 'Delete space' }).click();
  await other.getByRole('dialog').waitFor({ state: 'detached' });
  await other.close();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').getByText('This space was deleted meanwhile.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await eventually(async () => expect(await page.getByText('Short-lived').count()).toBe(0));
});

test('icons are dark on paper, which is white, also of filled buttons and in the dark scheme', async () => {
  const { page } = setting;
  const iconColors = () =>
    page.locator('main svg:visible, [role=dialog] svg:visible').evaluateAll((icons) => {
      const colors = icons.map((icon) => getComputedStyle(icon).stroke);
      return [...new Set(colors)];
    });
  try {
    await page.emulateMedia({ colorScheme: 'dark' });
    await visit(page, '/spaces');
    expect(await onPaper(page, iconColors)).toEqual(['rgb(0, 0, 0)']);
  } finally {
    await page.emulateMedia({ colorScheme: null });
  }
});

test('what goes with a space is counted before it is deleted, and its name typed where that is much', async () => {
  const { page, service, inspect } = setting;
  const key = await createKey(page, 'Another');
  const post = async (path: string, body: unknown) => {
    const answer = await fetch(`${service.url}/api/v1${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return ((await answer.json()) as { data: { id: string } }).data;
  };
  // As it is shown, it has one space.
  const space = await post('/spaces', { name: 'Lumen \u00a0Desk' });
  for (let count = 0; count < 12; count += 1) {
    await post('/testimonials', {
      space_id: space.id,
      type: 'text',
      submitter_name: 'Someone',
      submitter_email: 'someone@lumen.example',
    });
  }
  await page.goto('/spaces');
  await page.getByRole('button', { name: 'Actions for Lumen Desk' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('12 testimonials are deleted with it').waitFor();
  await inspect('spaces-delete');
  const remove = dialog.getByRole('button', { name: 'Delete space' });
  await eventually(async () => expect(await remove.isDisabled()).toBe(true));
  await dialog.getByLabel('Type the name').fill('Lumen Desk');
  await remove.click();
  await page.getByRole('link', { name: 'Lumen Desk' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^Actions for Northwind/ }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await dialog.getByText('There are no testimonials in it.').waitFor();
  await dialog.getByRole('button', { name: 'Delete space' }).click();
  await page.getByRole('heading', { name: 'Create your first space' }).waitFor();
});

test('axe found nothing serious on any page, and none is wider than a telephone', () => {
  expect(setting.obstacles).toEqual([]);
});

test('no page asked another host for anything, or complained', () => {
  // The browser's own words for the file that was refused, and for the space that was gone, unless
  // they were sent with others.
  const watch = watchBesides('status of 404', watchBesides('status of 400', setting.watch));
  expect(watch).toEqual({ foreign: [], complaints: [] });
});
