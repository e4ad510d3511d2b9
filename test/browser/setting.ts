import type { Browser, Locator, Page } from 'playwright-core';
import { openBrowser, openWindow, takeScreenshots, type Watch } from './browser';
import { overflowsSideways, seriousViolations } from './checks';
import { borrowService, type Service, startService } from './service';

export const password = 'correct horse battery';

export type Setting = {
  service: Service;
  browser: Browser;
  page: Page;
  watch: Watch;
  /** Takes pictures of the page as it is, and notes what is hard to read, see or reach in it. */
  inspect(name: string): Promise<void>;
  /** What `inspect` noted; to stay empty. */
  obstacles: string[];
  close(): Promise<void>;
};

/** A running service without accounts, its own where that has other settings, and one person's window on it. */
export async function openSetting(env?: Record<string, string>): Promise<Setting> {
  const service = await (env ? startService(env) : borrowService());
  const browser = await openBrowser();
  const { page, watch } = await openWindow(browser, service.url);
  const obstacles: string[] = [];
  return {
    service,
    browser,
    page,
    watch,
    obstacles,
    inspect: async (name) => {
      const found = await inspect(page, name);
      obstacles.push(...found.map((obstacle) => `${name}: ${obstacle}`));
    },
    async close() {
      await browser.close();
      await service.stop();
    },
  };
}

async function inspect(page: Page, name: string): Promise<string[]> {
  await takeScreenshots(page, name);
  const found = await seriousViolations(page);
  await page.setViewportSize({ width: 390, height: 800 });
  if (await overflowsSideways(page)) found.push('scrolls sideways at 390 px');
  await page.setViewportSize({ width: 1280, height: 800 });
  return found;
}

/**
 * Makes an account with this address, signs the page's window in to it and opens its first page. Sends
 * what the form would: for those that do not test that.
 */
export async function signUp(page: Page, email: string): Promise<void> {
  const answer = await page.request.post('/api/auth/sign-up/email', { data: { email, password } });
  if (!answer.ok()) throw new Error(`No account for ${email}: ${await answer.text()}`);
  await page.goto('/api-keys');
  await page.getByRole('heading', { name: 'API keys', exact: true }).waitFor();
}

/** Signs in to an account of `signUp` and lands on its first page. */
export async function signIn(page: Page, email: string): Promise<void> {
  await page.goto('/sign-in');
  await sendCredentials(page, 'Sign in', email);
  await page.waitForURL('**/api-keys');
}

/** In the dialog that says that the session is over, with another address where one is given. */
export async function signInAgain(page: Page, email?: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await sendCredentials(dialog, 'Sign in', email);
  await dialog.waitFor({ state: 'detached' });
}

/** Fills the form that is there, with the address that stands in it where none is given, and sends it. */
export async function sendCredentials(form: Page | Locator, button: string, email?: string) {
  if (email) await form.getByLabel('E-mail').fill(email);
  await form.getByLabel('Password', { exact: true }).fill(password);
  await form.getByRole('button', { name: button }).click();
}

/** Adds an endpoint and opens its page. Returns the path of that. */
export async function createEndpoint(page: Page, url: string): Promise<string> {
  await page.goto('/webhooks');
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  await page.getByLabel('URL').fill(url);
  await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('link', { name: url }).click();
  await page.waitForURL(/webhooks\/.+/);
  return new URL(page.url()).pathname;
}

/** Makes a key with every scope through the pages. Returns the key itself. */
export async function createKey(page: Page, name: string): Promise<string> {
  await page.goto('/api-keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByText('Full', { exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  const key = await page.getByRole('region', { name: 'key', exact: true }).textContent();
  await page.getByRole('button', { name: 'Done' }).click();
  return key ?? '';
}
