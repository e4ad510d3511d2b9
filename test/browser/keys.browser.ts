import { openWindow } from './browser';
import { openSetting, password, type Setting, signUp } from './setting';

let setting: Setting;

beforeAll(async () => {
  setting = await openSetting();
});

afterAll(() => setting?.close());

const menuOf = (name: string) =>
  setting.page.getByRole('button', { name: `Actions for ${name}` }).first();
const rowOf = (name: string) => setting.page.getByRole('row').filter({ hasText: name });

const dayMs = 24 * 60 * 60 * 1000;

/** When the key ends, as the service has it. */
async function storedExpiry(name: string): Promise<number> {
  const answer = await setting.page.request.get('/api/trpc/apiKeys.list');
  const { result } = (await answer.json()) as {
    result: { data: { name: string; expires_at: string | null }[] };
  };
  const found = result.data.find((key) => key.name === name);
  return Date.parse(found?.expires_at ?? '');
}

describe('a person who is new', () => {
  test('is sent to sign in, and can make an account', async () => {
    const { page, inspect } = setting;
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
    const { page, inspect, service } = setting;
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Website');
    await page.getByText('Read and write', { exact: true }).click();
    await inspect('api-keys-create');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const key = await page.getByRole('region', { name: 'key', exact: true }).textContent();
    expect(key).toMatch(/^sk_live_[0-9a-f]{64}$/);
    await page.getByText('Waiting for the first request').waitFor();
    await inspect('api-keys-revealed');
    await page.getByRole('button', { name: 'Copy key' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
    const command = await page.getByRole('region', { name: 'request' }).textContent();
    expect(command).toBe(
      `curl ${service.url}/api/v1/testimonials \\\n  -H "Authorization: Bearer ${key}"`,
    );
    const answer = await fetch(`${service.url}/api/v1/testimonials`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    expect(answer.status).toBe(200);
    await page.getByText('First request received').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await rowOf('Website').getByText('just now').first().waitFor();
    await page.getByText('1 of 1,000 requests this hour').waitFor();
    expect(await page.content()).not.toContain(key);
    await page.reload();
    expect(await page.content()).not.toContain(key);
  });
});

describe('a key', () => {
  test('is renamed, and the focus is back where it was', async () => {
    const { page } = setting;
    await menuOf('Website').click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Shop');
    await page.keyboard.press('Enter');
    await rowOf('Shop').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const focused = page.locator(':focus');
    expect(await focused.getAttribute('aria-label')).toBe('Actions for Shop');
  });

  test('is switched off and on', async () => {
    const { page, inspect } = setting;
    await menuOf('Shop').click();
    await page.getByRole('menuitem', { name: 'Switch off' }).waitFor();
    await inspect('api-keys-menu');
    await page.getByRole('menuitem', { name: 'Switch off' }).click();
    await rowOf('Shop').getByText('Off').waitFor();
    await menuOf('Shop').click();
    await page.getByRole('menuitem', { name: 'Switch on' }).click();
    await rowOf('Shop').getByText('Active').waitFor();
  });

  test('is rotated with an overlap', async () => {
    const { page, inspect } = setting;
    await menuOf('Shop').click();
    await page.getByRole('menuitem', { name: 'Rotate' }).click();
    await page.getByRole('dialog').waitFor();
    await inspect('api-keys-rotate');
    await page.getByRole('button', { name: 'Rotate key' }).click();
    await page.getByRole('region', { name: 'key', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Expires in 24 hours').waitFor();
    expect(await rowOf('Shop').count()).toBe(2);
    await inspect('api-keys');
  });

  test('is deleted after a warning that says when it was used', async () => {
    const { page, inspect } = setting;
    await menuOf('Shop').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText('The key was never used.').waitFor();
    await inspect('api-keys-delete');
    await page.getByRole('button', { name: 'Delete key' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await rowOf('Shop').count()).toBe(1);
  });

  test.each([
    { choice: '90', date: undefined },
    { choice: 'date', date: '2031-03-09' },
  ])('ends when one says: $choice', async ({ choice, date }) => {
    const { page, inspect } = setting;
    const name = `Ends ${choice}`;
    await page.goto('/api-keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('Expires').selectOption(choice);
    if (date) await page.getByLabel('Last day').fill(date);
    await inspect(`api-keys-create-${choice}`);
    const before = Date.now();
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    const expiresAt = await storedExpiry(name);
    if (date) {
      // To the end of the day where the browser is.
      expect(expiresAt).toBe(new Date(`${date}T23:59:59`).getTime());
    } else {
      expect(expiresAt).toBeGreaterThanOrEqual(before + 90 * dayMs);
      expect(expiresAt).toBeLessThanOrEqual(Date.now() + 90 * dayMs);
    }
    await rowOf(name)
      .getByText(/^Expires in \d+ days$/)
      .waitFor();
  });

  test('is made from the keyboard alone', async () => {
    const { page } = setting;
    // A key that is pressed before the script is there is lost.
    await page.goto('/api-keys', { waitUntil: 'networkidle' });
    await page.getByRole('button', { name: 'Create key' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('By hand');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'key', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Done' }).press('Enter');
    await rowOf('By hand').waitFor();
    expect(await page.locator(':focus').textContent()).toBe('Create key');
  });
});

test('a time tells exactly when it was, here and in UTC, to pointer and keyboard', async () => {
  const { browser, page, service, inspect } = setting;
  const cookies = await page.context().cookies();
  const abroad = await openWindow(browser, service.url, { timezoneId: 'Asia/Tokyo' });
  await abroad.context.addCookies(cookies);
  for (const { window, zone } of [
    { window: abroad.page, zone: 'GMT+9' },
    { window: page, zone: undefined },
  ]) {
    await window.goto('/api-keys');
    const time = window.locator('time').last();
    const at = new Date((await time.getAttribute('datetime')) ?? '');
    const clock = (hours: number) =>
      new Date(at.getTime() + hours * 3_600_000).toISOString().slice(11, 19);
    const tooltip = window.getByRole('tooltip');
    await time.hover();
    await tooltip.getByText(`${clock(0)} UTC`).waitFor();
    if (zone) await tooltip.getByText(`${clock(9)} ${zone}`).waitFor();
    await window.mouse.move(0, 0);
    await tooltip.waitFor({ state: 'detached' });
    await time.focus();
    await tooltip.getByText(`${clock(0)} UTC`).waitFor();
    expect(await time.getAttribute('aria-description')).toContain(`${clock(0)} UTC`);
  }
  await inspect('api-keys-exact-time');
  await abroad.context.close();
});

test('a date is that of where one is, although the server cannot know it', async () => {
  const { browser, page, service } = setting;
  const cookies = await page.context().cookies();
  const abroad = await openWindow(browser, service.url, { timezoneId: 'Pacific/Kiritimati' });
  await abroad.context.addCookies(cookies);
  // Long enough for the server's words to be wrong.
  await abroad.page.clock.setFixedTime(Date.now() + 10 * dayMs);
  await abroad.page.goto('/api-keys');
  const time = abroad.page.locator('time').last();
  const at = new Date((await time.getAttribute('datetime')) ?? '');
  const date = at.toLocaleDateString('en', {
    day: 'numeric',
    month: 'short',
    timeZone: 'Pacific/Kiritimati',
  });
  await time.getByText(date).waitFor();
  await abroad.context.close();
});

test('axe found nothing serious on any page, and none is wider than a telephone', () => {
  expect(setting.obstacles).toEqual([]);
});

test('no page asked another host for anything, or complained', () => {
  expect(setting.watch).toEqual({ foreign: [], complaints: [] });
});

describe('on the free plan', () => {
  let free: Setting;

  beforeAll(async () => {
    free = await openSetting({ DEFAULT_PLAN: 'free', SIGN_UP: 'closed' });
  });

  afterAll(() => free?.close());

  test('the page says why there are no keys', async () => {
    await signUp(free.page, 'free@example.com');
    await free.page.getByText('API keys are part of the paid plan').waitFor();
    expect(await free.page.getByRole('button', { name: 'Create key' }).count()).toBe(0);
    await free.inspect('api-keys-free');
  });

  test('where sign-up is closed, only the first account could be made', async () => {
    const { browser, service } = free;
    const { page } = await openWindow(browser, service.url);
    await page.goto('/sign-up');
    await page.waitForURL('**/sign-in');
    await page.getByText('Sign-up is closed.').waitFor();
    expect(await page.getByRole('link', { name: 'Create an account' }).count()).toBe(0);
  });
});
