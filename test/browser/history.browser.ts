import { eventually } from './eventually';
import { nowhere } from './receiver';
import { createEndpoint, createKey, openSetting, type Setting, signUp } from './setting';

let setting: Setting;

beforeAll(async () => {
  setting = await openSetting();
  await signUp(setting.page, 'ada@example.com');
  await createKey(setting.page, 'Website');
});

afterAll(() => setting?.close());

const entries = () => setting.page.getByRole('dialog').getByRole('listitem');

test('what was done to a key is told in its history, the newest first', async () => {
  const { page, inspect } = setting;
  await page.getByRole('button', { name: 'Actions for Website' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Shop');
  await page.getByText('Read only', { exact: true }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Actions for Shop' }).click();
  await page.getByRole('menuitem', { name: 'History' }).click();
  await entries().nth(1).waitFor();
  const [changed = '', made = ''] = await entries().allTextContents();
  expect(changed).toMatch(/^\s*ada@example\.com changed the key Shop sk_live_….{4}/);
  expect(changed).toContain('from 127.0.0.1');
  expect(changed).toContain('NameWebsite →, now Shop');
  expect(changed).toContain('Scopesread, write, delete →, now read');
  expect(made).toMatch(/created the key Website/);
  await inspect('key-history');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const focused = page.locator(':focus');
  await eventually(async () =>
    expect(await focused.getAttribute('aria-label')).toBe('Actions for Shop'),
  );
});

test('what was done to an endpoint is told on its page, at once', async () => {
  const { page, inspect } = setting;
  await createEndpoint(page, nowhere);
  const history = page.getByRole('region', { name: 'History' });
  await history.getByText('added the endpoint').waitFor();
  await page.getByRole('button', { name: 'Actions for this endpoint' }).click();
  await page.getByRole('menuitem', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Pause endpoint' }).click();
  await history.getByText('paused the endpoint').waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await history.getByText('resumed the endpoint').waitFor();
  await inspect('endpoint-history');
});

test('the account page has all of it, also of what is gone, and shows older ones when asked', async () => {
  const { page, inspect } = setting;
  await page.goto('/api-keys');
  await page.getByRole('button', { name: 'Actions for Shop' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete key' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.evaluate(async () => {
    for (let number = 1; number <= 8; number += 1) {
      await fetch('/api/trpc/apiKeys.create', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: `Key ${number}`, scopes: ['read'] }),
      });
    }
  });
  await page.goto('/account');
  const section = page.getByRole('region', { name: 'Changes to keys and webhooks' });
  const rows = section.getByRole('listitem');
  await eventually(async () => expect(await rows.count()).toBe(10));
  await eventually(async () =>
    expect(await rows.first().textContent()).toContain('created the key Key 8'),
  );
  await section.getByText('deleted the key Shop').waitFor();
  await section.getByRole('button', { name: 'Show older' }).click();
  await section.getByText('created the key Website').waitFor();
  await eventually(async () => expect(await rows.count()).toBe(14));
  await eventually(async () =>
    expect(await section.getByRole('button', { name: 'Show older' }).count()).toBe(0),
  );
  await inspect('account-history');
});

test('axe found nothing serious on any page, and none is wider than a telephone', () => {
  expect(setting.obstacles).toEqual([]);
});

test('no page asked another host for anything, or complained', () => {
  expect(setting.watch).toEqual({ foreign: [], complaints: [] });
});
