import type { Page } from 'playwright-core';
import { openWindow } from './browser';
import { eventually } from './eventually';
import { nowhere } from './receiver';
import {
  createKey,
  openSetting,
  type Setting,
  sendCredentials,
  signInAgain,
  signUp,
} from './setting';
import { listens, visit, visitAgain } from './visit';

let setting: Setting;

beforeAll(async () => {
  setting = await openSetting();
  await signUp(setting.page, 'ada@example.com');
  await createKey(setting.page, 'Website');
});

afterAll(() => setting?.close());

const modeSwitch = (page: Page) => page.getByRole('switch', { name: 'Test mode' });
/** What is said after a switch, where the focus is on what switches back. */
async function isSaid(page: Page, words: string): Promise<void> {
  await page.locator('[aria-live]').getByText(words, { exact: true }).waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'switch');
}

const band = (page: Page) => page.getByRole('region', { name: 'Test mode', exact: true });

async function switchTo(page: Page, mode: 'live' | 'test'): Promise<void> {
  const isOn = (await modeSwitch(page).getAttribute('aria-checked')) === 'true';
  if (isOn !== (mode === 'test')) await modeSwitch(page).click();
  await band(page).waitFor({ state: mode === 'test' ? 'visible' : 'detached' });
  await listens(page);
}

describe('test mode', () => {
  test('is switched on from the keyboard, says so above the page, and has keys of its own', async () => {
    const { page, inspect } = setting;
    await visit(page, '/api-keys');
    await inspect('test-mode-off');
    await modeSwitch(page).focus();
    await page.keyboard.press('Space');
    await band(page).getByText('Nothing here is live.').waitFor();
    await isSaid(page, 'Test mode is on.');
    await page.getByRole('heading', { name: 'Create your first key' }).waitFor();
    // The page is another one, and what is clicked before it listens is lost.
    await listens(page);
    expect(await page.content()).not.toContain('Website');
    await eventually(async () =>
      expect(await page.title()).toBe('API keys · Test data · Testimonials'),
    );
    await page.getByRole('button', { name: 'Create key' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('Trial');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const key = await page.getByRole('region', { name: 'key', exact: true }).textContent();
    expect(key).toMatch(/^sk_test_[0-9a-f]{64}$/);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row').filter({ hasText: 'sk_test_…' }).waitFor();
    await page.mouse.move(600, 400);
    await inspect('test-mode-keys');
  });

  test('stays on from page to page and after loading anew; every page has the band', async () => {
    const { page, inspect } = setting;
    await switchTo(page, 'test');
    for (const name of ['Inbox', 'Spaces', 'Requests', 'Webhooks', 'API keys']) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();
      await band(page).waitFor();
    }
    for (const path of ['/account', '/testimonials', '/spaces', '/requests', '/webhooks']) {
      await visit(page, path);
      await band(page).waitFor();
      await inspect(`test-mode${path.replaceAll('/', '-')}`);
    }
  });

  test('is filled with one click, which shows in the inbox, with pictures and a video', async () => {
    const { page, inspect } = setting;
    await visit(page, '/testimonials');
    await switchTo(page, 'test');
    await page.getByRole('button', { name: 'Add samples' }).click();
    await band(page).getByText('12 samples were added to the inbox').waitFor();
    await page.getByText('6 testimonials').first().waitFor();
    await band(page).getByRole('link', { name: 'the inbox' }).click();
    await page.getByText('12 testimonials').first().waitFor();
    await listens(page);
    await inspect('test-mode-samples');
    await visit(page, '/spaces');
    await page.getByText('Sample space').first().waitFor();
  });

  test('is left with what is live as it was, and found again as it was', async () => {
    const { page } = setting;
    await visit(page, '/spaces');
    await band(page).getByRole('button', { name: 'Leave test mode' }).click();
    await band(page).waitFor({ state: 'detached' });
    await listens(page);
    await isSaid(page, 'Test mode is off.');
    await visitAgain(page);
    expect(await page.getByText('Test mode is off.').count()).toBe(0);
    await eventually(async () => expect(await page.getByText('Sample space').count()).toBe(0));
    await switchTo(page, 'test');
    await page.getByText('Sample space').first().waitFor();
  });

  test('has its data deleted after a question that says what goes, and can be called off', async () => {
    const { page, inspect } = setting;
    await visit(page, '/testimonials');
    await switchTo(page, 'test');
    await band(page).getByRole('button', { name: 'Delete test data' }).click();
    const question = page.getByRole('dialog', { name: 'Delete the test data?' });
    await question.getByText('12 testimonials').waitFor();
    await question.getByText('1 space', { exact: true }).waitFor();
    await inspect('test-mode-question');
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await page.getByText('6 testimonials').first().waitFor();
    await page.waitForFunction(() => document.activeElement?.id === 'empty-test-data');
    await page.keyboard.press('Enter');
    await question.getByRole('button', { name: 'Delete' }).click();
    await question.getByText('The test data is deleted.').waitFor();
    await inspect('test-mode-emptied');
    await question.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('heading', { name: 'Your first testimonial' }).waitFor();
    await page.getByRole('link', { name: 'API keys', exact: true }).click();
    await page.getByRole('row').filter({ hasText: 'Trial' }).waitFor();
  });
});

describe('two tabs', () => {
  test('one that is left behind in the other mode writes nothing, keeps its form, and goes on', async () => {
    const { page, inspect } = setting;
    await visit(page, '/spaces');
    await switchTo(page, 'live');
    await page.getByRole('button', { name: /space/i }).first().click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name', { exact: true }).fill('Harbour');
    const other = await page.context().newPage();
    await visit(other, '/spaces');
    await switchTo(other, 'test');
    await form.getByRole('button', { name: /space/i }).last().click();
    const question = page.getByRole('dialog', { name: 'Test mode was switched on' });
    await question.waitFor();
    await inspect('test-mode-other-tab');
    await visit(other, '/spaces');
    expect(await other.getByText('Harbour').count()).toBe(0);
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Go back to live' }).click();
    await question.waitFor({ state: 'detached' });
    await eventually(async () =>
      expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('Harbour'),
    );
    await form.getByRole('button', { name: /space/i }).last().click();
    await page.getByRole('row').filter({ hasText: 'Harbour' }).waitFor();
    // Now the other one is behind. By a link, whose page the server renders in the mode of the session.
    await other.getByRole('link', { name: 'Webhooks', exact: true }).click();
    const ofOther = other.getByRole('dialog', { name: 'Test mode was switched off' });
    await ofOther.waitFor();
    await ofOther.getByRole('button', { name: 'Show what is live' }).click();
    await band(other).waitFor({ state: 'detached' });
    await visit(other, '/spaces');
    await other.getByText('Harbour').first().waitFor();
    await other.close();
  });
});

test('what was opened beside a list is closed by one step back, as in live mode', async () => {
  const { page, service } = setting;
  await visit(page, '/api-keys');
  await switchTo(page, 'test');
  const key = await createKey(page, 'Log');
  const answer = await fetch(`${service.url}/api/v1/spaces`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  await answer.arrayBuffer();
  await visit(page, '/requests?mode=test');
  const entries = await page.evaluate(() => window.history.length);
  for (let times = 0; times < 2; times += 1) {
    await page.getByRole('button', { name: 'GET /spaces' }).click();
    await page.getByRole('dialog').waitFor();
    await page.waitForURL(/mode=test/);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await eventually(async () => expect(new URL(page.url()).search).toBe('?mode=test'));
  }
  expect(await page.evaluate(() => window.history.length)).toBe(entries + 1);
});

test('what is open beside a list stays open under the question which mode to go on in', async () => {
  const { page } = setting;
  await visit(page, '/requests');
  await switchTo(page, 'test');
  await page.getByRole('button', { name: 'GET /spaces' }).click();
  const sheet = page.getByRole('dialog', { name: 'Request', exact: true });
  await sheet.waitFor();
  const other = await page.context().newPage();
  await visit(other, '/spaces');
  await switchTo(other, 'live');
  await other.close();
  const question = page.getByRole('dialog', { name: 'Test mode was switched off' });
  await question.waitFor();
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Go back to test mode' }).click();
  await question.waitFor({ state: 'detached' });
  expect(await sheet.count()).toBe(1);
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  // The step back is on its way, and breaks off what is opened before it is done.
  await eventually(async () => expect(new URL(page.url()).search).toBe('?mode=test'));
  await eventually(async () => {
    await visit(page, '/webhooks');
  });
});

describe('addresses', () => {
  let path: string;

  test('of test data say so, and ask before the mode is switched', async () => {
    const { page, inspect } = setting;
    await visit(page, '/webhooks');
    await switchTo(page, 'test');
    await page.getByRole('button', { name: 'Add endpoint' }).first().click();
    await page.getByLabel('URL').fill(`${nowhere}trial`);
    await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: `${nowhere}trial` }).click();
    await page.getByRole('heading', { name: `${nowhere}trial` }).waitFor();
    await page.waitForURL(/\/webhooks\/[0-9a-f-]{36}\?mode=test$/);
    path = new URL(page.url()).pathname;
    await switchTo(page, 'live');
    await eventually(async () => expect(new URL(page.url()).pathname).toBe('/webhooks'));
    await visit(page, '/webhooks?mode=test');
    await page.getByRole('heading', { name: 'This link is to test data' }).waitFor();
    await inspect('test-mode-link');
    await page.getByRole('button', { name: 'Stay with what is live' }).click();
    await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
    await eventually(async () => expect(new URL(page.url()).search).toBe(''));
  });

  test('of test data ask as well where one has to sign in first', async () => {
    const { browser, service } = setting;
    for (const address of ['/testimonials?status=all&mode=test', '/spaces?mode=test']) {
      const { page, context } = await openWindow(browser, service.url);
      await visit(page, address);
      await sendCredentials(page, 'Sign in', 'ada@example.com');
      await page.getByRole('heading', { name: 'This link is to test data' }).waitFor();
      await context.close();
    }
  });

  test('of what the other mode has lead there', async () => {
    const { page, inspect } = setting;
    await visit(page, path);
    await inspect('test-mode-missing');
    await page.getByRole('button', { name: 'Look among the test data' }).click();
    await page.getByRole('heading', { name: `${nowhere}trial` }).waitFor();
    await band(page).waitFor();
  });

  test('of the page whose session is over lead to the page, and over it the mode is kept', async () => {
    const { page } = setting;
    await switchTo(page, 'test');
    await visit(page, '/spaces');
    await page.getByRole('button', { name: /space/i }).first().click();
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Of the next session');
    await page.context().clearCookies();
    await page.getByRole('dialog').getByRole('button', { name: /space/i }).last().click();
    await signInAgain(page);
    await page.getByRole('dialog').getByRole('button', { name: /space/i }).last().click();
    await page.getByRole('row').filter({ hasText: 'Of the next session' }).waitFor();
    await switchTo(page, 'live');
    await eventually(async () =>
      expect(await page.getByText('Of the next session').count()).toBe(0),
    );
  });
});

test('axe found nothing serious on any page, and none is wider than a telephone', () => {
  expect(setting.obstacles).toEqual([]);
  expect(setting.watch.foreign).toEqual([]);
});
