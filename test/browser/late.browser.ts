import { goBackInVain } from './back';
import { elsewhere } from './elsewhere';
import { eventually } from './eventually';
import { hold } from './inbox';
import { createKey, openSetting, type Setting, signUp } from './setting';
import { listens, visit, visitAgain } from './visit';

let setting: Setting;

beforeAll(async () => {
  setting = await openSetting();
  await signUp(setting.page, 'ada@example.com');
  for (const name of ['Website', 'Shop']) await createKey(setting.page, name);
});

afterAll(() => setting?.close());

const dialog = () => setting.page.getByRole('dialog');
const menuOf = (name: string) =>
  setting.page.getByRole('button', { name: `Actions for ${name}`, exact: true }).first();
const rowOf = (name: string) => setting.page.getByRole('row').filter({ hasText: name }).first();
const noteOf = (name: string) => setting.page.getByText(`“${name}” is switched off`);

async function choose(name: string, action: string): Promise<void> {
  await menuOf(name).click();
  // The one before may be closing still.
  const menu = setting.page.getByRole('menu', { name: `Actions for ${name}`, exact: true });
  await menu.getByRole('menuitem', { name: action }).click();
}

async function switchOff(name: string): Promise<void> {
  await choose(name, 'Switch off');
  await dialog().getByRole('button', { name: 'Switch off' }).click();
  await noteOf(name).waitFor();
}

const idOf = async (name: string): Promise<string> => {
  const keys = await elsewhere<{ id: string; name: string }[]>(
    setting.page,
    'apiKeys.list',
    undefined,
    'GET',
  );
  return keys.find((key) => key.name === name)?.id ?? '';
};

describe('what is said of a key that was switched off', () => {
  beforeEach(() => visit(setting.page, '/api-keys'));

  test('goes once the list says that it was switched on in another tab', async () => {
    const { page } = setting;
    await switchOff('Shop');
    await elsewhere(page, 'apiKeys.update', { id: await idOf('Shop'), enabled: true });
    await page.getByRole('button', { name: 'Create key' }).click();
    await dialog().getByLabel('Name', { exact: true }).fill('Export');
    await dialog().getByRole('button', { name: 'Create key' }).click();
    await dialog().getByRole('button', { name: 'Done' }).click();
    await rowOf('Shop').getByText('Active').waitFor();
    await eventually(async () => expect(await noteOf('Shop').count()).toBe(0));
  });

  test('stays when the answer of another key comes, which was switched on before', async () => {
    const { page } = setting;
    await elsewhere(page, 'apiKeys.update', { id: await idOf('Website'), enabled: false });
    await visitAgain(page);
    const switchingOn = await hold(page, 'answers', /apiKeys\.update\b/, 1);
    await choose('Website', 'Switch on');
    await switchingOn.isHeld();
    await switchOff('Shop');
    const listed = page.waitForResponse(/apiKeys\.list\b/);
    await switchingOn.release();
    await (await listed).finished();
    await rowOf('Website').getByText('Active').waitFor();
    expect(await noteOf('Shop').count()).toBe(1);
  });
});

test('a key that could not be switched on is said so, whatever was chosen meanwhile', async () => {
  const { page } = setting;
  await elsewhere(page, 'apiKeys.update', { id: await idOf('Website'), enabled: false });
  await visit(page, '/api-keys');
  const switchingOn = await hold(page, 'requests', /apiKeys\.update\b/, 1);
  await choose('Website', 'Switch on');
  await switchingOn.isHeld();
  await choose('Shop', 'History');
  await elsewhere(page, 'apiKeys.delete', { id: await idOf('Website') });
  await switchingOn.release();
  await page.getByRole('alert').getByText('“Website”').waitFor();
  await dialog().getByRole('button', { name: 'Close' }).click();
  await choose('Shop', 'Edit');
  expect(await page.getByRole('alert').getByText('“Website”').count()).toBe(0);
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await createKey(page, 'Website');
});

describe('what is shown once is shown when it is made, however long the list behind it takes', () => {
  test('a rotated key', async () => {
    const { page } = setting;
    await visit(page, '/api-keys');
    const listing = await hold(page, 'answers', /apiKeys\.list\b/);
    await choose('Shop', 'Rotate');
    await dialog().getByRole('button', { name: 'Rotate key' }).click();
    await listing.isHeld();
    await dialog().getByRole('region', { name: 'key', exact: true }).waitFor();
    await dialog().getByRole('button', { name: 'Done' }).click();
    await listing.release();
    await eventually(async () =>
      expect(await page.getByRole('row').filter({ hasText: 'Shop' }).count()).toBe(2),
    );
  });

  test('a new key', async () => {
    const { page } = setting;
    await visit(page, '/api-keys');
    const listing = await hold(page, 'answers', /apiKeys\.list\b/);
    await page.getByRole('button', { name: 'Create key' }).click();
    await dialog().getByLabel('Name', { exact: true }).fill('Import');
    await dialog().getByRole('button', { name: 'Create key' }).click();
    await listing.isHeld();
    await dialog().getByRole('region', { name: 'key', exact: true }).waitFor();
    await dialog().getByRole('button', { name: 'Done' }).click();
    await listing.release();
    await rowOf('Import').waitFor();
  });

  test('a key that is being made, or put in the place of another, keeps the page from being left', async () => {
    const { page } = setting;
    await visit(page, '/account');
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('heading', { name: 'API keys', exact: true }).waitFor();
    const rotating = await hold(page, 'answers', /apiKeys\.rotate\b/);
    await choose('Import', 'Rotate');
    await dialog().getByRole('button', { name: 'Rotate key' }).click();
    await rotating.isHeld();
    await goBackInVain(page);
    await rotating.release();
    await dialog().getByRole('region', { name: 'key', exact: true }).waitFor();
    await dialog().getByRole('button', { name: 'Done' }).click();
  });

  test('the secret of an endpoint, and the next one', async () => {
    const { page } = setting;
    await visit(page, '/webhooks');
    const listing = await hold(page, 'answers', /endpoints\.list\b/);
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await dialog().getByLabel('URL').fill('http://127.0.0.1:18998/');
    await dialog().getByRole('button', { name: 'Add endpoint' }).click();
    await listing.isHeld();
    await dialog().getByRole('region', { name: 'secret', exact: true }).waitFor();
    await dialog().getByRole('button', { name: 'Done' }).click();
    await listing.release();
    await page.getByRole('link', { name: 'http://127.0.0.1:18998/' }).click();
    await page.waitForURL(/webhooks\/.+/);
    await listens(page);
    await choose('this endpoint', 'Rotate');
    const reading = await hold(page, 'answers', /endpoints\.get\b/);
    await dialog().getByRole('button', { name: 'Rotate secret' }).click();
    await reading.isHeld();
    await dialog().getByRole('region', { name: 'secret', exact: true }).waitFor();
    await dialog().getByRole('button', { name: 'Done' }).click();
    await reading.release();
  });
});
