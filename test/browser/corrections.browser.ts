import type { Route } from 'playwright-core';
import { goBackInVain } from './back';
import { type Watch, watchBesides } from './browser';
import { eventually } from './eventually';
import { type apiOf, row, signUpWithSpace } from './inbox';
import { openSetting, type Setting } from './setting';
import { visit } from './visit';

let setting: Setting;
let api: ReturnType<typeof apiOf>;
let spaceId: string;
let id: string;

beforeAll(async () => {
  setting = await openSetting();
  ({ api, spaceId } = await signUpWithSpace(setting, 'Import'));
});

/** Ann's, and no other, opened to be corrected. */
beforeEach(async () => {
  const { page } = setting;
  const { data } = await api('POST', '/testimonials', {
    space_id: spaceId,
    type: 'text',
    submitter_name: 'Ann',
    submitter_email: 'someone@northwind.example',
    submitter_company: 'Northwind',
    rating: 4,
    text_content: 'It works.',
  });
  id = data.id;
  await visit(page, '/spaces');
  await page.getByRole('link', { name: 'Inbox' }).click();
  await row(page, 'Ann').getByRole('button', { name: 'Open Ann' }).click();
  await dialog().getByLabel('Text').waitFor();
});

afterEach(async () => {
  await visit(setting.page, '/account');
  await api('DELETE', `/testimonials/${id}`);
});

afterAll(() => setting?.close());

const dialog = () => setting.page.getByRole('dialog');

const press = (name: string) => dialog().getByRole('button', { name, exact: true }).click();

/** As somebody else does, or the same person in another tab. */
const changeElsewhere = (fields: object) => api('PATCH', `/testimonials/${id}`, fields);

const stored = async () => (await api('GET', `/testimonials/${id}`)).data;

const warning = () => dialog().getByRole('alert').filter({ hasText: 'changed meanwhile' });

test('what somebody else has changed meanwhile is told before it is replaced, and replaced when saved again', async () => {
  const { page, inspect } = setting;
  await dialog().getByLabel('Text').fill('It works well.');
  await dialog().getByLabel('Company').fill('Northwind Ltd');
  await changeElsewhere({ text_content: 'It works for us.', submitter_company: 'Contoso' });
  await press('Save');
  await warning().getByText('It works for us.').waitFor();
  await warning().getByText('Contoso').waitFor();
  await inspect('inbox-changed-meanwhile');
  expect(await stored()).toMatchObject({
    text_content: 'It works for us.',
    submitter_company: 'Contoso',
  });
  expect(await dialog().getByLabel('Text').inputValue()).toBe('It works well.');
  await press('Save');
  await dialog().waitFor({ state: 'detached' });
  await row(page, 'Ann').getByText('It works well.').waitFor();
  expect(await stored()).toMatchObject({
    text_content: 'It works well.',
    submitter_company: 'Northwind Ltd',
  });
});

test('what is changed once more is told once more', async () => {
  await dialog().getByLabel('Text').fill('It works well.');
  await changeElsewhere({ text_content: 'It works for us.' });
  await press('Save');
  await warning().getByText('It works for us.').waitFor();
  await changeElsewhere({ text_content: 'It works for all.' });
  await press('Save');
  await warning().getByText('It works for all.').waitFor();
  expect((await stored()).text_content).toBe('It works for all.');
});

test('what was changed beside that is told too, once it would be replaced', async () => {
  await dialog().getByLabel('Text').fill('It works well.');
  await changeElsewhere({ text_content: 'It works for us.', submitter_company: 'Contoso' });
  await press('Save');
  await warning().getByText('It works for us.').waitFor();
  await dialog().getByLabel('Company').fill('Northwind Ltd');
  await press('Save');
  await warning().getByText('Contoso').waitFor();
  expect(await warning().getByText('It works for us.').count()).toBe(0);
  expect((await stored()).submitter_company).toBe('Contoso');
});

test('what is not saved over another’s change is not decided on either, and who cancels sees that change', async () => {
  const { page } = setting;
  await dialog().getByLabel('Rating').selectOption('5');
  await changeElsewhere({ rating: 1 });
  await press('Save and approve');
  await warning().waitFor();
  await press('Cancel');
  await dialog().waitFor({ state: 'detached' });
  await row(page, 'Ann').getByRole('img', { name: '1 of 5 stars' }).waitFor();
  expect(await stored()).toMatchObject({ rating: 1, status: 'pending' });
});

test('fields that are not corrected here stay as they were changed elsewhere, and nobody is asked', async () => {
  await dialog().getByLabel('Text').fill('It works well.');
  await dialog().getByLabel('Rating').selectOption('5');
  await changeElsewhere({ submitter_company: 'Contoso', rating: 5 });
  await press('Save');
  await dialog().waitFor({ state: 'detached' });
  expect(await stored()).toMatchObject({
    text_content: 'It works well.',
    submitter_company: 'Contoso',
    rating: 5,
  });
});

test('of one that was deleted meanwhile the dialog says so, and the inbox has it no more', async () => {
  const { page } = setting;
  await dialog().getByLabel('Text').fill('It works well.');
  await api('DELETE', `/testimonials/${id}`);
  await press('Save');
  await dialog().getByRole('alert').getByText('deleted meanwhile').waitFor();
  await press('Cancel');
  await row(page, 'Ann').waitFor({ state: 'detached' });
});

test('why a correction is not saved is in sight, also far below the button on a telephone', async () => {
  const { page } = setting;
  const alert = dialog().getByRole('alert');
  const isInSight = () =>
    eventually(async () => {
      const [top, bottom] = await alert.evaluate((element) => {
        const place = element.getBoundingClientRect();
        return [place.top, window.innerHeight - place.bottom];
      });
      expect(top).toBeGreaterThanOrEqual(0);
      expect(bottom).toBeGreaterThanOrEqual(0);
    });
  await page.setViewportSize({ width: 320, height: 568 });
  await dialog().getByLabel('Text').fill('It works well.');
  await page.route(/testimonials\.update\b/, (route) => route.abort());
  await press('Save and approve');
  await alert.getByText('No answer came').waitFor();
  await isInSight();
  await page.unroute(/testimonials\.update\b/);
  await changeElsewhere({ text_content: 'It works for us.' });
  await press('Save and approve');
  await warning().waitFor();
  await isInSight();
  await page.setViewportSize({ width: 1280, height: 800 });
});

describe('while a correction is being saved, going back', () => {
  /** Goes back amid the save, which is then answered so. */
  async function goBackAmidSave(answer: (route: Route) => Promise<void>) {
    const { page } = setting;
    await dialog().getByLabel('Text').fill('It works well.');
    const update = /testimonials\.update\b/;
    const arrived = new Promise<Route>((resolve) => void page.route(update, resolve));
    await press('Save');
    const route = await arrived;
    await goBackInVain(page);
    expect(await dialog().getByText('is not saved').count()).toBe(0);
    await answer(route);
    await page.unroute(update);
  }

  test('stays until it is saved', async () => {
    await goBackAmidSave((route) => route.continue());
    await dialog().waitFor({ state: 'detached' });
    await row(setting.page, 'Ann').getByText('It works well.').waitFor();
  });

  test('is forgotten where it cannot be saved: only that is told', async () => {
    await goBackAmidSave((route) => route.abort());
    await dialog().getByRole('alert').getByText('No answer came').waitFor();
    expect(await dialog().getByText('is not saved').count()).toBe(0);
    expect(await dialog().getByLabel('Text').inputValue()).toBe('It works well.');
  });
});

test('axe found nothing serious on any page, and none is wider than a telephone', () => {
  expect(setting.obstacles).toEqual([]);
});

test('no page asked another host for anything, or complained', () => {
  // The browser's own words for what was deleted, and for what was cut off.
  const words = ['status of 404', 'ERR_FAILED'];
  const watch = words.reduce<Watch>((rest, text) => watchBesides(text, rest), setting.watch);
  expect(watch).toEqual({ foreign: [], complaints: [] });
});
