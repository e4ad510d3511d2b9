import { takeScreenshots } from './browser';
import { seriousViolations } from './checks';
import { createKey, openSetting, type Setting, signUp } from './setting';

let setting: Setting;

beforeAll(async () => {
  setting = await openSetting();
});

afterAll(() => setting?.close());

async function openReference(): Promise<void> {
  const { page } = setting;
  await page.goto('/docs');
  await page.getByRole('heading', { name: 'List testimonials' }).first().waitFor();
  await page.waitForLoadState('networkidle');
}

describe('the API reference', () => {
  test('is open to everyone, and served by us alone', async () => {
    const { inspect, watch } = setting;
    await openReference();
    await inspect('docs');
    expect(watch).toEqual({ foreign: [], complaints: [] });
  });

  test('is dark where the person has chosen so, and light again', async () => {
    const { page } = setting;
    for (const scheme of ['dark', 'light', 'auto']) {
      await page.evaluate(
        (value) => localStorage.setItem('mantine-color-scheme-value', value),
        scheme,
      );
      await openReference();
      const isDark = await page.evaluate(() => document.body.classList.contains('dark-mode'));
      expect(isDark).toBe(scheme === 'dark');
    }
  });

  test('can be read whole', async () => {
    const { page, inspect } = setting;
    await openReference();
    const more = page.locator('button.show-more');
    while ((await more.count()) > 0) await more.first().click();
    await page.getByRole('heading', { name: 'Delete a space' }).first().waitFor();
    await inspect('docs-whole');
  });

  test('finds an operation', async () => {
    const { page } = setting;
    await openReference();
    await page.getByRole('button', { name: 'Open Search' }).click();
    await page.getByRole('combobox', { name: 'Enter search query' }).fill('delete');
    await page.getByRole('option', { name: /Delete a space/ }).waitFor();
    // In this order: it closes when the window becomes narrow.
    expect(await seriousViolations(page)).toEqual([]);
    await takeScreenshots(page, 'docs-search');
    await page.keyboard.press('Escape');
  });

  test('sends requests to this service, with the key one gives it', async () => {
    const { page, inspect } = setting;
    await signUp(page, 'ada@example.com');
    const key = await createKey(page, 'Reference');
    await openReference();
    await page.getByRole('button', { name: /Test Request.*get \/testimonials\)/ }).click();
    const client = page.getByRole('dialog');
    await client.getByLabel('Bearer Token').fill(key);
    await client.getByRole('textbox', { name: 'Value: search' }).fill('calm');
    await inspect('docs-try-it');
    const answered = page.waitForResponse(/\/api\/v1\/testimonials/);
    await client.getByRole('button', { name: /^Send/ }).first().click();
    const answer = await answered;
    expect(answer.status()).toBe(200);
    expect(new URL(answer.url()).searchParams.get('search')).toBe('calm');
    await client.getByText('200 OK').first().waitFor();
    await inspect('docs-try-it-answered');
  });

  test('lets one write a body', async () => {
    const { page, inspect } = setting;
    await openReference();
    await page.getByRole('button', { name: /Test Request.*post \/testimonials\)/ }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Body' }).waitFor();
    await inspect('docs-try-it-body');
  });
});

test('axe found nothing serious, and the reference is no wider than a telephone', () => {
  expect(setting.obstacles).toEqual([]);
});
