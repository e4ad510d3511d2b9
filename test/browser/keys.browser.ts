import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openBrowser, openWindow, takeScreenshots, type Watch } from './browser';
import { overflowsSideways, seriousViolations } from './checks';
import { type Service, startService } from './service';

const password = 'correct horse battery';

let service: Service;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let watch: Watch;

beforeAll(async () => {
  service = await startService();
  browser = await openBrowser();
  ({ context, page, watch } = await openWindow(browser, service.url));
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

async function inspect(name: string): Promise<void> {
  await takeScreenshots(page, name);
  expect(await seriousViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await overflowsSideways(page)).toBe(false);
  await page.setViewportSize({ width: 1280, height: 800 });
}

const menuOf = (name: string) => page.getByRole('button', { name: `Actions for ${name}` });
const rowOf = (name: string) => page.getByRole('row').filter({ hasText: name });

describe('a person who is new', () => {
  test('is sent to sign in, and can make an account', async () => {
    await page.goto('/');
    await page.waitForURL('**/sign-in');
    await inspect('sign-in');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByRole('heading', { name: 'Create an account' }).waitFor();
    await inspect('sign-up');
    await page.getByLabel('E-mail').fill('ada@example.com');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.waitForURL('**/api-keys');
    await page.getByRole('heading', { name: 'Create your first key' }).waitFor();
    await inspect('api-keys-empty');
  });

  test('makes a key, sees it once, and sees its first request arrive', async () => {
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name').fill('Website');
    await page.getByText('Read and write', { exact: true }).click();
    await inspect('api-keys-create');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const key = await page.getByRole('region', { name: 'key', exact: true }).innerText();
    expect(key).toMatch(/^sk_live_[0-9a-f]{64}$/);
    await page.getByText('Waiting for the first request').waitFor();
    await inspect('api-keys-revealed');
    const command = await page.getByRole('region', { name: 'request' }).innerText();
    expect(command).toContain(`curl ${service.url}/api/v1/testimonials`);
    const answer = await fetch(`${service.url}/api/v1/testimonials`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    expect(answer.status).toBe(200);
    await page.getByText('First request received').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await rowOf('Website').getByText('just now').first().waitFor();
    await page.getByText('1 of 1,000 requests this hour').waitFor();
    expect(await page.content()).not.toContain(key);
  });

  test('renames, switches off and on, rotates, and deletes the key', async () => {
    await menuOf('Website').click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByLabel('Name').fill('Shop');
    await page.getByRole('button', { name: 'Rename' }).click();
    await rowOf('Shop').waitFor();
    await menuOf('Shop').click();
    await inspect('api-keys-menu');
    await page.getByRole('menuitem', { name: 'Switch off' }).click();
    await rowOf('Shop').getByText('Off').waitFor();
    await menuOf('Shop').click();
    await page.getByRole('menuitem', { name: 'Switch on' }).click();
    await rowOf('Shop').getByText('Active').waitFor();
    await menuOf('Shop').click();
    await page.getByRole('menuitem', { name: 'Rotate' }).click();
    await inspect('api-keys-rotate');
    await page.getByRole('button', { name: 'Rotate key' }).click();
    await page.getByRole('region', { name: 'key', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Expires in 24 hours').waitFor();
    expect(await rowOf('Shop').count()).toBe(2);
    await inspect('api-keys');
    await menuOf('Shop').first().click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText('The key was never used.').waitFor();
    await inspect('api-keys-delete');
    await page.getByRole('button', { name: 'Delete key' }).click();
  });
});
