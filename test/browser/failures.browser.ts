import { randomBytes, randomUUID } from 'node:crypto';
import type { Route } from 'playwright-core';
import { query } from '../database/query';
import { openTestDatabase, type TestDatabase } from '../helpers/test-database';
import { eventually } from './eventually';
import { nowhere } from './receiver';
import { createEndpoint, openSetting, type Setting, signUp } from './setting';
import { visit } from './visit';

let database: TestDatabase;
let setting: Setting;

beforeAll(async () => {
  database = await openTestDatabase();
  setting = await openSetting({
    DATABASE_URL: database.url,
    SECRET_KEY: randomBytes(32).toString('hex'),
  });
  await signUp(setting.page, 'ada@example.com');
});

afterAll(async () => {
  await setting?.close();
  await database?.close();
});

/** Runs `whileMissing` in a time in which the database does not know the table. */
async function withoutTable(table: string, whileMissing: () => Promise<void>): Promise<void> {
  await query(database.url, `ALTER TABLE ${table} RENAME TO ${table}_away`);
  try {
    await whileMissing();
  } finally {
    await query(database.url, `ALTER TABLE ${table}_away RENAME TO ${table}`);
  }
}

/** No text of the database's, or of the error's, in what the page was given. */
async function expectNoInternals(): Promise<void> {
  const content = await setting.page.content();
  expect(/_away|relation "|prisma|42P01/i.exec(content)?.[0]).toBeUndefined();
}

describe('where the database refuses', () => {
  const failed = 'This page could not be loaded';

  test('a page that is opened says so, and comes when it is tried again', async () => {
    const { page, inspect } = setting;
    await withoutTable('sessions', async () => {
      await page.goto('/webhooks');
      await page.getByRole('heading', { name: failed }).waitFor();
      await inspect('failed-page');
      await expectNoInternals();
    });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Add your first endpoint' }).waitFor();
  });

  test('the log has it under the reference that the page shows, and no line of Next', async () => {
    const { page, service } = setting;
    const before = service.log();
    await withoutTable('sessions', async () => {
      await page.goto('/webhooks');
      await page.getByRole('heading', { name: failed }).waitFor();
    });
    const shown = (await page.getByText('Reference:').textContent()) ?? '';
    const written = service.log().slice(before.length).trimEnd().split('\n');
    const lines = written.map((line) => JSON.parse(line));
    expect(lines).toContainEqual(
      expect.objectContaining({
        page: '/webhooks',
        digest: /Reference: (\w+)/.exec(shown)?.[1],
        code: 'INTERNAL_ERROR',
        msg: 'page failed',
      }),
    );
    // The first of those that are alike within a second is told whole.
    expect(service.log()).toMatch(/"page":"\/webhooks",.*The table `sessions`/);
    expect(lines.map(({ msg }) => msg)).not.toContain('INTERNAL_SERVER_ERROR');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Add your first endpoint' }).waitFor();
  });

  test('a page that is gone to says so beside the navigation', async () => {
    const { page, inspect } = setting;
    await withoutTable('sessions', async () => {
      await page.getByRole('link', { name: 'API keys' }).click();
      await page.getByRole('heading', { name: failed }).waitFor();
      await page.getByRole('link', { name: 'Webhooks' }).waitFor();
      await inspect('failed-page-in-shell');
      await expectNoInternals();
    });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Create your first key' }).waitFor();
  });

  test.each([
    { path: '/api-keys', table: 'api_keys', title: 'Create your first key' },
    { path: '/webhooks', table: 'webhook_endpoints', title: 'Add your first endpoint' },
  ])('the list of $path says so, and can be tried again', async ({ path, table, title }) => {
    const { page, inspect } = setting;
    await withoutTable(table, async () => {
      await page.goto(path);
      await page.getByRole('alert').getByText('Something went wrong on our side.').waitFor();
      await inspect(`failed-list-${table}`);
      await expectNoInternals();
    });
    await page.getByRole('button', { name: 'Try again' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: title }).waitFor();
    // The button is gone: what has the focus then is the page, not the window.
    await eventually(async () => expect(await focused()).toBe('content'));
  });
});

const focused = () => setting.page.evaluate(() => document.activeElement?.id);

test('a page that arrived in part says that the connection may have failed, and comes when it is tried again', async () => {
  const { page, inspect } = setting;
  const mend = await cutWebhooks();
  await inspect('cut-page');
  await mend();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Add your first endpoint' }).waitFor();
});

test('a page of which the service has a file no more says that a new version is there, and is loaded whole', async () => {
  const { page, inspect } = setting;
  const known = new Set<string>();
  const note = (request: { url(): string }) => known.add(request.url());
  page.on('request', note);
  await visit(page, '/api-keys');
  page.off('request', note);
  const isGone = (route: Route) =>
    known.has(route.request().url())
      ? route.fallback()
      : route.fulfill({ status: 404, body: 'Not Found' });
  await page.route(/_next\/static\/.*\.js/, isGone);
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
  // Read out, where the page said first that it did not arrive whole.
  await page.getByRole('alert').getByText('A new version of the service is there').waitFor();
  expect(await page.getByText('Check your connection').count()).toBe(0);
  await inspect('page-of-another-version');
  await page.unroute(/_next\/static\/.*\.js/, isGone);
  const isLoaded = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Load it again' }).click();
  await isLoaded;
  await page.getByRole('heading', { name: 'Add your first endpoint' }).waitFor();
});

test('without a network it stays, and comes by itself once there is one again', async () => {
  const { page } = setting;
  const mend = await cutWebhooks();
  await mend();
  await page.context().setOffline(true);
  await page.getByText('You are offline.').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('That cannot be opened now.').waitFor();
  await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
  await page.context().setOffline(false);
  await page.getByRole('heading', { name: 'Add your first endpoint' }).waitFor();
});

/** Goes to a page of which half arrives. Returns what has the whole of it arrive from then on. */
async function cutWebhooks(): Promise<() => Promise<void>> {
  const { page } = setting;
  await visit(page, '/api-keys');
  const isPage = (url: URL) => url.pathname === '/webhooks' && url.searchParams.has('_rsc');
  const cut = async (route: Route) => {
    const response = await route.fetch();
    // Cut before its root has come, the router would load the page whole.
    const [body = ''] = /^.*?^0:.*?\n/ms.exec(await response.text()) ?? [];
    await route.fulfill({ response, body });
  };
  await page.route(isPage, cut);
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
  await page.getByText('Check your connection').waitFor();
  return () => page.unroute(isPage, cut);
}

describe('what was deleted elsewhere', () => {
  test('an endpoint says so once it is noticed, is asked for no more, and leads back to the list', async () => {
    const { page, inspect } = setting;
    await createEndpoint(page, nowhere);
    await page.getByRole('button', { name: 'Send test' }).waitFor();
    await query(database.url, 'DELETE FROM webhook_endpoints');
    await page.getByRole('heading', { name: 'This endpoint was deleted' }).waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await inspect('endpoint-deleted-elsewhere');
    await page.getByRole('link', { name: 'Back to webhooks' }).click();
    await page.getByRole('heading', { name: 'Add your first endpoint' }).waitFor();
  });

  test('a delivery that is opened says so, and nothing offers to try again', async () => {
    const { page, inspect } = setting;
    const path = await createEndpoint(page, nowhere);
    await page.goto(`${path}?delivery=${randomUUID()}`);
    const sheet = page.getByRole('dialog', { name: 'Delivery' });
    await sheet.getByRole('alert').waitFor();
    await inspect('delivery-deleted-elsewhere');
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await sheet.getByRole('button', { name: 'Close' }).click();
    await sheet.waitFor({ state: 'detached' });
  });
});

test('axe found nothing serious on any page, and none is wider than a telephone', () => {
  expect(setting.obstacles).toEqual([]);
});

test('no page asked another host for anything', () => {
  expect(setting.watch.foreign).toEqual([]);
});
