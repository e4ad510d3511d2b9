import { eventually } from './eventually';
import { row, signUpWithSpace } from './inbox';
import { openSetting, type Setting } from './setting';
import { visit } from './visit';

let setting: Setting;
/** The oldest space. */
let oldest: string;

beforeAll(async () => {
  setting = await openSetting();
  const { api, spaceId } = await signUpWithSpace(setting, 'Website');
  oldest = spaceId;
  const testimonial = {
    space_id: oldest,
    type: 'text',
    submitter_name: 'Noor',
    submitter_email: 'noor@northwind.example',
  };
  await api('POST', '/testimonials', testimonial);
  for (let count = 0; count < 204; count += 1) {
    await api('POST', '/spaces', { name: `Space ${count}` });
  }
  const { data } = await api('POST', '/spaces', { name: '\u200b\u2060' });
  await api('POST', '/testimonials', {
    ...testimonial,
    space_id: data.id,
    submitter_name: 'Kim',
  });
});

afterAll(() => setting?.close());

const choice = () => setting.page.getByLabel('Space', { exact: true });
const labels = () => choice().locator('option').allTextContents();

test('of more than a hundred spaces each can be chosen in the inbox, by keyboard too', async () => {
  const { page, inspect } = setting;
  await visit(page, '/testimonials');
  await row(page, 'Kim').waitFor();
  expect(await labels()).toHaveLength(102);
  await choice().focus();
  await eventually(async () => expect(await labels()).toHaveLength(207));
  expect(new Set(await labels()).size).toBe(207);
  await page.keyboard.type('Northw');
  await row(page, 'Kim').waitFor({ state: 'detached' });
  await row(page, 'Noor').waitFor();
  expect(await choice().inputValue()).toBe(oldest);
  await inspect('inbox-many-spaces');
});

test('older spaces that could not be read are asked for anew', async () => {
  const { page } = setting;
  const isOlder = (url: URL) =>
    url.pathname.includes('spaces.list') && url.search.includes('offset');
  await visit(page, '/testimonials');
  await page.route(isOlder, (route) => route.fulfill({ status: 400, json: null }));
  await choice().focus();
  await eventually(async () =>
    expect((await labels()).at(-1)).toBe('Older spaces could not be loaded'),
  );
  await page.unroute(isOlder);
  await page.getByLabel('Rating').focus();
  await choice().focus();
  await eventually(async () => expect(await labels()).toHaveLength(207));
});

test('a space that the address names keeps its name before and after the others are read', async () => {
  const { page } = setting;
  await visit(page, `/testimonials?space=${oldest}`);
  const chosen = () => choice().locator('option:checked').textContent();
  await eventually(async () => expect(await chosen()).toBe('Northwind'));
  await choice().focus();
  await eventually(async () => expect(await labels()).toHaveLength(207));
  expect(await chosen()).toBe('Northwind');
});

test('a space whose name nobody sees has one wherever it is pointed at', async () => {
  const { page, inspect } = setting;
  await visit(page, '/spaces');
  await page.getByRole('button', { name: 'Copy the ID of Unnamed' }).waitFor();
  await inspect('spaces-unnamed');
  await page.getByRole('button', { name: 'Actions for Unnamed' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Unnamed is deleted for good').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('link', { name: 'Unnamed' }).click();
  await row(page, 'Kim').getByText('Unnamed').waitFor();
  expect(await choice().locator('option:checked').textContent()).toBe('Unnamed');
});

test('axe found nothing serious on any page, and none is wider than a telephone', () => {
  expect(setting.obstacles).toEqual([]);
});
