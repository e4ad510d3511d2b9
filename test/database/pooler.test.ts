import { openDatabase } from '@/src/database/open';
import { env, provideEnv } from '@/src/env';
import { createTenant } from '../helpers/accounts';
import { send } from '../helpers/client';
import { describeBehindPooler, openPooler, type Pooler } from '../helpers/pooler';
import { openTestDatabase, type TestDatabase } from '../helpers/test-database';
import { setForSessions } from './query';

test('a start names the reason where the database refuses the first query', async () => {
  const url = new URL(env().DATABASE_URL ?? '');
  url.pathname = '/there_is_no_such_database';
  provideEnv({ DATABASE_URL: url.href });
  const opening = openDatabase({ shared: false, say: () => {} });
  await expect(opening).rejects.toThrow(
    /cannot be used: database "there_is_no_such_database" does not exist\. Check DATABASE_URL/,
  );
});

describeBehindPooler('through PgBouncer, to a database in another time zone', () => {
  let own: TestDatabase;
  let pooler: Pooler;

  beforeAll(async () => {
    own = await openTestDatabase();
    await setForSessions(own.url, "timezone = 'Asia/Kolkata'");
    pooler = await openPooler(own.url, 'transaction');
    provideEnv({ DATABASE_URL: `${pooler.url}?pgbouncer=true`, CACHE_BYTES: '0' });
  });

  afterAll(async () => {
    pooler?.close();
    await own?.close();
  });

  test('the service starts, writes, reads, and keeps keys by their expiry', async () => {
    const close = await openDatabase({ shared: false, say: () => {} });
    const tenants = await Promise.all(Array.from({ length: 8 }, createTenant));
    const answers = await Promise.all(
      tenants.map(async ({ space, api }) => {
        const { id } = await space();
        return api.get(`/testimonials?space_id=${id}`);
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const again = await Promise.all(
      tenants.map(async ({ api: { key } }) => {
        const options = { key, headers: { 'idempotency-key': 'A' }, json: { name: 'Another' } };
        const [first, second] = [
          await send('POST', '/spaces', options),
          await send('POST', '/spaces', options),
        ];
        return [first.status, second.status, second.text === first.text];
      }),
    );
    expect(again).toEqual(Array(8).fill([201, 201, true]));
    await close();
  });
});
