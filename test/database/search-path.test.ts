import { Client } from 'pg';
import { database } from '@/src/database/client';
import { env } from '@/src/env';
import { createTenant } from '../helpers/accounts';
import { askAuth, password, signUp } from '../helpers/session';
import { withOwnDatabase } from '../webhooks/own-database';

// All connections to the embedded database are one session, and that is as it begins.
const describeOnServer = process.env.TEST_DATABASE_URL ? describe : describe.skip;

describeOnServer('a database whose search_path leads to another schema than public', () => {
  withOwnDatabase();

  beforeAll(async () => {
    const client = new Client({ connectionString: env().DATABASE_URL });
    await client.connect();
    const name = client.escapeIdentifier(client.database ?? '');
    await client.query(`ALTER DATABASE ${name} SET search_path = absent, "of the service"`);
    await client.query('ALTER SCHEMA public RENAME TO "of the service"');
    await client.query('CREATE SCHEMA public; CREATE TABLE public.users (id uuid)');
    await client.end();
  });

  test('serves people and keys from there, whatever tables public has', async () => {
    const { email } = await signUp();
    expect((await askAuth('/sign-in/email', { email, password })).status).toBe(200);
    const tenant = await createTenant();
    const { id } = await tenant.space();
    expect((await tenant.testimonial(id)).space_id).toBe(id);
    const where = { id: tenant.accountId };
    await database().$transaction((tx) => tx.user.update({ where, data: { name: 'Another' } }));
    expect(await database().user.findUnique({ where })).toMatchObject({ name: 'Another' });
  });
});
