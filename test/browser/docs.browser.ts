import { takeScreenshots } from './browser';
import { createKey, openSetting, type Setting, signUp } from './setting';

let setting: Setting;

beforeAll(async () => {
  setting = await openSetting();
});

afterAll(() => setting?.close());

// Not looked at with axe: the reference is made elsewhere, and has faults that we cannot repair.
describe('the API reference', () => {
  test('is open to everyone, and served by us alone', async () => {
    const { page, watch } = setting;
    await page.goto('/docs');
    await page.getByRole('heading', { name: 'List testimonials' }).first().waitFor();
    await page.waitForLoadState('networkidle');
    await takeScreenshots(page, 'docs');
    expect(watch).toEqual({ foreign: [], complaints: [] });
  });

  test('sends requests to this service, with the key one gives it', async () => {
    const { page } = setting;
    await signUp(page, 'ada@example.com');
    const key = await createKey(page, 'Reference');
    await page.goto('/docs');
    await page.getByRole('button', { name: /Test Request.*get \/testimonials\)/ }).click();
    const client = page.getByRole('dialog');
    await client.getByLabel('Bearer Token').fill(key);
    const answered = page.waitForResponse(/\/api\/v1\/testimonials/);
    await client.getByRole('button', { name: /^Send/ }).first().click();
    expect((await answered).status()).toBe(200);
    await client.getByText('200 OK').first().waitFor();
    await takeScreenshots(page, 'docs-try-it');
  });
});
