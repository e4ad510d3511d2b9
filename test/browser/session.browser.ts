import type { Route } from 'playwright-core';
import { openWindow } from './browser';
import { eventually } from './eventually';
import { hold } from './inbox';
import { nowhere } from './receiver';
import {
  createEndpoint,
  createKey,
  openSetting,
  password,
  type Setting,
  sendCredentials,
  signInAgain,
  signUp,
} from './setting';
import { listens, visit } from './visit';

let setting: Setting;

beforeAll(async () => {
  setting = await openSetting();
  await signUp(setting.page, 'ada@example.com');
  await createKey(setting.page, 'Website');
});

afterAll(() => setting?.close());

const question = () => setting.page.getByRole('dialog', { name: 'Sign in again' });

describe('a session that is over', () => {
  test('is begun again over the form that found out, which keeps its input and can be sent', async () => {
    const { page, inspect } = setting;
    await page.getByRole('button', { name: 'Actions for Website' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Shop');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Save' }).click();
    await question().waitFor();
    await inspect('session-over');
    await eventually(async () =>
      expect(await question().getByLabel('E-mail').inputValue()).toBe('ada@example.com'),
    );
    await page.keyboard.press('Escape');
    await question().getByLabel('Password', { exact: true }).fill('wrong password');
    await question().getByRole('button', { name: 'Sign in' }).click();
    await question().getByRole('alert').waitFor();
    await signInAgain(page);
    await page.getByRole('alert').getByText('You were signed out before this was done.').waitFor();
    await eventually(async () =>
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Shop'),
    );
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row').filter({ hasText: 'Shop' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('is noticed by a page that looks for news, which then goes on', async () => {
    const { page } = setting;
    await createEndpoint(page, nowhere);
    await page.getByRole('heading', { name: nowhere }).waitFor();
    await page.context().clearCookies();
    await question().waitFor();
    const refetched = page.waitForResponse(
      (answer) => answer.url().includes('webhooks.endpoints.get') && answer.ok(),
    );
    await signInAgain(page);
    await refetched;
    await eventually(async () => expect(await question().count()).toBe(0));
  });

  test('is begun again over a form of the account page, which keeps its input too', async () => {
    const { page } = setting;
    await visit(page, '/account');
    await page.getByRole('button', { name: 'Change e-mail' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change your e-mail' });
    await dialog.getByLabel('New e-mail').fill('ada@northwind.example');
    await dialog.getByLabel('Your password', { exact: true }).fill(password);
    await page.context().clearCookies();
    await dialog.getByRole('button', { name: 'Change e-mail' }).click();
    await signInAgain(page);
    await dialog.getByText('You were signed out before this was done.').waitFor();
    expect(await dialog.getByLabel('New e-mail').inputValue()).toBe('ada@northwind.example');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  test.each([
    {
      name: 'Harbour',
      of: 'another version of the service',
      answer: { contentType: 'text/x-component' },
    },
    { name: 'Pier', of: 'a service that has no place', answer: { status: 503 } },
  ])('is begun again over a form that stays, where pages would come of $of', async (tried) => {
    const { page } = setting;
    await visit(page, '/api-keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name', { exact: true }).fill(tried.name);
    await page.context().clearCookies();
    const isPage = (url: URL) => url.searchParams.has('_rsc');
    const instead = (route: Route) => route.fulfill({ ...tried.answer, body: '0:{"b":"other"}\n' });
    await page.route(isPage, instead);
    const create = page.getByRole('dialog').getByRole('button', { name: 'Create key' });
    await create.click();
    await signInAgain(page);
    await create.click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row').filter({ hasText: tried.name }).waitFor();
    await page.unroute(isPage, instead);
  });

  test('leads back to the page with its filters', async () => {
    const { page } = setting;
    await visit(page, '/webhooks');
    await page.getByRole('link', { name: nowhere }).click();
    await page.waitForURL(/webhooks\/.+/);
    const { pathname } = new URL(page.url());
    await page.context().clearCookies();
    await visit(page, `${pathname}?state=failed&event=testimonial.created`);
    await sendCredentials(page, 'Sign in', 'ada@example.com');
    await page.waitForURL(`**${pathname}?state=failed&event=testimonial.created`);
    await eventually(async () =>
      expect(await page.getByLabel('State', { exact: true }).inputValue()).toBe('failed'),
    );
  });

  test('leads back to test data where a link was followed among it', async () => {
    const { page } = setting;
    await page.getByRole('switch', { name: 'Test mode' }).click();
    await page.getByRole('region', { name: 'Test mode' }).waitFor();
    await listens(page);
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Requests' }).click();
    await page.waitForURL('**/sign-in?**');
    await sendCredentials(page, 'Sign in', 'ada@example.com');
    await page.getByRole('heading', { name: 'This link is to test data' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/requests');
  });

  test('that is followed by that of another account keeps nothing of the first', async () => {
    const { page, browser, service } = setting;
    const other = await openWindow(browser, service.url);
    await signUp(other.page, 'bob@example.com');
    await other.context.close();
    await page.goto('/api-keys');
    await page.getByRole('button', { name: 'Actions for Shop' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Shop two');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Save' }).click();
    await question().waitFor();
    await signInAgain(page, 'bob@example.com');
    await page.getByRole('heading', { name: 'Create your first key' }).waitFor();
    expect(await page.content()).not.toContain('Shop');
  });
});

/** In another tab: this one is not told, and its cookie is of that account from now on. */
async function signInElsewhere(email: string): Promise<void> {
  const { page, service } = setting;
  const answer = await page.context().request.post(`${service.url}/api/auth/sign-in/email`, {
    data: { email, password },
    headers: { Origin: service.url },
  });
  expect(answer.ok()).toBe(true);
}

describe('a tab in whose browser another account was signed in to meanwhile', () => {
  test('makes nothing for that one, keeps what was filled in, and makes it for its own', async () => {
    const { page } = setting;
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Of Bob');
    await signInElsewhere('ada@example.com');
    const create = page.getByRole('dialog').getByRole('button', { name: 'Create key' });
    await create.click();
    await signInAgain(page);
    await page.getByRole('alert').getByText('You were signed out before this was done.').waitFor();
    await create.click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row').filter({ hasText: 'Of Bob' }).waitFor();
  });

  test('shows nothing of that one where a link is followed, and its own once it is signed in again', async () => {
    const { page } = setting;
    await signInElsewhere('ada@example.com');
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await question().waitFor();
    expect(await page.content()).not.toContain(new URL(nowhere).host);
    await signInAgain(page);
    await page.getByRole('heading', { name: 'Add your first endpoint' }).waitFor();
  });

  test('is that account’s once it is loaded again, which was given nothing', async () => {
    const { page } = setting;
    await signInElsewhere('ada@example.com');
    await page.goto('/api-keys');
    await page.getByRole('row').filter({ hasText: 'Shop' }).waitFor();
    expect(await page.content()).not.toContain('Of Bob');
  });
});

test('axe found nothing serious on any page, and none is wider than a telephone', () => {
  expect(setting.obstacles).toEqual([]);
});

test('what is sent before the page listens, twice even, is sent once when it does', async () => {
  const { browser, service } = setting;
  const { context, page } = await openWindow(browser, service.url);
  const scripts = await hold(page, 'requests', /\.js\b/);
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
  await page.goto('/sign-in', { waitUntil: 'commit' });
  const typed = page.getByLabel('Password', { exact: true });
  await page.getByLabel('E-mail').fill('ada@example.com');
  await typed.fill(password);
  await typed.press('Enter');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await scripts.isHeld();
  expect(sent).toEqual([]);
  await scripts.release();
  await page.waitForURL('**/api-keys');
  expect(sent.filter((url) => url.includes('sign-in'))).toHaveLength(1);
  await context.close();
});

test('what is sent twice at once, as by a password manager, makes one account', async () => {
  const { browser, service } = setting;
  const { context, page } = await openWindow(browser, service.url);
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
  await visit(page, '/sign-up');
  await page.getByLabel('E-mail').fill('eve@example.com');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Create account' }).evaluate((button: HTMLElement) => {
    button.click();
    button.click();
  });
  await page.waitForURL('**/api-keys');
  expect(sent.filter((url) => url.includes('sign-up'))).toHaveLength(1);
  await context.close();
});

test('a browser that refuses cookies, or scripts, is told what is missing', async () => {
  const { browser, service } = setting;
  const { context, page } = await openWindow(browser, service.url);
  await page.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false }),
  );
  await visit(page, '/sign-in');
  await sendCredentials(page, 'Sign in', 'ada@example.com');
  await page.getByRole('alert').getByText('Your browser keeps no cookies').waitFor();
  await context.close();
  const plain = await openWindow(browser, service.url, { javaScriptEnabled: false });
  await plain.context.addCookies(await setting.page.context().cookies());
  for (const path of ['/reset-password', '/api-keys']) {
    await plain.page.goto(path);
    const said = plain.page.locator('noscript > div');
    await said.waitFor();
    expect(await said.textContent()).toContain('Without JavaScript nothing here can be used.');
  }
  await plain.context.close();
});
