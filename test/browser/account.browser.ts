import type { Locator, Request } from 'playwright-core';
import { promised } from '../helpers/promised';
import { openWindow } from './browser';
import { eventually } from './eventually';
import { nowhere } from './receiver';
import {
  createEndpoint,
  createKey,
  openSetting,
  password,
  type Setting,
  sendCredentials,
  signUp,
} from './setting';

let setting: Setting;

beforeAll(async () => {
  setting = await openSetting();
  await signUp(setting.page, 'ada@example.com');
});

afterAll(() => setting?.close());

describe('the account page', () => {
  test('changes the password, and refuses a wrong one', async () => {
    const { page, inspect } = setting;
    await page.goto('/account');
    await page.locator('#content').getByText('ada@example.com', { exact: true }).waitFor();
    await page.getByLabel('Current password').fill('not this one');
    await page.getByLabel('New password').fill('another battery staple');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('The current password is not right.').waitFor();
    await inspect('account-refused');
    await page.getByLabel('Current password').fill(password);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('The password is changed.').waitFor();
    await page.getByRole('status').getByText('go on working').waitFor();
    expect(await page.getByText('recognise').count()).toBe(0);
    await inspect('account');
  });

  test('darkens the pages, and they stay dark', async () => {
    const { page } = setting;
    const isDark = page.locator('html[data-mantine-color-scheme="dark"]');
    await page.getByText('Dark', { exact: true }).click();
    await isDark.waitFor();
    await page.reload();
    await isDark.waitFor();
    await page.getByRole('region', { name: 'Appearance' }).getByText('System').click();
  });
});

describe('what another account has', () => {
  test('is not there: a page of theirs does not exist', async () => {
    const { page, inspect } = setting;
    const ownPath = await createEndpoint(page, `${nowhere}ada`);
    const other = await openWindow(setting.browser, setting.service.url);
    await signUp(other.page, 'grace@example.com');
    for (const path of [ownPath, '/webhooks/nothing-of-this-name']) {
      await other.page.goto(path);
      await other.page.getByText('This page does not exist').waitFor();
      expect(await other.page.content()).not.toContain(`${new URL(nowhere).host}/ada`);
    }
    await other.context.close();
    await page.goto('/nothing-here');
    await page.getByText('This page does not exist').waitFor();
    await inspect('not-found');
  });
});

/** Where the parts of the page stand while its data is held back, they stand afterwards. */
async function expectNoJump(
  name: string,
  { go, ready, parts }: { go: () => Promise<void>; ready: Locator; parts: Locator[] },
): Promise<void> {
  const { page, inspect } = setting;
  const places = async () => {
    const boxes = await Promise.all(parts.map((part) => part.boundingBox()));
    return boxes.map((box) => box && { x: box.x, y: box.y, width: box.width });
  };
  const released = promised<void>();
  const pattern = new RegExp(`/${name}\\?_rsc`);
  await page.route(pattern, async (route) => {
    if (!route.request().headers()['next-router-prefetch']) await released.promise;
    await route.continue();
  });
  await go();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor();
  const before = await places();
  await inspect(`${name}-loading`);
  released.resolve();
  await ready.waitFor();
  expect(await places()).toEqual(before);
  await page.unroute(pattern);
}

describe('while the service', () => {
  test('takes its time, there are skeletons, and nothing jumps', async () => {
    const { page } = setting;
    await createKey(page, 'Website');
    await expectNoJump('webhooks', {
      go: () => page.getByRole('link', { name: 'Webhooks' }).click(),
      ready: page.getByRole('link', { name: `${nowhere}ada` }),
      parts: [page.getByRole('heading', { level: 1 }), page.locator('table')],
    });
    await expectNoJump('api-keys', {
      go: () => page.getByRole('link', { name: 'API keys' }).click(),
      ready: page.getByRole('cell', { name: 'Website', exact: true }),
      parts: [page.getByRole('heading', { level: 1 }), page.locator('table')],
    });
    await expectNoJump('account', {
      go: async () => {
        // The page's frame, which is to be read before the click: its response may have come, and its
        // skeleton not be there. Of a long frame Next cancels the rest, so that it counts as failed.
        const isFrame = (request: Request) =>
          /\/account\?_rsc/.test(request.url()) &&
          !request.headers()['next-router-segment-prefetch'];
        const isThere = Promise.race([
          page.waitForEvent('requestfinished', isFrame),
          page.waitForEvent('requestfailed', isFrame),
        ]);
        await page.getByRole('button', { name: /^Account/ }).click();
        await isThere;
        await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
        await page.getByRole('menuitem', { name: 'Account' }).click();
      },
      ready: page.getByRole('region', { name: 'You' }).getByText('ada@example.com'),
      // How long the list of changes is, is not known before: it and what follows are below.
      parts: [
        page.getByRole('heading', { level: 1 }),
        page.locator('#content section').filter({ hasText: 'Appearance' }),
      ],
    });
  });

  test('does not answer, the dialog says so and keeps what was typed', async () => {
    const { page, inspect } = setting;
    await page.goto('/api-keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Kept');
    await page.route('**/api/trpc/**', (route) => route.abort());
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page.getByText('No answer came from the service').waitFor();
    await inspect('api-keys-unanswered');
    await eventually(async () =>
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Kept'),
    );
    await page.unroute('**/api/trpc/**');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
  });

  test('fails to list, the list says so and can be tried again', async () => {
    const { page, inspect } = setting;
    const listing = '**/api/trpc/*webhooks.deliveries.list*';
    await page.goto('/webhooks');
    await page.getByRole('link', { name: `${nowhere}ada` }).click();
    await page.getByText('Nothing was sent in the last 30 days').waitFor();
    await page.route(listing, (route) => route.abort());
    await page.getByLabel('State', { exact: true }).selectOption('failed');
    await page.getByRole('alert').getByText('The service could not be reached.').waitFor();
    await inspect('webhook-list-error');
    await page.unroute(listing);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No deliveries match').waitFor();
  });

  test('fails, the page says so without a word of why, and can be tried again', async () => {
    const { page, inspect } = setting;
    const error = {
      message: 'secret internals',
      code: -32603,
      data: { code: 'INTERNAL_ERROR', httpStatus: 500 },
    };
    // Whatever is asked for together with it fails as well.
    const reads = /\/api\/trpc\/[^?]*webhooks\.deliveries\.get/;
    await page.route(reads, (route) => {
      const { pathname } = new URL(route.request().url());
      return route.fulfill({ status: 500, json: pathname.split(',').map(() => ({ error })) });
    });
    await page.goto('/webhooks');
    await page.getByRole('link', { name: `${nowhere}ada` }).click();
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const alert = page.getByRole('dialog', { name: 'Delivery' }).getByRole('alert');
    await alert.waitFor();
    await eventually(async () =>
      expect(await alert.textContent()).toContain('Something went wrong on our side.'),
    );
    expect(await page.content()).not.toContain('secret internals');
    await inspect('webhook-delivery-error');
    await page.unroute(reads);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The address did not take the connection.').first().waitFor();
    await inspect('webhook-delivery-failed');
    await page.keyboard.press('Escape');
  });
});

describe('signing out', () => {
  test('ends the session, and no page or procedure answers any more', async () => {
    const { page, service } = setting;
    await page.goto('/api-keys');
    const cookies = await page.context().cookies();
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in');
    for (const path of ['/api-keys', '/webhooks', '/webhooks/x', '/account']) {
      await page.goto(path);
      await page.waitForURL('**/sign-in**');
    }
    // The cookie of before opens nothing either.
    const answer = await fetch(`${service.url}/api/trpc/apiKeys.list`, {
      headers: { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') },
    });
    expect(answer.status).toBe(401);
  });

  test('leads back to the page one wanted, after signing in again', async () => {
    const { page, inspect } = setting;
    await page.goto('/webhooks');
    await page.waitForURL('**/sign-in?next=%2Fwebhooks');
    await sendCredentials(page, 'Sign in', 'ada@example.com');
    await page.getByText('The e-mail address or the password is not right.').waitFor();
    await inspect('sign-in-refused');
    await page.getByLabel('Password', { exact: true }).fill('another battery staple');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/webhooks');
    await page.getByRole('link', { name: `${nowhere}ada` }).waitFor();
  });
});

test('axe found nothing serious on any page, and none is wider than a telephone', () => {
  expect(setting.obstacles).toEqual([]);
});

test('no page asked another host for anything', () => {
  expect(setting.watch.foreign).toEqual([]);
});

test('the log has no password, and no cookie', () => {
  expect(setting.service.log()).not.toMatch(/battery|session_token/);
});
