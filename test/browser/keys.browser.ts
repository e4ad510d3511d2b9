import { promised } from '../helpers/promised';
import { openWindow } from './browser';
import { settled } from './checks';
import { copied, eventually, hasFocus } from './eventually';
import { hold } from './inbox';
import { openSetting, type Setting, sendCredentials, signUp } from './setting';
import { visit } from './visit';

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

let rotatedKey = '';

/** Uses a key, and waits until that is noted, which follows the answer. */
async function useKey(key: string): Promise<void> {
  const { page, service } = setting;
  const answer = await fetch(`${service.url}/api/v1/spaces`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  expect(answer.status).toBe(200);
  const noted = new RegExp(`"hint":"[^"]*${key.slice(-4)}"[^}]*"last_used_at":"`);
  await eventually(async () => {
    const list = await page.request.get('/api/trpc/apiKeys.list');
    expect(await list.text()).toMatch(noted);
  });
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
    await sendCredentials(page, 'Create account', 'ada@example.com');
    await page.waitForURL('**/api-keys');
    await page.getByRole('heading', { name: 'Create your first key' }).waitFor();
    await inspect('api-keys-empty');
  });

  test('makes a key, sees it once, and sees its first request arrive', async () => {
    const { page, inspect, service } = setting;
    await page.getByRole('button', { name: 'Create key' }).click();
    const name = page.getByLabel('Name', { exact: true });
    await hasFocus(name);
    // Takes the place of the one that stands there.
    await page.keyboard.type('Website');
    expect(await name.inputValue()).toBe('Website');
    await page.getByText('Read and write', { exact: true }).click();
    await inspect('api-keys-create');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const key = await page.getByRole('region', { name: 'key', exact: true }).textContent();
    expect(key).toMatch(/^sk_live_[0-9a-f]{64}$/);
    await page.getByText('Waiting for the first request').waitFor();
    await inspect('api-keys-revealed');
    await page.getByRole('button', { name: 'Copy key' }).click();
    expect(await copied(page, key ?? '')).toBe(key);
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
    const { page, inspect } = setting;
    await menuOf('Website').click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await inspect('api-keys-edit');
    await page.getByLabel('Name', { exact: true }).fill('  Shop ');
    await page.keyboard.press('Enter');
    await rowOf('Shop').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const focused = page.locator(':focus');
    await eventually(async () =>
      expect(await focused.getAttribute('aria-label')).toBe('Actions for Shop'),
    );
  });

  test('is switched off once that is asked, and on again by the note that says so', async () => {
    const { page, inspect } = setting;
    await menuOf('Shop').click();
    await page.getByRole('menuitem', { name: 'Switch off' }).waitFor();
    await inspect('api-keys-menu');
    await page.getByRole('menuitem', { name: 'Switch off' }).click();
    await page.getByText('is refused from the next request on').waitFor();
    await inspect('api-keys-switch-off');
    await rowOf('Shop').getByText('Active').waitFor();
    await page.getByRole('button', { name: 'Switch off' }).click();
    await rowOf('Shop').getByText('Off').waitFor();
    await inspect('api-keys-switched-off');
    await page.getByRole('button', { name: 'Switch on again' }).click();
    await rowOf('Shop').getByText('Active').waitFor();
    await menuOf('Shop').click();
    await page.getByRole('menuitem', { name: 'Switch off' }).click();
    await page.getByRole('button', { name: 'Switch off' }).click();
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
    rotatedKey = (await page.getByRole('region', { name: 'key', exact: true }).textContent()) ?? '';
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Expires in 24 hours').waitFor();
    await eventually(async () => expect(await rowOf('Shop').count()).toBe(2));
    await page.getByText(/^replaced by sk_live_….{4}, ends in 24 h$/).waitFor();
    await page.getByText(/^replaces sk_live_….{4}$/).waitFor();
    await inspect('api-keys');
  });

  test('is not deleted by a click that was made offline and taken back', async () => {
    const { page } = setting;
    await menuOf('Shop').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Delete key' }).click();
    await page.getByRole('alert').getByText('could not be reached').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.context().setOffline(false);
    // The browser's own note of the request that it could not make.
    setting.watch.complaints.length = 0;
    const answer = await page.request.get('/api/trpc/apiKeys.list');
    expect(await answer.text()).toContain('"Shop"');
    await page.reload();
    await eventually(async () => expect(await rowOf('Shop').count()).toBe(2));
  });

  test('that is being changed keeps its dialog until the answer is there', async () => {
    const { page } = setting;
    await page.reload();
    const { promise: held, resolve: answer } = promised<void>();
    await page.route('**/api/trpc/apiKeys.update*', async (route) => {
      await held;
      await route.continue();
    });
    await menuOf('Shop').click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByLabel('Expires').selectOption('90');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Cancel', disabled: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor();
    answer();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.unroute('**/api/trpc/apiKeys.update*');
  });

  test('is deleted after a warning that says when it was used', async () => {
    const { page, inspect } = setting;
    await menuOf('Shop').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText('The key was never used.').waitFor();
    await inspect('api-keys-delete');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // The list, which is not loaded anew, knows nothing of it.
    await useKey(rotatedKey);
    const held = await hold(page, 'requests', /apiKeys\.get/);
    await menuOf('Shop').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByText('Looking up its last use…').waitFor();
    await held.release();
    await page.getByRole('dialog').getByText('Last used: ').waitFor();
    expect(await page.getByText('The key was never used.').count()).toBe(0);
    await page.getByRole('button', { name: 'Delete key' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await eventually(async () => expect(await rowOf('Shop').count()).toBe(1));
  });

  test.each([
    { choice: '90', date: undefined },
    { choice: 'date', date: '2031-03-09' },
  ])('ends when one says: $choice', async ({ choice, date }) => {
    const { page, inspect } = setting;
    const name = `Ends ${choice}`;
    await page.goto('/api-keys');
    const before = Date.now();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('Expires').selectOption(choice);
    if (date) await page.getByLabel('Last day').fill(date);
    await inspect(`api-keys-create-${choice}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    const expiresAt = await storedExpiry(name);
    if (date) {
      // To the end of the day where the browser is.
      expect(expiresAt).toBe(new Date(`${date}T23:59:59`).getTime());
    } else {
      // Counted from when the form was opened.
      expect(expiresAt).toBeGreaterThanOrEqual(before + 90 * dayMs);
      expect(expiresAt).toBeLessThanOrEqual(Date.now() + 90 * dayMs);
    }
    await rowOf(name)
      .getByText(/^Expires in \d+ days$/)
      .waitFor();
  });

  test('is given other scopes and another end', async () => {
    const { page } = setting;
    await menuOf('Ends 90').click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByText('Read and write', { exact: true }).click();
    const before = await storedExpiry('Ends 90');
    await page.getByRole('button', { name: 'Save' }).click();
    await rowOf('Ends 90').getByText('write').waitFor();
    expect(await storedExpiry('Ends 90')).toBe(before);
    await menuOf('Ends 90').click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByLabel('Expires').selectOption('never');
    await page.getByRole('button', { name: 'Save' }).click();
    await rowOf('Ends 90').getByText('Active').waitFor();
  });

  test('whose name turns text around does so within its name alone', async () => {
    const { page } = setting;
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('\u202eegap');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await eventually(async () =>
      expect(await page.locator('tbody tr').first().locator('bdi').textContent()).toBe(
        '\u202eegap',
      ),
    );
  });

  test('of spaces only gets no name, and the form says so', async () => {
    const { page } = setting;
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('   ');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('alert').getByText('Something in the form is not valid.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    // The browser's own note of the refusal.
    setting.watch.complaints.length = 0;
  });

  test('that was deleted in another tab says so, and leaves the list', async () => {
    const { page } = setting;
    const other = await page.context().newPage();
    await other.goto('/api-keys');
    await menuOf('Ends date').click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await other.getByRole('button', { name: 'Actions for Ends date' }).click();
    await other.getByRole('menuitem', { name: 'Delete' }).click();
    await other.getByRole('button', { name: 'Delete key' }).click();
    await other.getByRole('dialog').waitFor({ state: 'detached' });
    await other.close();
    await page.getByLabel('Expires').selectOption('90');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('This key was deleted meanwhile.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await rowOf('Ends date').waitFor({ state: 'detached' });
    setting.watch.complaints.length = 0;
  });

  test('cannot be lost while it is shown this once', async () => {
    const { page, browser, service } = setting;
    const abroad = await openWindow(browser, service.url);
    await abroad.context.addCookies(await page.context().cookies());
    const tab = abroad.page;
    // A link that is followed before the script is there loads the page whole.
    await visit(tab, '/webhooks');
    await tab.getByRole('link', { name: 'API keys' }).click();
    await tab.getByRole('button', { name: 'Create key' }).click();
    await tab.getByLabel('Name', { exact: true }).fill('Only once');
    await tab.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const key = tab.getByRole('region', { name: 'key', exact: true });
    await key.waitFor();
    await tab.keyboard.press('Escape');
    await tab.evaluate(() => history.back());
    await tab.getByText('You are still here').waitFor();
    await tab.evaluate(() => history.back());
    const asked = tab.waitForEvent('dialog');
    void tab.close({ runBeforeUnload: true });
    const question = await asked;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    await eventually(async () => expect(await key.textContent()).toMatch(/^sk_live_/));
    await tab.getByRole('button', { name: 'Done' }).click();
    await tab.evaluate(() => history.back());
    await tab.waitForURL('**/webhooks');
    await abroad.context.close();
  });

  test('is made from the keyboard alone', async () => {
    const { page } = setting;
    // A key that is pressed before the script is there is lost.
    await visit(page, '/api-keys');
    await page.getByRole('button', { name: 'Create key' }).focus();
    await page.keyboard.press('Enter');
    await settled(page.getByRole('dialog'));
    await page.keyboard.type('By hand');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'key', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Done' }).press('Enter');
    await rowOf('By hand').waitFor();
    await eventually(async () =>
      expect(await page.locator(':focus').textContent()).toBe('Create key'),
    );
  });
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
