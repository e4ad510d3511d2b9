import { Client } from 'pg';
import { env } from '@/src/env';
import { createAccount } from '../helpers/accounts';
import { untilSomebodyWaits } from '../helpers/locks';
import { callerOf, entriesOf, told } from './audit';

// An embedded database does one thing after the other: only on a server can two meet at a row.
const onServer = process.env.TEST_DATABASE_URL ? test : test.skip;

/** Runs `change` while another process changes the row, and ends as soon as it waits for that. */
async function meeting(statement: string, id: string, change: () => Promise<unknown>) {
  const other = new Client({ connectionString: env().DATABASE_URL });
  await other.connect();
  try {
    await other.query('BEGIN');
    await other.query(statement, [id]);
    const changed = change();
    await Promise.race([untilSomebodyWaits(other), changed]);
    await other.query('COMMIT');
    await changed;
  } finally {
    await other.end();
  }
}

onServer(
  'a key is told of by what it was when it was changed, not when that was asked',
  async () => {
    const accountId = await createAccount();
    const { apiKeys } = callerOf(accountId);
    const { id } = await apiKeys.create({ name: 'Website', scopes: ['read'] });
    await meeting(`UPDATE api_keys SET enabled = false, name = 'Shop' WHERE id = $1`, id, () =>
      apiKeys.update({ id, enabled: false, name: 'Blog' }),
    );
    expect(await apiKeys.get({ id })).toMatchObject({ enabled: false, name: 'Blog' });
    const [entry, ...earlier] = (await entriesOf(accountId)).map(told);
    expect(entry).toEqual({
      action: 'updated',
      name: 'Blog',
      changes: { name: { before: 'Shop', after: 'Blog' } },
    });
    expect(earlier).toMatchObject([{ action: 'created' }]);
  },
);

onServer('so is an endpoint', async () => {
  const accountId = await createAccount();
  const { endpoints } = callerOf(accountId).webhooks;
  const url = 'https://receiver.example/hooks';
  const { id } = await endpoints.create({ url, event_types: ['testimonial.created'] });
  await meeting(
    `UPDATE webhook_endpoints SET enabled = false, description = 'Shop' WHERE id = $1`,
    id,
    () => endpoints.update({ id, enabled: false, description: 'Blog' }),
  );
  expect(await endpoints.get({ id })).toMatchObject({ status: 'paused', description: 'Blog' });
  const [entry, ...earlier] = (await entriesOf(accountId)).map(told);
  expect(entry).toEqual({
    action: 'updated',
    name: url,
    changes: { description: { before: 'Shop', after: 'Blog' } },
  });
  expect(earlier).toMatchObject([{ action: 'created' }]);
});
