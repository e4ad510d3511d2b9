import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { openWindow } from './browser';
import { eventually } from './eventually';
import {
  openSetting,
  password,
  type Setting,
  sendCredentials,
  signIn,
  signInAgain,
  signUp,
} from './setting';
import { visit } from './visit';

/** What an owner does with the account itself, where no mails are sent. */

let setting: Setting;

beforeAll(async () => {
  setting = await openSetting();
});

afterAll(() => setting?.close());

/** Somebody new in the setting's window. */
async function newPerson(email: string): Promise<Page> {
  const { page } = setting;
  await page.context().clearCookies();
  await signUp(page, email);
  return page;
}

test('browsers are listed, and one is signed out from another', async () => {
  const { browser, service, inspect } = setting;
  const page = await newPerson('lin@example.com');
  const other = await openWindow(browser, service.url);
  await signIn(other.page, 'lin@example.com');
  await page.goto('/account');
  const listed = page.getByRole('region', { name: 'Signed in' }).getByRole('listitem');
  await listed.nth(1).waitFor();
  await eventually(async () => expect(await listed.getByText('This browser').count()).toBe(1));
  await inspect('account-sessions');
  await page.getByRole('button', { name: /^Sign out .+ on / }).click();
  await listed.nth(1).waitFor({ state: 'detached' });
  await other.page.goto('/account');
  await other.page.waitForURL('**/sign-in**');
  expect(setting.obstacles).toEqual([]);
});

test('the address changes at once where no mails are sent', async () => {
  const page = await newPerson('max@example.com');
  await page.goto('/account');
  await page.getByRole('button', { name: 'Change e-mail' }).click();
  await page.getByLabel('New e-mail').fill('maxine@example.com');
  await page.getByLabel('Your password', { exact: true }).fill(password);
  await page.getByRole('dialog').getByRole('button', { name: 'Change e-mail' }).click();
  await page.getByText('You sign in with maxine@example.com from now on.').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('banner').getByText('maxine@example.com').waitFor();
});

test.each([
  { name: 'max', of: 'are lost', answer: undefined },
  {
    name: 'mo',
    of: 'would be of another version of the service',
    answer: { contentType: 'text/x-component', body: '0:{"b":"other"}\n' },
  },
])(
  'a changed address is told of and shown, and nothing typed is lost, where pages $of',
  async (tried) => {
    const page = await newPerson(`${tried.name}-1@example.com`);
    await visit(page, '/account');
    const typed = page.getByLabel('Current password');
    await typed.fill('half of it');
    const isPage = (url: URL) => url.searchParams.has('_rsc');
    await page.route(isPage, (route) =>
      tried.answer ? route.fulfill(tried.answer) : route.abort(),
    );
    const email = `${tried.name}-2@example.com`;
    await page.getByRole('button', { name: 'Change e-mail' }).click();
    await page.getByLabel('New e-mail').fill(email);
    await page.getByLabel('Your password', { exact: true }).fill(password);
    await page.getByRole('dialog').getByRole('button', { name: 'Change e-mail' }).click();
    await page.getByRole('banner').getByText(email).waitFor();
    await page.getByRole('dialog').getByText(`You sign in with ${email}`).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await typed.inputValue()).toBe('half of it');
    // The new address is that of this page's account: to sign in with it again loads nothing anew.
    await page.context().clearCookies();
    await page.getByLabel('New password').fill('another battery staple');
    await page.getByRole('button', { name: 'Change password' }).click();
    await signInAgain(page);
    await page.getByText('You were signed out before this was done.').waitFor();
    expect(await typed.inputValue()).toBe('half of it');
    await page.unrouteAll();
  },
);

test('everything is downloaded as one file', async () => {
  const page = await newPerson('eve@example.com');
  await page.goto('/account');
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download everything' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^testimonials-account-.*\.jsonl$/);
  expect(await text(await download.createReadStream())).toMatch(/"kind":"end"[^\n]*\n$/);
});

test('a double click downloads it once, and what is answered instead of it leaves the page', async () => {
  const page = await newPerson('kim@example.com');
  await visit(page, '/account');
  const download = page.getByRole('link', { name: 'Download everything' });
  let asked = 0;
  await page.context().route('**/api/account/export?*', (route) => {
    asked += 1;
    return route.fallback();
  });
  const downloading = page.waitForEvent('download');
  await download.dblclick();
  expect(await (await downloading).failure()).toBeNull();
  expect(asked).toBe(1);
  await page
    .context()
    .route('**/api/account/export?*', (route) =>
      route.fulfill({ status: 409, contentType: 'text/plain', body: 'Wait until it is done.' }),
    );
  const other = page.context().waitForEvent('page');
  await download.click();
  await (await other).getByText('Wait until it is done.').waitFor();
  expect(new URL(page.url()).pathname).toBe('/account');
  await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
});

test('the account is deleted once its address and password are typed, and not before', async () => {
  const { inspect } = setting;
  const page = await newPerson('bob@example.com');
  await page.goto('/account');
  await page.getByRole('button', { name: 'Delete account' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/Type the account/).fill('ada@example.com');
  await dialog.getByLabel('Your password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await dialog.getByText('This is not the address of the account.').waitFor();
  await inspect('account-delete');
  await dialog.getByLabel(/Type the account/).fill('bob@example.com');
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await page.getByText('The account is closed.').waitFor();
  await inspect('sign-in-closed');
  await sendCredentials(page, 'Sign in', 'bob@example.com');
  await page.getByText('The e-mail address or the password is not right.').waitFor();
  await page.goto('/forgot-password');
  await page.getByText('npm run account -- set-password').waitFor();
  await inspect('forgot-password-unmailed');
  expect(setting.obstacles).toEqual([]);
});
