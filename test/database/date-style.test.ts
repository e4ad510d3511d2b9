import { Client } from 'pg';
import { createApiKey, getApiKey } from '@/src/api-keys/api-keys';
import { commandLine } from '@/src/audit/actor';
import { pool } from '@/src/database/client';
import { env } from '@/src/env';
import { createAccount } from '../helpers/accounts';
import { withOwnDatabase } from '../webhooks/own-database';

// All connections to the embedded database are one session, and that is as it begins.
const describeOnServer = process.env.TEST_DATABASE_URL ? describe : describe.skip;

describeOnServer('a database that is set to write dates in another form than ISO', () => {
  withOwnDatabase();

  beforeAll(async () => {
    const client = new Client({ connectionString: env().DATABASE_URL });
    await client.connect();
    const name = client.escapeIdentifier(client.database ?? '');
    await client.query(`ALTER DATABASE ${name} SET DateStyle = 'SQL, DMY'`);
    await client.end();
  });

  test('is asked for ISO, by which instants are read through the client and past it', async () => {
    const instant = new Date('2031-03-30T00:59:59.123Z');
    const accountId = await createAccount();
    const input = { name: 'A key', scopes: ['read' as const], expires_at: instant };
    const { id } = await createApiKey(accountId, input, commandLine);
    expect((await getApiKey(accountId, id)).expires_at).toEqual(instant);
    const { rows } = await pool().query('SELECT $1::timestamptz AS at', [instant]);
    expect(rows).toEqual([{ at: instant }]);
  });
});
