import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { openDatabase } from '@/src/database/open';
import { env, provideEnv } from '@/src/env';
import { createTenant } from '../helpers/accounts';
import { send } from '../helpers/client';
import { freePort } from '../helpers/listening';
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

// The one of Debian; it hands a connection to another client after each transaction, and refuses
// startup parameters that it does not know.
const program = '/usr/sbin/pgbouncer';
const isPossible = existsSync(program) && Boolean(process.env.TEST_DATABASE_URL);
const describePossible = isPossible ? describe : describe.skip;

describePossible('through PgBouncer, to a database in another time zone', () => {
  let own: TestDatabase;
  let folder: string;
  let pooler: ChildProcess;

  beforeAll(async () => {
    own = await openTestDatabase();
    const target = new URL(own.url);
    const name = target.pathname.slice(1);
    await setForSessions(own.url, "timezone = 'Asia/Kolkata'");
    const port = await freePort();
    folder = mkdtempSync(join(tmpdir(), 'pooler-'));
    const settings = join(folder, 'settings.ini');
    writeFileSync(
      settings,
      `[databases]
${name} = host=${target.hostname} port=${target.port || 5432} user=${target.username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
`,
    );
    // It refuses to run as root.
    const asNobody = userInfo().uid === 0 ? ['-u', 'nobody'] : [];
    pooler = spawn(program, [...asNobody, settings], { stdio: 'ignore' });
    const url = `postgresql://${target.username}@127.0.0.1:${port}/${name}?pgbouncer=true`;
    await untilAnswered(url);
    provideEnv({ DATABASE_URL: url, CACHE_BYTES: '0' });
  });

  afterAll(async () => {
    pooler?.kill();
    await own?.close();
    if (folder) rmSync(folder, { recursive: true });
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

async function untilAnswered(url: string): Promise<void> {
  for (;;) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      return await client.end();
    } catch {
      // Not yet.
    }
  }
}
