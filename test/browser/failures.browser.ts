import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { openTestDatabase, type TestDatabase } from '../helpers/test-database';
import { openSetting, type Setting, signUp } from './setting';

let database: TestDatabase;
let setting: Setting;

beforeAll(async () => {
  database = await openTestDatabase();
  setting = await openSetting({
    DATABASE_URL: database.url,
    SECRET_KEY: randomBytes(32).toString('hex'),
  });
  await signUp(setting.page, 'ada@example.com');
}, 120_000);

afterAll(async () => {
  await setting?.close();
  await database?.close();
});

/** Runs `whileMissing` in a time in which the database does not know the table. */
async function withoutTable(table: string, whileMissing: () => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(`ALTER TABLE ${table} RENAME TO ${table}_away`);
    try {
      await whileMissing();
    } finally {
      await client.query(`ALTER TABLE ${table}_away RENAME TO ${table}`);
    }
  } finally {
    await client.end();
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
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: title }).waitFor();
  });
});

test('axe found nothing serious on any page, and none is wider than a telephone', () => {
  expect(setting.obstacles).toEqual([]);
});

test('no page asked another host for anything', () => {
  expect(setting.watch.foreign).toEqual([]);
});
