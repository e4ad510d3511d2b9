import type { Page } from 'playwright-core';
import { hasFocus } from './eventually';
import { heard, hears, listen } from './heard';
import { type apiOf, row, signUpWithSpace, submissionOf } from './inbox';
import { nowhere } from './receiver';
import { openSetting, type Setting } from './setting';
import { visit, visitAgain } from './visit';

let setting: Setting;
let api: ReturnType<typeof apiOf>;
let spaceId: string;

beforeAll(async () => {
  setting = await openSetting();
  ({ api, spaceId } = await signUpWithSpace(setting, 'Website'));
  await listen(setting.page);
});

afterAll(() => setting?.close());

const dialog = () => setting.page.getByRole('dialog');

async function open(path: string): Promise<Page> {
  const { page } = setting;
  await visit(page, path);
  await heard(page);
  return page;
}

async function act(page: Page, of: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${of}`, exact: true }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

const confirm = (name: string) => dialog().getByRole('button', { name, exact: true }).click();

test('that a key is saved, switched on, and deleted is heard', async () => {
  const page = await open('/api-keys');
  await act(page, 'Website', 'Edit');
  await dialog().getByLabel('Name', { exact: true }).fill('Shop');
  await confirm('Save');
  await hears(page, 'Saved');
  await act(page, 'Shop', 'Switch off');
  await confirm('Switch off');
  await page.getByRole('button', { name: 'Switch on again' }).click();
  await hears(page, 'Shop is switched on');
  await page.request.post('/api/trpc/apiKeys.create', { data: { name: 'Old', scopes: ['read'] } });
  await visitAgain(page);
  await act(page, 'Old', 'Delete');
  await confirm('Delete key');
  await hears(page, 'The key is deleted');
});

test('that a space is created, saved, and deleted is heard', async () => {
  const page = await open('/spaces');
  await page.getByRole('button', { name: 'Create space' }).click();
  await dialog().getByLabel('Name', { exact: true }).fill('Fabrikam');
  await confirm('Create space');
  await hears(page, 'The space is created');
  await act(page, 'Fabrikam', 'Edit');
  await dialog().getByLabel('Name', { exact: true }).fill('Contoso');
  await confirm('Save');
  await hears(page, 'Saved');
  await act(page, 'Contoso', 'Delete');
  await confirm('Delete space');
  await hears(page, 'The space is deleted');
});

test('that an endpoint is saved, resumed, and deleted is heard, also on the page that follows', async () => {
  const { data } = await api('POST', '/webhook-endpoints', {
    url: nowhere,
    event_types: ['testimonial.created'],
  });
  const page = await open(`/webhooks/${data.id}`);
  await act(page, 'this endpoint', 'Edit');
  await dialog().getByLabel('Description').fill('The shop');
  await confirm('Save');
  await hears(page, 'Saved');
  await act(page, 'this endpoint', 'Pause');
  await confirm('Pause endpoint');
  await page.getByRole('button', { name: 'Resume' }).click();
  await hears(page, 'The endpoint is resumed');
  await act(page, 'this endpoint', 'Delete');
  await confirm('Delete endpoint');
  await hears(page, 'The endpoint is deleted');
  expect(new URL(page.url()).pathname).toBe('/webhooks');
});

test('that a correction is saved is heard', async () => {
  await api('POST', '/testimonials', submissionOf(spaceId, 'Ada'));
  const page = await open('/testimonials');
  await row(page, 'Ada').getByRole('button', { name: 'Open Ada' }).click();
  await dialog().getByLabel('Company').fill('Acme');
  await confirm('Save');
  await hears(page, 'Saved');
});

test('a new key or secret is said to be copied now, and the button for it has the focus', async () => {
  let page = await open('/api-keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  await dialog().getByLabel('Name', { exact: true }).fill('Feed');
  await page.keyboard.press('Enter');
  await hasFocus(dialog().getByRole('button', { name: 'Copy key' }));
  const ofKey =
    'Copy the key now and keep it like a password. It is shown only this once, and this window stays until you press Done.';
  expect(await hears(page, ofKey)).not.toContainEqual(expect.stringContaining('sk_live_'));
  page = await open('/api-keys');
  await act(page, 'Feed', 'Rotate');
  await confirm('Rotate key');
  await hasFocus(dialog().getByRole('button', { name: 'Copy key' }));
  await hears(page, ofKey);
  page = await open('/webhooks');
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  await dialog().getByLabel('URL').fill(nowhere);
  await page.keyboard.press('Enter');
  await hasFocus(dialog().getByRole('button', { name: 'Copy secret' }));
  await hears(page, ofKey.replace('key', 'secret'));
});

test('what is live and says nothing is no stop on the way through a page', async () => {
  for (const path of ['/api-keys', '/spaces', '/webhooks', '/account', '/testimonials']) {
    const page = await open(path);
    const silent = page.locator('[role=status]:empty');
    expect(await silent.evaluateAll((all) => all.map((one) => one.outerHTML))).toEqual([]);
  }
});
