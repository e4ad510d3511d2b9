import { eventually } from './eventually';
import { nowhere } from './receiver';
import { createEndpoint, openSetting, type Setting, sendCredentials, signUp } from './setting';
import { visit } from './visit';

let setting: Setting;

beforeAll(async () => {
  setting = await openSetting();
  await signUp(setting.page, 'ada@example.com');
});

afterAll(() => setting?.close());

const dialog = () => setting.page.getByRole('dialog');

/** What the focus is on: the name of a field, else its words. */
const focused = () =>
  setting.page.evaluate(() => {
    const element = document.activeElement;
    return element?.getAttribute('name') ?? element?.textContent ?? '';
  });

const expectFocusOn = (name: string) => eventually(async () => expect(await focused()).toBe(name));

test('a password that is refused leaves the focus where it was', async () => {
  const { page } = setting;
  await visit(page, '/account');
  await page.getByLabel('Current password').fill('not this one');
  await page.getByLabel('New password').fill('another battery staple');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('The current password is not right.').waitFor();
  await expectFocusOn('Change password');
});

test('a password is shown by the keyboard alone', async () => {
  const { page } = setting;
  await page.getByLabel('Current password').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const button = page.getByRole('button', { name: 'Show the password' }).first();
  await eventually(async () => expect(await button.getAttribute('aria-pressed')).toBe('true'));
  expect(await page.getByLabel('Current password').getAttribute('type')).toBe('text');
  await page.keyboard.press(' ');
  await eventually(async () => expect(await button.getAttribute('aria-pressed')).toBe('false'));
});

describe('a logo', () => {
  test.each([
    {
      name: 'a.txt',
      mimeType: 'text/plain',
      size: 10,
      words: 'This file is no PNG, JPEG, WebP or GIF.',
    },
    {
      name: 'a.png',
      mimeType: 'image/png',
      size: 5 * 1024 * 1024 + 1,
      words: 'This file is larger than 5 MB.',
    },
  ])('that is $name is refused before it is sent', async ({ name, mimeType, size, words }) => {
    const { page } = setting;
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    await visit(page, '/spaces');
    await page.getByRole('button', { name: 'Create space' }).click();
    const file = { name, mimeType, buffer: Buffer.alloc(size) };
    await dialog().getByLabel('Logo', { exact: true }).setInputFiles(file);
    await dialog().getByRole('alert').getByText(words).waitFor();
    expect(sent.filter((url) => url.includes('uploads.logo'))).toEqual([]);
  });
});

test.each([
  { typed: '#abc', meant: '#aabbcc' },
  { typed: '1A73E8', meant: '#1A73E8' },
])('the colour $typed is taken for $meant', async ({ typed, meant }) => {
  const { page } = setting;
  await visit(page, '/spaces');
  await page.getByRole('button', { name: 'Create space' }).click();
  const colour = dialog().getByLabel('Colour (optional)');
  await colour.fill(typed);
  await colour.press('Tab');
  await eventually(async () => expect(await colour.inputValue()).toBe(meant));
  await colour.fill(typed);
  await dialog()
    .getByLabel('Name')
    .fill(`In ${typed.replace('#', '')}`);
  const created = page.waitForRequest(/spaces\.create/);
  await page.keyboard.press('Enter');
  expect((await created).postData()).toContain(`"${meant}"`);
  await dialog().waitFor({ state: 'detached' });
});

test('the address of an endpoint is said to be wrong in its field, which has the focus', async () => {
  const { page, inspect } = setting;
  await visit(page, '/webhooks');
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  const url = dialog().getByLabel('URL');
  await url.fill('ftp://example.com');
  await dialog().getByRole('button', { name: 'Add endpoint' }).click();
  await dialog().getByText('The URL must begin with https:// or http://.').waitFor();
  await expectFocusOn('url');
  expect(await url.getAttribute('aria-invalid')).toBe('true');
  await inspect('webhooks-create-refused');
});

test('an endpoint that is not there has a page with a title, and the way back before all else', async () => {
  const { page, inspect } = setting;
  await createEndpoint(page, nowhere);
  await visit(page, '/webhooks/nope');
  await page.getByRole('heading', { name: 'This page does not exist', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Look among the test data' }).waitFor();
  await inspect('not-found-endpoint');
  await page.getByRole('link', { name: 'Back to webhooks' }).click();
  await page.getByRole('heading', { name: 'Webhooks', exact: true, level: 1 }).waitFor();
  await page.goto('/nope');
  await page.getByRole('heading', { name: 'This page does not exist', level: 1 }).waitFor();
});

describe('somebody who is not signed in', () => {
  beforeAll(() => setting.page.context().clearCookies());

  test('keeps the focus when they are refused', async () => {
    const { page } = setting;
    await visit(page, '/sign-in');
    await page.getByLabel('Password', { exact: true }).fill('not this one');
    await page.getByLabel('E-mail').fill('ada@example.com');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The e-mail address or the password is not right.').waitFor();
    await expectFocusOn('Sign in');
  });

  test('is led to sign in with the address that has an account', async () => {
    const { page, inspect } = setting;
    await visit(page, '/sign-up');
    await sendCredentials(page, 'Create account', 'ada@example.com');
    const refusal = page.getByRole('alert');
    await refusal.getByText('There is already an account for this address.').waitFor();
    await inspect('sign-up-taken');
    await refusal.getByRole('link', { name: 'Sign in instead' }).click();
    await page.waitForURL(/\/sign-in/);
    await eventually(async () =>
      expect(await page.getByLabel('E-mail').inputValue()).toBe('ada@example.com'),
    );
    await expectFocusOn('password');
    await sendCredentials(page, 'Sign in');
    await page.waitForURL('**/api-keys');
  });
});

test('axe found nothing serious on any page, and none is wider than a telephone', () => {
  expect(setting.obstacles).toEqual([]);
});

test('no page asked another host for anything', () => {
  expect(setting.watch.foreign).toEqual([]);
});
