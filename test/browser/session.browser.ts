import { openWindow } from './browser';
import { eventually } from './eventually';
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
    await createEndpoint(page, 'http://127.0.0.1:59999/');
    await page.getByRole('heading', { name: 'http://127.0.0.1:59999/' }).waitFor();
    await page.context().clearCookies();
    await question().waitFor();
    const refetched = page.waitForResponse(
      (answer) => answer.url().includes('webhooks.endpoints.get') && answer.ok(),
    );
    await signInAgain(page);
    await refetched;
    await eventually(async () => expect(await question().count()).toBe(0));
  });

  test('leads back to the page with its filters', async () => {
    const { page } = setting;
    const { pathname } = new URL(page.url());
    await page.context().clearCookies();
    await page.goto(`${pathname}?state=failed&event=testimonial.created`);
    await page.waitForLoadState('networkidle');
    await sendCredentials(page, 'Sign in', 'ada@example.com');
    await page.waitForURL(`**${pathname}?state=failed&event=testimonial.created`);
    await eventually(async () =>
      expect(await page.getByLabel('State', { exact: true }).inputValue()).toBe('failed'),
    );
  });

  test('that is followed by that of another account keeps nothing of the first', async () => {
    const { page, browser, service } = setting;
    const other = await openWindow(browser, service.url);
    await signUp(other.page, 'bob@example.com');
    await other.context.close();
    await page.goto('/api-keys');
    await page.getByRole('button', { name: 'Actions for Shop' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Save' }).click();
    await question().waitFor();
    await signInAgain(page, 'bob@example.com');
    await page.getByRole('heading', { name: 'Create your first key' }).waitFor();
    expect(await page.content()).not.toContain('Shop');
  });
});

test('axe found nothing serious on any page, and none is wider than a telephone', () => {
  expect(setting.obstacles).toEqual([]);
});

test('what is typed and sent before the page listens stays there, and is sent when asked again', async () => {
  const { browser, service } = setting;
  const { context, page } = await openWindow(browser, service.url);
  let letGo = () => {};
  const held = new Promise<void>((done) => {
    letGo = done;
  });
  await page.route(/\.js\b/, (route) => held.then(() => route.continue()));
  await page.goto('/sign-in', { waitUntil: 'commit' });
  const [email, typed] = [page.getByLabel('E-mail'), page.getByLabel('Password', { exact: true })];
  const send = page.getByRole('button', { name: 'Sign in' });
  await email.fill('ada@example.com');
  await typed.fill(password);
  await typed.press('Enter');
  await send.click();
  letGo();
  await page.waitForLoadState('networkidle');
  expect([await email.inputValue(), await typed.inputValue()]).toEqual([
    'ada@example.com',
    password,
  ]);
  await send.click();
  await page.waitForURL('**/api-keys');
  await context.close();
});
