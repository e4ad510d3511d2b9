import { freePort } from '../helpers/listening';
import { openWindow } from './browser';
import { hold } from './inbox';
import { openSetting, type Setting } from './setting';

let setting: Setting;

beforeAll(async () => {
  const port = await freePort();
  setting = await openSetting({
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    // Nobody answers there: that mails are sent is enough for the page to ask for an address.
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'no-reply@testimonials.example',
  });
});

afterAll(() => setting?.close());

/** The page, drawn by the server, whose scripts have not come. */
async function openWithoutScripts(path: string) {
  const { browser, service } = setting;
  const { page, context } = await openWindow(browser, service.url);
  const scripts = await hold(page, 'requests', /\.js(\?|$)/);
  await page.goto(path, { waitUntil: 'commit' });
  await scripts.isHeld();
  const start = async () => {
    await scripts.release();
    await page.locator('html[data-started]').waitFor();
    await page.waitForLoadState('networkidle');
  };
  return { page, context, start };
}

describe('what is typed before the scripts of a page have come', () => {
  test.each([
    { path: '/sign-in', fields: { 'E-mail': 'ada@example.com', Password: 'battery staple' } },
    { path: '/sign-up', fields: { 'E-mail': 'ada@example.com', Password: 'battery staple' } },
    { path: '/forgot-password', fields: { 'E-mail': 'ada@example.com' } },
    { path: '/docs', fields: { 'API key': 'sk_live_early' } },
  ])('stays in the fields of $path, and goes nowhere', async ({ path, fields }) => {
    const { page, context, start } = await openWithoutScripts(path);
    const field = (label: string) => page.getByLabel(label, { exact: true });
    for (const [label, text] of Object.entries(fields)) await field(label).fill(text);
    await page.keyboard.press('Enter');
    await start();
    expect(page.url()).toBe(`${setting.service.url}${path}`);
    for (const [label, text] of Object.entries(fields)) {
      expect(await field(label).inputValue()).toBe(text);
    }
    await context.close();
  });

  test('is the key that requests of the reference are sent with', async () => {
    const { page, context, start } = await openWithoutScripts('/docs');
    await page.getByLabel('API key', { exact: true }).fill('sk_live_early');
    await start();
    await page.getByRole('button', { name: 'Try it: List spaces', exact: true }).click();
    const asked = page.waitForRequest(/\/api\/v1\/spaces/);
    await page
      .getByRole('form', { name: 'List spaces' })
      .getByRole('button', { name: 'Send' })
      .click();
    expect((await asked).headers().authorization).toBe('Bearer sk_live_early');
    await context.close();
  });
});
