import { createApiKey, getApiKey } from '@/src/api-keys/api-keys';
import { commandLine } from '@/src/audit/actor';
import { pool } from '@/src/database/client';
import { env } from '@/src/env';
import { createAccount } from '../helpers/accounts';
import { describeOnServer } from '../helpers/locks';
import { withOwnDatabase } from '../helpers/own-database';
import { setForSessions } from './query';

describeOnServer('a database that is set to write dates in another form than ISO', () => {
  withOwnDatabase();

  beforeAll(() => setForSessions(env().DATABASE_URL ?? '', "DateStyle = 'SQL, DMY'"));

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
