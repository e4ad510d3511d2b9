import type { Page } from 'playwright-core';
import { settled } from './checks';
import { descriptionOf, heard, hears, listen } from './heard';
import { type apiOf, row, signUpWithSpace, submissionOf } from './inbox';
import { openSetting, type Setting } from './setting';
import { visit } from './visit';

let setting: Setting;
let api: ReturnType<typeof apiOf>;
let spaceId: string;

beforeAll(async () => {
  setting = await openSetting();
  ({ api, spaceId } = await signUpWithSpace(setting, 'Import'));
  await listen(setting.page);
});

afterAll(() => setting?.close());

const add = (name: string, rating: number) =>
  api('POST', '/testimonials', { ...submissionOf(spaceId, name), rating });

/** Four that wait, and nothing else; what came of being loaded is not heard any more. */
async function open(query = ''): Promise<Page> {
  const { page } = setting;
  // What the test before has decided is sent when its page is left.
  await visit(page, '/account');
  const { data } = await api('GET', '/testimonials?limit=100');
  const ids: string[] = data.map(({ id }: { id: string }) => id);
  if (ids.length > 0) await api('POST', '/testimonials/batch/delete', { testimonial_ids: ids });
  for (const [name, rating] of [
    ['Dan', 2],
    ['Cleo', 5],
    ['Ben', 4],
    ['Ada', 5],
  ] as const) {
    await add(name, rating);
  }
  await visit(page, `/testimonials${query}`);
  await row(page, 'Ada').waitFor();
  await heard(page);
  return page;
}

test('a row that has the focus is read with its rating and its text, and where all are shown its status', async () => {
  let page = await open();
  expect(await descriptionOf(page, row(page, 'Dan'))).toBe('2 of 5 stars Dan says that it works.');
  page = await open('?status=all');
  expect(await descriptionOf(page, row(page, 'Dan'))).toBe(
    '2 of 5 stars Dan says that it works. Pending',
  );
});

test('how many are selected is heard, also where a key selects', async () => {
  const page = await open();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await hears(page, '1 selected');
  await page.getByRole('checkbox', { name: 'Select Ben' }).check();
  await hears(page, '2 selected');
  await page.getByRole('checkbox', { name: 'Select all that are loaded' }).check();
  await hears(page, '4 selected');
});

test('what was done before is not read again with how many are selected', async () => {
  const page = await open();
  await row(page, 'Ada').getByRole('button', { name: 'Approve Ada' }).click();
  await page.keyboard.press('z');
  await hears(page, 'Taken back: Ada: approved');
  await page.getByRole('checkbox', { name: 'Select Ben' }).check();
  expect(await hears(page, '1 selected')).toEqual(['1 selected']);
  // Orca reads the block of text that changed.
  const blocks = page.locator('[aria-live]').filter({ hasText: '1 selected' }).locator('> *');
  const displays = blocks.evaluateAll((all) => all.map((one) => getComputedStyle(one).display));
  expect(await displays).toEqual(['block', 'block']);
});

test('a dialog is described by whose testimonial it is, or by what it asks, and by nothing else in it', async () => {
  const page = await open();
  await row(page, 'Ada').getByRole('button', { name: 'Open Ada' }).click();
  const dialog = page.getByRole('dialog', { name: 'Testimonial', exact: true });
  await settled(dialog);
  expect(await descriptionOf(page, dialog)).toBe('Ada Pending');
  await dialog.getByRole('button', { name: 'Delete…' }).click();
  const question = page.getByRole('dialog', { name: 'Delete the testimonial of Ada?' });
  await settled(question);
  expect(await descriptionOf(page, question)).toBe(
    'It is deleted for good, with its uploaded files, and webhooks are told. This cannot be undone.',
  );
});

test('how many were found is heard once for each change of the filters, and for nothing else', async () => {
  const page = await open();
  await page.getByRole('combobox', { name: 'Rating' }).selectOption('5');
  expect(await hears(page, '2 testimonials')).toEqual(['2 testimonials']);
  await page.getByRole('searchbox').fill('Cleo says');
  expect(await hears(page, '1 testimonial')).toEqual(['1 testimonial']);
  await page.getByRole('searchbox').fill('nobody');
  expect(await hears(page, '0 testimonials')).toEqual(['0 testimonials']);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await hears(page, '4 testimonials');
  await page.getByRole('button', { name: /^Approved/ }).click();
  await hears(page, '0 testimonials');
  await page.getByRole('button', { name: /^Pending/ }).click();
  await hears(page, '4 testimonials');
  await row(page, 'Ada').getByRole('button', { name: 'Approve Ada' }).click();
  await row(page, 'Ada').waitFor({ state: 'detached' });
  expect(await hears(page, 'Ada: approved. Z takes it back.')).toEqual([
    'Ada: approved. Z takes it back.',
  ]);
});

test('of what was like that already no key is said to take it back', async () => {
  const page = await open('?status=all');
  await row(page, 'Ada').getByRole('button', { name: 'Approve Ada' }).click();
  await hears(page, 'Ada: approved. Z takes it back.');
  await page.getByRole('button', { name: 'Undo', exact: true }).waitFor({ state: 'detached' });
  await row(page, 'Ada').focus();
  await page.keyboard.press('a');
  await hears(page, 'Ada: approved.');
  for (const name of ['Ada', 'Ben', 'Cleo'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  await page.keyboard.press('a');
  await hears(page, '2 testimonials: approved. Z takes it back.');
});

test('the button that takes a decision back keeps its name while its seconds run', async () => {
  const page = await open();
  await row(page, 'Ada').getByRole('button', { name: 'Approve Ada' }).click();
  await page.getByRole('button', { name: 'Undo', exact: true }).waitFor();
});

test('that others have come in is heard', async () => {
  const page = await open();
  await add('Eve', 3);
  await hears(page, 'There are new testimonials: show them');
});
